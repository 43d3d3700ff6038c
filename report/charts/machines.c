// Per machine: the main ratio against the number of CPUs, a line for each family of machines.
#include <string.h>

#include "charts/panel.h"
#include "layout.h"
#include "spinfault/format.h"

#define TOP    22.0
#define BOTTOM 196.0
#define HEIGHT 236.0
#define LEFT   17.0
#define RIGHT  74.0

static const struct machine *machine_at(const struct machines *all, guint i)
{
    return &g_array_index(all->items, struct machine, i);
}

static const char *family_class(unsigned at)
{
    static const char *const classes[] = {"s2m", "s1g", "s4k", "sthp"};
    return classes[at % G_N_ELEMENTS(classes)];
}

struct axes {
    struct scale x, y;
};

static struct axes axes_of(const struct machines *all)
{
    double lo = INFINITY, hi = 0, few = INFINITY, many = 0;
    for (guint i = 0; i < all->items->len; i++) {
        const struct machine *m = machine_at(all, i);
        lo = fmin(lo, m->ratio);
        hi = fmax(hi, m->ratio);
        few = fmin(few, (double)m->vcpus);
        many = fmax(many, (double)m->vcpus);
    }
    return (struct axes){.x = scale_log_tight(few, many, LEFT, RIGHT),
                         .y = scale_ratio(lo, hi, BOTTOM, TOP)};
}

static void draw_axes(struct scene *scene, const struct machines *all, const struct axes *axes)
{
    for (size_t i = 0; i < axes->y.n_ticks; i++) {
        double tick = axes->y.ticks[i], y = scale_at(&axes->y, tick);
        bool one = fabs(tick - 1) < 1e-9;
        g_autofree char *label = format_ratio(tick);
        scene_line(scene, one ? "bl" : "gr", 0, y, 100, 0);
        scene_label(scene, one ? "tk bt" : "tk", 0, y - 4, 0, ANCHOR_START,
                    scene_text(scene, one ? "%s equal" : "%s", label));
    }
    g_autoptr(GHashTable) done = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (guint i = 0; i < all->items->len; i++) {
        gint64 cpus = machine_at(all, i)->vcpus;
        if (g_hash_table_add(done, GINT_TO_POINTER((int)cpus)))
            scene_label(scene, "tk", scale_at(&axes->x, (double)cpus), HEIGHT - 6, 0, ANCHOR_MIDDLE,
                        scene_text(scene, "%" G_GINT64_FORMAT " vCPU", cpus));
    }
}

// A label goes to the side of its dot that the lines of its family leave free; when they leave
// neither, away from the machine of the same size in another family.
static bool label_above(const struct machines *all, guint at)
{
    const struct machine *m = machine_at(all, at);
    int up = 0, down = 0;
    for (int side = -1; side <= 1; side += 2) {
        if ((side < 0 && at == 0) || (side > 0 && at + 1 == all->items->len))
            continue;
        const struct machine *next = machine_at(all, at + (guint)side);
        if (strcmp(next->family, m->family) != 0)
            continue;
        up += next->ratio > m->ratio;
        down += next->ratio < m->ratio;
    }
    if (!up != !down)
        return down > 0;
    for (guint i = 0; i < all->items->len; i++) {
        const struct machine *other = machine_at(all, i);
        if (other != m && other->vcpus == m->vcpus && other->ratio > m->ratio)
            return false;
    }
    return true;
}

static void draw_machine(struct scene *scene, const struct machines *all, const struct axes *axes,
                         guint at, const char *class)
{
    const struct machine *m = machine_at(all, at);
    double x = scale_at(&axes->x, (double)m->vcpus), y = scale_at(&axes->y, m->ratio);
    bool first = at == 0 || strcmp(machine_at(all, at - 1)->family, m->family) != 0;
    bool last =
        at + 1 == all->items->len || strcmp(machine_at(all, at + 1)->family, m->family) != 0;
    if (!first) {
        const struct machine *before = machine_at(all, at - 1);
        double from_x = scale_at(&axes->x, (double)before->vcpus);
        double from_y = scale_at(&axes->y, before->ratio);
        scene_line(scene, scene_text(scene, "ln %s", class), from_x, from_y, x - from_x,
                   y - from_y);
    }
    g_autofree char *ratio = format_ratio(m->ratio);
    g_autofree char *slow = format_exact(m->slow);
    g_autofree char *fast = format_exact(m->fast);
    scene_add(scene, (struct mark){.kind = MARK_CIRCLE,
                                   .class = scene_text(scene, "pt %s", class),
                                   .x = x,
                                   .y = y,
                                   .r = 5,
                                   .title = scene_text(scene, "%s: %s %s, %s %s, ratio %s", m->name,
                                                       preempt_short(all->preempt), slow,
                                                       preempt_short(all->against), fast, ratio)});
    scene_label(scene, "mv", x, y + (label_above(all, at) ? -11 : 20), 0, ANCHOR_MIDDLE,
                scene_text(scene, "%s", ratio));
    if (last)
        scene_label(scene, scene_text(scene, "sl %s", class), 100, y + 4, 0, ANCHOR_END,
                    scene_text(scene, "%s%s%s", m->family, m->arch ? " " : "",
                               m->arch ? m->arch : ""));
}

// What each family does from its smallest machine to its largest.
static const char *trend(struct panel *panel, const struct machines *all)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < all->items->len;) {
        guint end = i;
        while (end < all->items->len &&
               strcmp(machine_at(all, end)->family, machine_at(all, i)->family) == 0)
            end++;
        const struct machine *small = machine_at(all, i), *large = machine_at(all, end - 1);
        if (end - i > 1) {
            g_autofree char *from = format_ratio(small->ratio);
            g_autofree char *to = format_ratio(large->ratio);
            g_string_append_printf(text,
                                   "%s goes from %s at %" G_GINT64_FORMAT
                                   " vCPUs to %s at %" G_GINT64_FORMAT ". ",
                                   small->family, from, small->vcpus, to, large->vcpus);
        }
        i = end;
    }
    g_autofree char *all_text = g_strchomp(g_string_free(text, FALSE));
    return panel_text(panel, "%s", all_text);
}

// "Larger m8g machines lose more, larger m7i machines less", when that is so.
static const char *title(struct panel *panel, const struct machines *all)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < all->items->len;) {
        guint end = i;
        while (end < all->items->len &&
               strcmp(machine_at(all, end)->family, machine_at(all, i)->family) == 0)
            end++;
        double change = machine_at(all, end - 1)->ratio / machine_at(all, i)->ratio;
        if (end - i > 1 && (change < 0.9 || change > 1.1))
            g_string_append_printf(text, "%s%s %s machines lose %s", text->len ? "; " : "",
                                   text->len ? "larger" : "Larger", machine_at(all, i)->family,
                                   change < 1 ? "more" : "less");
        i = end;
    }
    g_autofree char *title_text = g_string_free(text, FALSE);
    return *title_text ? panel_text(panel, "%s", title_text)
                       : panel_text(panel, "%s against %s, machine by machine",
                                    preempt_short(all->preempt), preempt_short(all->against));
}

void panel_add_machines(struct report_model *model, GPtrArray *panels)
{
    const struct machines *all = &model->machines;
    if (!all->items->len)
        return;
    struct panel *panel = panel_new("inst", "machines");
    const char *slow = preempt_short(all->preempt), *fast = preempt_short(all->against);
    panel->nav = "Machines";
    panel->title = title(panel, all);
    panel->sub = panel_text(panel, "%s ÷ %s with %s. Below 1.00× %s is %s.", slow, fast,
                            page_label(all->page), slow,
                            model_grid(model)->higher_is_better ? "slower" : "faster");
    panel->scene =
        scene_new("in", panel_text(panel, "%s divided by %s, by number of vCPUs", slow, fast),
                  trend(panel, all), HEIGHT);
    struct axes axes = axes_of(all);
    draw_axes(panel->scene, all, &axes);
    unsigned family = 0;
    panel_columns(panel, "Machine", "Arch", "vCPU", slow, fast, "Ratio", NULL);
    for (guint i = 0; i < all->items->len; i++) {
        const struct machine *m = machine_at(all, i);
        if (i && strcmp(machine_at(all, i - 1)->family, m->family) != 0)
            family++;
        draw_machine(panel->scene, all, &axes, i, family_class(family));
        g_autofree char *a = format_exact(m->slow);
        g_autofree char *b = format_exact(m->fast);
        g_autofree char *ratio = format_ratio(m->ratio);
        panel_row(panel, m->name, m->arch, panel_text(panel, "%" G_GINT64_FORMAT, m->vcpus), a, b,
                  ratio);
    }
    panel->table.summary = panel_text(panel, "Table: %u machines", all->items->len);
    g_autofree char *mean = format_ratio(all->mean.value);
    g_autofree char *lo = format_ratio(all->mean.lo);
    g_autofree char *hi = format_ratio(all->mean.hi);
    g_autofree char *least = format_ratio(all->mean.min);
    g_autofree char *most = format_ratio(all->mean.max);
    panel->caption =
        panel_text(panel, "Geometric mean over %u machines: %s [%s, %s], from %s to %s. %s",
                   all->items->len, mean, lo, hi, least, most,
                   all->mean.max / all->mean.min > 1.25 ? "One number hides what the lines show."
                                                        : "");
    g_ptr_array_add(panels, panel);
}
