// Log-linear buckets: 32 to each power of two.
#include "histogram.h"

static unsigned bucket_of(uint64_t ns)
{
    if (ns < 1u << HISTOGRAM_SUB_BITS)
        return (unsigned)ns;
    unsigned shift = 63u - (unsigned)__builtin_clzll(ns) - HISTOGRAM_SUB_BITS;
    unsigned bucket = ((shift + 1) << HISTOGRAM_SUB_BITS) +
                      (unsigned)((ns >> shift) & ((1u << HISTOGRAM_SUB_BITS) - 1));
    return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

static uint64_t bucket_end(unsigned bucket)
{
    if (bucket < 1u << HISTOGRAM_SUB_BITS)
        return bucket;
    unsigned shift = (bucket >> HISTOGRAM_SUB_BITS) - 1;
    uint64_t mantissa = (1u << HISTOGRAM_SUB_BITS) | (bucket & ((1u << HISTOGRAM_SUB_BITS) - 1));
    return ((mantissa + 1) << shift) - 1;
}

void histogram_add(struct histogram *h, uint64_t ns)
{
    h->count++;
    h->sum += ns;
    if (ns > h->max)
        h->max = ns;
    h->buckets[bucket_of(ns)]++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    into->count += from->count;
    into->sum += from->sum;
    if (from->max > into->max)
        into->max = from->max;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
}

uint64_t histogram_quantile(const struct histogram *h, double q)
{
    uint64_t wanted = (uint64_t)(q * (double)h->count), seen = 0;
    if (wanted >= h->count)
        return h->max;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += h->buckets[i];
        if (seen > wanted)
            return bucket_end(i) < h->max ? bucket_end(i) : h->max;
    }
    return h->max;
}
