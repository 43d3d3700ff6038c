// Numbers as people write them: decimal comma, thousands, a unit behind. What a lone "1.234" means
// is decided for a whole column, never for one cell.
#ifndef SPINFAULT_INGEST_NUMBER_H
#define SPINFAULT_INGEST_NUMBER_H

#include "table.h"

enum column_kind {
    COLUMN_TEXT,  // words, numbers of several units, or of both decimal signs
    COLUMN_EMPTY, // every cell is missing
    COLUMN_NUMBER,
};

// What is said of numbers holds for those of a column of text, too.
struct column_numbers {
    enum column_kind kind;
    char decimal;      // '.', ',', or 0: only integers
    bool open;         // only "1.234" or "1,234" of the kind that could be either
    bool undecided;    // they are open, and there was no hint: `decimal` is 0
    bool conflict;     // some numbers have one decimal sign, and some the other
    struct slice unit; // behind every number of it ("x", "%"), or null
    uint64_t line;     // of `undecided` and `conflict`: where an example is
    struct slice example;
};

// "", "-", "n/a", "NaN", "<not counted>" …: the value is missing.
bool number_is_missing(struct slice cell);
// `hint` is the decimal sign that the user or other columns decided, or 0.
struct column_numbers number_column(const struct table *t, size_t column, char hint);
// The cell's value; false when it is missing or not a number.
bool number_parse(struct slice cell, const struct column_numbers *column, double *value);
// The same, and what stands behind the number: null for nothing. `unit` may be NULL.
bool number_parse_unit(struct slice cell, const struct column_numbers *column, double *value,
                       struct slice *unit);
// A whole number, whatever separates its thousands: what a server counts has no fraction. False for
// what is missing or has one.
bool number_count(struct slice cell, uint64_t *count);

#endif
