// Scenes as inline SVG, and that files have the stylesheet's colours.
#include <libxml/tree.h>
#include <string.h>

#include "palette.h"
#include "scene.h"
#include "svg.h"
#include "xml.h"

static char *svg_of(const struct scene *scene)
{
    xmlDoc *doc = xmlNewDoc(BAD_CAST "1.0");
    xmlNode *root = xmlNewNode(NULL, BAD_CAST "r");
    xmlDocSetRootElement(doc, root);
    svg_add(root, scene);
    xmlBuffer *buffer = xmlBufferCreate();
    xmlNodeDump(buffer, doc, root->children, 0, 0);
    char *text = g_strdup((const char *)xmlBufferContent(buffer));
    xmlBufferFree(buffer);
    xmlFreeDoc(doc);
    return text;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        g_error("no %s in %s", part, text);
}

static void test_marks(void)
{
    struct scene *scene = scene_new("c1", "A title", "what it <shows>", 50);
    scene_line(scene, "gr", 12.345678, 1, 0, 40);
    scene_label(scene, "tk", 100, 10, -3, ANCHOR_END, "a < b & \"c\"");
    scene_add(scene, (struct mark){.kind = MARK_CIRCLE,
                                   .class = "dot s4k",
                                   .x = 50,
                                   .y = 5,
                                   .r = 4.5,
                                   .title = "one"});
    scene_add(scene,
              (struct mark){.kind = MARK_DIAMOND, .class = "dia", .x = 33.3333, .y = 20, .r = 7});
    scene_add(scene, (struct mark){.kind = MARK_BOX,
                                   .class = "f4",
                                   .x = 0,
                                   .w = 55.604,
                                   .y = 0,
                                   .h = 20,
                                   .text = "s_lock",
                                   .minor = "55.6 %",
                                   .title = "t",
                                   .href = "#row"});
    g_autofree char *text = svg_of(scene);
    has(text, "role=\"group\" aria-labelledby=\"c1-t c1-d\"");
    has(text, "<title id=\"c1-t\">A title</title>");
    has(text, "what it &lt;shows&gt;");
    has(text, "x1=\"12.35%\" x2=\"12.35%\" y1=\"1\" y2=\"41\"");
    has(text, "text-anchor=\"end\" paint-order=\"stroke\">a &lt; b &amp; \"c\"</text>");
    has(text,
        "<circle class=\"dot s4k\" cx=\"50%\" cy=\"5\" r=\"4.5\"><title>one</title></circle>");
    has(text, "<svg x=\"33.33%\" y=\"20\" overflow=\"visible\"><path class=\"dia\" d=\"M0-7 7 0 0 "
              "7-7 0Z\"/>");
    has(text, "<a href=\"#row\"><svg x=\"0%\" y=\"0\" width=\"55.6%\" height=\"20\">");
    has(text, "s_lock<tspan class=\"fp\" dx=\"8\">55.6 %</tspan>");
    g_autofree char *again = svg_of(scene);
    g_assert_cmpstr(text, ==, again);
    scene_free(scene);
}

static void test_no_links(void)
{
    struct scene *scene = scene_new("c2", "t", "d", 10);
    g_autofree char *text = svg_of(scene);
    has(text, "role=\"img\"");
    scene_free(scene);
    scene_free(NULL);
}

static void test_hostile_text(void)
{
    struct scene *scene = scene_new("c3", "bad \x01 \xff text", "d", 10);
    g_autofree char *text = svg_of(scene);
    g_assert_true(g_utf8_validate(text, -1, NULL));
    has(text, "bad \xEF\xBF\xBD \xEF\xBF\xBD text");
    scene_free(scene);
}

static void test_rich_text(void)
{
    xmlNode *root = xmlNewNode(NULL, BAD_CAST "r");
    xml_add_rich(root, "p", "spins in `s_lock`, and ` alone");
    xmlNode *p = root->children;
    g_assert_cmpstr((const char *)p->children->next->name, ==, "code");
    xmlChar *content = xmlNodeGetContent(p->children->next);
    g_assert_cmpstr((const char *)content, ==, "s_lock");
    xmlFree(content);
    xmlFreeNode(root);
}

// The value of a custom property in the first block of report.css.
static unsigned css_colour(const char *css, const char *name)
{
    g_autofree char *start = g_strdup_printf("--%s: #", name);
    const char *at = strstr(css, start);
    if (!at)
        g_error("no --%s in report.css", name);
    return (unsigned)g_ascii_strtoull(at + strlen(start), NULL, 16);
}

static void test_palette(void)
{
    static const struct {
        const char *class, *property;
        enum { FILL, STROKE, INK } part;
    } rows[] = {
        {"hm4", "m4", FILL},          {"hm3", "m3", FILL},          {"hm2", "m2", FILL},
        {"hm1", "m1", FILL},          {"h0", "z0", FILL},           {"hp1", "b1", FILL},
        {"hp2", "b2", FILL},          {"hp3", "b3", FILL},          {"hp4", "b4", FILL},
        {"f0", "f0", FILL},           {"f1", "f1", FILL},           {"f2", "f2", FILL},
        {"f3", "f3", FILL},           {"f4", "f4", FILL},           {"fx", "fx", FILL},
        {"w1", "w1", FILL},           {"w2", "w2", FILL},           {"w3", "w3", FILL},
        {"w4", "w4", FILL},           {"w5", "w5", FILL},           {"w6", "w6", FILL},
        {"gr", "grid", STROKE},       {"gd", "guide", STROKE},      {"rv worse", "worse", INK},
        {"rv better", "better", INK}, {"rv unsure", "unsure", INK}, {"tk", "ink3", INK},
        {"pt s4k", "p4k", FILL},      {"pt sthp", "pthp", FILL},    {"pt s2m", "p2m", FILL},
        {"ci s1g", "p1g", STROKE},    {"sl s2m", "p2m", INK},
    };
    g_autofree char *css = NULL;
    GError *error = NULL;
    g_file_get_contents(SPINFAULT_SOURCE_DIR "/templates/report.css", &css, NULL, &error);
    g_assert_no_error(error);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct look look = palette_look(rows[i].class);
        unsigned got = rows[i].part == FILL  ? look.fill
                       : rows[i].part == INK ? look.ink
                                             : look.stroke;
        if (got != css_colour(css, rows[i].property))
            g_error("%s: %06x here, --%s in report.css", rows[i].class, got, rows[i].property);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/scene/marks", test_marks);
    g_test_add_func("/scene/no-links", test_no_links);
    g_test_add_func("/scene/hostile-text", test_hostile_text);
    g_test_add_func("/scene/rich-text", test_rich_text);
    g_test_add_func("/scene/palette", test_palette);
    return g_test_run();
}
