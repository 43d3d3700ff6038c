// Frames of a profile, by number. A recording prints few functions at many offsets, so a frame is a
// place in a kind: what it is of (symbol, file, source line), which is held once. The text is
// hashed but not looked up: the place is, and then its kind compared.
#ifndef SPINFAULT_DB_FRAME_INDEX_H
#define SPINFAULT_DB_FRAME_INDEX_H

#include "intern.h"

struct frame_kind {
    struct slice symbol, dso, srcline;      // as in the table of text
    uint32_t symbol_id, dso_id, srcline_id; // ids of text; 0 none
    uint32_t hash;
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
    const struct frame_fact *fact;
    uint64_t at;
    bool has_at;
    uint32_t kind_hash, hash;
};
void frame_index_start(const struct frame_index *index, const struct frame_fact *fact,
                       struct frame_lookup *lookup);
// The id of the frame, new or known.
uint32_t frame_index_add(struct frame_index *index, struct text_table *text,
                         const struct frame_lookup *lookup);

#endif
