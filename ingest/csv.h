// What the columns of a table of results are. csv.c reads the rows.
#ifndef SPINFAULT_INGEST_CSV_H
#define SPINFAULT_INGEST_CSV_H

#include "number.h"
#include "run_builder.h"

enum column_role {
    ROLE_TAG,     // a setting under the column's own name
    ROLE_SETTING, // a setting with a standard name
    ROLE_METRIC,
    ROLE_BENCHMARK,
    ROLE_WORKLOAD,
    ROLE_STARTED,
    ROLE_STATUS,
    // Of the long shape, a row a value:
    ROLE_METRIC_NAME,
    ROLE_VALUE,
    ROLE_UNIT,
    ROLE_PROVENANCE,
    ROLE_RUNS,
    ROLE_STDDEV,
    ROLE_NOTE,
    ROLE_BACKEND_TYPE,
    ROLE_STATE,
    ROLE_IGNORE,
};

struct csv_column {
    enum column_role role;
    char *title; // as in the header
    char *name;  // of the setting or the metric
    bool
        soft_unit; // the unit is only a suffix of the name ("think_ns"): a setting may have one too
    char *unit;    // as written in the header or behind the numbers; NULL none
    struct column_numbers numbers;
};

struct csv_layout {
    struct csv_column *columns;
    size_t n;
    bool is_long;
};

// Decides for all columns. Errors: AMBIGUOUS (a decimal sign that cannot be told), DAMAGED (no
// column of numbers).
bool csv_layout_init(struct csv_layout *layout, struct ingest *in, const struct table *t,
                     GError **error);
void csv_layout_clear(struct csv_layout *layout);
int csv_find(const struct csv_layout *layout, enum column_role role); // -1: none
// Is this the name of something a run is known by, or of a standard metric?
bool csv_known_name(struct slice name);

#endif
