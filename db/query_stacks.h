// Inside of the query for a stack tree: with the samples it was made of.
#ifndef SPINFAULT_DB_QUERY_STACKS_H
#define SPINFAULT_DB_QUERY_STACKS_H

#include "handle.h"

// `rows` (of struct sample_row, may be NULL) gets the samples that the filter lets through; their
// `thread` is the row of `thread`, from 1 in the source, which is told in `source_id` (may be
// NULL).
struct stack_tree *stack_tree_read(struct archive *archive, int64_t profile_id,
                                   const struct sample_filter *filter, GArray *rows,
                                   int64_t *source_id, GError **error);

#endif
