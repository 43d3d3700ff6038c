// One JSON object a line, written by hand: fields in the order they are given, numbers that read
// back as the same, and text that may be any bytes.
#ifndef SPINFAULT_DB_JSONL_H
#define SPINFAULT_DB_JSONL_H

#include "spinfault/base.h"

// {"type":"TYPE"
void jsonl_begin(GString *out, const char *type);
// …}\n
void jsonl_end(GString *out);

// A field. Text that is not there, and NAN, are left out.
void jsonl_text(GString *out, const char *key, const char *text);
// Bytes that are not UTF-8 become {"hex":"61ff"}.
void jsonl_slice(GString *out, const char *key, struct slice s);
void jsonl_int(GString *out, const char *key, int64_t value);
void jsonl_int_if(GString *out, const char *key, bool there, int64_t value);
// Addresses: 64 bits are more than JSON readers agree on, so they are hex in a string.
void jsonl_hex_if(GString *out, const char *key, bool there, uint64_t value);
void jsonl_bool(GString *out, const char *key, bool value);
void jsonl_real(GString *out, const char *key, double value);

// `"key":[` … `]` and items that the caller separates with jsonl_next.
void jsonl_open(GString *out, const char *key, char bracket);
void jsonl_close(GString *out, char bracket);
// A comma unless the array or object has just begun.
void jsonl_next(GString *out);

#endif
