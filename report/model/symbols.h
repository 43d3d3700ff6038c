// The symbols of a stack tree by number, so that what is asked of a symbol is asked once and not
// once a node: trees have millions of nodes and thousands of symbols.
#ifndef SPINFAULT_REPORT_SYMBOLS_H
#define SPINFAULT_REPORT_SYMBOLS_H

#include <glib.h>

#include "spinfault/db.h"

struct symbols {
    guint *of;        // number of each node's symbol
    GPtrArray *names; // of const char *, lent by the tree
};

struct symbols *symbols_new(const struct stack_tree *tree);
void symbols_free(struct symbols *symbols); // accepts NULL

static inline const char *symbols_name(const struct symbols *symbols, guint number)
{
    return g_ptr_array_index(symbols->names, number);
}

#endif
