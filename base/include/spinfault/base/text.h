// Text and numbers. All number reading and writing is locale-independent.
#ifndef SPINFAULT_BASE_TEXT_H
#define SPINFAULT_BASE_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Bytes somebody else owns, not NUL-terminated, not necessarily UTF-8. `data == NULL` means "not
// there", which differs from "there and empty".
struct slice {
    const char *data;
    size_t len;
};

#define SLICE_NULL  ((struct slice){NULL, 0})
#define SLICE(text) ((struct slice){(text), sizeof(text) - 1})

static inline struct slice slice_from(const char *text)
{
    return (struct slice){text, text ? strlen(text) : 0};
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.data == NULL) == (b.data == NULL) &&
           (a.len == 0 || !a.data || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool slice_is(struct slice s, const char *text)
{
    return s.data && s.len == strlen(text) && memcmp(s.data, text, s.len) == 0;
}

static inline bool slice_starts(struct slice s, const char *prefix)
{
    size_t n = strlen(prefix);
    return s.len >= n && memcmp(s.data, prefix, n) == 0;
}

static inline bool slice_ends(struct slice s, const char *suffix)
{
    size_t n = strlen(suffix);
    return s.len >= n && memcmp(s.data + s.len - n, suffix, n) == 0;
}

// Without leading and trailing blanks and tabs (and CR).
struct slice slice_trim(struct slice s);
// A NUL-terminated copy; NULL for a null slice. Bytes are kept as they are.
char *slice_dup(struct slice s);

// Whole-slice numbers: false when anything but the number is there, or when it does not fit.
bool slice_to_u64(struct slice s, uint64_t *value);
bool slice_to_i64(struct slice s, int64_t *value);
bool slice_to_hex(struct slice s, uint64_t *value);  // with or without 0x
bool slice_to_double(struct slice s, double *value); // "1.5", "1e3"; not "nan", not "inf"

// "120GB", "8 kB", "2M", "1GiB", "4096" as bytes (powers of 1024, as PostgreSQL and the kernel do).
bool text_to_bytes(const char *text, uint64_t *bytes);

// For people: 31,457,280 · 1.2 MB · 4 KiB page names "4K", "2M", "1G". Results are the caller's.
char *text_with_commas(uint64_t value);
char *text_bytes(uint64_t bytes);
char *text_page_size(uint64_t bytes);
// The shortest decimal that reads back as the same double; "null" is the caller's business.
char *text_double(double value);

// UTF-8 for display: every byte that is not part of valid UTF-8 becomes U+FFFD; control characters
// become their escapes. The result is the caller's.
char *text_printable(struct slice s);
// Appends a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD.
void text_append_json(GString *out, struct slice s);

// ISO 8601 in UTC ("2026-04-01T12:00:00Z") from nanoseconds since the epoch, and back.
char *text_from_time(int64_t ns);
bool text_to_time(const char *text, int64_t *ns);

#endif
