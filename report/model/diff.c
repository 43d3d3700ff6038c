// Two profiles of the same event side by side. Which two: those that --profiles names; else, when
// the archive has two sources of the event the page draws and their settings differ, these. The
// base is the one without preemption, or with the smaller pages, or that came first.
#include <string.h>

#include "array.h"
#include "model/model.h"

#define LEAST 0.001 // share on both sides below which a frame is left out

static const struct profile_row *profile_with(const struct report_model *model, int64_t id)
{
    for (guint i = 0; i < model->profiles->len; i++) {
        const struct profile_row *profile = g_ptr_array_index(model->profiles, i);
        if (profile->id == id)
            return profile;
    }
    return NULL;
}

static bool same_tags(GHashTable *a, GHashTable *b)
{
    GHashTableIter iter;
    void *key, *value;
    if (g_hash_table_size(a) != g_hash_table_size(b))
        return false;
    g_hash_table_iter_init(&iter, a);
    while (g_hash_table_iter_next(&iter, &key, &value))
        if (g_strcmp0(g_hash_table_lookup(b, key), value) != 0)
            return false;
    return true;
}

static int place_of(const char *value, const char *const *order)
{
    for (int i = 0; value && order[i]; i++)
        if (strcmp(order[i], value) == 0)
            return i;
    return 100;
}

// Less than 0: `a` is rather the base.
static int compare_profiles(const struct profile_row *a, const struct profile_row *b)
{
    static const char *const modes[] = {"none", "voluntary", "full", "lazy", "rt", NULL};
    static const char *const pages[] = {"4K", "16K", "64K", "THP", "2M", "1G", NULL};
    int order = place_of(g_hash_table_lookup(a->tags, "preempt"), modes) -
                place_of(g_hash_table_lookup(b->tags, "preempt"), modes);
    if (order == 0)
        order = place_of(g_hash_table_lookup(a->tags, "page"), pages) -
                place_of(g_hash_table_lookup(b->tags, "page"), pages);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

static bool asked(struct report_model *model, const char *profiles, GError **error)
{
    g_auto(GStrv) ids = g_strsplit(profiles, ",", -1);
    const struct profile_row *found[2] = {NULL, NULL};
    int64_t id;
    for (guint i = 0; i < 2 && g_strv_length(ids) == 2; i++)
        if (slice_to_i64(slice_trim(slice_from(ids[i])), &id))
            found[i] = profile_with(model, id);
    if (!found[0] || !found[1] || found[0] == found[1])
        return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                         "--profiles needs the IDs of two profiles, as in 1,3, not \"%s\"; "
                         "\"spinfault archive list profiles\" shows them",
                         profiles);
    model->diff.base = found[0];
    model->diff.fresh = found[1];
    return true;
}

static void choose(struct report_model *model)
{
    const struct flame *flame = model->flames->len ? g_ptr_array_index(model->flames, 0) : NULL;
    const struct profile_row *found[2] = {NULL, NULL};
    guint n = 0;
    for (guint i = 0; i < model->profiles->len && flame; i++) {
        const struct profile_row *profile = g_ptr_array_index(model->profiles, i);
        if (!profile->samples || strcmp(profile->event, flame->event) != 0)
            continue;
        if (n < 2)
            found[n] = profile;
        n++;
    }
    if (n != 2 || found[0]->source_id == found[1]->source_id ||
        same_tags(found[0]->tags, found[1]->tags))
        return;
    bool first = compare_profiles(found[0], found[1]) <= 0;
    model->diff.base = found[!first];
    model->diff.fresh = found[first];
}

struct joining {
    GArray *nodes;
    GHashTable *known;   // parent << 32 | number of the symbol -> node + 1
    GHashTable *numbers; // symbol -> number
};

static guint number_of(struct joining *j, const char *symbol)
{
    void *known = g_hash_table_lookup(j->numbers, symbol);
    if (!known) {
        known = GUINT_TO_POINTER(g_hash_table_size(j->numbers) + 1);
        g_hash_table_insert(j->numbers, (char *)symbol, known);
    }
    return GPOINTER_TO_UINT(known);
}

static void join(struct joining *j, const struct stack_tree *tree, bool fresh)
{
    g_autofree guint *at = ARRAY_NEW(guint, tree->n);
    double all = (double)MAX(tree->nodes[0].total, 1);
    for (size_t i = 0; i < tree->n; i++) {
        const struct stack_node *from = &tree->nodes[i];
        double share = (double)from->total / all;
        if (i && (share < LEAST || (from->parent > 0 && !at[from->parent])))
            continue;
        guint parent = i ? at[from->parent] : 0;
        const guint64 key = i ? (guint64)parent << 32 | number_of(j, from->symbol) : 0;
        guint node = GPOINTER_TO_UINT(g_hash_table_lookup(j->known, &key));
        if (!node) {
            struct diff_node added = {i ? (int32_t)parent : -1, from->symbol, 0, 0};
            g_array_append_val(j->nodes, added);
            node = j->nodes->len;
            g_hash_table_insert(j->known, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(node));
        }
        at[i] = node - 1;
        struct diff_node *to = &g_array_index(j->nodes, struct diff_node, node - 1);
        *(fresh ? &to->fresh : &to->base) += share;
    }
}

static void join_both(struct flame_diff *diff)
{
    struct joining j = {.nodes = g_array_new(FALSE, FALSE, sizeof(struct diff_node))};
    j.known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    j.numbers = g_hash_table_new(g_str_hash, g_str_equal);
    join(&j, diff->base_tree, false);
    join(&j, diff->fresh_tree, true);
    g_hash_table_unref(j.known);
    g_hash_table_unref(j.numbers);
    diff->nodes = j.nodes;
    for (guint i = 0; i < diff->nodes->len; i++) {
        const struct diff_node *node = &g_array_index(diff->nodes, struct diff_node, i);
        diff->vanished += node->fresh == 0;
        diff->fresh_only += node->base == 0;
    }
}

bool model_add_diff(struct report_model *model, const struct report_options *options,
                    struct archive *archive, GError **error)
{
    struct flame_diff *diff = &model->diff;
    if (options->profiles) {
        if (!asked(model, options->profiles, error))
            return false;
    } else {
        choose(model);
    }
    if (!diff->base)
        return true;
    diff->base_tree = archive_stack_tree(archive, diff->base->id, error);
    diff->fresh_tree = diff->base_tree ? archive_stack_tree(archive, diff->fresh->id, error) : NULL;
    if (!diff->fresh_tree)
        return false;
    join_both(diff);
    return true;
}
