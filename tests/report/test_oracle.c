// The statistics against values that R computed: statistics.json of the shared material, when it is
// there. 1e-9 relative, p to 1e-12.
#include "stats/stats.h"

#include "array.h"
#include "stats/series.h"

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
    if (!json_is_number(want))
        g_error("%s: got %.17g, the oracle has no number", what, got);
    double w = json_number_value(want);
    if (!(fabs(got - w) <= relative * fabs(w) + absolute))
        g_error("%s: got %.17g, want %.17g", what, got, w);
    checked++;
}

// What R could not compute is null there and NAN here.
static void near_or_null(const char *what, double got, const json_t *want, double relative,
                         double absolute)
{
    if (!json_is_number(want) && isnan(got))
        checked++;
    else
        near(what, got, want, relative, absolute);
}

// A missing value is NAN.
static double *numbers(const json_t *array, size_t *n)
{
    *n = json_array_size(array);
    double *x = ARRAY_NEW(double, *n + 1);
    for (size_t i = 0; i < *n; i++)
        x[i] = json_is_number(json_array_get(array, i))
                   ? json_number_value(json_array_get(array, i))
                   : NAN;
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
    struct outliers odd = stats_outliers(x, n, NULL);
    near(id, 1.4826 * stats_mad(x, n), at(want, "mad_scaled_1.4826", NULL), 1e-9, 0);
    near(id, stats_quantile(x, n, 0), at(want, "min", NULL), 1e-9, 0);
    near(id, stats_quantile(x, n, 1), at(want, "max", NULL), 1e-9, 0);
    near(id, (double)odd.mild, at(want, "tukey_mild", NULL), 0, 0);
    near(id, (double)odd.severe, at(want, "tukey_severe", NULL), 0, 0);
    near_or_null(id, odd.farthest, at(want, "max_robust_z", NULL), 1e-9, 0);
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
        near(id, (double)r.interval.k, at(ci, "k", NULL), 0, 0);
        g_assert_cmpint(r.interval.achievable, ==, json_is_true(at(ci, "achievable", NULL)));
    }
}

static void check_shift(const char *id, const double *a, size_t m, const double *b, size_t n,
                        const json_t *want)
{
    static const struct {
        const char *key;
        double level;
    } levels[] = {{"ci95", .95}, {"ci90", .9}};
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        struct shift shift;
        const json_t *ci = at(want, levels[i].key, NULL);
        g_assert_true(stats_shift(a, m, b, n, levels[i].level, &shift));
        near(id, shift.value, at(ci, "estimate", NULL), 1e-9, 0);
        near(id, shift.interval.lo, at(ci, "lo", NULL), 1e-9, 1e-300);
        near(id, shift.interval.hi, at(ci, "hi", NULL), 1e-9, 1e-300);
        near(id, (double)shift.interval.k, at(ci, "k", NULL), 0, 0);
        near(id, shift.interval.level, at(ci, "conf_achieved", NULL), 1e-9, 0);
        g_assert_cmpint(shift.interval.achievable, ==, json_is_true(at(ci, "achievable", NULL)));
    }
}

static void check_t(const char *id, bool there, const struct t_test *t, const json_t *want)
{
    if (!json_is_object(want)) {
        g_assert_false(there);
        return;
    }
    g_assert_true(there);
    near(id, t->t, at(want, "t", NULL), 1e-9, 1e-300);
    near(id, t->df, at(want, "df", NULL), 1e-9, 0);
    near(id, t->p, at(want, "p", NULL), 1e-9, 1e-12);
}

static void check_welch(const char *id, const double *a, size_t m, const double *b, size_t n,
                        const json_t *set)
{
    struct t_test t = {0};
    const json_t *raw = at(set, "welch_raw", NULL), *gm = at(set, "gm_ratio", NULL);
    check_t(id, stats_welch(a, m, b, n, 0.95, &t), &t, raw);
    if (json_is_object(raw)) {
        near(id, t.difference, at(raw, "diff", NULL), 1e-9, 1e-300);
        near(id, t.lo, at(raw, "lo", NULL), 1e-9, 1e-300);
        near(id, t.hi, at(raw, "hi", NULL), 1e-9, 1e-300);
    }
    g_autofree double *x = stats_logs(a, m);
    g_autofree double *y = stats_logs(b, n);
    g_assert_cmpint(x && y, ==, json_is_object(gm));
    if (!x || !y)
        return;
    near(id, exp(stats_mean(y, n) - stats_mean(x, m)), at(gm, "ratio", NULL), 1e-9, 0);
    const json_t *logs = at(gm, "welch_log", NULL);
    check_t(id, stats_welch(x, m, y, n, 0.95, &t), &t, logs);
    if (json_is_object(logs)) {
        near(id, exp(t.lo), at(logs, "lo", NULL), 1e-9, 0);
        near(id, exp(t.hi), at(logs, "hi", NULL), 1e-9, 0);
    }
}

static void check_paired(const char *id, const double *a, const double *b, size_t n,
                         const json_t *want)
{
    struct signed_rank s;
    g_assert_true(stats_signed_rank(a, b, n, 0.95, &s));
    near(id, s.v, at(want, "V", NULL), 1e-9, 0);
    near(id, s.p, at(want, "p_signed_rank_exact", NULL), 0, 1e-12);
    near(id, s.p_sign, at(want, "p_sign", NULL), 0, 1e-12);
    near(id, s.p_least, at(want, "min_possible_p", NULL), 0, 1e-12);
    near(id, s.ratio, at(want, "hl_ratio", NULL), 1e-9, 0);
    near(id, s.interval.lo, at(want, "lo", NULL), 1e-9, 0);
    near(id, s.interval.hi, at(want, "hi", NULL), 1e-9, 0);
    near(id, (double)s.interval.k, at(want, "k", NULL), 0, 0);
    near(id, s.interval.level, at(want, "conf_achieved", NULL), 1e-9, 0);
    g_assert_cmpint(s.interval.achievable, ==, json_is_true(at(want, "achievable", NULL)));
    g_autofree double *x = stats_logs(a, n);
    g_autofree double *y = stats_logs(b, n);
    const json_t *logs = at(want, "t_log", NULL);
    struct t_test t;
    g_assert_true(stats_paired_t(x, y, n, 0.95, &t));
    near(id, exp(t.difference), at(logs, "ratio", NULL), 1e-9, 0);
    near(id, t.p, at(logs, "p", NULL), 1e-9, 1e-12);
    near(id, exp(t.lo), at(logs, "lo", NULL), 1e-9, 0);
    near(id, exp(t.hi), at(logs, "hi", NULL), 1e-9, 0);
}

static void check_ranks(const char *id, const double *a, size_t m, const double *b, size_t n,
                        const json_t *mwu)
{
    struct rank_test t;
    g_assert_true(stats_rank_test(a, m, b, n, &t));
    near(id, t.u, at(mwu, "U_new", NULL), 1e-9, 0);
    near(id, (double)(m * n) - t.u, at(mwu, "U_base", NULL), 1e-9, 0);
    near(id, t.p, at(mwu, "p_exact_two_sided", NULL), 0, 1e-12);
    near(id, t.p_distance, at(mwu, "p_exact_two_sided_absdev", NULL), 0, 1e-12);
    if (json_is_number(at(mwu, "p_coin_exact", NULL)))
        near(id, t.p_distance, at(mwu, "p_coin_exact", NULL), 0, 1e-12);
    near(id, t.p_greater, at(mwu, "p_exact_greater", NULL), 0, 1e-12);
    near(id, t.p_less, at(mwu, "p_exact_less", NULL), 0, 1e-12);
    near(id, t.p_least, at(mwu, "min_possible_p_two_sided", NULL), 0, 1e-12);
    g_assert_cmpint(t.ties, ==, json_is_true(at(mwu, "ties", NULL)));
    if (json_is_number(at(mwu, "p_normal_cc", NULL)))
        near(id, t.p_normal, at(mwu, "p_normal_cc", NULL), 0, 1e-12);
    if (json_is_number(at(mwu, "p_R_wilcox_exact", NULL)))
        near(id, t.p, at(mwu, "p_R_wilcox_exact", NULL), 0, 1e-12);
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
        check_ranks(id, a, m, b, n, json_object_get(set, "mwu"));
        double delta = stats_cliffs_delta(a, m, b, n);
        near(id, delta, at(set, "cliffs_delta", NULL), 1e-9, 1e-15);
        near(id, (delta + 1) / 2, at(set, "prob_superiority", NULL), 1e-9, 1e-15);
        check_ratio(id, a, m, b, n, set);
        check_shift(id, a, m, b, n, json_object_get(set, "hl_shift"));
        check_welch(id, a, m, b, n, set);
        if (json_is_true(json_object_get(set, "paired")))
            check_paired(id, a, b, m, json_object_get(set, "paired_stats"));
        if (json_is_number(at(set, "ratio_of_medians", NULL)))
            near(id, stats_median(b, n) / stats_median(a, m), at(set, "ratio_of_medians", NULL),
                 1e-9, 0);
        if (json_is_number(at(set, "ratio_of_means", NULL)))
            near(id, stats_mean(b, n) / stats_mean(a, m), at(set, "ratio_of_means", NULL), 1e-9, 0);
    }
    g_test_message("%u values checked", checked);
}

// What sample sizes can give, whatever is in them.
static void test_tables(void)
{
    size_t index;
    json_t *row;
    double x[64], y[64];
    for (size_t i = 0; i < G_N_ELEMENTS(x); i++) {
        x[i] = (double)i + 1;
        y[i] = (double)i + 100.5;
    }
    json_array_foreach(json_object_get(oracle, "median_ci_table"), index, row)
    {
        size_t n = (size_t)json_integer_value(at(row, "n", NULL));
        struct interval interval = {0};
        bool there = stats_median_interval(x, n, 0.95, &interval);
        near("median k", there ? (double)interval.k : 0, at(row, "k", NULL), 0, 0);
        near_or_null("median level", there ? interval.level : NAN, at(row, "conf", NULL), 1e-9, 0);
    }
    json_array_foreach(json_object_get(oracle, "hl_k_table"), index, row)
    {
        size_t m = (size_t)json_integer_value(at(row, "m", NULL));
        size_t n = (size_t)json_integer_value(at(row, "n", NULL));
        struct shift shift, range;
        g_assert_true(stats_shift(x, m, y, n, 0.95, &shift));
        g_assert_true(stats_shift(x, m, y, n, 1, &range));
        bool there = shift.interval.achievable;
        near("k", there ? (double)shift.interval.k : 0, at(row, "k95", NULL), 0, 0);
        near_or_null("level", there ? shift.interval.level : NAN, at(row, "conf_at_k", NULL), 1e-9,
                     0);
        near("range", range.interval.level, at(row, "conf_full_range", NULL), 1e-9, 0);
    }
    json_array_foreach(json_object_get(oracle, "min_p_two_sided"), index, row)
    {
        size_t m = (size_t)json_integer_value(at(row, "m", NULL));
        for (size_t n = 2; n <= 10; n++) {
            g_autofree char *key = g_strdup_printf("X%zu", n - 1);
            near(key, stats_least_p(m, n), at(row, key, NULL), 0, 1e-12);
        }
    }
}

static void test_many(void)
{
    static const struct {
        const char *key;
        void (*adjust)(const double *p, size_t n, double *adjusted);
    } methods[] = {{"holm", stats_holm},
                   {"bonferroni", stats_bonferroni},
                   {"bh", stats_benjamini_hochberg}};
    size_t index;
    json_t *set;
    json_array_foreach(json_object_get(oracle, "multiple_testing"), index, set)
    {
        size_t n;
        g_autofree double *p = numbers(json_object_get(set, "p"), &n);
        g_autofree double *got = ARRAY_NEW(double, n + 1);
        for (size_t k = 0; k < G_N_ELEMENTS(methods); k++) {
            methods[k].adjust(p, n, got);
            for (size_t i = 0; i < n; i++)
                near(methods[k].key, got[i], json_array_get(at(set, methods[k].key, NULL), i), 0,
                     1e-12);
        }
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
        near(key, g.min, at(set, "min", NULL), 1e-9, 0);
        near(key, g.max, at(set, "max", NULL), 1e-9, 0);
        near(key, (double)n, at(set, "n", NULL), 0, 0);
        near(key, stats_mean(x, n), at(set, "arith_mean", NULL), 1e-9, 0);
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
    near("df", (double)pool.df, json_object_get(set, "df"), 0, 0);
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
        double t = log(r.value) / stats_pool_sd(&pool) / sqrt(1 / (double)m + 1 / (double)n);
        near(base, t, json_object_get(c, "t"), 1e-9, 0);
    }
}

static void check_points(const char *id, const struct otava_point *points, size_t count,
                         const json_t *want)
{
    g_assert_cmpuint(count, ==, json_array_size(want));
    for (size_t i = 0; i < count; i++) {
        const struct otava_point *p = &points[i];
        const json_t *w = json_array_get(want, i);
        near(id, (double)p->at, at(w, "index", NULL), 0, 0);
        near(id, p->mean_before, at(w, "mean_before", NULL), 1e-9, 0);
        near(id, p->mean_after, at(w, "mean_after", NULL), 1e-9, 0);
        near(id, p->sd_before, at(w, "std_before_ddof0", NULL), 1e-9, 0);
        near(id, p->sd_after, at(w, "std_after_ddof0", NULL), 1e-9, 0);
        near(id, p->p, at(w, "pvalue", NULL), 1e-9, 0);
        near(id, p->change, at(w, "rel_change", NULL), 1e-9, 0);
        near(id, p->magnitude, at(w, "magnitude", NULL), 1e-9, 0);
        near(id, p->statistic, at(w, "qhat", NULL), 1e-9, 0);
    }
}

static void test_otava(void)
{
    size_t index;
    json_t *set;
    json_array_foreach(at(oracle, "change_points", "series"), index, set)
    {
        const char *id = json_string_value(json_object_get(set, "id"));
        size_t n, weak, strong, large;
        g_autofree double *x = numbers(json_object_get(set, "values"), &n);
        struct otava_options options = otava_defaults;
        g_autofree struct otava_point *w = otava_weak(x, n, &options, &weak);
        check_points(id, w, weak, json_object_get(set, "weak"));
        g_autofree struct otava_point *s = otava_changes(x, n, &options, &strong);
        check_points(id, s, strong, json_object_get(set, "change_points"));
        options.least_change = 0.05;
        g_autofree struct otava_point *l = otava_changes(x, n, &options, &large);
        const json_t *want = json_object_get(set, "change_points_min_magnitude_0_05");
        g_assert_cmpuint(large, ==, json_array_size(want));
        for (size_t i = 0; i < large; i++)
            near(id, (double)l[i].at, json_array_get(want, i), 0, 0);
    }
}

// Ours on the same series: nothing where nothing was planted, drift and spread aside, and every
// planted step of two deviations and more within three values of its place.
static void test_planted(void)
{
    size_t index;
    json_t *set;
    json_array_foreach(at(oracle, "change_points", "series"), index, set)
    {
        const char *id = json_string_value(json_object_get(set, "id"));
        const json_t *planted = json_object_get(set, "planted");
        size_t n, kept = 0;
        g_autofree double *x = numbers(json_object_get(set, "values"), &n);
        for (size_t i = 0; i < n; i++)
            if (!isnan(x[i]))
                x[kept++] = x[i];
        struct change found[16];
        size_t count = stats_changes(x, kept, &change_defaults, found, G_N_ELEMENTS(found));
        g_test_message("%s: %zu planted, %zu found", id, json_array_size(planted), count);
        if (json_array_size(planted) == 0 && !g_str_has_prefix(id, "drift"))
            g_assert_cmpuint(count, ==, 0);
        if (strstr(id, "1sigma") || g_str_has_prefix(id, "variance"))
            continue;
        for (size_t i = 0; i < json_array_size(planted); i++) {
            bool seen = false;
            double place = json_number_value(json_array_get(planted, i));
            for (size_t k = 0; k < count; k++)
                seen |= fabs((double)found[k].at - place) <= 3 + (double)(n - kept);
            if (!seen)
                g_error("%s: the step at %g was not found", id, place);
        }
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
    g_test_add_func("/oracle/tables", test_tables);
    g_test_add_func("/oracle/many", test_many);
    g_test_add_func("/oracle/geomean", test_geomean);
    g_test_add_func("/oracle/pooled", test_pooled);
    g_test_add_func("/oracle/otava", test_otava);
    g_test_add_func("/oracle/planted", test_planted);
    int result = g_test_run();
    json_decref(oracle);
    return result;
}
