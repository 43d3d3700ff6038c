// What every caller of a function has in common where it calls it: what was touched already, and
// what it is given. A function that is only called on what its callers have just touched has
// nothing to fault on, and one that is only ever given the one global pool has the one lock.
//
// Known where all callers are: of a static function, or of one that no other file mentions, whose
// address nobody takes. Callers of callers count, ENTRY_LEVELS of them.
#ifndef SPINFAULT_ANALYZER_ENTRY_FACTS_H
#define SPINFAULT_ANALYZER_ENTRY_FACTS_H

#include "flow.h"

#define ENTRY_LEVELS 2u

struct entry_facts {
    struct flow_map touched;         // in terms of the function's parameters and of globals
    const struct symbol **arguments; // by parameter: the value that all give, or NULL
    unsigned n_arguments;
};

// NULL: not all callers are known, or they have nothing in common. Lent by the analysis.
const struct entry_facts *entry_facts_of(struct analysis *analysis,
                                         const struct ir_function *function);
// Those that were asked for already, for flow analysis; or NULL.
const struct entry_facts *entry_facts_known(const struct analysis *analysis,
                                            const struct ir_function *function);
// `symbol` with the parameters replaced for which all callers give one and the same global thing.
const struct symbol *entry_facts_apply(struct analysis *analysis,
                                       const struct ir_function *function,
                                       const struct symbol *symbol);
void entry_facts_free(struct entry_facts *facts); // accepts NULL

#endif
