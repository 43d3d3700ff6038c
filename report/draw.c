// The second renderer. Inline SVG gets its looks from the stylesheet; here a table gives each class
// its colour and weight, the same as in report.css (a test compares the two).
#include "draw.h"

#include <pango/pangocairo.h>
#include <string.h>

#include "palette.h"

#define MARGIN 20.0
#define TITLE  40.0

double draw_height(const struct scene *scene)
{
    return scene->height + TITLE + 2 * MARGIN;
}

static void set_colour(cairo_t *cr, uint32_t rgb, double alpha)
{
    cairo_set_source_rgba(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                          (rgb & 255) / 255.0, alpha);
}

static PangoLayout *layout_of(cairo_t *cr, const char *text, const struct look *look)
{
    PangoLayout *layout = pango_cairo_create_layout(cr);
    PangoFontDescription *font = pango_font_description_from_string("sans-serif");
    pango_font_description_set_absolute_size(font, look->size * PANGO_SCALE);
    pango_font_description_set_weight(font,
                                      look->bold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_text(layout, text, -1);
    return layout;
}

static void draw_text(cairo_t *cr, const struct mark *m, double x, double y,
                      const struct look *look)
{
    g_autofree char *both =
        g_strconcat(m->text ? m->text : "", m->minor ? "  " : "", m->minor, NULL);
    PangoLayout *layout = layout_of(cr, both, look);
    int width, baseline = pango_layout_get_baseline(layout);
    pango_layout_get_size(layout, &width, NULL);
    double shift[] = {0, -(double)width / PANGO_SCALE / 2, -(double)width / PANGO_SCALE};
    cairo_move_to(cr, x + m->dx + shift[m->anchor], y - (double)baseline / PANGO_SCALE);
    if (mark_has_halo(m)) {
        cairo_save(cr);
        pango_cairo_layout_path(cr, layout);
        set_colour(cr, 0xffffff, 1);
        cairo_set_line_width(cr, 4);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke(cr);
        cairo_restore(cr);
        cairo_move_to(cr, x + m->dx + shift[m->anchor], y - (double)baseline / PANGO_SCALE);
    }
    set_colour(cr, look->ink, 1);
    pango_cairo_show_layout(cr, layout);
    g_object_unref(layout);
}

static void draw_line(cairo_t *cr, const struct mark *m, double width, const struct look *look)
{
    set_colour(cr, look->stroke, look->alpha);
    cairo_set_line_width(cr, look->width);
    const double dash[] = {1, 4};
    cairo_set_dash(cr, dash, look->dashed ? 2 : 0, 0);
    cairo_set_line_cap(cr, look->round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_move_to(cr, m->x / 100 * width, m->y);
    cairo_line_to(cr, (m->x + m->w) / 100 * width, m->y + m->h);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
}

static void fill_and_stroke(cairo_t *cr, const struct look *look)
{
    set_colour(cr, look->fill, look->alpha);
    cairo_fill_preserve(cr);
    set_colour(cr, look->stroke, 1);
    cairo_set_line_width(cr, look->width);
    cairo_stroke(cr);
}

static void draw_box(cairo_t *cr, const struct mark *m, double width, const struct look *look)
{
    double x = m->x / 100 * width, w = m->w / 100 * width;
    cairo_rectangle(cr, x, m->y, w, m->h);
    set_colour(cr, look->fill, 1);
    cairo_fill(cr);
    if (look->outline) {
        cairo_rectangle(cr, x + 1, m->y + 1, w - 2, m->h - 2);
        set_colour(cr, look->stroke, 1);
        cairo_set_line_width(cr, 2);
        cairo_stroke(cr);
    }
    if (!m->text)
        return;
    cairo_save(cr);
    cairo_rectangle(cr, x, m->y, w, m->h);
    cairo_clip(cr);
    draw_text(cr, m, x + 6, m->y + m->h / 2 + 4.5, look);
    cairo_restore(cr);
}

static void draw_mark(cairo_t *cr, const struct mark *m, double width)
{
    struct look look = palette_look(m->class);
    double x = m->x / 100 * width;
    switch (m->kind) {
    case MARK_LINE:
        draw_line(cr, m, width, &look);
        break;
    case MARK_CIRCLE:
        cairo_new_path(cr);
        cairo_arc(cr, x, m->y, m->r, 0, 2 * G_PI);
        fill_and_stroke(cr, &look);
        break;
    case MARK_DIAMOND:
        cairo_move_to(cr, x, m->y - m->r);
        cairo_line_to(cr, x + m->r, m->y);
        cairo_line_to(cr, x, m->y + m->r);
        cairo_line_to(cr, x - m->r, m->y);
        cairo_close_path(cr);
        fill_and_stroke(cr, &look);
        break;
    case MARK_TEXT:
        draw_text(cr, m, x, m->y, &look);
        break;
    case MARK_BOX:
        draw_box(cr, m, width, &look);
        break;
    }
}

void draw_scene(cairo_t *cr, const struct scene *scene, double width)
{
    struct look title = palette_look("title");
    struct mark heading = {.kind = MARK_TEXT, .text = scene->title};
    set_colour(cr, 0xffffff, 1);
    cairo_paint(cr);
    draw_text(cr, &heading, MARGIN, MARGIN + 18, &title);
    cairo_save(cr);
    cairo_translate(cr, MARGIN, MARGIN + TITLE);
    for (guint i = 0; i < scene->marks->len; i++)
        draw_mark(cr, &g_array_index(scene->marks, struct mark, i), width - 2 * MARGIN);
    cairo_restore(cr);
}

// cairo numbers its surfaces over the life of the process and its glyphs from zero in each file.
// With the chart's id in front two charts can stand on one page, and the same chart is the same
// bytes.
void draw_name_ids(GString *out, const char *id)
{
    static const struct {
        const char *pattern, *with;
    } changes[] = {{"id=\"surface[0-9]+\"", "id=\"%s\""},
                   {"(id=\"|href=\"#|url\\(#)(glyph|clip|mask|source|image|linear)", "\\1%s-\\2"}};
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_autoptr(GRegex) regex = g_regex_new(changes[i].pattern, 0, 0, NULL);
        g_auto(GStrv) with = g_strsplit(changes[i].with, "%s", 2);
        g_autofree char *replacement = g_strjoinv(id, with);
        g_autofree char *text =
            g_regex_replace(regex, out->str, (gssize)out->len, 0, replacement, 0, NULL);
        g_string_assign(out, text);
    }
}
