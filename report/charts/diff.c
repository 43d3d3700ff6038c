// Two profiles as one flame graph: the width is the mean of both shares, so that what vanished and
// what is new are both there, and the colour says which way a frame changed.
#include <math.h>
#include <string.h>

#include "array.h"
#include "charts/panel.h"
#include "spinfault/format.h"

#define ROW        22.0
#define LEAST      0.002 // of the width
#define DEPTH_MOST 40u
#define ROWS_MOST  20u

static double width_of(const struct diff_node *node)
{
    return (node->base + node->fresh) / 2;
}

// Orange: more of all weight than before; blue: less.
static const char *class_of(const struct diff_node *node)
{
    static const char *const more[] = {"h0", "hm1", "hm2", "hm3", "hm4"};
    static const char *const less[] = {"h0", "hp1", "hp2", "hp3", "hp4"};
    static const double steps[] = {0.1, 0.25, 0.5, 0.75};
    double change = fabs(node->fresh - node->base) / fmax(node->fresh, node->base);
    size_t step = 0;
    while (step < G_N_ELEMENTS(steps) && change >= steps[step])
        step++;
    return node->fresh > node->base ? more[step] : less[step];
}

static const char *change_text(struct scene *scene, const struct diff_node *node)
{
    g_autofree char *base = format_percent(node->base);
    g_autofree char *fresh = format_percent(node->fresh);
    const char *what = node->fresh == 0 ? ", vanished" : node->base == 0 ? ", new" : "";
    return scene_text(scene, "%s: %s → %s%s", node->symbol, base, fresh, what);
}

static void draw_frame(struct scene *scene, const struct diff_node *node, double x, unsigned depth)
{
    struct mark box = {.kind = MARK_BOX,
                       .class = class_of(node),
                       .x = x,
                       .w = width_of(node) * 100,
                       .y = ROW * depth,
                       .h = ROW - 1,
                       .title = change_text(scene, node)};
    if (box.w > 4) {
        double points = (node->fresh - node->base) * 100;
        box.text = node->symbol;
        box.minor = box.w > 8 ? scene_text(scene, "%+.1f points", points) : NULL;
    }
    scene_add(scene, box);
}

static void draw(struct scene *scene, const GArray *nodes)
{
    g_autofree double *x = ARRAY_NEW(double, nodes->len);
    g_autofree double *used = ARRAY_NEW(double, nodes->len);
    g_autofree unsigned *depth = ARRAY_NEW(unsigned, nodes->len);
    g_autofree bool *drawn = ARRAY_NEW(bool, nodes->len);
    unsigned deepest = 0;
    for (guint i = 0; i < nodes->len; i++) {
        const struct diff_node *node = &g_array_index(nodes, struct diff_node, i);
        drawn[i] = i == 0;
        if (i) {
            guint p = (guint)node->parent;
            x[i] = x[p] + used[p];
            depth[i] = depth[p] + 1;
            used[p] += width_of(node) * 100;
            drawn[i] = drawn[p] && width_of(node) >= LEAST && depth[i] < DEPTH_MOST;
        }
        if (!drawn[i])
            continue;
        draw_frame(scene, node, x[i], depth[i]);
        deepest = MAX(deepest, depth[i]);
    }
    scene->height = ROW * (deepest + 1);
}

struct change {
    const char *symbol;
    double base, fresh;
};

static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    double dx = fabs(x->fresh - x->base), dy = fabs(y->fresh - y->base);
    if (dx != dy)
        return dx > dy ? -1 : 1;
    return strcmp(x->symbol, y->symbol);
}

// By function: what it ran itself, which is its share without those of its callees.
static GArray *changes_of(const GArray *nodes)
{
    GArray *changes = g_array_new(FALSE, TRUE, sizeof(struct change));
    g_autoptr(GHashTable) by_symbol = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree double *base = ARRAY_NEW(double, nodes->len);
    g_autofree double *fresh = ARRAY_NEW(double, nodes->len);
    for (guint i = 0; i < nodes->len; i++) {
        const struct diff_node *node = &g_array_index(nodes, struct diff_node, i);
        base[i] += node->base;
        fresh[i] += node->fresh;
        if (i) {
            base[node->parent] -= node->base;
            fresh[node->parent] -= node->fresh;
        }
    }
    for (guint i = 1; i < nodes->len; i++) {
        const struct diff_node *node = &g_array_index(nodes, struct diff_node, i);
        guint at = GPOINTER_TO_UINT(g_hash_table_lookup(by_symbol, node->symbol));
        if (!at) {
            struct change added = {node->symbol, 0, 0};
            g_array_append_val(changes, added);
            at = changes->len;
            g_hash_table_insert(by_symbol, (char *)node->symbol, GUINT_TO_POINTER(at));
        }
        struct change *change = &g_array_index(changes, struct change, at - 1);
        change->base += base[i];
        change->fresh += fresh[i];
    }
    g_array_sort(changes, compare_changes);
    return changes;
}

static void add_rows(struct panel *panel, const GArray *nodes)
{
    g_autoptr(GArray) changes = changes_of(nodes);
    panel_columns(panel, "Function", "Itself before", "after", "Points", NULL);
    for (guint i = 0; i < MIN(changes->len, ROWS_MOST); i++) {
        const struct change *c = &g_array_index(changes, struct change, i);
        g_autofree char *base = format_percent(fmax(0, c->base));
        g_autofree char *fresh = format_percent(fmax(0, c->fresh));
        panel_row(panel, c->symbol, base, fresh,
                  panel_text(panel, "%+.1f", (c->fresh - c->base) * 100));
    }
    panel->table.summary =
        panel_text(panel, "Table: the %u largest changes", panel->table.rows->len);
}

// "preempt=lazy, page=4K", or the file's name.
static char *name_of(const struct profile_row *profile, const struct profile_row *other)
{
    static const char *const keys[] = {"preempt", "page", "kernel", "commit", "host"};
    GString *name = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *value = g_hash_table_lookup(profile->tags, keys[i]);
        if (value && g_strcmp0(value, g_hash_table_lookup(other->tags, keys[i])) != 0)
            g_string_append_printf(name, "%s%s=%s", name->len ? ", " : "", keys[i], value);
    }
    if (name->len)
        return g_string_free(name, FALSE);
    g_string_free(name, TRUE);
    return g_path_get_basename(profile->path);
}

void panel_add_diff(struct report_model *model, GPtrArray *panels)
{
    const struct flame_diff *diff = &model->diff;
    if (!diff->nodes)
        return;
    struct panel *panel = panel_new("flamediff", "flame-diff");
    g_autofree char *base = name_of(diff->base, diff->fresh);
    g_autofree char *fresh = name_of(diff->fresh, diff->base);
    g_autoptr(GArray) changes = changes_of(diff->nodes);
    panel->nav = "Difference";
    panel->wide = true;
    if (changes->len) {
        const struct change *first = &g_array_index(changes, struct change, 0);
        panel->title = panel_text(panel, "What changed: `%s` by %+.1f points", first->symbol,
                                  (first->fresh - first->base) * 100);
    } else {
        panel->title = "What changed";
    }
    panel->sub = panel_text(
        panel,
        "`%s` of `%s` against `%s`. Width is the mean of both shares; orange takes more of all "
        "weight than before, blue less, and what vanished or is new says so.",
        diff->fresh->event, fresh, base);
    panel_key(panel, "square", "hm3", "more");
    panel_key(panel, "square", "h0", "as before");
    panel_key(panel, "square", "hp3", "less");
    const char *title = panel_text(panel, "Differential flame graph of %s", diff->fresh->event);
    panel->scene = scene_new("flamediff", title, panel->title, ROW);
    panel->scene->class = "flame";
    draw(panel->scene, diff->nodes);
    add_rows(panel, diff->nodes);
    panel->caption = panel_text(panel, "%u frames are only in the base, %u only in the new one.",
                                diff->vanished, diff->fresh_only);
    g_ptr_array_add(panels, panel);
}
