// The document as a page of HTML, or as Markdown.
#ifndef SPINFAULT_REPORT_PAGE_H
#define SPINFAULT_REPORT_PAGE_H

#include <glib.h>
#include <libxml/tree.h>

// Results are the caller's. Errors: those of template_apply.
char *page_html(xmlDoc *doc, const char *template_dir, GError **error);
char *page_markdown(xmlDoc *doc, const char *template_dir, GError **error);

#endif
