// Where the memory behind a pointer comes from, and what that says about its first touch.
#ifndef SPINFAULT_ANALYZER_RESIDENCY_MEMORY_H
#define SPINFAULT_ANALYZER_RESIDENCY_MEMORY_H

#include "flow.h"

// By the call that returned it, here or in a callee. A mapping that was populated is
// MEMORY_RESIDENT where that is good for the access: of a file only for reading.
enum model_memory residency_memory(const struct analysis *analysis, const struct symbol *pointer,
                                   bool write);
// Does the first write to `root` fault after it was read?
bool residency_write_faults(const struct analysis *analysis, const struct symbol *root);
// A mapping of a file: locking its pages leaves the first write faulting.
bool residency_is_file(const struct analysis *analysis, const struct symbol *root);
// A mapping of one huge page: any touch maps all of it.
bool residency_is_one_page(const struct analysis *analysis, const struct symbol *root);
// A local array of more than a page: the stack is mapped as it is used.
bool residency_is_deep_stack(const struct symbol *place);
// mlockall: what there is is mapped from here on, or what there will be as well.
void residency_lock_all(const struct analysis *analysis, struct flow_state *state,
                        const struct symbol *flags);
bool residency_is_locked(const struct analysis *analysis, const struct flow_state *state,
                         const struct symbol *root, bool write);

#endif
