// Inline SVG through libxml2, which escapes every text and attribute. Horizontal places are percent
// so that a chart fills whatever width it gets while its text keeps its size; a diamond or a box,
// which cannot be placed in percent itself, sits in a nested <svg> that can.
#include "svg.h"

#include <math.h>
#include <string.h>

#include "xml.h"

// Two decimals at most, no trailing zeros, never "-0".
static void set_number(xmlNode *node, const char *name, double value, const char *unit)
{
    double rounded = round(value * 100) / 100;
    if (rounded == 0)
        rounded = 0;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(digits, sizeof digits, "%.2f", rounded);
    char *end = digits + strlen(digits);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        *--end = '\0';
    g_autofree char *text = g_strconcat(digits, unit, NULL);
    xml_set(node, name, text);
}

static void set_class(xmlNode *node, const char *class)
{
    if (class && *class)
        xml_set(node, "class", class);
}

static void add_title(xmlNode *node, const char *title)
{
    if (title)
        xml_add_text(node, "title", title);
}

static void add_line(xmlNode *parent, const struct mark *m)
{
    xmlNode *line = xml_add(parent, "line");
    set_class(line, m->class);
    set_number(line, "x1", m->x, "%");
    set_number(line, "x2", m->x + m->w, "%");
    set_number(line, "y1", m->y, "");
    set_number(line, "y2", m->y + m->h, "");
    add_title(line, m->title);
}

static void add_circle(xmlNode *parent, const struct mark *m)
{
    xmlNode *circle = xml_add(parent, "circle");
    set_class(circle, m->class);
    set_number(circle, "cx", m->x, "%");
    set_number(circle, "cy", m->y, "");
    set_number(circle, "r", m->r, "");
    add_title(circle, m->title);
}

static void add_diamond(xmlNode *parent, const struct mark *m)
{
    xmlNode *place = xml_add(parent, "svg");
    set_number(place, "x", m->x, "%");
    set_number(place, "y", m->y, "");
    xml_set(place, "overflow", "visible");
    xmlNode *path = xml_add(place, "path");
    set_class(path, m->class);
    g_autofree char *d = g_strdup_printf("M0-%g %g 0 0 %g-%g 0Z", m->r, m->r, m->r, m->r);
    xml_set(path, "d", d);
    add_title(path, m->title);
}

static void add_label(xmlNode *text, const struct mark *m)
{
    xml_append(text, m->text);
    if (!m->minor)
        return;
    xmlNode *minor = xml_add_text(text, "tspan", m->minor);
    set_class(minor, "fp");
    xml_set(minor, "dx", "8");
}

static void add_text(xmlNode *parent, const struct mark *m)
{
    static const char *const anchors[] = {NULL, "middle", "end"};
    xmlNode *text = xml_add(parent, "text");
    set_class(text, m->class);
    set_number(text, "x", m->x, "%");
    set_number(text, "y", m->y, "");
    if (m->dx != 0)
        set_number(text, "dx", m->dx, "");
    if (anchors[m->anchor])
        xml_set(text, "text-anchor", anchors[m->anchor]);
    if (mark_has_halo(m))
        xml_set(text, "paint-order", "stroke");
    add_label(text, m);
}

static void add_box(xmlNode *parent, const struct mark *m)
{
    if (m->href) {
        parent = xml_add(parent, "a");
        xml_set(parent, "href", m->href);
    }
    xmlNode *place = xml_add(parent, "svg");
    set_number(place, "x", m->x, "%");
    set_number(place, "y", m->y, "");
    set_number(place, "width", m->w, "%");
    set_number(place, "height", m->h, "");
    xmlNode *rect = xml_add(place, "rect");
    set_class(rect, m->class);
    xml_set(rect, "width", "100%");
    xml_set(rect, "height", "100%");
    if (m->text) {
        xmlNode *text = xml_add(place, "text");
        set_class(text, "bt");
        set_number(text, "x", 6, "");
        set_number(text, "y", m->h / 2 + 4.5, "");
        add_label(text, m);
    }
    add_title(place, m->title);
}

xmlNode *svg_add(xmlNode *parent, const struct scene *scene)
{
    static void (*const add[])(xmlNode *, const struct mark *) = {
        [MARK_LINE] = add_line, [MARK_CIRCLE] = add_circle, [MARK_DIAMOND] = add_diamond,
        [MARK_TEXT] = add_text, [MARK_BOX] = add_box,
    };
    g_autofree char *title_id = g_strconcat(scene->id, "-t", NULL);
    g_autofree char *desc_id = g_strconcat(scene->id, "-d", NULL);
    g_autofree char *class = g_strconcat("fl", scene->class ? " " : "", scene->class, NULL);
    g_autofree char *label = g_strconcat(title_id, " ", desc_id, NULL);
    xmlNode *svg = xml_add(parent, "svg");
    xml_set(svg, "class", class);
    xml_set(svg, "width", "100%");
    set_number(svg, "height", scene->height, "");
    xml_set(svg, "role", scene->links ? "group" : "img");
    xml_set(svg, "aria-labelledby", label);
    xml_set(xml_add_text(svg, "title", scene->title), "id", title_id);
    xml_set(xml_add_text(svg, "desc", scene->desc), "id", desc_id);
    for (guint i = 0; i < scene->marks->len; i++) {
        const struct mark *m = &g_array_index(scene->marks, struct mark, i);
        add[m->kind](svg, m);
    }
    return svg;
}
