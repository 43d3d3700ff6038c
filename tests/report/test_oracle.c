// The statistics against values that R computed: statistics.json of the shared material, when it is
// there. 1e-9 relative, p to 1e-12.
#include "stats/stats.h"

#include "array.h"

#include <glib.h>
#include <jansson.h>
#include <math.h>

static json_t *oracle;
static unsigned checked;

static json_t *oracle_load(void)
{
    const char *shared = g_getenv("SPINFAULT_SHARED");
    g_autofree char *path = g_build_filename(shared ? shared : SPINFAULT_SOURCE_DIR "/../shared",
                                             "oracle", "statistics.json", NULL);
    return json_load_file(path, JSON_DECODE_ANY, NULL);
}

static void near(const char *what, double got, const json_t *want, double relative, double absolute)
{
    g_assert_true(json_is_number(want));
    double w = json_number_value(want);
    if (!(fabs(got - w) <= relative * fabs(w) + absolute))
        g_error("%s: got %.17g, want %.17g", what, got, w);
    checked++;
}

static double *numbers(const json_t *array, size_t *n)
{
    *n = json_array_size(array);
    double *x = ARRAY_NEW(double, *n + 1);
    for (size_t i = 0; i < *n; i++)
        x[i] = json_number_value(json_array_get(array, i));
    return x;
}

static json_t *at(const json_t *object, const char *a, const char *b)
{
    json_t *inner = json_object_get(object, a);
    return b ? json_object_get(inner, b) : inner;
}

static void check_summary(const char *id, const double *x, size_t n, const json_t *want)
{
    near(id, stats_mean(x, n), at(want, "mean", NULL), 1e-9, 0);
    near(id, stats_sd(x, n), at(want, "sd", NULL), 1e-9, 1e-300);
    near(id, stats_median(x, n), at(want, "median", NULL), 1e-9, 0);
    near(id, stats_mad(x, n), at(want, "mad_raw", NULL), 1e-9, 0);
    static const struct {
        const char *key;
        double q;
    } quantiles[] = {{"q05", .05}, {"q25", .25}, {"q75", .75},
                     {"q90", .9},  {"q95", .95}, {"q99", .99}};
    for (size_t i = 0; i < G_N_ELEMENTS(quantiles); i++)
        near(id, stats_quantile(x, n, quantiles[i].q), at(want, quantiles[i].key, NULL), 1e-9, 0);
    const json_t *ci = at(want, "median_ci95", NULL);
    struct interval i;
    if (!json_is_true(at(ci, "achievable", NULL))) {
        g_assert_false(stats_median_interval(x, n, 0.95, &i));
        return;
    }
    g_assert_true(stats_median_interval(x, n, 0.95, &i));
    near(id, i.lo, at(ci, "lo", NULL), 1e-9, 0);
    near(id, i.hi, at(ci, "hi", NULL), 1e-9, 0);
    near(id, i.level, at(ci, "conf_achieved", NULL), 1e-9, 0);
}

static void check_ratio(const char *id, const double *a, size_t m, const double *b, size_t n,
                        const json_t *want)
{
    struct ratio r;
    const json_t *hl = at(want, "hl_log", NULL);
    static const struct {
        const char *key;
        double level;
    } levels[] = {{"ci95", .95}, {"ci90", .9}};
    for (size_t i = 0; json_is_object(hl) && i < G_N_ELEMENTS(levels); i++) {
        const json_t *ci = at(hl, levels[i].key, NULL);
        g_assert_true(stats_ratio(a, m, b, n, levels[i].level, &r));
        near(id, r.value, at(hl, "ratio", NULL), 1e-9, 0);
        near(id, r.interval.lo, at(ci, "lo", NULL), 1e-9, 0);
        near(id, r.interval.hi, at(ci, "hi", NULL), 1e-9, 0);
        near(id, r.interval.level, at(ci, "conf_achieved", NULL), 1e-9, 0);
        g_assert_cmpint(r.interval.achievable, ==, json_is_true(at(ci, "achievable", NULL)));
    }
}

static void test_two_samples(void)
{
    size_t index;
    json_t *set;
    json_array_foreach(json_object_get(oracle, "two_sample"), index, set)
    {
        const char *id = json_string_value(json_object_get(set, "id"));
        size_t m, n;
        g_autofree double *a = numbers(json_object_get(set, "base"), &m);
        g_autofree double *b = numbers(json_object_get(set, "new"), &n);
        check_summary(id, a, m, json_object_get(set, "base_summary"));
        check_summary(id, b, n, json_object_get(set, "new_summary"));
        struct rank_test t;
        g_assert_true(stats_rank_test(a, m, b, n, &t));
        const json_t *mwu = json_object_get(set, "mwu");
        near(id, t.u, at(mwu, "U_new", NULL), 1e-9, 0);
        near(id, t.p, at(mwu, "p_exact_two_sided", NULL), 0, 1e-12);
        near(id, t.p_least, at(mwu, "min_possible_p_two_sided", NULL), 0, 1e-12);
        near(id, stats_cliffs_delta(a, m, b, n), at(set, "cliffs_delta", NULL), 1e-9, 1e-15);
        check_ratio(id, a, m, b, n, set);
    }
    g_test_message("%u values checked", checked);
}

static void test_holm(void)
{
    size_t index;
    json_t *set;
    json_array_foreach(json_object_get(oracle, "multiple_testing"), index, set)
    {
        size_t n, m;
        g_autofree double *p = numbers(json_object_get(set, "p"), &n);
        g_autofree double *want = numbers(json_object_get(set, "holm"), &m);
        g_autofree double *got = ARRAY_NEW(double, n + 1);
        stats_holm(p, n, got);
        for (size_t i = 0; i < n; i++)
            g_assert_cmpfloat_with_epsilon(got[i], want[i], 1e-12);
    }
}

static void test_geomean(void)
{
    const char *key;
    json_t *set;
    json_object_foreach(json_object_get(oracle, "geomean_workloads"), key, set)
    {
        size_t n;
        g_autofree double *x = numbers(json_object_get(set, "ratios"), &n);
        struct geomean g;
        g_assert_true(stats_geomean(x, n, 0.95, &g));
        near(key, g.value, at(set, "geomean", NULL), 1e-9, 0);
        near(key, g.sd, at(set, "geo_sd", NULL), 1e-9, 0);
        near(key, g.lo, json_array_get(at(set, "t_log_ci95", NULL), 0), 1e-9, 0);
        near(key, g.hi, json_array_get(at(set, "t_log_ci95", NULL), 1), 1e-9, 0);
        near(key, g.p, at(set, "p", NULL), 0, 1e-12);
    }
}

static void test_pooled(void)
{
    const json_t *set = json_object_get(oracle, "pooled_variance_n3");
    const json_t *cells = json_object_get(set, "cells");
    struct pool pool = {0};
    const char *key;
    json_t *cell;
    json_object_foreach((json_t *)cells, key, cell)
    {
        size_t n;
        g_autofree double *x = numbers(cell, &n);
        g_assert_true(stats_pool_add(&pool, x, n));
    }
    near("sp", stats_pool_sd(&pool), json_object_get(set, "sp"), 1e-9, 0);
    size_t index;
    json_t *c;
    json_array_foreach(json_object_get(set, "comparisons"), index, c)
    {
        size_t m, n;
        const char *base = json_string_value(json_object_get(c, "base"));
        const char *fresh = json_string_value(json_object_get(c, "new"));
        g_autofree double *a = numbers(json_object_get(cells, base), &m);
        g_autofree double *b = numbers(json_object_get(cells, fresh), &n);
        struct ratio r;
        g_assert_true(stats_pooled_ratio(&pool, a, m, b, n, 0.95, &r));
        near(base, r.value, json_object_get(c, "ratio"), 1e-9, 0);
        near(base, r.interval.lo, json_object_get(c, "lo"), 1e-9, 0);
        near(base, r.interval.hi, json_object_get(c, "hi"), 1e-9, 0);
        near(base, r.p, json_object_get(c, "p"), 0, 1e-12);
    }
}

static void test_absent(void)
{
    g_test_skip("no oracle: set SPINFAULT_SHARED to the folder that has oracle/statistics.json");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    oracle = oracle_load();
    if (!oracle) {
        g_test_add_func("/oracle/absent", test_absent);
        return g_test_run();
    }
    g_test_add_func("/oracle/two-samples", test_two_samples);
    g_test_add_func("/oracle/holm", test_holm);
    g_test_add_func("/oracle/geomean", test_geomean);
    g_test_add_func("/oracle/pooled", test_pooled);
    int result = g_test_run();
    json_decref(oracle);
    return result;
}
