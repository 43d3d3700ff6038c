// From the runs of two sides to cells: runs with the same key stand together.
#include "compare/pairing.h"

#include <string.h>

#include "array.h"
#include "model/model.h"

static char *key_of(const struct sides *sides, const struct side_run *run)
{
    GString *key = g_string_new(NULL);
    for (guint d = 0; d < sides->dimensions->len; d++)
        if (g_array_index(sides->dimensions, struct dimension, d).use == DIMENSION_KEY)
            g_string_append_printf(key, "%s\001", run->values[d]);
    return g_string_free(key, FALSE);
}

static char *label_of(const struct sides *sides, const struct side_run *run)
{
    GString *label = g_string_new(NULL);
    for (guint d = 0; d < sides->dimensions->len; d++) {
        const struct dimension *dimension = &g_array_index(sides->dimensions, struct dimension, d);
        const char *value = run->values[d];
        if (dimension->tells)
            g_string_append_printf(label, "%s%s%s%s", label->len ? " " : "",
                                   dimension->plain && *value ? "" : dimension->name,
                                   dimension->plain && *value ? "" : "=",
                                   *value ? value : "unknown");
    }
    if (!label->len)
        g_string_append_printf(label, "%s%s%s", run->row->benchmark, run->row->workload ? " " : "",
                               run->row->workload ? run->row->workload : "");
    return g_string_free(label, FALSE);
}

static void group_free(gpointer data)
{
    struct group *group = data;
    g_free(group->key);
    g_free(group->label);
    g_ptr_array_unref(group->base);
    g_ptr_array_unref(group->fresh);
    g_free(group);
}

GPtrArray *pair_up(const struct sides *sides)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);
    g_autoptr(GHashTable) by_key = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < sides->runs->len; i++) {
        struct side_run *run = &g_array_index(sides->runs, struct side_run, i);
        g_autofree char *key = key_of(sides, run);
        struct group *group = g_hash_table_lookup(by_key, key);
        if (!group) {
            group = g_new0(struct group, 1);
            group->key = g_steal_pointer(&key);
            group->label = label_of(sides, run);
            group->base = g_ptr_array_new();
            group->fresh = g_ptr_array_new();
            g_hash_table_insert(by_key, group->key, group);
            g_ptr_array_add(groups, group);
        }
        g_ptr_array_add(run->fresh ? group->fresh : group->base, run);
    }
    return groups;
}

static bool is_summary(const struct side_run *run)
{
    const struct metric_row *m = run->metric;
    return m->n > 1 || (m->provenance == PROVENANCE_PUBLISHED && m->n != 1);
}

GPtrArray *side_set(const struct sides *sides, const GPtrArray *runs)
{
    GPtrArray *set = g_ptr_array_new_with_free_func(g_free);
    const struct side_run *first = g_ptr_array_index(runs, 0);
    for (guint d = 0; d < sides->dimensions->len; d++) {
        const char *value = first->values[d];
        bool same = *value != '\0';
        for (guint i = 1; i < runs->len && same; i++)
            same = strcmp(((struct side_run *)g_ptr_array_index(runs, i))->values[d], value) == 0;
        if (!same)
            continue;
        const struct dimension *dimension = &g_array_index(sides->dimensions, struct dimension, d);
        g_ptr_array_add(set, g_strdup(dimension->name));
        g_ptr_array_add(set, g_strdup(value));
    }
    return set;
}

void side_fill(struct compare_side *side, const struct sides *sides, const GPtrArray *runs)
{
    side->set = side_set(sides, runs);
    side->values = g_new(double, runs->len);
    for (guint i = 0; i < runs->len; i++) {
        const struct side_run *run = g_ptr_array_index(runs, i);
        if (!is_summary(run))
            side->values[side->n++] = run->metric->value;
    }
    side->left_out = side->n ? runs->len - (guint)side->n : runs->len - 1;
    if (side->n)
        return;
    const struct side_run *first = g_ptr_array_index(runs, 0);
    side->summary = true;
    side->values[side->n++] = first->metric->value;
    side->stated = first->metric->n;
}

// The tag that numbers interleaved rounds.
static const char *round_of(const struct side_run *run, GHashTable *rounds)
{
    static const char *const tags[] = {"round", "pair", "block"};
    for (size_t i = 0; i < G_N_ELEMENTS(tags); i++) {
        const char *round = g_hash_table_lookup(run->row->tags, tags[i]);
        if (round)
            return !rounds || g_hash_table_contains(rounds, round) ? round : NULL;
    }
    return NULL;
}

// By rounds: each round once on each side.
static GPtrArray *by_round(const GPtrArray *base, const GPtrArray *fresh)
{
    g_autoptr(GHashTable) rounds = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < fresh->len; i++) {
        struct side_run *run = g_ptr_array_index(fresh, i);
        const char *round = round_of(run, NULL);
        if (!round || g_hash_table_contains(rounds, round))
            return NULL;
        g_hash_table_insert(rounds, (char *)round, run);
    }
    GPtrArray *ordered = g_ptr_array_new();
    for (guint i = 0; i < base->len; i++) {
        const char *round = round_of(g_ptr_array_index(base, i), rounds);
        void *run = round ? g_hash_table_lookup(rounds, round) : NULL;
        if (!run) {
            g_ptr_array_unref(ordered);
            return NULL;
        }
        g_hash_table_remove(rounds, round);
        g_ptr_array_add(ordered, run);
    }
    return ordered;
}

static int64_t started(const GPtrArray *runs, guint i)
{
    return ((struct side_run *)g_ptr_array_index(runs, i))->row->started_ns;
}

// By time: as run, in every two that follow each other there is one of each side.
static bool alternate(const GPtrArray *base, const GPtrArray *fresh)
{
    for (guint i = 0; i < base->len; i++) {
        int64_t a = started(base, i), b = started(fresh, i);
        if (a == INT64_MIN || b == INT64_MIN || a == b)
            return false;
        if (i && MIN(a, b) <= MAX(started(base, i - 1), started(fresh, i - 1)))
            return false;
    }
    return true;
}

bool side_pairs(const struct group *group, size_t comparisons, double *base, double *fresh)
{
    guint n = group->base->len;
    if (n != group->fresh->len || !comparison_can_pair(n, comparisons))
        return false;
    g_autoptr(GPtrArray) ordered = by_round(group->base, group->fresh);
    if (!ordered && !alternate(group->base, group->fresh))
        return false;
    for (guint i = 0; i < n; i++) {
        const struct side_run *a = g_ptr_array_index(group->base, i);
        const struct side_run *b = g_ptr_array_index(ordered ? ordered : group->fresh, i);
        if (is_summary(a) || is_summary(b))
            return false;
        base[i] = a->metric->value;
        fresh[i] = b->metric->value;
    }
    return true;
}

void side_noise(const GPtrArray *runs, GArray *ratios)
{
    g_autofree double *values = ARRAY_NEW(double, runs->len);
    g_autofree int64_t *sessions = ARRAY_NEW(int64_t, runs->len);
    size_t n = 0;
    for (guint i = 0; i < runs->len; i++) {
        const struct side_run *run = g_ptr_array_index(runs, i);
        if (is_summary(run))
            continue;
        values[n] = run->metric->value;
        sessions[n++] = run->row->source_id;
    }
    noise_add(ratios, values, sessions, n);
}
