// UTF-16 to UTF-8, in pieces: what spreadsheets and some shells on Windows write.
#ifndef SPINFAULT_INGEST_UTF16_H
#define SPINFAULT_INGEST_UTF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct utf16 {
    bool big_endian;
    bool has_byte; // half a unit is left over from the last piece
    unsigned char byte;
    uint32_t high; // a high surrogate that waits for its other half; 0 none
};

// `out` has room for 2 * len + 8 bytes. Returns how many were written. A broken surrogate becomes
// U+FFFD.
size_t utf16_decode(struct utf16 *u, const unsigned char *data, size_t len, char *out);
// At the end of the input: what was left over, as U+FFFD. At most 8 bytes.
size_t utf16_finish(struct utf16 *u, char *out);

#endif
