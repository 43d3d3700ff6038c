// One JSON object a line, written by hand: fields in the order they are given, numbers that read
// back as the same, and text that may be any bytes.
#ifndef SPINFAULT_DB_JSON_OUT_H
#define SPINFAULT_DB_JSON_OUT_H

#include "spinfault/base.h"

// {"type":"TYPE"
void json_begin(GString *out, const char *type);
// …}\n
void json_end(GString *out);

// A field. Text that is not there, and NAN, are left out.
void json_text(GString *out, const char *key, const char *text);
// Bytes that are not UTF-8 become {"hex":"61ff"}.
void json_slice(GString *out, const char *key, struct slice s);
void json_int(GString *out, const char *key, int64_t value);
void json_int_if(GString *out, const char *key, bool there, int64_t value);
// Addresses: 64 bits are more than JSON readers agree on, so they are hex in a string.
void json_hex_if(GString *out, const char *key, bool there, uint64_t value);
void json_bool(GString *out, const char *key, bool value);
void json_real(GString *out, const char *key, double value);

// `"key":[` … `]` and items that the caller separates with json_next.
void json_open(GString *out, const char *key, char bracket);
void json_close(GString *out, char bracket);
// A comma unless the array or object has just begun.
void json_next(GString *out);
void json_string(GString *out, struct slice s); // a value, escaped

#endif
