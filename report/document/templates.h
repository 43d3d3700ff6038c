// Stylesheets: embedded at build, each replaced by a file of the same name in --template-dir.
#ifndef SPINFAULT_REPORT_TEMPLATES_H
#define SPINFAULT_REPORT_TEMPLATES_H

#include <glib.h>
#include <libxml/tree.h>

// The text of a template. The caller frees it. Errors: IO, NOT_FOUND (no such template).
char *template_text(const char *dir, const char *name, GError **error);

// Applies the stylesheet `name` to `doc`. `params` are pairs of name and text, ended by NULL. The
// result is text. Errors: DAMAGED (a stylesheet that is not one, with the line), IO.
char *template_apply(const char *dir, const char *name, xmlDoc *doc, const char *const *params,
                     GError **error);

#endif
