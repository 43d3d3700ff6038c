// Facts as a string of bytes and back, for the cache. Numbers are LEB128; a text stands in full
// where it is used first and is a number from then on. Reading is total on any bytes: what does not
// fit sets `bad` and gives zeros.
#ifndef SPINFAULT_ANALYZER_PACK_H
#define SPINFAULT_ANALYZER_PACK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct pack {
    GByteArray *bytes;
    GHashTable *texts; // char* -> number of the text, from 2
};

void pack_init(struct pack *pack);
void pack_number(struct pack *pack, uint64_t number);
void pack_text(struct pack *pack, const char *text); // NULL stays NULL
// What was packed, with a check sum before it; clears the pack.
GBytes *pack_finish(struct pack *pack);

struct unpack {
    const unsigned char *at, *end;
    GPtrArray *texts; // const char*, in `chunk`
    GStringChunk *chunk;
    bool bad;
};

// False when the bytes are not what pack_finish made. `bytes` must outlive the unpack, texts live
// until unpack_clear.
bool unpack_init(struct unpack *unpack, GBytes *bytes);
void unpack_clear(struct unpack *unpack);
uint64_t unpack_number(struct unpack *unpack);
unsigned unpack_up_to(struct unpack *unpack, unsigned most); // a number above it is bad
// A count of things that take a byte at least.
size_t unpack_count(struct unpack *unpack);
const char *unpack_text(struct unpack *unpack);          // or NULL
const char *unpack_required_text(struct unpack *unpack); // NULL is bad, and then ""

#endif
