// Numbers for things that repeat: text, frames, and the nodes of the stack tree. Open addressing
// over dense arrays; millions of stacks pass through here, and nothing is allocated for one seen
// before. Ids count from 1; 0 is "none".
#ifndef SPINFAULT_DB_INTERN_H
#define SPINFAULT_DB_INTERN_H

#include "spinfault/base.h"

// A hash index: what it holds is found and moved without a look at the items.
struct hash_slot {
    uint32_t hash, id; // id 0: empty
};
struct hash_slots {
    struct hash_slot *at;
    uint32_t mask; // slots - 1
};

void hash_slots_init(struct hash_slots *slots);
void hash_slots_clear(struct hash_slots *slots);
// Adds the id `n`, the highest so far, which is not there.
void hash_slots_add(struct hash_slots *slots, uint32_t hash, uint32_t n);

uint32_t text_hash(struct slice s);

struct text_table {
    struct slice *items; // [id]; copies
    uint32_t n;          // highest id
    uint32_t room;
    struct hash_slots slots;
    GStringChunk *text;
};
void text_table_init(struct text_table *t);
void text_table_clear(struct text_table *t);
// The id of `s`, new or known; 0 for a null slice.
uint32_t text_table_add(struct text_table *t, struct slice s);

struct frame_key {
    uint64_t at;
    uint32_t symbol, dso, srcline; // ids of text; 0 none
    bool has_at, inlined;
};

struct frame_table {
    struct frame_key *items; // [id]
    uint32_t n, room;
    struct hash_slots slots;
};
void frame_table_init(struct frame_table *t);
void frame_table_clear(struct frame_table *t);
uint32_t frame_table_add(struct frame_table *t, const struct frame_key *key);

struct node_key {
    uint32_t parent, frame;
};

// Its slots hold the key itself: a node is looked up for every frame of every sample.
struct node_slot {
    struct node_key key;
    uint32_t hash, id; // id 0: empty
};

struct node_table {
    struct node_key *items; // [id]; item 0 is the root
    uint32_t n, room;
    struct node_slot *slots;
    uint32_t mask;
};
void node_table_init(struct node_table *t);
// Makes room for `n` items in an empty table, where it is known how many will come.
void node_table_reserve(struct node_table *t, uint32_t n);
void node_table_clear(struct node_table *t);
uint32_t node_table_add(struct node_table *t, uint32_t parent, uint32_t frame);

// The node at the end of a whole way down from the root, new or known; `hashes` is room for `n`
// numbers. Either all nodes of a table are added so or none.
uint32_t node_table_add_path(struct node_table *t, const uint32_t *frames, uint32_t *hashes,
                             size_t n);

#endif
