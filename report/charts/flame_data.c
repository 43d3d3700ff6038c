// A profile as numbers for the script: more frames than are drawn, and their weights by thread and
// time. What does not fit is made coarser: first time, then frames.
#include "charts/flame_data.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "charts/when.h"
#include "json_text.h"
#include "layout.h"

#define LEAST        1e-5 // share of a frame
#define THREADS_MOST 40u  // told apart; the others are one

// How much is told.
struct grain {
    size_t nodes;  // at most
    guint buckets; // of time in one step
};
static const struct grain grains[] = {{8000, 1}, {8000, 10}, {3000, 10}, {1000, 10},
                                      {300, 20}, {100, 50},  {50, 1000}};

struct telling {
    const struct flame *flame;
    const struct stack_tree *tree;
    const int *near;
    struct grain grain;
    guint *place;   // of each node its number among those told, or that of the nearest above it
    GArray *kept;   // of size_t: nodes by that number
    uint64_t unit;  // divides all weights
    GArray *names;  // of uint32_t: symbols by their number in the data
    guint *name_of; // number in the data + 1, by symbol
};

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// The largest that divides the weight of every sample; mostly all have the same.
static uint64_t unit_of(const struct flame *flame)
{
    const GArray *rows = flame->samples->rows;
    uint64_t unit = 0;
    for (guint i = 0; i < rows->len && unit != 1; i++)
        unit = divisor(unit, g_array_index(rows, struct sample_row, i).weight);
    return MAX(unit, 1);
}

static void choose_nodes(struct telling *t)
{
    const struct stack_node *nodes = t->tree->nodes;
    double all = (double)MAX(nodes[0].total, 1);
    g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(double));
    for (size_t i = 0; i < t->tree->n; i++) {
        double share = (double)nodes[i].total / all;
        if (share >= LEAST)
            g_array_append_val(shares, share);
    }
    double fold = fold_below(&g_array_index(shares, double, 0), shares->len, t->grain.nodes, LEAST);
    g_array_set_size(t->kept, 0);
    for (size_t i = 0; i < t->tree->n; i++) {
        size_t parent = i ? (size_t)nodes[i].parent : 0;
        bool above = i == 0 || g_array_index(t->kept, size_t, t->place[parent]) == parent;
        bool keep = i == 0 || (above && (double)nodes[i].total / all >= fold);
        t->place[i] = keep ? t->kept->len : t->place[parent];
        if (keep)
            g_array_append_val(t->kept, i);
    }
}

static guint name_number(struct telling *t, uint32_t symbol)
{
    if (!t->name_of[symbol]) {
        g_array_append_val(t->names, symbol);
        t->name_of[symbol] = t->names->len;
    }
    return t->name_of[symbol] - 1;
}

// Of each node how far back its parent is, and its name; colours as a string of digits.
static void tell_nodes(struct telling *t, GString *out)
{
    emit_open(out, "nodes", '[');
    for (guint i = 1; i < t->kept->len; i++) {
        const struct stack_node *node = &t->tree->nodes[g_array_index(t->kept, size_t, i)];
        emit_int(out, NULL, (int64_t)i - t->place[node->parent]);
        emit_int(out, NULL, name_number(t, node->number));
    }
    emit_close(out, ']');
    GString *near = g_string_sized_new(t->kept->len);
    for (guint i = 0; i < t->kept->len; i++)
        g_string_append_c(near, (char)('0' + t->near[g_array_index(t->kept, size_t, i)]));
    emit_text(out, "near", near->str);
    g_string_free(near, TRUE);
    emit_open(out, "names", '[');
    for (guint i = 0; i < t->names->len; i++) {
        uint32_t symbol = g_array_index(t->names, uint32_t, i);
        emit_text(out, NULL, g_ptr_array_index(t->tree->symbols, symbol));
    }
    emit_close(out, ']');
}

// Own weights, with those of the frames that are not told.
static void tell_weights(const struct telling *t, GString *out)
{
    g_autofree uint64_t *weights = ARRAY_NEW(uint64_t, t->kept->len);
    for (size_t i = 0; i < t->tree->n; i++)
        weights[t->place[i]] += t->tree->nodes[i].self;
    emit_open(out, "weights", '[');
    for (guint i = 0; i < t->kept->len; i++)
        emit_int(out, NULL, (int64_t)(weights[i] / t->unit));
    emit_close(out, ']');
}

struct cell_of_time {
    guint thread, step, node;
    uint64_t weight;
};

static int compare_times(const void *a, const void *b)
{
    const struct cell_of_time *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static GArray *cells_of(const struct telling *t)
{
    const struct profile_samples *s = t->flame->samples;
    GArray *cells = g_array_sized_new(FALSE, FALSE, sizeof(struct cell_of_time), s->rows->len);
    for (guint i = 0; i < s->rows->len; i++) {
        const struct sample_row *row = &g_array_index(s->rows, struct sample_row, i);
        bool timed = row->time_ns != INT64_MIN;
        struct cell_of_time cell = {
            MIN(row->thread, THREADS_MOST),
            timed ? flame_bucket(t->flame, row) / t->grain.buckets : 0,
            t->place[row->node],
            row->weight,
        };
        g_array_append_val(cells, cell);
    }
    g_array_sort(cells, compare_times);
    guint n = 0;
    for (guint i = 0; i < cells->len; i++) {
        const struct cell_of_time *cell = &g_array_index(cells, struct cell_of_time, i);
        struct cell_of_time *last = n ? &g_array_index(cells, struct cell_of_time, n - 1) : NULL;
        if (last && compare_times(last, cell) == 0)
            last->weight += cell->weight;
        else
            g_array_index(cells, struct cell_of_time, n++) = *cell;
    }
    g_array_set_size(cells, n);
    return cells;
}

// [thread, step, how many, node, weight, node, weight, …, thread, …]; nodes as the distance to the
// one before.
static bool tell_cells(const struct telling *t, GString *out, size_t budget)
{
    g_autoptr(GArray) cells = cells_of(t);
    const struct cell_of_time *all = &g_array_index(cells, struct cell_of_time, 0);
    gsize start = out->len;
    emit_open(out, "cells", '[');
    for (guint from = 0, to; from < cells->len && out->len - start <= budget; from = to) {
        for (to = from; to < cells->len && all[to].thread == all[from].thread &&
                        all[to].step == all[from].step;)
            to++;
        emit_int(out, NULL, all[from].thread);
        emit_int(out, NULL, all[from].step);
        emit_int(out, NULL, to - from);
        for (guint i = from, before = 0; i < to; before = all[i++].node) {
            emit_int(out, NULL, (int64_t)all[i].node - before);
            emit_int(out, NULL, (int64_t)(all[i].weight / t->unit));
        }
    }
    emit_close(out, ']');
    return out->len - start <= budget;
}

static void tell_threads(const struct telling *t, GString *out)
{
    const GPtrArray *threads = t->flame->samples->threads;
    emit_open(out, "threads", '[');
    for (guint i = 0; i < MIN(threads->len, THREADS_MOST); i++) {
        g_autofree char *name = flame_thread(g_ptr_array_index(threads, i));
        emit_text(out, NULL, name);
    }
    if (threads->len > THREADS_MOST) {
        g_autofree char *others = g_strdup_printf("%u others", threads->len - THREADS_MOST);
        emit_text(out, NULL, others);
    }
    emit_close(out, ']');
}

static void tell_heat(const struct flame *flame, GString *out)
{
    emit_open(out, "heat", '{');
    emit_number(out, "left", WHEN_LEFT);
    emit_number(out, "cell", WHEN_CELL);
    emit_int(out, "rows", FLAME_ROWS);
    emit_int(out, "columns", (flame->times->len + FLAME_ROWS - 1) / FLAME_ROWS);
    emit_close(out, '}');
}

// Returns whether it fits.
static bool tell(struct telling *t, GString *out, size_t budget)
{
    const struct flame *flame = t->flame;
    memset(t->name_of, 0, t->tree->symbols->len * sizeof *t->name_of);
    g_array_set_size(t->names, 0);
    choose_nodes(t);
    emit_open(out, NULL, '{');
    emit_text(out, "flame", flame->id);
    emit_text(out, "event", flame->event);
    tell_nodes(t, out);
    bool fits = true;
    if (flame_divides(flame)) {
        tell_threads(t, out);
        emit_number(out, "step", (double)(flame->bucket_ns * t->grain.buckets) / 1e9);
        emit_int(out, "steps", (flame->times->len + t->grain.buckets - 1) / t->grain.buckets);
        emit_int(out, "buckets", t->grain.buckets);
        tell_heat(flame, out);
        fits = tell_cells(t, out, budget);
    } else {
        tell_weights(t, out);
    }
    emit_close(out, '}');
    return fits;
}

// "</script>" in a name would end the element that holds the data.
static char *without_tags(GString *json)
{
    g_string_replace(json, "<", "\\u003c", 0);
    return g_string_free(json, FALSE);
}

char *flame_data(const struct flame *flame, const int *near, size_t budget)
{
    struct telling t = {.flame = flame, .tree = flame->tree, .near = near};
    GString *out = g_string_new(NULL);
    t.place = ARRAY_NEW(guint, t.tree->n);
    t.name_of = ARRAY_NEW(guint, t.tree->symbols->len);
    t.names = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    t.kept = g_array_new(FALSE, FALSE, sizeof(size_t));
    t.unit = unit_of(flame);
    for (size_t i = 0; i < G_N_ELEMENTS(grains); i++) {
        t.grain = grains[i];
        g_string_truncate(out, 0);
        if (tell(&t, out, budget))
            break;
    }
    g_array_unref(t.names);
    g_array_unref(t.kept);
    g_free(t.place);
    g_free(t.name_of);
    return without_tags(out);
}
