// Writes JSON objects, a line each: json_begin(), keys in the order of the documentation,
// json_finish().
#ifndef SPINFAULT_CLI_JSON_LINES_H
#define SPINFAULT_CLI_JSON_LINES_H

#include <stdio.h>

#include "spinfault/base.h"

// Bytes that are not UTF-8 become U+FFFD; a null slice is null.
void json_put_slice(FILE *out, struct slice s);
void json_put_text(FILE *out, const char *text);
// null for what is not finite.
void json_put_double(FILE *out, double value);
// A key; its value is put next.
void json_key(FILE *out, const char *name);
void json_key_text(FILE *out, const char *name, const char *value);
void json_key_slice(FILE *out, const char *name, struct slice value);
// Only what is there.
void json_key_slice_if(FILE *out, const char *name, struct slice value);
void json_key_text_if(FILE *out, const char *name, const char *value);
// null unless it is `there`.
void json_key_int(FILE *out, const char *name, bool there, int64_t value);
void json_key_uint(FILE *out, const char *name, uint64_t value);
// As a string of hex digits.
void json_key_hex(FILE *out, const char *name, uint64_t value);
void json_key_double(FILE *out, const char *name, double value);
void json_key_bool(FILE *out, const char *name, bool value);
// Opens an object with its "type".
void json_begin(FILE *out, const char *type);
// Closes it and ends the line. Errors: IO.
bool json_finish(FILE *out, GError **error);

#endif
