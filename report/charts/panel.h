// A panel: one part of the report with its chart, the same numbers as a table, and a few sentences.
// One file here makes one kind of panel; panels.c has the list. Every format is written from
// panels: HTML shows scene and table, Markdown the table, CSV its cells, SVG and PNG the scene.
#ifndef SPINFAULT_REPORT_PANEL_H
#define SPINFAULT_REPORT_PANEL_H

#include <glib.h>
#include <stdbool.h>

#include "model/model.h"
#include "scene.h"

struct data_row {
    const char *id;           // of the row on the page; or NULL
    const char *swatch;       // class of a colour before the first cell; or NULL
    const char *const *cells; // as many as there are columns; NULL: nothing to say
};
struct data_table {
    const char *summary; // when it is folded away: what one opens; NULL: always shown
    GPtrArray *columns;  // of const char *; the first column names the row
    GPtrArray *rows;     // of struct data_row
};

// What a mark looks like, for the legend. `shape`: "diamond", "dot", "interval", "square", "none".
struct key_item {
    const char *shape, *class, *text;
};

struct multiple {
    const char *name;
    const struct grid *grid;
};

struct panel {
    const char *id;                    // unique on the page; the anchor
    const char *name;                  // for --chart: "throughput"
    const char *nav;                   // in the navigation; or NULL
    const char *title, *sub, *caption; // `code` in backticks; sub and caption may be NULL
    bool wide;
    const struct grid *heat; // the heat map of this grid; or NULL
    GArray *multiples;       // of struct multiple: small heat maps; or NULL
    struct scene *scene;     // or NULL
    struct scene *more;      // another one, folded away below it; or NULL
    const char *more_summary;
    bool folded;             // the scene stands folded away too
    char *data;              // JSON for the script that belongs to the scene; or NULL
    struct data_table table; // without columns: none
    GArray *key;             // of struct key_item
    GStringChunk *text;
};

struct panel *panel_new(const char *id, const char *name);
void panel_free(struct panel *panel); // accepts NULL
const char *panel_text(struct panel *panel, const char *format, ...) G_GNUC_PRINTF(2, 3);
// Takes a string: `panel_take(panel, format_ratio(x))`.
const char *panel_take(struct panel *panel, char *text);
// Columns as a list of names that ends with NULL.
void panel_columns(struct panel *panel, ...) G_GNUC_NULL_TERMINATED;
// One row; cells as many as there are columns, kept by the panel. Returns it for id and swatch.
struct data_row *panel_row(struct panel *panel, ...);
void panel_key(struct panel *panel, const char *shape, const char *class, const char *text);

// All panels of a model, in the order of the page. GPtrArray of struct panel; frees what it holds.
GPtrArray *panels_of(struct report_model *model);

// The kinds. Each adds the panels it has something for; none is fine.
void panel_add_heat(struct report_model *model, GPtrArray *panels);
void panel_add_dots(struct report_model *model, GPtrArray *panels);
void panel_add_multiples(struct report_model *model, GPtrArray *panels);
void panel_add_machines(struct report_model *model, GPtrArray *panels);
void panel_add_touches(struct report_model *model, GPtrArray *panels);
void panel_add_flames(struct report_model *model, GPtrArray *panels);
void panel_add_shares(struct report_model *model, GPtrArray *panels);
void panel_add_waits(struct report_model *model, GPtrArray *panels);
void panel_add_others(struct report_model *model, GPtrArray *panels);
void panel_add_diff(struct report_model *model, GPtrArray *panels);
void panel_add_history(struct report_model *model, GPtrArray *panels);

// When the samples of a flame graph were taken, where that is known.
void panel_add_when(const struct flame *flame, bool first, GPtrArray *panels);

// Class of the colour of a page size: "s4k", "sthp", "s2m", "s1g".
const char *page_class(const char *page);
// "0.51× slower" with its symbol, or what else is to be said about a comparison.
const char *verdict_text(struct panel *panel, const struct comparison *c);
// "50,751.96 (mean of 3)", "1,234 [1,200, 1,300]", "–".
const char *cell_value(struct panel *panel, const struct grid *grid, const struct cell *cell);
const char *cell_runs_text(struct panel *panel, const struct cell *cell);

// Dots of several cells, a lane each, below a line of text for each group.
struct lane {
    const char *label, *class;
    const struct cell *cell,
        *reference; // reference: where the line of the difference starts; or NULL
};
struct lane_group {
    const char *label, *verdict, *verdict_class;
    GArray *lanes; // of struct lane
};
struct scene *dots_scene(const char *id, const char *title, const char *desc,
                         const struct grid *grid, const GArray *groups);

#endif
