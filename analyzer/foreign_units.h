// Lowered units, shared between threads and kept while there is room. See foreign.h, which speaks
// for these functions.
#ifndef SPINFAULT_ANALYZER_FOREIGN_UNITS_H
#define SPINFAULT_ANALYZER_FOREIGN_UNITS_H

#include "front.h"

struct foreign_units;
struct foreign_units *foreign_units_new(const struct front *front);
void foreign_units_free(struct foreign_units *units); // accepts NULL

const struct ir_unit *foreign_units_take(struct foreign_units *units, unsigned file);
void foreign_units_give(struct foreign_units *units, unsigned file);
void foreign_units_expect(struct foreign_units *units, unsigned file, bool expected);
const GPtrArray *foreign_units_includes(struct foreign_units *units, unsigned file);

#endif
