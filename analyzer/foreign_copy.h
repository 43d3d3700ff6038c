// A summary outside of the unit it was made from, and back into another one.
//
// Symbols belong to a table, and variables, steps and names to a unit. The copy has a table, an
// arena and text of its own and outlives both. What a symbol says of the callee's past (which call,
// which loop) is kept as an identity and no more; of a call also what it called.
#ifndef SPINFAULT_ANALYZER_FOREIGN_COPY_H
#define SPINFAULT_ANALYZER_FOREIGN_COPY_H

#include "summary.h"

struct foreign_copy;
struct foreign_copy *foreign_copy_new(const struct summary *summary);
void foreign_copy_free(struct foreign_copy *copy); // accepts NULL
// The summary in terms of `table`, which the copy must outlive. The result is the caller's:
// summary_free().
struct summary *foreign_copy_import(const struct foreign_copy *copy, struct symbol_table *table);

#endif
