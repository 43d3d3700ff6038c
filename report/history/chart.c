// A series in time: a dot a run, a line a level, and where it changes.
#include "history/chart.h"

#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "draw.h"
#include "layout.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

#define LEFT      9.0 // percent: tick labels of the values
#define RIGHT     98.0
#define TOP       34.0 // pixels: where changes are named
#define PLOT      170.0
#define BOTTOM    26.0
#define DOTS_MOST 600u
#define WIDTH     760.0

struct frame {
    struct scene *scene;
    const struct history_series *series;
    double lo, hi;
    double t_lo, t_hi;
};

static double time_of(const struct history_series *series, size_t i)
{
    return series->timed ? (double)series->points[i].t_ns : (double)i;
}

static double x_at(const struct frame *f, size_t i)
{
    if (!(f->t_hi > f->t_lo))
        return (LEFT + RIGHT) / 2;
    return LEFT + (time_of(f->series, i) - f->t_lo) / (f->t_hi - f->t_lo) * (RIGHT - LEFT);
}

static double y_at(const struct frame *f, double value)
{
    return TOP + PLOT - (value - f->lo) / (f->hi - f->lo) * PLOT;
}

char *history_place(const struct history_series *series, size_t point, bool with_time)
{
    const struct history_point *p = &series->points[point];
    if (p->t_ns == INT64_MIN)
        return p->run_id ? g_strdup_printf("run %" G_GINT64_FORMAT, p->run_id)
                         : g_strdup_printf("value %zu", point + 1);
    char *text = text_from_time(p->t_ns);
    if (text && strlen(text) >= 16) {
        text[10] = with_time ? ' ' : '\0';
        text[16] = '\0';
    }
    return text;
}

static const char *setting(const struct history_series *series, const char *key)
{
    for (guint i = 0; i + 1 < series->set->len; i += 2)
        if (strcmp(g_ptr_array_index(series->set, i), key) == 0)
            return g_ptr_array_index(series->set, i + 1);
    return NULL;
}

char *history_title(const struct history_series *series)
{
    const char *benchmark = setting(series, "benchmark"), *workload = setting(series, "workload");
    GString *title = g_string_new(series->metric);
    g_string_append(title, " of ");
    if (benchmark && !strstr(series->label, benchmark))
        g_string_append_printf(title, "%s%s%s, ", benchmark, workload ? " " : "",
                               workload ? workload : "");
    g_string_append(title, series->label);
    return g_string_free(title, FALSE);
}

static double round_step(double span)
{
    double power = pow(10, floor(log10(span / 3))), lead = span / 3 / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

// The values' range with a little room, and ticks at round values inside it.
static void draw_values(struct frame *f)
{
    const struct history_series *s = f->series;
    f->lo = INFINITY;
    f->hi = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        f->lo = fmin(f->lo, s->points[i].value);
        f->hi = fmax(f->hi, s->points[i].value);
    }
    double span = f->hi - f->lo, most = fmax(fabs(f->hi), fabs(f->lo));
    double room = span > 0 ? span * 0.08 : most > 0 ? most * 0.05 : 1;
    f->lo -= room;
    f->hi += room;
    double step = round_step(f->hi - f->lo);
    double first = ceil(f->lo / step);
    for (int i = 0; (first + i) * step <= f->hi; i++) {
        double v = (first + i) * step;
        g_autofree char *tick = g_strcmp0(s->unit, "s") == 0 || g_strcmp0(s->unit, "B") == 0
                                    ? format_with_unit(v, s->unit)
                                    : format_axis(fabs(v) < step / 1e6 ? 0 : v);
        scene_line(f->scene, "gr", LEFT, y_at(f, v), RIGHT - LEFT, 0);
        scene_label(f->scene, "tk", LEFT, y_at(f, v) + 4, -8, ANCHOR_END,
                    scene_text(f->scene, "%s", tick));
    }
}

static void draw_times(const struct frame *f)
{
    const struct history_series *s = f->series;
    size_t ends[] = {0, s->n - 1};
    for (size_t i = 0; i < 2; i++) {
        g_autofree char *place = history_place(s, ends[i], false);
        scene_label(f->scene, "tk", i ? RIGHT : LEFT, TOP + PLOT + 18, 0,
                    i ? ANCHOR_END : ANCHOR_START, scene_text(f->scene, "%s", place));
    }
    scene_line(f->scene, "bl", LEFT, TOP + PLOT, RIGHT - LEFT, 0);
}

static void draw_dots(const struct frame *f)
{
    const struct history_series *s = f->series;
    size_t every = s->n / DOTS_MOST + 1;
    for (size_t i = 0; i < s->n; i++) {
        const struct history_point *p = &s->points[i];
        if (i % every && !p->outlier && i + 1 < s->n)
            continue;
        g_autofree char *place = history_place(s, i, true);
        g_autofree char *value = format_with_unit(p->value, s->unit);
        scene_add(f->scene,
                  (struct mark){.kind = MARK_CIRCLE,
                                .class = p->outlier ? "dot sthp odd" : "dot sthp",
                                .x = x_at(f, i),
                                .y = y_at(f, p->value),
                                .r = s->n > 150 ? 2.5 : 3.5,
                                .title =
                                    scene_text(f->scene, "%s: %s%s%s%s", place, value,
                                               p->version ? ", " : "", p->version ? p->version : "",
                                               p->outlier ? ", far from its level" : "")});
    }
}

// The median of each level as a line, and a name where it changes.
static void draw_levels(const struct frame *f)
{
    const struct history_series *s = f->series;
    double label_end = 0;
    for (size_t i = 0; i <= s->n_changes; i++) {
        size_t from = i ? s->changes[i - 1].at : 0;
        size_t to = i < s->n_changes ? s->changes[i].at : s->n;
        if (!s->n_changes)
            break;
        double level = i ? s->changes[i - 1].after : s->changes[0].before;
        double x = x_at(f, from), end = x_at(f, to - 1);
        scene_line(f->scene, "ln s4k", x, y_at(f, level), fmax(0.4, end - x), 0);
        if (!i)
            continue;
        const struct history_change *c = &s->changes[i - 1];
        g_autofree char *ratio = format_ratio(c->ratio);
        scene_line(f->scene, "rf", x, TOP - 10, 0, PLOT + 10);
        bool left = x > 85;
        if (x < label_end && !left)
            continue; // the table has it
        label_end = x + 14;
        scene_label(f->scene,
                    scene_text(f->scene, "rv %s",
                               c->verdict == VERDICT_SLOWER   ? "worse"
                               : c->verdict == VERDICT_FASTER ? "better"
                                                              : "same"),
                    x, TOP - 16, left ? -2 : 2, left ? ANCHOR_END : ANCHOR_START,
                    scene_text(f->scene, "%s %s%s", verdict_symbol(c->verdict),
                               isnan(c->ratio) ? "change" : ratio,
                               c->provisional ? ", provisional" : ""));
    }
}

struct scene *history_scene(const char *id, const struct history_series *series)
{
    g_autofree char *first = history_place(series, 0, false);
    g_autofree char *last = history_place(series, series->n - 1, false);
    g_autofree char *title = history_title(series);
    g_autofree char *desc =
        g_strdup_printf("%zu runs from %s to %s, %zu change%s of level", series->n, first, last,
                        series->n_changes, series->n_changes == 1 ? "" : "s");
    struct frame f = {.scene = scene_new(id, title, desc, TOP + PLOT + BOTTOM), .series = series};
    f.t_lo = time_of(series, 0);
    f.t_hi = time_of(series, series->n - 1);
    draw_values(&f);
    draw_times(&f);
    draw_dots(&f);
    draw_levels(&f);
    return f.scene;
}

static cairo_status_t append(void *out, const unsigned char *data, unsigned len)
{
    g_string_append_len(out, (const char *)data, len);
    return CAIRO_STATUS_SUCCESS;
}

bool history_svg(const struct history_result *result, GString *out, GError **error)
{
    g_autoptr(GPtrArray) scenes = g_ptr_array_new_with_free_func((GDestroyNotify)scene_free);
    double height = 0;
    for (guint i = 0; i < result->series->len; i++) {
        g_autofree char *id = g_strdup_printf("history-%u", i + 1);
        struct scene *scene = history_scene(id, g_ptr_array_index(result->series, i));
        g_ptr_array_add(scenes, scene);
        height += draw_height(scene);
    }
    if (!scenes->len)
        return error_set(error, SPINFAULT_ERROR_NOT_FOUND, "no series is long enough for a chart");
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(append, out, WIDTH, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    cairo_t *cr = cairo_create(surface);
    for (guint i = 0; i < scenes->len; i++) {
        double own = draw_height(g_ptr_array_index(scenes, i));
        cairo_save(cr);
        cairo_rectangle(cr, 0, 0, WIDTH, own);
        cairo_clip(cr);
        draw_scene(cr, g_ptr_array_index(scenes, i), WIDTH);
        cairo_restore(cr);
        cairo_translate(cr, 0, own);
    }
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        draw_name_ids(out, "history");
        return true;
    }
    return error_set(error, SPINFAULT_ERROR_IO, "cannot draw the chart: %s",
                     cairo_status_to_string(status));
}
