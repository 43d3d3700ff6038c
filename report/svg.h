// Scenes as inline SVG.
#ifndef SPINFAULT_REPORT_SVG_H
#define SPINFAULT_REPORT_SVG_H

#include <libxml/tree.h>

#include "scene.h"

// Adds an <svg> element below `parent`: real text, classes, percent places; ids begin with the
// scene's. The same scene always gives the same bytes. No namespace: the page is HTML.
xmlNode *svg_add(xmlNode *parent, const struct scene *scene);

#endif
