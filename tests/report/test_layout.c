// Places, ticks, colour steps, folding, and numbers as people read them.
#include "layout.h"

#include <glib.h>
#include <math.h>

#include "spinfault/format.h"

static void test_linear(void)
{
    struct scale s = scale_linear(189934, 10, 100);
    g_assert_cmpfloat(s.hi, ==, 200000);
    g_assert_cmpuint(s.n_ticks, ==, 5);
    g_assert_cmpfloat(s.ticks[1], ==, 50000);
    g_assert_cmpfloat_with_epsilon(scale_at(&s, 0), 10, 1e-9);
    g_assert_cmpfloat_with_epsilon(scale_at(&s, 200000), 100, 1e-9);
    double most = 1e-9;
    for (int i = 0; i < 40; i++, most *= 3.7) {
        s = scale_linear(most, 0, 100);
        g_assert_cmpfloat(s.hi, >=, most * (1 - 1e-9));
        g_assert_cmpuint(s.n_ticks, >=, 3);
        g_assert_cmpuint(s.n_ticks, <=, 6);
    }
    s = scale_linear(-1, 0, 100);
    g_assert_cmpfloat(s.hi, ==, 1);
}

static void test_log(void)
{
    struct scale s = scale_log(1, 31457280, 0, 100);
    g_assert_cmpfloat(s.lo, ==, 1);
    g_assert_cmpfloat(s.hi, ==, 1e8);
    g_assert_cmpuint(s.n_ticks, ==, 5);
    g_assert_cmpfloat_with_epsilon(scale_at(&s, 10000), 50, 1e-9);
    s = scale_log(5, 5, 0, 100);
    g_assert_cmpfloat(s.lo, <=, 5);
    g_assert_cmpfloat(s.hi, >=, 5);
    s = scale_log_tight(8, 96, 20, 80);
    g_assert_cmpfloat_with_epsilon(scale_at(&s, 8), 20, 1e-9);
    g_assert_cmpfloat_with_epsilon(scale_at(&s, 96), 80, 1e-9);
    s = scale_log_tight(8, 8, 20, 80);
    g_assert_cmpfloat_with_epsilon(scale_at(&s, 8), 50, 1);
}

static void test_ratio(void)
{
    struct scale s = scale_ratio(0.51, 1.1, 196, 22);
    bool one = false;
    for (size_t i = 0; i < s.n_ticks; i++) {
        one |= fabs(s.ticks[i] - 1) < 1e-12;
        g_assert_cmpfloat(s.ticks[i], >=, s.lo);
        g_assert_cmpfloat(s.ticks[i], <=, s.hi);
    }
    g_assert_true(one);
    g_assert_cmpfloat(scale_at(&s, 0.51), >, scale_at(&s, 1.1));
    s = scale_ratio(1e-4, 1e4, 0, 100);
    g_assert_cmpuint(s.n_ticks, <=, SCALE_TICKS);
}

static void test_steps(void)
{
    g_assert_cmpint(ratio_step(1, true), ==, 0);
    g_assert_cmpint(ratio_step(0.5149, true), ==, -4);
    g_assert_cmpint(ratio_step(1.93, true), ==, 4);
    g_assert_cmpint(ratio_step(0.71, true), ==, -2);
    g_assert_cmpint(ratio_step(2, false), ==, -4);
    g_assert_cmpint(ratio_step(1e9, true), ==, 4);
    g_assert_cmpint(ratio_step(NAN, true), ==, 0);
    g_assert_cmpint(ratio_step(0, true), ==, 0);
}

static void test_fold(void)
{
    const double shares[] = {1, 0.5, 0.3, 0.2, 0.2, 0.2, 0.01};
    g_assert_cmpfloat(fold_below(shares, 7, 10, 0.001), ==, 0.001);
    double fold = fold_below(shares, 7, 4, 0.001);
    size_t kept = 0;
    for (size_t i = 0; i < 7; i++)
        kept += shares[i] >= fold;
    g_assert_cmpuint(kept, ==, 3); // the three that are level do not fit, so none of them stays
}

static void check_text(char *got, const char *want)
{
    g_assert_cmpstr(got, ==, want);
    g_free(got);
}

static void test_numbers(void)
{
    check_text(format_ratio(0.51490), "0.51×");
    check_text(format_ratio(12.345), "12.3×");
    check_text(format_ratio(0.0123), "0.012×");
    check_text(format_ratio(1234), "1,234×");
    check_text(format_ratio(NAN), "–");
    check_text(format_percent(0.556), "55.6 %");
    check_text(format_percent(0.0007), "0.07 %");
    check_text(format_percent(1), "100 %");
    check_text(format_percent(0), "0 %");
    check_text(format_value(50751.96), "50,752");
    check_text(format_value(-1234567), "-1,234,567");
    check_text(format_value(0.5), "0.500");
    check_text(format_with_unit(0.0123, "s"), "12.3 ms");
    check_text(format_with_unit(2e-6, "s"), "2 µs");
    check_text(format_with_unit(98565.86, "tps"), "98,566 tps");
    check_text(format_with_unit(5, "1"), "5");
    check_text(format_exact(50751.96), "50,751.96");
    check_text(format_p(0.0079), "0.0079");
    check_text(format_p(1.5e-6), "1.5×10⁻⁶");
    check_text(format_axis(200000), "200 k");
    check_text(format_axis(0), "0");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/layout/linear", test_linear);
    g_test_add_func("/layout/log", test_log);
    g_test_add_func("/layout/ratio", test_ratio);
    g_test_add_func("/layout/steps", test_steps);
    g_test_add_func("/layout/fold", test_fold);
    g_test_add_func("/layout/numbers", test_numbers);
    return g_test_run();
}
