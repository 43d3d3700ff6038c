// The few things this folder does with libxml2 trees. Text is any UTF-8; what XML cannot hold
// becomes U+FFFD.
#ifndef SPINFAULT_REPORT_XML_H
#define SPINFAULT_REPORT_XML_H

#include <glib.h>
#include <libxml/tree.h>

xmlNode *xml_add(xmlNode *parent, const char *name);
xmlNode *xml_add_text(xmlNode *parent, const char *name, const char *text); // text may be NULL
void xml_append(xmlNode *node, const char *text);                           // text may be NULL
void xml_set(xmlNode *node, const char *name, const char *value);           // value NULL: not set
void xml_set_f(xmlNode *node, const char *name, const char *format, ...) G_GNUC_PRINTF(3, 4);
// Text in which `backticks` mark code: it becomes text and <code> elements.
xmlNode *xml_add_rich(xmlNode *parent, const char *name, const char *text);

#endif
