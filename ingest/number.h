// Numbers as people write them: decimal comma, thousands, a unit behind. What a lone "1.234" means
// is decided for a whole column, never for one cell.
#ifndef SPINFAULT_INGEST_NUMBER_H
#define SPINFAULT_INGEST_NUMBER_H

#include "table.h"

enum column_kind {
    COLUMN_TEXT,
    COLUMN_EMPTY, // every cell is missing
    COLUMN_NUMBER,
    COLUMN_AMBIGUOUS, // "1.234" may be 1.234 or 1234, and nothing in the column tells
};

struct column_numbers {
    enum column_kind kind;
    char decimal; // '.', ',', or 0: only integers
    bool open;    // only "1.234" or "1,234" of the kind that could be either; `decimal` is a guess
    struct slice unit; // behind every number of it ("x", "%"), or null
    uint64_t line;     // for AMBIGUOUS: where one is
    struct slice example;
};

// "", "-", "n/a", "NaN", "<not counted>" …: the value is missing.
bool number_is_missing(struct slice cell);
// `hint` is the decimal sign that the user or other columns decided, or 0.
struct column_numbers number_column(const struct table *t, size_t column, char hint);
// The cell's value; false when it is missing or not a number.
bool number_parse(struct slice cell, const struct column_numbers *column, double *value);

#endif
