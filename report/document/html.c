// HTML, the serialisation of the living standard (section "Serializing HTML fragments").
#include "document/html.h"

#include <stdbool.h>
#include <string.h>

static bool among(const char *name, const char *const *names)
{
    return g_strv_contains(names, name);
}

static bool is_void(const char *name)
{
    static const char *const names[] = {"area",  "base", "br",   "col",    "embed", "hr",  "img",
                                        "input", "link", "meta", "source", "track", "wbr", NULL};
    return among(name, names);
}

static bool is_raw(const char *name)
{
    static const char *const names[] = {"script", "style", NULL};
    return among(name, names);
}

// After these a line ends, so that a person can read the source. None stands in running text.
static bool ends_line(const char *name)
{
    static const char *const names[] = {"html",       "head",   "body",    "meta",   "title",
                                        "style",      "script", "header",  "main",   "footer",
                                        "section",    "table",  "caption", "thead",  "tbody",
                                        "tr",         "ul",     "li",      "div",    "dl",
                                        "p",          "h1",     "h2",      "figure", "details",
                                        "figcaption", NULL};
    return among(name, names);
}

static void append_escaped(GString *out, const char *text, bool attribute)
{
    for (; text && *text; text++) {
        if (*text == '&')
            g_string_append(out, "&amp;");
        else if (*text == '<' && !attribute)
            g_string_append(out, "&lt;");
        else if (*text == '>' && !attribute)
            g_string_append(out, "&gt;");
        else if (*text == '"' && attribute)
            g_string_append(out, "&quot;");
        else if ((unsigned char)text[0] == 0xc2 && (unsigned char)text[1] == 0xa0) {
            g_string_append(out, "&nbsp;");
            text++;
        } else
            g_string_append_c(out, *text);
    }
}

static void append_attributes(GString *out, const xmlNode *node)
{
    for (const xmlAttr *a = node->properties; a; a = a->next) {
        xmlChar *value = xmlNodeGetContent((const xmlNode *)a);
        const char *name = (const char *)a->name, *text = value ? (const char *)value : "";
        g_string_append_printf(out, " %s", name);
        if (strcmp(name, text) != 0) {
            g_string_append(out, "=\"");
            append_escaped(out, text, true);
            g_string_append_c(out, '"');
        }
        xmlFree(value);
    }
}

static void append_text(GString *out, const xmlNode *node)
{
    const char *text = (const char *)node->content;
    bool raw = node->parent && node->parent->type == XML_ELEMENT_NODE &&
               is_raw((const char *)node->parent->name);
    if (raw)
        g_string_append(out, text ? text : "");
    else
        append_escaped(out, text, false);
}

void html_append(GString *out, const xmlNode *node)
{
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
        append_text(out, node);
        return;
    }
    if (node->type != XML_ELEMENT_NODE)
        return;
    const char *name = (const char *)node->name;
    g_string_append_printf(out, "<%s", name);
    append_attributes(out, node);
    g_string_append_c(out, '>');
    for (const xmlNode *child = node->children; child; child = child->next)
        html_append(out, child);
    if (!is_void(name))
        g_string_append_printf(out, "</%s>", name);
    if (ends_line(name))
        g_string_append_c(out, '\n');
}
