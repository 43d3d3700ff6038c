// Trees as HTML text. libxml2's own writer follows HTML 4 and changes between versions; a report
// has to be the same bytes everywhere.
#ifndef SPINFAULT_REPORT_HTML_H
#define SPINFAULT_REPORT_HTML_H

#include <glib.h>
#include <libxml/tree.h>

// Appends the element and all below it. Content of <style> and <script> is written as it is, an
// attribute whose value is its name is written as the name alone.
void html_append(GString *out, const xmlNode *node);

#endif
