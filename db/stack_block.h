// The packed form of the stack tree in the archive: see stack_block in schema.sql.
#ifndef SPINFAULT_DB_STACK_BLOCK_H
#define SPINFAULT_DB_STACK_BLOCK_H

#include "handle.h"
#include "intern.h"

#define STACK_BLOCK_NODES 8192u

GByteArray *stack_block_pack(const struct node_table *nodes, uint32_t first, uint32_t n);

// The stack tree of a source: GArray of struct node_key by node, item 0 the root; parents come
// first. NULL with DAMAGED when a block is not what it should be.
GArray *stack_blocks_read(struct archive *archive, int64_t source_id, GError **error);

#endif
