// Scenes through cairo and pango: stand-alone SVG, PNG and PDF.
#ifndef SPINFAULT_REPORT_DRAW_H
#define SPINFAULT_REPORT_DRAW_H

#include <cairo.h>
#include <glib.h>

#include "scene.h"

// Draws the scene with its title above it, `width` pixels wide, in the light colours.
void draw_scene(cairo_t *cr, const struct scene *scene, double width);
// Height of what draw_scene draws.
double draw_height(const struct scene *scene);
// Puts `id` in front of the ids in an SVG file that cairo wrote.
void draw_name_ids(GString *out, const char *id);

#endif
