// The loop that most line formats share.
#ifndef SPINFAULT_INGEST_LINES_H
#define SPINFAULT_INGEST_LINES_H

#include "context.h"

// Calls `each` for every line, which lives until the next one.
typedef bool (*line_callback)(void *parser, struct slice line, GError **error);
bool lines_each(struct ingest *in, line_callback each, void *parser, GError **error);

// The part of `line` behind `key`, which may stand anywhere in it; a null slice when it is not
// there.
struct slice line_after(struct slice line, const char *key);
bool line_has(struct slice line, const char *text);
// The number that `s` begins with (blanks before it are skipped); `rest` (may be NULL) is what
// follows.
bool line_number(struct slice s, double *value, struct slice *rest);
// Takes the text up to `separator`, or all, off `s`.
struct slice line_field(struct slice *s, char separator);
// "Nov 30 13:27:07 2026", with or without the day of the week before it, as seconds since the
// epoch. The zone is not printed: the clock is taken for UTC.
bool line_ctime(struct slice s, int64_t *seconds);
// Takes a word off `s`.
struct slice line_word(struct slice *s);

#endif
