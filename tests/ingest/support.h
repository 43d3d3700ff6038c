// What the tests of ingest share: files made on the spot, and their facts as text.
#ifndef SPINFAULT_TESTS_INGEST_SUPPORT_H
#define SPINFAULT_TESTS_INGEST_SUPPORT_H

#include "spinfault/ingest.h"

#include <stddef.h>

// A file of these bytes in a folder of its own, removed at the end of the program. The path is the
// caller's.
char *write_file(const char *name, const void *data, size_t len);
char *write_text(const char *name, const char *text);

// The facts as JSON lines without the summary; NULL with `error` set. `chunk` as for reader_open().
char *facts_of(const char *path, size_t chunk, const char *format, GError **error);
// The same for text; fails the test when it cannot be ingested.
char *facts_of_text(const char *text);
// How many lines of `facts` hold `text`.
unsigned count_lines(const char *facts, const char *text);
void assert_holds(const char *facts, const char *text);
// The error message for the text; fails the test when there is none.
char *error_of_text(const char *text, const char *format);

// A folder of shared/, or NULL (and the test is skipped) when it is not there.
char *shared_folder(const char *name);

#endif
