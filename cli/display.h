// Text in columns of a terminal: wide characters take two, combining ones none.
#ifndef SPINFAULT_CLI_DISPLAY_H
#define SPINFAULT_CLI_DISPLAY_H

#include <glib.h>
#include <stdbool.h>

unsigned display_char_width(gunichar c);
unsigned display_width(const char *utf8);

// Exactly `width` columns: padded at the end, or cut with "…" at its end, or with `keep_end` at its
// beginning. Bytes that are not UTF-8 and control characters are made visible. The caller's.
char *display_fit(const char *text, unsigned width, bool keep_end);

// A line of a source for display: tabs become blanks up to the next multiple of eight, and what
// cannot be shown "?". Of a line wider than `width` a part is shown that has the caret in it, with
// "…" where something is missing. `column` is in bytes from 1, 0 for none; `*caret` becomes the
// number of columns before it, or -1. The caller's.
char *display_source(const char *line, unsigned column, unsigned width, int *caret);

// `text` broken between words so that no line is wider than `width`; the first line starts at
// column `first`, the others with `indent` blanks. `width` 0: unchanged. The caller's.
char *display_wrap(const char *text, unsigned first, unsigned indent, unsigned width);

#endif
