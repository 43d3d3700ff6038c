// SplitMix64.
#include "stats/series.h"

uint64_t random_next(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

size_t random_below(struct random *random, size_t n)
{
    uint64_t bound = n, unfair = (0 - bound) % bound; // 2^64 mod n
    for (;;) {
        uint64_t r = random_next(random);
        if (r >= unfair)
            return (size_t)(r % bound);
    }
}

double random_unit(struct random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

void random_shuffle(struct random *random, unsigned *x, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = random_below(random, i);
        unsigned kept = x[i - 1];
        x[i - 1] = x[j];
        x[j] = kept;
    }
}
