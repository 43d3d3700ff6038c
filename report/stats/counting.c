// Counting behind the exact rank statistics: the number of ways to choose some of the ranks so that
// they have a given sum.
#include "stats/counting.h"

#include "array.h"

#include <glib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct item {
    double value;
    bool fresh;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

unsigned *count_doubled_ranks(const double *base, size_t m, const double *fresh, size_t n,
                              size_t *sum, double *tie_term)
{
    size_t total = m + n;
    g_autofree struct item *items = ARRAY_NEW(struct item, total);
    for (size_t i = 0; i < m; i++)
        items[i] = (struct item){base[i], false};
    for (size_t i = 0; i < n; i++)
        items[m + i] = (struct item){fresh[i], true};
    qsort(items, total, sizeof *items, compare_items);
    unsigned *ranks = ARRAY_NEW(unsigned, total);
    *sum = 0;
    *tie_term = 0;
    for (size_t i = 0; i < total;) {
        size_t end = i;
        while (end < total && items[end].value == items[i].value)
            end++;
        double t = (double)(end - i);
        *tie_term += t * t * t - t;
        for (size_t j = i; j < end; j++) {
            ranks[j] = (unsigned)(i + 1 + end); // twice the mean of i + 1 … end
            *sum += items[j].fresh ? ranks[j] : 0;
        }
        i = end;
    }
    return ranks;
}

double *count_rank_sums(const unsigned *ranks, size_t total, size_t pick, size_t *size)
{
    g_autofree size_t *before = ARRAY_NEW(size_t, total + 1); // sum of the first ranks
    for (size_t i = 0; i < total; i++)
        before[i + 1] = before[i] + ranks[i];
    *size = before[total] - before[total - pick] + 1; // ranks ascend
    double *ways = g_new0(double, (pick + 1) * *size);
    ways[0] = 1;
    for (size_t i = 0; i < total; i++) {
        size_t top = i + 1 < pick ? i + 1 : pick;
        for (size_t c = top; c >= 1; c--) {
            double *to = ways + c * *size;
            const double *from = ways + (c - 1) * *size;
            // c − 1 of the first i ranks have no smaller and no larger sum than these.
            size_t least = before[c - 1], most = before[i] - before[i + 1 - c];
            for (size_t s = most + 1; s-- > least;)
                to[s + ranks[i]] += from[s];
        }
    }
    double all = 0;
    double *last = ARRAY_NEW(double, *size);
    for (size_t s = 0; s < *size; s++)
        all += last[s] = ways[pick * *size + s];
    for (size_t s = 0; s < *size; s++)
        last[s] /= all;
    g_free(ways);
    return last;
}

struct counted {
    size_t total, pick, size;
    double *shares;
};

static gpointer count_once(const struct counted *wanted)
{
    g_autofree unsigned *ranks = ARRAY_NEW(unsigned, wanted->total);
    for (size_t i = 0; i < wanted->total; i++)
        ranks[i] = (unsigned)(i + 1);
    struct counted *counted = g_memdup2(wanted, sizeof *wanted);
    counted->shares = count_rank_sums(ranks, wanted->total, wanted->pick, &counted->size);
    return counted;
}

const double *count_untied_sums(size_t total, size_t pick, size_t *size)
{
    static GMutex lock;
    static GHashTable *known; // pick · 2^20 + total -> struct counted; kept until the end
    const struct counted wanted = {.total = total, .pick = pick};
    gpointer key = GSIZE_TO_POINTER(pick << 20 | total);
    g_mutex_lock(&lock);
    if (!known)
        known = g_hash_table_new(NULL, NULL);
    struct counted *counted = g_hash_table_lookup(known, key);
    if (!counted) {
        counted = count_once(&wanted);
        g_hash_table_insert(known, key, counted);
    }
    g_mutex_unlock(&lock);
    *size = counted->size;
    return counted->shares;
}

double *count_signed_sums(const unsigned *ranks, size_t n, size_t *size)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        most += ranks[i];
    *size = most + 1;
    double *shares = ARRAY_NEW(double, *size);
    shares[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t s = *size; s-- > 0;)
            shares[s] = (shares[s] + (s >= ranks[i] ? shares[s - ranks[i]] : 0)) / 2;
    return shares;
}

void count_tails(const double *shares, size_t size, size_t sum, double *below, double *above)
{
    *below = *above = 0;
    for (size_t s = 0; s < size; s++) {
        if (s <= sum)
            *below += shares[s];
        if (s >= sum)
            *above += shares[s];
    }
    *below = fmin(1, *below);
    *above = fmin(1, *above);
}

// Doubles in their order as integers, so that bisection ends exactly on one of them.
static int64_t ordinal(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_ordinal(int64_t o)
{
    int64_t bits = o < 0 ? INT64_MIN - o : o;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double count_kth(size_t (*within)(const void *data, double limit), const void *data, double least,
                 double most, size_t k)
{
    int64_t low = ordinal(least), high = ordinal(most);
    while (low < high) {
        int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        if (within(data, of_ordinal(middle)) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    return of_ordinal(low);
}
