// perf script: every field beside every other, filled with what has misled readers. A recording is
// composed with the facts that must come out; see perf_compose.h.
#include "perf_compose.h"
#include "property.h"

#include "spinfault/base.h"

#include <stdio.h>

#define FAILURES_SHOWN 3

struct found {
    GPtrArray *facts; // lines, without those of runs and skipped ones
    unsigned skipped;
};

static struct found read_back(const char *text, gsize len)
{
    struct found found = {.facts = g_ptr_array_new_with_free_func(g_free)};
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_file("combo.txt", text, len);
    g_autofree char *facts = facts_of(path, 0, "perf-script", &error);
    g_assert_no_error(error);
    g_auto(GStrv) lines = g_strsplit(facts, "\n", -1);
    for (char **line = lines; *line && **line; line++) {
        if (g_str_has_prefix(*line, "{\"type\":\"skipped\""))
            found.skipped++;
        else
            g_ptr_array_add(found.facts, g_strdup(*line));
    }
    return found;
}

// Fails with what is needed to repeat and to see it.
static void give_up(guint32 seed, const char *what, const struct composition *c, const char *want,
                    const char *have)
{
    g_printerr("# --rounds 1 --first %u, %s: %s\n# wanted %s\n# found  %s\n%s", seed, what,
               c->layout->str, want, have, c->text->str);
    g_test_fail();
}

static const char *line_of(GPtrArray *lines, guint i)
{
    return i < lines->len ? g_ptr_array_index(lines, i) : "nothing";
}

// The first `n` facts must be those composed, and with `all` no others may follow.
static bool compare(guint32 seed, const char *what, const struct composition *c, guint n, bool all,
                    const struct found *found)
{
    for (guint i = 0; i < (all ? MAX(n, found->facts->len) : n); i++) {
        const char *want = i < n ? line_of(c->facts, i) : "nothing",
                   *have = line_of(found->facts, i);
        if (strcmp(want, have) != 0) {
            give_up(seed, what, c, want, have);
            return false;
        }
    }
    return true;
}

static bool try_text(guint32 seed, const char *what, const struct composition *c, const char *text,
                     gsize len, unsigned skipped)
{
    struct found found = read_back(text, len);
    bool ok = compare(seed, what, c, c->facts->len, true, &found);
    if (ok && found.skipped != skipped) {
        g_autofree char *want = g_strdup_printf("%u skipped lines", skipped);
        g_autofree char *have = g_strdup_printf("%u", found.skipped);
        give_up(seed, what, c, want, have);
        ok = false;
    }
    g_ptr_array_unref(found.facts);
    return ok;
}

static bool check_plain(guint32 seed, const struct composition *c)
{
    return try_text(seed, "as it is", c, c->text->str, c->text->len, c->noise);
}

static bool check_crlf(guint32 seed, const struct composition *c)
{
    GString *text = g_string_new(c->text->str);
    g_string_replace(text, "\n", "\r\n", 0);
    bool ok = try_text(seed, "with CRLF", c, text->str, text->len, c->noise);
    g_string_free(text, TRUE);
    return ok;
}

static bool check_noise_after(guint32 seed, const struct composition *c)
{
    g_autofree char *text = g_strconcat(c->text->str, "Warning:\nno such file\n", NULL);
    return try_text(seed, "with noise behind it", c, text, strlen(text), c->noise + 2);
}

// Whatever is cut off, what was complete before the cut is found.
static bool check_cuts(guint32 seed, const struct composition *c)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    for (unsigned i = 0; i < 4; i++) {
        gsize cut = (gsize)g_rand_int_range(rand, 1, (gint32)c->text->len);
        guint complete = 0;
        while (complete < c->ends->len && g_array_index(c->ends, gsize, complete) <= cut)
            complete++;
        struct found found = read_back(c->text->str, cut);
        g_autofree char *what = g_strdup_printf("cut at %" G_GSIZE_FORMAT, cut);
        bool ok = compare(seed, what, c, complete, false, &found);
        g_ptr_array_unref(found.facts);
        if (!ok)
            return false;
    }
    return true;
}

// Two outputs one behind the other are the sum of both.
static bool check_twice(guint32 seed, const struct composition *c)
{
    struct composition *other = composition_new(seed, seed + 1);
    g_autofree char *text = g_strconcat(c->text->str, other->text->str, NULL);
    struct found found = read_back(text, strlen(text));
    bool ok = compare(seed, "with another behind it", c, c->facts->len, false, &found);
    if (ok) {
        g_ptr_array_remove_range(found.facts, 0, c->facts->len);
        ok = compare(seed, "behind another", other, other->facts->len, true, &found);
    }
    g_ptr_array_unref(found.facts);
    composition_free(other);
    return ok;
}

static void check(struct gen *g, bool (*each)(guint32 seed, const struct composition *c))
{
    static unsigned failed;
    if (failed >= FAILURES_SHOWN)
        return;
    struct composition *c = composition_new(g->seed, g->seed);
    failed += !each(g->seed, c);
    composition_free(c);
}

static void plain(struct gen *g)
{
    check(g, check_plain);
}

static void crlf(struct gen *g)
{
    check(g, check_crlf);
}

static void noise_after(struct gen *g)
{
    check(g, check_noise_after);
}

static void cuts(struct gen *g)
{
    check(g, check_cuts);
}

static void twice(struct gen *g)
{
    check(g, check_twice);
}

static void add(void)
{
    property_add("/ingest/perf-combos/plain", plain);
    property_add("/ingest/perf-combos/crlf", crlf);
    property_add("/ingest/perf-combos/noise-after", noise_after);
    property_add("/ingest/perf-combos/cuts", cuts);
    property_add("/ingest/perf-combos/twice", twice);
}

int main(int argc, char **argv)
{
    return property_main(argc, argv, add);
}
