// Changes of level and warm-up, on series made here.
#include "stats/series.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static double noise(struct random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(random);
    return sum; // near a standard normal
}

static void test_random(void)
{
    struct random random = {0};
    g_assert_cmphex(random_next(&random), ==, 0xe220a8397b1dcdafu); // of the published sequence
    unsigned seen[5] = {0};
    for (int i = 0; i < 5000; i++)
        seen[random_below(&random, 5)]++;
    for (size_t i = 0; i < 5; i++)
        g_assert_cmpuint(seen[i], >, 850);
    g_assert_cmpuint(random_below(&random, 1), ==, 0);
}

static void test_step(void)
{
    struct random random = {7};
    double x[60];
    for (size_t i = 0; i < 60; i++)
        x[i] = (i < 25 ? 1000 : 700) * (1 + 0.01 * noise(&random));
    struct change found[4], again[4];
    size_t n = stats_changes(x, 60, &change_defaults, found, 4);
    g_assert_cmpuint(n, ==, 1);
    g_assert_cmpuint(found[0].at, ==, 25);
    g_assert_cmpfloat_with_epsilon(found[0].p, 1.0 / 300, 1e-12);
    g_assert_cmpfloat_with_epsilon(found[0].ratio, 0.7, 0.02);
    g_assert_cmpfloat(found[0].lo, <, found[0].ratio);
    g_assert_cmpfloat(found[0].hi, >, found[0].ratio);
    g_assert_false(found[0].provisional);
    g_assert_cmpuint(stats_changes(x, 60, &change_defaults, again, 4), ==, 1);
    g_assert_cmpmem(found, sizeof *found, again, sizeof *again); // the seed decides
}

static void test_tip(void)
{
    struct random random = {11};
    double x[43];
    for (size_t i = 0; i < 43; i++)
        x[i] = (i < 40 ? 1000 : 800) * (1 + 0.01 * noise(&random));
    struct change found[4];
    g_assert_cmpuint(stats_changes(x, 43, &change_defaults, found, 4), ==, 1);
    g_assert_cmpuint(found[0].at, ==, 40);
    g_assert_true(found[0].provisional);
    // One value more or less is no level.
    g_assert_cmpuint(stats_changes(x, 41, &change_defaults, found, 4), ==, 0);
}

static void test_small(void)
{
    const double x[] = {1, 2, 3, 4, 5, 6, -7, 0, 9, 10, 11, 12};
    struct change found[4];
    for (size_t n = 0; n < 7; n++)
        g_assert_cmpuint(stats_changes(x, n, &change_defaults, found, 4), ==, 0);
    double zeros[40] = {0};
    g_assert_cmpuint(stats_changes(zeros, 40, &change_defaults, found, 4), ==, 0);
    for (size_t i = 20; i < 40; i++)
        zeros[i] = 1;
    g_assert_cmpuint(stats_changes(zeros, 40, &change_defaults, found, 4), ==, 1);
    g_assert_cmpuint(found[0].at, ==, 20);
    g_assert_true(isnan(found[0].ratio)); // zero has no ratio
    g_assert_cmpuint(stats_changes(zeros, 40, &change_defaults, found, 0), ==, 0);
}

static void test_false_alarms(void)
{
    struct random random = {3};
    unsigned alarms = 0;
    for (int round = 0; round < 200; round++) {
        double x[30];
        struct change found[4];
        for (size_t i = 0; i < 30; i++)
            x[i] = 1000 + 10 * noise(&random);
        alarms += stats_changes(x, 30, &change_defaults, found, 4) > 0;
    }
    g_assert_cmpuint(alarms, <=, 10); // of 200, at 1 % for the series and 1 % for its tip
}

static void test_warm_up(void)
{
    struct random random = {5};
    double x[120];
    for (size_t i = 0; i < 120; i++)
        x[i] = 1000 * (1 - 0.5 * exp(-(double)i / 8)) * (1 + 0.01 * noise(&random));
    size_t cut = stats_warm_up(x, 120);
    g_assert_cmpuint(cut, >=, 15);
    g_assert_cmpuint(cut, <=, 45);
    for (size_t i = 0; i < 120; i++)
        x[i] = 1000 * (1 + 0.01 * noise(&random));
    g_assert_cmpuint(stats_warm_up(x, 120), ==, 0);
    for (size_t i = 0; i < 120; i++)
        x[i] = 1000 + 10 * (double)i;
    g_assert_cmpuint(stats_warm_up(x, 120), ==, 120); // still climbing
    g_assert_cmpuint(stats_warm_up(x, 12), ==, 0);
}

static void test_otava(void)
{
    // The oddity that series.h names: a lone outlier at the tip is a change point there, not here.
    double x[31];
    struct random random = {9};
    for (size_t i = 0; i < 31; i++)
        x[i] = 100 + noise(&random);
    x[30] = 110;
    size_t count;
    g_autofree struct otava_point *points = otava_changes(x, 31, &otava_defaults, &count);
    g_assert_cmpuint(count, ==, 1);
    g_assert_cmpuint(points[0].at, ==, 30);
    struct change found[4];
    g_assert_cmpuint(stats_changes(x, 31, &change_defaults, found, 4), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/series/random", test_random);
    g_test_add_func("/series/step", test_step);
    g_test_add_func("/series/tip", test_tip);
    g_test_add_func("/series/small", test_small);
    g_test_add_func("/series/false-alarms", test_false_alarms);
    g_test_add_func("/series/warm-up", test_warm_up);
    g_test_add_func("/series/otava", test_otava);
    return g_test_run();
}
