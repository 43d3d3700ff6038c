// Writes JSON into a string, one value after another; commas take care of themselves. A NULL text
// and a NAN number are null.
#ifndef SPINFAULT_REPORT_JSON_TEXT_H
#define SPINFAULT_REPORT_JSON_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

void emit_open(GString *out, const char *key, char bracket); // '{' or '['; key NULL: none
void emit_close(GString *out, char bracket);                 // '}' or ']'
void emit_text(GString *out, const char *key, const char *value);
void emit_number(GString *out, const char *key, double value);
void emit_int(GString *out, const char *key, int64_t value);
void emit_bool(GString *out, const char *key, bool value);

#endif
