// Profiles to draw: the heaviest that counts time, and the heaviest that counts page faults.
#include "array.h"
#include <string.h>

#include "model/model.h"

static bool counts_faults(const char *event)
{
    return strstr(event, "fault") != NULL;
}

// The waiter that holds most of the weight, and the function that called it most. Only the
// outermost waiter of a chain counts, so that nothing counts twice.
static void find_waiter(struct flame *flame)
{
    const struct stack_tree *tree = flame->tree;
    g_autofree bool *below = ARRAY_NEW(bool, tree->n);
    g_autoptr(GHashTable) weights = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    uint64_t most = 0;
    for (size_t i = 1; i < tree->n; i++) {
        const struct stack_node *node = &tree->nodes[i];
        bool waits = symbol_waits(node->symbol);
        below[i] = waits || below[node->parent];
        if (!waits || below[node->parent])
            continue;
        uint64_t *weight = g_hash_table_lookup(weights, node->symbol);
        if (!weight) {
            weight = g_new0(uint64_t, 1);
            g_hash_table_insert(weights, (char *)node->symbol, weight);
        }
        *weight += node->total;
        if (*weight > most) {
            most = *weight;
            flame->waiter = node->symbol;
        }
    }
    uint64_t heaviest = 0;
    for (size_t i = 1; i < tree->n && flame->waiter; i++) {
        const struct stack_node *node = &tree->nodes[i];
        if (node->parent > 0 && node->total > heaviest &&
            strcmp(node->symbol, flame->waiter) == 0) {
            heaviest = node->total;
            flame->caller = tree->nodes[node->parent].symbol;
        }
    }
    if (tree->n && tree->nodes[0].total)
        flame->waiter_share = (double)most / (double)tree->nodes[0].total;
}

static const struct profile_row *heaviest(const struct report_model *model, bool faults)
{
    const struct profile_row *best = NULL;
    for (guint i = 0; i < model->profiles->len; i++) {
        const struct profile_row *profile = g_ptr_array_index(model->profiles, i);
        if (profile->samples && counts_faults(profile->event) == faults &&
            (!best || profile->weight > best->weight))
            best = profile;
    }
    return best;
}

bool model_add_flames(struct report_model *model, struct archive *archive, GError **error)
{
    for (int faults = 0; faults < 2; faults++) {
        const struct profile_row *profile = heaviest(model, faults);
        if (!profile)
            continue;
        struct stack_tree *tree = archive_stack_tree(archive, profile->id, error);
        if (!tree)
            return false;
        struct flame *flame = g_new0(struct flame, 1);
        flame->id = faults ? "faultflame" : "flame";
        flame->event = profile->event;
        flame->path = profile->path;
        flame->faults = faults;
        flame->tree = tree;
        find_waiter(flame);
        g_ptr_array_add(model->flames, flame);
    }
    return true;
}

// Functions with a finding, and which of them the page faults name most.
void model_add_suspects(struct report_model *model)
{
    for (guint f = 0; f < model->flames->len; f++) {
        struct flame *flame = g_ptr_array_index(model->flames, f);
        if (!flame->faults || !model->findings->len)
            continue;
        flame->suspects = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint i = 0; i < model->findings->len; i++) {
            const struct finding *finding = g_ptr_array_index(model->findings, i);
            if (finding->fact->function)
                g_hash_table_add(flame->suspects, (char *)finding->fact->function);
        }
        g_autoptr(GHashTable) weights =
            g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
        uint64_t most = 0;
        for (size_t i = 1; i < flame->tree->n; i++) {
            const struct stack_node *node = &flame->tree->nodes[i];
            if (!node->self || !g_hash_table_contains(flame->suspects, node->symbol))
                continue;
            uint64_t *weight = g_hash_table_lookup(weights, node->symbol);
            if (!weight) {
                weight = g_new0(uint64_t, 1);
                g_hash_table_insert(weights, (char *)node->symbol, weight);
            }
            *weight += node->self;
            if (*weight > most) {
                most = *weight;
                flame->suspect = node->symbol;
            }
        }
        flame->suspect_share = (double)most / (double)MAX(flame->tree->nodes[0].total, 1);
    }
}
