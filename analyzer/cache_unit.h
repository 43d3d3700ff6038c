// What a unit is known by: its key, the files that are read for it, and their state. For cache.c.
#ifndef SPINFAULT_ANALYZER_CACHE_UNIT_H
#define SPINFAULT_ANALYZER_CACHE_UNIT_H

#include "cache.h"

struct cache_unit {
    char key[DIGEST_HEX_BYTES];    // "": not made yet
    char state[DIGEST_HEX_BYTES];  // "": unknown
    char stored[DIGEST_HEX_BYTES]; // the state in the store's record
    GPtrArray *reads;              // char*: files that are read for it; NULL: unknown
    bool fetched, noted;           // `reads` were asked of the store; are of this scan
    bool used;                     // something good rests on the record
};

struct cache_units {
    const struct cache_setup *setup; // lent
    char base[DIGEST_HEX_BYTES];     // what all keys share
    struct cache_unit *units;        // by file
    unsigned n;
};

void cache_units_init(struct cache_units *units, const struct cache_setup *setup);
void cache_units_clear(struct cache_units *units);

void cache_units_make_keys(struct cache_units *units, const unsigned *files, size_t n);
// What is read for them by the store's records, and what state that is in now. With keys.
void cache_units_fetch(struct cache_units *units, const unsigned *files, size_t n);
// What was read for them in this scan, if they were lowered, and its state. With keys.
void cache_units_note(struct cache_units *units, const unsigned *files, size_t n);
// Whether the state is known for certain, and so worth keeping.
bool cache_unit_is_fit(const struct cache_units *units, unsigned file);
// The record of a noted unit; NULL when the store has the same.
GBytes *cache_unit_record(const struct cache_units *units, unsigned file);

#endif
