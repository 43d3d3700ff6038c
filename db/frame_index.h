// Frames of a profile, by number. A recording prints few functions at many offsets, so a frame is
// found in two steps: what it is of (symbol, file, source line) by its text, in a table small
// enough to stay in the cache, then the place in it by two numbers.
#ifndef SPINFAULT_DB_FRAME_INDEX_H
#define SPINFAULT_DB_FRAME_INDEX_H

#include "intern.h"

struct frame_kind {
    struct slice symbol, dso, srcline;      // as in the table of text
    uint32_t symbol_id, dso_id, srcline_id; // ids of text; 0 none
    bool has_at, inlined;
};

struct frame_place {
    uint64_t at; // offset into the symbol; without one, the address
    uint32_t kind;
    uint32_t id; // in slots: 0 is empty
};

struct frame_index {
    struct frame_kind *kinds; // [kind], from 1
    uint32_t n_kinds, kinds_room;
    struct hash_slots kind_slots;
    struct frame_place *items; // [id], from 1
    uint32_t n, room;
    struct frame_place *slots;
    uint32_t mask;
    uint32_t *function;          // [id]
    struct node_table functions; // (symbol, dso), ids of text
};

void frame_index_init(struct frame_index *index);
void frame_index_clear(struct frame_index *index);

// A frame is added in two steps, so that the memory that the second needs is on its way while other
// frames take the first.
struct frame_lookup {
    uint64_t at;
    uint32_t kind, hash;
};
struct frame_lookup frame_index_start(struct frame_index *index, struct text_table *text,
                                      const struct frame_fact *fact);
// The id of the frame, new or known.
uint32_t frame_index_add(struct frame_index *index, const struct frame_lookup *lookup);

#endif
