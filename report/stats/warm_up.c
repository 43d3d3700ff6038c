// MSER-5: where a series has settled.
#include "stats/series.h"

#include "array.h"
#include "stats/stats.h"

#include <glib.h>
#include <math.h>

#define BATCH   5u
#define BATCHES 4u // fewer say nothing
#define ALPHA   0.01

// Variance of the batches from `from` on, divided by how many they are.
static double error_of_rest(const double *means, size_t from, size_t n)
{
    double rest = (double)(n - from), sd = stats_sd(means + from, n - from);
    return sd * sd * (rest - 1) / (rest * rest);
}

size_t stats_warm_up(const double *x, size_t n)
{
    size_t batches = n / BATCH, cut = 0;
    if (batches < BATCHES)
        return 0;
    g_autofree double *means = ARRAY_NEW(double, batches);
    for (size_t i = 0; i < batches; i++)
        means[i] = stats_mean(x + i * BATCH, BATCH);
    double best = INFINITY;
    for (size_t i = 0; i <= batches / 2; i++) {
        double error = error_of_rest(means, i, batches);
        if (error < best) {
            best = error;
            cut = i;
        }
    }
    struct rank_test test;
    if (cut == 0 || !stats_rank_test(x, cut * BATCH, x + cut * BATCH, n - cut * BATCH, &test) ||
        test.p >= ALPHA)
        return 0;
    return cut == batches / 2 ? n : cut * BATCH;
}
