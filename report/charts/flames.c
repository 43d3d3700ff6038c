// Flame graphs, as icicles: the root on top, callees below, width is the share of all weight. The
// colour is the distance to the function that waits for a lock (of page faults: to a function with
// a finding), so that the way there stands out; frames that lead nowhere near are grey.
#include "array.h"
#include <string.h>

#include "charts/flame_data.h"
#include "charts/panel.h"
#include "layout.h"
#include "spinfault/format.h"

#define ROW         22.0
#define FRAMES_MOST 1400u // drawn; the least visible are folded into one mark for each parent
#define LEAST       0.002 // share of the width below which a frame is folded anyway
#define ROW_LEAST   0.02  // rows at the bottom that are narrower than this altogether are folded
#define TABLE_MOST  ((size_t)40)
#define DEPTH_MOST  48u
#define DATA_MOST   ((size_t)2500000) // bytes, of all graphs

struct layout {
    const struct flame *flame;
    const struct stack_tree *tree;
    double *x; // percent, where the node starts
    unsigned *depth;
    int *near; // 4: it is one, 3 … 1: above one, 0: neither
    bool *drawn;
    double fold;   // share
    guint *row_of; // row of the table + 1
};

static double share_of(const struct layout *l, size_t node)
{
    return (double)l->tree->nodes[node].total / (double)MAX(l->tree->nodes[0].total, 1);
}

// Children side by side in the order of the tree, which is the archive's and stable.
static void place(struct layout *l)
{
    g_autofree double *used = ARRAY_NEW(double, l->tree->n);
    for (size_t i = 1; i < l->tree->n; i++) {
        int32_t parent = l->tree->nodes[i].parent;
        l->depth[i] = l->depth[parent] + 1;
        l->x[i] = l->x[parent] + used[parent];
        used[parent] += share_of(l, i) * 100;
    }
}

static bool is_target(const struct flame *flame, const char *symbol)
{
    if (flame->faults)
        return flame->suspects && g_hash_table_contains(flame->suspects, symbol);
    return symbol_waits(symbol);
}

static void mark_ways(struct layout *l)
{
    g_autofree bool *target = ARRAY_NEW(bool, l->tree->symbols->len);
    for (guint i = 1; i < l->tree->symbols->len; i++)
        target[i] = is_target(l->flame, g_ptr_array_index(l->tree->symbols, i));
    for (size_t i = 1; i < l->tree->n && l->flame->inverted; i++) {
        int32_t parent = l->tree->nodes[i].parent;
        l->near[i] = target[l->tree->nodes[i].number]    ? 4
                     : parent > 0 && l->near[parent] > 0 ? MAX(l->near[parent] - 1, 1)
                                                         : 0;
    }
    for (size_t i = l->tree->n; i-- > 1 && !l->flame->inverted;) {
        if (target[l->tree->nodes[i].number])
            l->near[i] = 4;
        int32_t parent = l->tree->nodes[i].parent;
        if (parent > 0 && l->near[i] > 1)
            l->near[parent] = MAX(l->near[parent], MAX(l->near[i] - 1, 1));
        else if (parent > 0 && l->near[i] == 1)
            l->near[parent] = MAX(l->near[parent], 1);
    }
}

static void choose_drawn(struct layout *l)
{
    // Only frames that are wide enough compete for the places, and they are few.
    g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(double));
    for (size_t i = 0; i < l->tree->n; i++) {
        double share = share_of(l, i);
        if (share >= LEAST)
            g_array_append_val(shares, share);
    }
    l->fold = fold_below(&g_array_index(shares, double, 0), shares->len, FRAMES_MOST, LEAST);
    for (size_t i = 0; i < l->tree->n; i++)
        l->drawn[i] = i == 0 || (l->drawn[l->tree->nodes[i].parent] && share_of(l, i) >= l->fold &&
                                 l->depth[i] < DEPTH_MOST);
}

// Long thin tails make a chart tall and say nothing: rows below the last one that is wide enough
// are folded into it.
static void trim_rows(struct layout *l)
{
    double width[DEPTH_MOST] = {0};
    unsigned last = 0;
    for (size_t i = 0; i < l->tree->n; i++)
        if (l->drawn[i])
            width[l->depth[i]] += share_of(l, i);
    for (unsigned d = 0; d < DEPTH_MOST; d++)
        if (width[d] >= ROW_LEAST)
            last = d;
    for (size_t i = 0; i < l->tree->n; i++)
        l->drawn[i] &= l->depth[i] <= last;
}

static struct layout *layout_new(const struct flame *flame)
{
    const struct stack_tree *tree = flame->tree;
    struct layout *l = g_new0(struct layout, 1);
    l->flame = flame;
    l->tree = tree;
    l->x = g_new0(double, tree->n);
    l->depth = g_new0(unsigned, tree->n);
    l->near = g_new0(int, tree->n);
    l->drawn = g_new0(bool, tree->n);
    l->row_of = g_new0(guint, tree->n);
    place(l);
    mark_ways(l);
    choose_drawn(l);
    trim_rows(l);
    return l;
}

static void layout_free(struct layout *l)
{
    g_free(l->x);
    g_free(l->depth);
    g_free(l->near);
    g_free(l->drawn);
    g_free(l->row_of);
    g_free(l);
}

static void draw_frame(struct scene *scene, const struct flame *flame, const struct layout *l,
                       size_t i)
{
    static const char *const classes[] = {"f0", "f1", "f2", "f3", "f4"};
    const struct stack_node *node = &l->tree->nodes[i];
    g_autofree char *percent = format_percent(share_of(l, i));
    g_autofree char *samples = text_with_commas(node->total_samples);
    g_autofree char *self =
        format_percent((double)node->self / (double)MAX(l->tree->nodes[0].total, 1));
    const char *name = i ? node->symbol : scene_text(scene, "all %s", flame->event);
    struct mark box = {.kind = MARK_BOX,
                       .class = classes[i ? l->near[i] : 0],
                       .x = l->x[i],
                       .w = share_of(l, i) * 100,
                       .y = ROW * l->depth[i],
                       .h = ROW - 1,
                       .title = scene_text(scene, "%s: %s (%s samples), itself %s%s%s", name,
                                           percent, samples, self, node->line ? ", at " : "",
                                           node->line ? node->line : "")};
    // A name needs about seven pixels a letter; on a narrow page what does not fit is clipped.
    if (box.w > 4) {
        box.text = name;
        box.minor = box.w > 8 ? scene_text(scene, "%s", percent) : NULL;
    }
    if (l->row_of[i])
        box.href = scene_text(scene, "#%s-%u", flame->id, l->row_of[i]);
    scene_add(scene, box);
}

// One pale mark for all that is folded below a parent, so that nothing is lost from sight. Returns
// whether there is one below the last drawn row.
static bool draw_folded(struct scene *scene, const struct layout *l, unsigned depth)
{
    bool below_last = false;
    g_autofree double *from = ARRAY_NEW(double, l->tree->n);
    g_autofree double *to = ARRAY_NEW(double, l->tree->n);
    g_autofree unsigned *count = ARRAY_NEW(unsigned, l->tree->n);
    for (size_t i = 1; i < l->tree->n; i++) {
        int32_t parent = l->tree->nodes[i].parent;
        if (l->drawn[i] || !l->drawn[parent])
            continue;
        from[parent] = count[parent] ? MIN(from[parent], l->x[i]) : l->x[i];
        to[parent] = MAX(to[parent], l->x[i] + share_of(l, i) * 100);
        count[parent]++;
    }
    for (size_t p = 0; p < l->tree->n; p++) {
        // The span of folded children may enclose drawn ones, which are drawn over it.
        if (!count[p] || to[p] - from[p] < 0.02)
            continue;
        below_last |= l->depth[p] == depth;
        g_autofree char *below = format_percent(l->fold);
        scene_add(scene, (struct mark){.kind = MARK_BOX,
                                       .class = "fx",
                                       .x = from[p],
                                       .w = to[p] - from[p],
                                       .y = ROW * (l->depth[p] + 1),
                                       .h = ROW - 1,
                                       .title = scene_text(scene, "%u frames below %s each",
                                                           count[p], below)});
    }
    return below_last;
}

struct total {
    const char *name;
    uint32_t symbol;
    uint64_t self, total;
};

static int compare_totals(const void *a, const void *b)
{
    const struct total *x = a, *y = b;
    if (x->self != y->self)
        return x->self > y->self ? -1 : 1;
    return strcmp(x->name, y->name);
}

// Adds one to the `n` heaviest that are known, in order; of a million functions few get there.
static size_t keep_heaviest(struct total *kept, size_t n, const struct total *t)
{
    if (n == TABLE_MOST && compare_totals(t, &kept[n - 1]) >= 0)
        return n;
    size_t at = n < TABLE_MOST ? n : n - 1;
    for (; at > 0 && compare_totals(t, &kept[at - 1]) < 0; at--)
        kept[at] = kept[at - 1];
    kept[at] = *t;
    return MIN(n + 1, TABLE_MOST);
}

// The functions that run most, by their own weight; with that of everything they call (recursion
// counted once). `functions`: how many there are.
static size_t heaviest_of(const struct layout *l, struct total *kept, unsigned *functions)
{
    const struct stack_node *nodes = l->tree->nodes;
    g_autofree uint64_t *self = ARRAY_NEW(uint64_t, l->tree->symbols->len);
    g_autofree uint64_t *total = ARRAY_NEW(uint64_t, l->tree->symbols->len);
    for (size_t i = 1; i < l->tree->n; i++) {
        bool recursive = false;
        for (int32_t up = nodes[i].parent; up > 0 && !recursive; up = nodes[up].parent)
            recursive = nodes[up].number == nodes[i].number;
        self[nodes[i].number] += nodes[i].self;
        total[nodes[i].number] += recursive ? 0 : nodes[i].total;
    }
    size_t n = 0;
    *functions = 0;
    for (guint i = 1; i < l->tree->symbols->len; i++) {
        const struct total t = {g_ptr_array_index(l->tree->symbols, i), i, self[i], total[i]};
        *functions += total[i] > 0;
        if (total[i])
            n = keep_heaviest(kept, n, &t);
    }
    return n;
}

static void add_rows(struct panel *panel, const struct flame *flame, struct layout *l)
{
    struct total heaviest[TABLE_MOST];
    unsigned functions;
    size_t n = heaviest_of(l, heaviest, &functions);
    g_autofree guint *row_of = ARRAY_NEW(guint, l->tree->symbols->len);
    double all = (double)MAX(l->tree->nodes[0].total, 1);
    panel_columns(panel, "Function", "Itself", "With callees", NULL);
    for (guint i = 0; i < n; i++) {
        const struct total *t = &heaviest[i];
        g_autofree char *self = format_percent((double)t->self / all);
        g_autofree char *total = format_percent((double)t->total / all);
        struct data_row *row = panel_row(panel, t->name, self, total);
        row->id = panel_text(panel, "%s-%u", flame->id, i + 1);
        row_of[t->symbol] = i + 1;
    }
    for (size_t i = 1; i < l->tree->n; i++)
        l->row_of[i] = row_of[l->tree->nodes[i].number];
    panel->table.summary = panel_text(panel, "Table: the %u heaviest of %u functions",
                                      panel->table.rows->len, functions);
}

static void add_words(struct panel *panel, const struct flame *flame, bool named, bool main)
{
    g_autofree char *name = g_path_get_basename(flame->path);
    g_autofree char *samples = text_with_commas(flame->tree->nodes[0].total_samples);
    const char *what = flame->faults ? "Where the page faults happened" : "Where the CPU went";
    if (!main)
        what = panel_text(panel, "Where `%s` happened", flame->event);
    if (named)
        what = panel_text(panel, "%s in `%s`", what, name);
    if (flame->waiter && !flame->faults) {
        g_autofree char *share = format_percent(flame->waiter_share);
        panel->title = panel_text(panel, "%s: %s waiting in `%s`", what, share, flame->waiter);
    } else if (flame->suspect) {
        g_autofree char *share = format_percent(flame->suspect_share);
        panel->title = panel_text(panel, "%s: %s in `%s`", what, share, flame->suspect);
    } else {
        panel->title = what;
    }
    const char *shade = flame->suspect ? ", dark is a function with a finding"
                        : flame->waiter && !flame->faults
                            ? ", darker is nearer to waiting for a lock"
                            : "";
    panel->sub = panel_text(panel,
                            "%s samples of `%s` in `%s`%s. Callers above, width is the share of "
                            "all weight%s.",
                            samples, flame->event, name,
                            flame->part ? ", of one thread or a part of the time" : "", shade);
}

// Draws what fits; returns how many frames are drawn.
static unsigned draw_flame(struct scene *scene, const struct flame *flame, const struct layout *l)
{
    unsigned depth = 0, drawn = 0;
    scene->class = "flame";
    for (size_t i = 0; i < flame->tree->n; i++) {
        if (l->drawn[i])
            depth = MAX(depth, l->depth[i]);
        drawn += l->drawn[i];
    }
    scene->height = ROW * (depth + 1);
    if (draw_folded(scene, l, depth))
        scene->height += ROW;
    for (size_t i = 0; i < flame->tree->n; i++)
        if (l->drawn[i])
            draw_frame(scene, flame, l, i);
    return drawn;
}

static void add_inverted(struct panel *panel, const struct flame *flame)
{
    struct flame *inverted = flame_inverted(flame);
    struct layout *l = layout_new(inverted);
    const char *title = panel_text(panel, "Inverted flame graph of %s", flame->event);
    panel->more = scene_new(panel_text(panel, "%s-inverted", flame->id), title,
                            "What ran at the top, its callers below", ROW);
    panel->more_summary = "Inverted: what ran at the top, its callers below";
    draw_flame(panel->more, inverted, l);
    layout_free(l);
    flame_free(inverted);
}

static void add_data(struct panel *panel, const struct report_model *model,
                     const struct flame *flame, const struct layout *l, unsigned drawn)
{
    if (model->for_page && (drawn < flame->tree->n || flame_divides(flame)))
        panel->data = flame_data(flame, l->near, DATA_MOST / model->flames->len);
}

// What the others are of is said in their titles; the first two have a place in the navigation.
static void add_flame(const struct report_model *model, guint at, GPtrArray *panels)
{
    const struct flame *flame = g_ptr_array_index(model->flames, at);
    bool main = strcmp(flame->id, "flame") == 0 || strcmp(flame->id, "faultflame") == 0;
    struct panel *panel = panel_new(flame->id, !main           ? flame->id
                                               : flame->faults ? "fault-flame"
                                                               : "flame");
    panel->nav = !main ? NULL : flame->faults ? "Fault profile" : "Profile";
    panel->wide = true;
    panel->folded = !main;
    add_words(panel, flame, model->shares.items->len > 0, main);
    struct layout *l = layout_new(flame);
    add_rows(panel, flame, l);
    const char *title = panel_text(panel, "Flame graph of %s", flame->event);
    panel->scene = scene_new(flame->id, title, panel->title, ROW);
    unsigned drawn = draw_flame(panel->scene, flame, l);
    g_autofree char *fold = format_percent(l->fold);
    if (drawn < flame->tree->n)
        panel->caption =
            panel_text(panel, "%u of %zu frames drawn; those below %s are folded, palest.", drawn,
                       flame->tree->n, fold);
    add_data(panel, model, flame, l, drawn);
    layout_free(l);
    add_inverted(panel, flame);
    g_ptr_array_add(panels, panel);
}

void panel_add_flames(struct report_model *model, GPtrArray *panels)
{
    for (guint i = 0; i < model->flames->len; i++) {
        add_flame(model, i, panels);
        if (i < 2)
            panel_add_when(g_ptr_array_index(model->flames, i), i == 0, panels);
    }
}
