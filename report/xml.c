// Trees of libxml2, with GLib's manners.
#include "xml.h"

#include <stdbool.h>
#include <string.h>

// XML 1.0 has no control characters but tab, LF and CR, and no U+FFFE and U+FFFF.
static char *xml_safe(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *out = g_string_sized_new(strlen(valid));
    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        bool bad = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF;
        g_string_append_unichar(out, bad ? 0xFFFD : c);
    }
    return g_string_free(out, FALSE);
}

xmlNode *xml_add(xmlNode *parent, const char *name)
{
    return xmlNewChild(parent, NULL, BAD_CAST name, NULL);
}

void xml_append(xmlNode *node, const char *text)
{
    if (!text)
        return;
    g_autofree char *safe = xml_safe(text);
    xmlNodeAddContent(node, BAD_CAST safe);
}

xmlNode *xml_add_text(xmlNode *parent, const char *name, const char *text)
{
    xmlNode *node = xml_add(parent, name);
    xml_append(node, text);
    return node;
}

void xml_set(xmlNode *node, const char *name, const char *value)
{
    if (!value)
        return;
    g_autofree char *safe = xml_safe(value);
    xmlSetProp(node, BAD_CAST name, BAD_CAST safe);
}

void xml_set_f(xmlNode *node, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *value = g_strdup_vprintf(format, args);
    va_end(args);
    xml_set(node, name, value);
}

xmlNode *xml_add_rich(xmlNode *parent, const char *name, const char *text)
{
    xmlNode *node = xml_add(parent, name);
    g_auto(GStrv) parts = g_strsplit(text ? text : "", "`", -1);
    for (size_t i = 0; parts[i]; i++) {
        bool closed = parts[i + 1] != NULL;
        if (i % 2 && closed)
            xml_add_text(node, "code", parts[i]);
        else
            xml_append(node, parts[i]);
    }
    return node;
}
