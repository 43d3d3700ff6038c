// A table for a terminal: columns as wide as what is in them, and some that give way so that a line
// fits.
#ifndef SPINFAULT_CLI_COLUMNS_H
#define SPINFAULT_CLI_COLUMNS_H

#include <glib.h>
#include <stdbool.h>

struct columns;

// `heads` begin with '>' where the column is flush right, and with '~' or '^' where it gives way,
// the last of them first: '~' loses its beginning (a path's end tells more), '^' its end. A first
// column with '/' stands on lines of its own when a row is too long otherwise. NULL-terminated.
struct columns *columns_new(const char *const *heads);
// One row; takes the cells, which g_free frees. NULL is shown as "-".
void columns_add(struct columns *c, char *const *cells);
// Prints to standard output within `width` characters (0: whatever it takes) and frees.
void columns_print(struct columns *c, unsigned width);

// Of the terminal, else $COLUMNS, else 80.
unsigned columns_width(void);

#endif
