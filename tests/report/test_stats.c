// The statistics against values that can be checked by hand or in a table.
#include "stats/stats.h"

#include <glib.h>
#include <math.h>

#define N(array) G_N_ELEMENTS(array)

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        g_error("got %.17g, want %.17g", got, want);
}

static void test_sample(void)
{
    const double x[] = {3, 1, 4, 1, 5, 9, 2, 6};
    near(stats_median(x, N(x)), 3.5, 0);
    near(stats_mean(x, N(x)), 31.0 / 8, 1e-15);
    near(stats_mad(x, N(x)), 2, 0);
    near(stats_quantile(x, N(x), 0.25), 1.75, 1e-15);
    near(stats_quantile(x, N(x), 1), 9, 0);
    g_assert_true(isnan(stats_median(x, 0)));
    g_assert_true(isnan(stats_sd(x, 1)));
}

static void test_median_interval(void)
{
    const double x[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    struct interval i;
    g_assert_false(stats_median_interval(x, 5, 0.95, &i));
    g_assert_true(stats_median_interval(x, 6, 0.95, &i));
    g_assert_cmpuint(i.k, ==, 1);
    near(i.level, 1 - 2.0 / 64, 1e-12);
    g_assert_true(stats_median_interval(x, 10, 0.95, &i));
    g_assert_cmpuint(i.k, ==, 2); // the 2nd and the 9th, 97.9 %
    near(i.lo, 2, 0);
    near(i.hi, 9, 0);
    near(i.level, 1 - 2.0 * 11 / 1024, 1e-12);
}

static void test_rank(void)
{
    const double a[] = {1, 2, 3}, b[] = {4, 5, 6};
    struct rank_test t;
    g_assert_true(stats_rank_test(a, 3, b, 3, &t));
    near(t.u, 9, 0);
    near(t.p, 0.1, 1e-12);
    near(t.p_least, 0.1, 1e-12);
    near(stats_cliffs_delta(a, 3, b, 3), 1, 0);
    near(stats_cliffs_delta(b, 3, a, 3), -1, 0);

    const double same[] = {7, 7, 7, 7};
    g_assert_true(stats_rank_test(same, 4, same, 4, &t));
    near(t.p, 1, 0);
    g_assert_true(t.ties);

    // {1, 1, 2} against {1, 2, 2}: 20 assignments of the midranks 2, 2, 2, 5, 5, 5.
    // A rank sum of at least 12 comes from two or three fives: 9 + 1 of them.
    const double c[] = {1, 1, 2}, d[] = {1, 2, 2};
    g_assert_true(stats_rank_test(c, 3, d, 3, &t));
    near(t.u, 6, 0);
    near(t.p, 1, 1e-12);
    g_assert_false(stats_rank_test(c, 0, d, 3, &t));
}

static void test_rank_large(void)
{
    double a[100], b[100];
    for (size_t i = 0; i < N(a); i++) {
        a[i] = (double)i;
        b[i] = (double)i + 200;
    }
    struct rank_test t;
    g_assert_true(stats_rank_test(a, N(a), b, N(b), &t));
    g_assert_false(t.exact);
    g_assert_cmpfloat(t.p, <, 1e-30);
    struct ratio r;
    for (size_t i = 0; i < N(a); i++) {
        a[i] = 100 + (double)i / 100;
        b[i] = a[i] * 2;
    }
    g_assert_true(stats_ratio(a, N(a), b, N(b), 0.95, &r));
    near(r.value, 2, 1e-9);
    g_assert_cmpfloat(r.interval.lo, <, 2);
    g_assert_cmpfloat(r.interval.hi, >, 2);
}

static void test_ratio(void)
{
    const double base[] = {100, 100, 100, 100, 100}, half[] = {50, 50, 50, 50, 50};
    struct ratio r;
    g_assert_true(stats_ratio(base, 5, half, 5, 0.95, &r));
    near(r.value, 0.5, 1e-15);
    near(r.interval.lo, 0.5, 1e-15);
    g_assert_true(r.interval.achievable);
    g_assert_true(stats_ratio(base, 3, half, 3, 0.95, &r)); // 90 % at most
    g_assert_false(r.interval.achievable);
    near(r.interval.level, 0.9, 1e-12);
    const double zero[] = {0, 1};
    g_assert_false(stats_ratio(base, 5, zero, 2, 0.95, &r));
}

static void test_pooled(void)
{
    const double a[] = {100, 102, 101}, b[] = {151, 149, 153};
    struct pool pool = {0};
    g_assert_true(isnan(stats_pool_sd(&pool)));
    g_assert_true(stats_pool_add(&pool, a, 3));
    g_assert_true(stats_pool_add(&pool, b, 3));
    g_assert_true(stats_pool_add(&pool, b, 1)); // adds nothing
    g_assert_cmpuint(pool.df, ==, 4);
    struct ratio r;
    g_assert_true(stats_pooled_ratio(&pool, a, 3, b, 3, 0.95, &r));
    g_assert_cmpfloat(r.interval.lo, <, r.value);
    g_assert_cmpfloat(r.value, <, r.interval.hi);
    const double bad[] = {1, -1};
    g_assert_false(stats_pool_add(&pool, bad, 2));
}

static void test_scale(void)
{
    const double large[] = {1e290, 3e290, 2e290}, small[] = {1e-290, 3e-290, 2e-290};
    g_assert_cmpfloat(fabs(stats_sd(large, 3) / 1e290 - 1), <, 1e-12);
    g_assert_cmpfloat(fabs(stats_sd(small, 3) / 1e-290 - 1), <, 1e-12);
}

// Of runs without tails p is Student's own; one wild run among twenty cells makes it larger.
static void test_tails(void)
{
    const double even[] = {100, 101, 102}, other[] = {110, 111, 112};
    struct pool pool = {0};
    struct ratio r;
    for (int i = 0; i < 20; i++)
        stats_pool_add(&pool, even, 3);
    g_assert_cmpfloat(stats_pool_kurtosis(&pool), ==, 0);
    g_assert_true(stats_pooled_ratio(&pool, even, 3, other, 3, 0.95, &r));
    g_assert_cmpfloat(fabs(stats_pooled_p_tails(&pool, even, 3, other, 3) / r.p - 1), <, 1e-9);
    const double wild[] = {100, 101, 130};
    stats_pool_add(&pool, wild, 3);
    g_assert_cmpfloat(stats_pool_kurtosis(&pool), >, 10);
    g_assert_true(stats_pooled_ratio(&pool, even, 3, other, 3, 0.95, &r));
    g_assert_cmpfloat(stats_pooled_p_tails(&pool, even, 3, other, 3), >, 5 * r.p);
    g_assert_cmpfloat(stats_pooled_p_tails(&pool, even, 3, other, 3), <, 1);
}

static void test_holm(void)
{
    const double p[] = {0.04, NAN, 0.01, 0.03};
    double q[4];
    stats_holm(p, 4, q);
    near(q[0], 0.06, 1e-15);
    g_assert_true(isnan(q[1]));
    near(q[2], 0.03, 1e-15);
    near(q[3], 0.06, 1e-15);
}

static void test_distributions(void)
{
    near(stats_t_quantile(0.975, 4), 2.7764451051977987, 1e-9);
    near(stats_t_quantile(0.025, 1), -12.706204736174698, 1e-8);
    near(stats_t_tail(2.7764451051977987, 4), 0.05, 1e-12);
    near(stats_normal_quantile(0.975), 1.959963984540054, 1e-12);
    g_assert_cmpuint(stats_runs_needed(0.05, 1), ==, 4);
    g_assert_cmpuint(stats_runs_needed(0.05, 15), ==, 6);
}

static void test_paired(void)
{
    // Differences of one sign only: 2 of 2^5 assignments are as extreme.
    const double a[] = {100, 110, 120, 130, 140}, b[] = {101, 112, 123, 134, 145};
    struct signed_rank s;
    g_assert_true(stats_signed_rank(a, b, N(a), 0.95, &s));
    near(s.v, 15, 0);
    near(s.p, 2.0 / 32, 1e-12);
    near(s.p_sign, 2.0 / 32, 1e-12);
    g_assert_false(s.interval.achievable); // five pairs give 93.75 % at most
    near(s.interval.level, 0.9375, 1e-12);
    near(s.interval.lo, 1.01, 1e-12);
    near(s.interval.hi, 145.0 / 140, 1e-12);
    // A pair without a difference is no evidence for the test, but has a part in the estimate.
    const double c[] = {100, 100, 100}, d[] = {100, 100, 100};
    g_assert_true(stats_signed_rank(c, d, N(c), 0.95, &s));
    near(s.p, 1, 0);
    near(s.ratio, 1, 0);
    g_assert_cmpuint(s.pairs, ==, 0);
    const double zero[] = {0, 1, 2};
    g_assert_false(stats_signed_rank(zero, zero, N(zero), 0.95, &s));
    // Many pairs are not listed, and the normal approximation takes over.
    static double many[5000], more[5000];
    for (size_t i = 0; i < N(many); i++) {
        many[i] = 100 + (double)(i % 7);
        more[i] = many[i] * 1.02;
    }
    g_assert_true(stats_signed_rank(many, more, N(many), 0.95, &s));
    near(s.ratio, 1.02, 1e-9);
    g_assert_cmpfloat(s.p, <, 1e-12);
}

static void test_oddities(void)
{
    const double x[] = {10, 11, 12, 13, 14, 15, 16, 17, 100};
    unsigned char flags[N(x)];
    struct outliers found = stats_outliers(x, N(x), flags);
    g_assert_cmpuint(found.mild, ==, 1);
    g_assert_cmpuint(found.severe, ==, 1);
    g_assert_cmpuint(flags[0], ==, 0);
    g_assert_cmpuint(flags[8], ==, 2);
    near(found.farthest, 86 / (1.4826 * 2), 1e-12);
    const double same[] = {5, 5, 5};
    found = stats_outliers(same, N(same), NULL);
    g_assert_cmpuint(found.mild, ==, 0);
    g_assert_true(isnan(found.farthest));
    const double aa[] = {1.01, 1 / 1.01, 1.01};
    near(stats_noise_floor(aa, N(aa)), 0.01, 1e-12);
    g_assert_true(isnan(stats_noise_floor(aa, 0)));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stats/sample", test_sample);
    g_test_add_func("/stats/median-interval", test_median_interval);
    g_test_add_func("/stats/rank", test_rank);
    g_test_add_func("/stats/rank-large", test_rank_large);
    g_test_add_func("/stats/ratio", test_ratio);
    g_test_add_func("/stats/pooled", test_pooled);
    g_test_add_func("/stats/scale", test_scale);
    g_test_add_func("/stats/tails", test_tails);
    g_test_add_func("/stats/holm", test_holm);
    g_test_add_func("/stats/distributions", test_distributions);
    g_test_add_func("/stats/paired", test_paired);
    g_test_add_func("/stats/oddities", test_oddities);
    return g_test_run();
}
