// Slices, numbers and display forms.
#include <glib.h>
#include <math.h>

#include "spinfault/base.h"

static void test_slices(void)
{
    struct slice s = slice_trim(SLICE(" \t a b\r"));
    g_assert_true(slice_is(s, "a b"));
    g_assert_true(slice_starts(s, "a") && slice_ends(s, " b") && !slice_starts(s, "a b c"));
    g_assert_cmpuint(slice_trim(SLICE(" \t\r")).len, ==, 0);
    // "Not there" differs from "there and empty".
    g_assert_false(slice_equal(SLICE_NULL, SLICE("")));
    g_assert_false(slice_is(SLICE_NULL, ""));
    g_assert_null(slice_dup(SLICE_NULL));
    g_autofree char *copy = slice_dup((struct slice){"abc", 2});
    g_assert_cmpstr(copy, ==, "ab");
    // A NUL byte inside is an ordinary byte.
    g_assert_cmpuint(slice_trim((struct slice){"\0x", 2}).len, ==, 2);
}

static void test_whole_numbers(void)
{
    uint64_t u;
    int64_t i;
    g_assert_true(slice_to_u64(SLICE("18446744073709551615"), &u) && u == UINT64_MAX);
    g_assert_false(slice_to_u64(SLICE("18446744073709551616"), &u));
    g_assert_false(slice_to_u64(SLICE(""), &u));
    g_assert_false(slice_to_u64(SLICE("1 "), &u));
    g_assert_false(slice_to_u64(SLICE("+1"), &u));
    g_assert_true(slice_to_i64(SLICE("-5"), &i) && i == -5);
    g_assert_false(slice_to_i64(SLICE("-"), &i));
    g_assert_false(slice_to_i64(SLICE("9223372036854775808"), &i));
    g_assert_true(slice_to_hex(SLICE("ffffffff81000c82"), &u) && u == 0xffffffff81000c82u);
    g_assert_true(slice_to_hex(SLICE("0x10"), &u) && u == 16);
    g_assert_false(slice_to_hex(SLICE("0x"), &u));
    g_assert_false(slice_to_hex(SLICE("11223344556677889"), &u));
    g_assert_false(slice_to_hex(SLICE("g"), &u));
}

static void test_decimals(void)
{
    double d;
    g_assert_true(slice_to_double(SLICE("1.5e3"), &d) && d == 1500);
    g_assert_true(slice_to_double(SLICE("-0.25"), &d) && d == -0.25);
    // Neither infinity nor "not a number" is a measurement.
    g_assert_false(slice_to_double(SLICE("nan"), &d));
    g_assert_false(slice_to_double(SLICE("inf"), &d));
    g_assert_false(slice_to_double(SLICE("1e999"), &d));
    g_assert_false(slice_to_double(SLICE("0x10"), &d));
    g_assert_false(slice_to_double(SLICE("1,5"), &d));
    g_assert_false(slice_to_double(SLICE("1.5 "), &d));
    g_assert_false(slice_to_double(SLICE(""), &d));
}

static void test_bytes(void)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"120GB", 120ull << 30}, {"8 kB", 8192}, {"2M", 2u << 20}, {"1GiB", 1u << 30},
                {"4096", 4096},          {"0", 0},       {"1.5k", 1536},   {" 3b ", 3}};
    static const char *const bad[] = {"", "GB", "1 PB", "-1", "9999999999GB", "1 k b"};
    uint64_t bytes;
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_assert_true(text_to_bytes(good[i].text, &bytes));
        g_assert_cmpuint(bytes, ==, good[i].bytes);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        g_assert_false(text_to_bytes(bad[i], &bytes));
}

static void test_display(void)
{
    static const struct {
        uint64_t value;
        const char *text;
    } commas[] = {{0, "0"},
                  {999, "999"},
                  {1000, "1,000"},
                  {31457280, "31,457,280"},
                  {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < G_N_ELEMENTS(commas); i++) {
        g_autofree char *text = text_with_commas(commas[i].value);
        g_assert_cmpstr(text, ==, commas[i].text);
    }
    g_autofree char *huge = text_page_size(1u << 30), *base = text_page_size(4096);
    g_assert_cmpstr(huge, ==, "1G");
    g_assert_cmpstr(base, ==, "4K");
    g_autofree char *some = text_bytes(1536), *few = text_bytes(12);
    g_assert_cmpstr(some, ==, "1.5 KB");
    g_assert_cmpstr(few, ==, "12 B");
}

static void test_double_round_trip(void)
{
    static const double values[] = {0, 50751.96, 0.1, 1.0 / 3, 1e300, -2.5e-8, 98565.86, 1e15};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autofree char *text = text_double(values[i]);
        g_assert_cmpfloat(g_ascii_strtod(text, NULL), ==, values[i]);
    }
    g_autofree char *shortest = text_double(50751.96);
    g_assert_cmpstr(shortest, ==, "50751.96");
}

static void test_json(void)
{
    g_autoptr(GString) out = g_string_new("x");
    text_append_json(out, SLICE("a\"\\\n\t\x01\x7f\xc3\xa9\xff z\0y"));
    g_assert_cmpstr(out->str, ==,
                    "x\"a\\\"\\\\\\n\\t\\u0001\\u007f\xc3\xa9\xef\xbf\xbd z\\u0000y\"");
    g_string_truncate(out, 0);
    text_append_json(out, SLICE_NULL);
    text_append_json(out, (struct slice){"\xc3\xa9", 1}); // cut inside a character
    g_assert_cmpstr(out->str, ==, "\"\"\"\xef\xbf\xbd\"");
}

static void test_printable(void)
{
    static const char bytes[] = "a\xff\tb\x1b[1m\n\xc3\xa9";
    g_autofree char *text = text_printable((struct slice){bytes, sizeof(bytes) - 1});
    g_assert_cmpstr(text, ==, "a\xEF\xBF\xBD\\tb\\x1b[1m\\n\xc3\xa9");
    g_assert_true(g_utf8_validate(text, -1, NULL));
    g_autofree char *nul = text_printable((struct slice){"x\0y", 3});
    g_assert_cmpstr(nul, ==, "x\\x00y");
}

static void test_time(void)
{
    int64_t ns;
    g_assert_true(text_to_time("2026-04-01", &ns));
    g_assert_cmpint(ns, ==, 1775001600ll * 1000000000);
    g_autofree char *text = text_from_time(ns + 999999999);
    g_assert_cmpstr(text, ==, "2026-04-01T00:00:00Z");
    g_assert_false(text_to_time("yesterday", &ns));
    g_assert_true(text_to_time("2262-04-11T23:47:16.854775Z", &ns));
    g_assert_false(text_to_time("2262-04-11T23:47:17Z", &ns)); // 2^63 ns are over
    g_assert_false(text_to_time("9703-11-30 13:27:12.219274+00", &ns));
    g_autofree char *before = text_from_time(-1);
    g_assert_cmpstr(before, ==, "1969-12-31T23:59:59Z");
}

static void test_digest(void)
{
    char whole[DIGEST_HEX_BYTES], parts[DIGEST_HEX_BYTES];
    digest_bytes("abc", 3, whole);
    g_assert_cmpstr(
        whole, ==,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); // FIPS 180-4
    struct digest *d = digest_new();
    digest_update(d, "a", 1);
    digest_update(d, "bc", 2);
    digest_finish(d, parts);
    g_assert_cmpstr(parts, ==, whole);
    digest_free(NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text/slices", test_slices);
    g_test_add_func("/text/whole-numbers", test_whole_numbers);
    g_test_add_func("/text/decimals", test_decimals);
    g_test_add_func("/text/bytes", test_bytes);
    g_test_add_func("/text/display", test_display);
    g_test_add_func("/text/double-round-trip", test_double_round_trip);
    g_test_add_func("/text/printable", test_printable);
    g_test_add_func("/text/json", test_json);
    g_test_add_func("/text/time", test_time);
    g_test_add_func("/digest/known-value", test_digest);
    return g_test_run();
}
