// A scene: what a chart shows, as marks. Charts make scenes; renderers (inline SVG, cairo) draw
// them and know nothing of charts. A class says what a mark means; colours belong to the
// stylesheet.
#ifndef SPINFAULT_REPORT_SCENE_H
#define SPINFAULT_REPORT_SCENE_H

#include <glib.h>
#include <stdbool.h>

enum mark_kind {
    MARK_LINE,    // from (x, y) to (x + w, y + h)
    MARK_CIRCLE,  // centre (x, y), radius r
    MARK_DIAMOND, // centre (x, y), half diagonal r
    MARK_TEXT,    // baseline at (x, y), moved by dx pixels
    MARK_BOX,     // rectangle with clipped text inside it
};

enum mark_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct mark {
    enum mark_kind kind;
    double x, w; // percent of the width
    double y, h; // pixels
    double dx;   // pixels
    double r;
    enum mark_anchor anchor;
    const char *class;
    const char *text;  // of TEXT and BOX
    const char *minor; // less weighty text after it; or NULL
    const char *title; // what it is, for pointer and screen reader; or NULL
    const char *href;  // or NULL
};

struct scene {
    const char *id; // unique on the page: prefix of every id in the chart
    const char *title, *desc;
    const char *class; // of the whole chart; or NULL
    double height;     // pixels
    bool links;        // holds links, so that it is a group and not one image
    GArray *marks;     // of struct mark, in drawing order
    GStringChunk *text;
};

struct scene *scene_new(const char *id, const char *title, const char *desc, double height);
void scene_free(struct scene *scene); // accepts NULL

// Text the scene keeps.
const char *scene_text(struct scene *scene, const char *format, ...) G_GNUC_PRINTF(2, 3);
// Adds a mark; its strings must live as long as the scene (literals, scene_text, the model's).
void scene_add(struct scene *scene, struct mark mark);

// Is it a small label that may lie on a line, so that it needs a margin to stay legible?
bool mark_has_halo(const struct mark *mark);

// The shapes charts are made of.
void scene_line(struct scene *scene, const char *class, double x, double y, double w, double h);
void scene_label(struct scene *scene, const char *class, double x, double y, double dx,
                 enum mark_anchor anchor, const char *text);

#endif
