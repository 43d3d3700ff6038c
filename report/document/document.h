// The model as one XML document: what the stylesheets in templates/ turn into HTML and Markdown.
// docs/report.md describes its elements for those who write stylesheets of their own.
#ifndef SPINFAULT_REPORT_DOCUMENT_H
#define SPINFAULT_REPORT_DOCUMENT_H

#include <libxml/tree.h>

#include "charts/panel.h"
#include "model/model.h"

// The caller frees it with xmlFreeDoc.
xmlDoc *document_new(struct report_model *model, const GPtrArray *panels);

// With a name it is one of several small ones.
void document_add_heat(xmlNode *parent, const struct grid *grid, const char *name);
void document_add_findings(xmlNode *parent, struct report_model *model);
void document_add_sections(xmlNode *parent, const struct report_model *model);
void document_add_environment(xmlNode *parent, const struct report_model *model);
void document_add_methods(xmlNode *parent, const struct report_model *model);

#endif
