// Between the files of a join: flow_merge.c, flow_group.c and flow_meet.c.
#ifndef SPINFAULT_ANALYZER_FLOW_MERGE_H
#define SPINFAULT_ANALYZER_FLOW_MERGE_H

#include "flow_state.h"

struct group {
    GPtrArray *sources; // struct flow_source*
    struct flow_source **members;
    unsigned n;
    bool mixed;   // members differ in their locks
    bool blurred; // members differ in what decides over locks
};

// All ways into the block.
struct sources {
    struct flow_source *list;
    unsigned n;
    bool loop; // one of them closes a loop
};

#define GROUPS_AT_ONCE (2 * FLOW_STATES)

// Which sources become one state. Room for GROUPS_AT_ONCE + 2 groups, all zero; returns how many
// there are, at most FLOW_STATES.
unsigned flow_group_sources(const struct sources *all, struct group *groups);
void flow_group_clear(struct group *group);
bool flow_same_locks(const struct flow_state *a, const struct flow_state *b);
// What is touched on both ways. A loop at `block` (or NULL) that did not run touched all it goes
// over.
void flow_meet(const struct flow_map *x, const struct flow_map *y, const struct ir_block *block,
               struct flow_map *out);

#endif
