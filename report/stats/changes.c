// E-divisive. The energy statistic of all splits of a segment costs n log n: when a value moves
// from the right side to the left, the sums of distances change by its distances to both sides, and
// those come from a tree over ranks that knows how many values, and of which sum, lie below.
// Shuffling moves ranks; what depends on the sorted values only is computed once.
#include "stats/series.h"

#include "array.h"
#include "stats/stats.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct change_options change_defaults = {5, 299, 0.01, 1};

struct segment {
    size_t from, n;
    unsigned *ranks; // of the values, in their order
    double *sorted;  // by rank
    double *all;     // by rank: sum of its distances to every value
    double total;    // sum of the distances of all pairs
    // A Fenwick tree by rank, of the values on the left side.
    unsigned *counts;
    double *sums;
};

struct best {
    size_t at; // first value of the right side, in the segment
    double q;
};

static int compare_values(const void *a, const void *b, void *values)
{
    const double *x = values;
    unsigned i = *(const unsigned *)a, j = *(const unsigned *)b;
    if (x[i] != x[j])
        return x[i] > x[j] ? 1 : -1;
    return (i > j) - (i < j);
}

static struct segment *segment_new(const double *x, size_t from, size_t n)
{
    struct segment *s = g_new0(struct segment, 1);
    *s = (struct segment){from,
                          n,
                          ARRAY_NEW(unsigned, n),
                          ARRAY_NEW(double, n),
                          ARRAY_NEW(double, n),
                          0,
                          ARRAY_NEW(unsigned, n + 1),
                          ARRAY_NEW(double, n + 1)};
    g_autofree unsigned *order = ARRAY_NEW(unsigned, n);
    for (size_t i = 0; i < n; i++)
        order[i] = (unsigned)i;
    g_qsort_with_data(order, (gint)n, sizeof *order, compare_values, (void *)(x + from));
    double sum = 0, below = 0;
    for (size_t r = 0; r < n; r++) {
        s->ranks[order[r]] = (unsigned)r;
        s->sorted[r] = x[from + order[r]];
        sum += s->sorted[r];
    }
    for (size_t r = 0; r < n; r++) {
        double v = s->sorted[r];
        double above = sum - below - v;
        s->all[r] = v * (double)r - below + above - v * (double)(n - 1 - r);
        s->total += s->all[r] / 2;
        below += v;
    }
    return s;
}

static void segment_free(gpointer data)
{
    struct segment *s = data;
    g_free(s->ranks);
    g_free(s->sorted);
    g_free(s->all);
    g_free(s->counts);
    g_free(s->sums);
    g_free(s);
}

// Puts rank `r` into the tree, and returns its distances to what was there. `n_left` and `sum_left`
// are of what was there.
static double move_left(struct segment *s, unsigned r, size_t n_left, double sum_left)
{
    double v = s->sorted[r], below = 0;
    size_t n_below = 0;
    for (size_t i = r; i > 0; i &= i - 1) {
        n_below += s->counts[i];
        below += s->sums[i];
    }
    for (size_t i = r + 1; i <= s->n; i += i & -i) {
        s->counts[i]++;
        s->sums[i] += v;
    }
    return v * (double)n_below - below + (sum_left - below) - v * (double)(n_left - n_below);
}

// The best split that leaves at least `left` values before it and `right_least` … `right_most`
// after it. q is −INFINITY when there is none.
static struct best best_split(struct segment *s, size_t left, size_t right_least, size_t right_most)
{
    struct best best = {0, -INFINITY};
    memset(s->counts, 0, (s->n + 1) * sizeof *s->counts);
    memset(s->sums, 0, (s->n + 1) * sizeof *s->sums);
    double within_left = 0, within_right = s->total, sum_left = 0;
    for (size_t at = 1; at + right_least <= s->n; at++) {
        unsigned r = s->ranks[at - 1];
        double distances = move_left(s, r, at - 1, sum_left);
        within_left += distances;
        within_right -= s->all[r] - distances;
        sum_left += s->sorted[r];
        double l = (double)at, m = (double)(s->n - at);
        if (at < left || s->n - at > right_most)
            continue;
        double between = s->total - within_left - within_right;
        double q = 2 / (l + m) * (between - m / (l - 1) * within_left - l / (m - 1) * within_right);
        if (q > best.q)
            best = (struct best){at, q};
    }
    return best;
}

static struct best best_of(const GPtrArray *segments, size_t least, guint *which)
{
    struct best best = {0, -INFINITY};
    for (guint i = 0; i < segments->len; i++) {
        struct segment *s = g_ptr_array_index(segments, i);
        struct best here = best_split(s, least, least, s->n);
        if (here.q > best.q) {
            best = here;
            *which = i;
        }
    }
    return best;
}

// Permutations can stop as soon as so many reached the statistic that p is above alpha whatever
// follows; p is then only known to be above it.
static size_t reached_most(const struct change_options *o)
{
    return (size_t)(o->alpha * (double)(o->permutations + 1));
}

// p of the best split over all segments.
static double shuffled_p(const GPtrArray *segments, double q, const struct change_options *o,
                         struct random *random)
{
    GPtrArray *all = (GPtrArray *)segments;
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    size_t reached = 0, most = reached_most(o);
    guint which;
    for (guint i = 0; i < all->len; i++) {
        const struct segment *s = g_ptr_array_index(all, i);
        g_ptr_array_add(kept, g_memdup2(s->ranks, s->n * sizeof *s->ranks));
    }
    for (size_t k = 0; k < o->permutations && reached < most; k++) {
        for (guint i = 0; i < all->len; i++) {
            struct segment *s = g_ptr_array_index(all, i);
            random_shuffle(random, s->ranks, s->n);
        }
        reached += best_of(all, o->least, &which).q >= q;
    }
    for (guint i = 0; i < all->len; i++) {
        struct segment *s = g_ptr_array_index(all, i);
        memcpy(s->ranks, g_ptr_array_index(kept, i), s->n * sizeof *s->ranks);
    }
    return (double)(reached + 1) / (double)(o->permutations + 1);
}

// Puts a change where its place is.
static void keep(GArray *found, struct change change)
{
    guint i = 0;
    while (i < found->len && g_array_index(found, struct change, i).at < change.at)
        i++;
    g_array_insert_val(found, i, change);
}

// A level that begins less than `least` values before the end shows as a split just where `least`
// values are left; its real place is where the statistic is larger still.
static bool settle_tip(struct segment *s, size_t least, struct best *best)
{
    if (best->at + least != s->n)
        return false;
    struct best tip = best_split(s, least, 2, least - 1);
    if (!(tip.q > best->q))
        return false;
    *best = tip;
    return true;
}

static void find_changes(const double *x, size_t n, const struct change_options *o,
                         struct random *random, GArray *found)
{
    g_autoptr(GPtrArray) segments = g_ptr_array_new_with_free_func(segment_free);
    g_ptr_array_add(segments, segment_new(x, 0, n));
    for (;;) {
        guint which = 0;
        struct best best = best_of(segments, o->least, &which);
        if (!(best.q > 0))
            return;
        double p = shuffled_p(segments, best.q, o, random);
        if (p > o->alpha)
            return;
        struct segment *s = g_ptr_array_index(segments, which);
        size_t from = s->from, length = s->n;
        bool tip = from + length == n && settle_tip(s, o->least, &best);
        keep(found, (struct change){.at = from + best.at, .p = p, .provisional = tip});
        g_ptr_array_remove_index(segments, which);
        g_ptr_array_insert(segments, (gint)which, segment_new(x, from, best.at));
        g_ptr_array_insert(segments, (gint)which + 1,
                           segment_new(x, from + best.at, length - best.at));
    }
}

// The end of the last segment, by itself: is it the beginning of a new level?
static void find_tip(const double *x, size_t n, const struct change_options *o,
                     struct random *random, GArray *found)
{
    size_t from = found->len ? g_array_index(found, struct change, found->len - 1).at : 0;
    if (n - from < o->least + 2 ||
        (found->len && g_array_index(found, struct change, found->len - 1).provisional))
        return;
    struct segment *s = segment_new(x, from, n - from);
    struct best best = best_split(s, o->least, 2, o->least - 1);
    size_t reached = 0, most = reached_most(o);
    for (size_t k = 0; best.q > 0 && k < o->permutations && reached < most; k++) {
        random_shuffle(random, s->ranks, s->n);
        reached += best_split(s, o->least, 2, o->least - 1).q >= best.q;
    }
    double p = (double)(reached + 1) / (double)(o->permutations + 1);
    if (best.q > 0 && p <= o->alpha)
        keep(found, (struct change){.at = from + best.at, .p = p, .provisional = true});
    segment_free(s);
}

static void describe(const double *x, size_t n, const GArray *found, guint i)
{
    struct change *c = &g_array_index(found, struct change, i);
    size_t from = i ? g_array_index(found, struct change, i - 1).at : 0;
    size_t to = i + 1 < found->len ? g_array_index(found, struct change, i + 1).at : n;
    const double *before = x + from, *after = x + c->at;
    struct ratio ratio = {NAN, {NAN, NAN, NAN, 0, false}, NAN};
    c->before = stats_median(before, c->at - from);
    c->after = stats_median(after, to - c->at);
    stats_ratio(before, c->at - from, after, to - c->at, 0.95, &ratio);
    c->ratio = ratio.value;
    c->lo = ratio.interval.lo;
    c->hi = ratio.interval.hi;
}

size_t stats_changes(const double *x, size_t n, const struct change_options *options,
                     struct change *changes, size_t most)
{
    if (n < 2 * options->least && n < options->least + 2)
        return 0;
    g_autofree double *logs = stats_logs(x, n);
    const double *values = logs ? logs : x;
    struct random random = {options->seed};
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct change));
    find_changes(values, n, options, &random, found);
    find_tip(values, n, options, &random, found);
    size_t count = MIN(found->len, most);
    for (guint i = 0; i < count; i++) {
        describe(x, n, found, i);
        changes[i] = g_array_index(found, struct change, i);
    }
    return count;
}
