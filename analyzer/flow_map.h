// A small sorted map that is copied on write: the sets of a flow state. States are cloned at every
// branch and most clones change little, so the vectors are shared until somebody writes.
// Entries are ordered by key (in order of creation of the symbol), then by `detail`, so that two
// runs over the same function see the same order.
#ifndef SPINFAULT_ANALYZER_FLOW_MAP_H
#define SPINFAULT_ANALYZER_FLOW_MAP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct symbol;

struct flow_entry {
    const struct symbol *key;
    int64_t detail;             // second part of the key; 0 when the map has no use for it
    const struct symbol *value; // or NULL
    uint64_t flags;
};

struct flow_vector;
struct flow_map {
    struct flow_vector *vector; // NULL: empty
};

void flow_map_clear(struct flow_map *map);
void flow_map_copy(struct flow_map *to, const struct flow_map *from); // `to` is uninitialised
unsigned flow_map_size(const struct flow_map *map);
// The entry at `i`; lent until the map is written.
const struct flow_entry *flow_map_at(const struct flow_map *map, unsigned i);
const struct flow_entry *flow_map_find(const struct flow_map *map, const struct symbol *key,
                                       int64_t detail);
// Index of the first entry of `key`, or of the first greater one.
unsigned flow_map_lower(const struct flow_map *map, const struct symbol *key);
// Inserts or replaces.
void flow_map_set(struct flow_map *map, const struct flow_entry *entry);
// Adds an entry that is greater than every one in the map.
void flow_map_append(struct flow_map *map, const struct flow_entry *entry);
bool flow_map_remove(struct flow_map *map, const struct symbol *key, int64_t detail);
// Keeps the entries for which `keep` says so.
void flow_map_filter(struct flow_map *map,
                     bool (*keep)(const struct flow_entry *entry, const void *context),
                     const void *context);
bool flow_map_equal(const struct flow_map *a, const struct flow_map *b);

#endif
