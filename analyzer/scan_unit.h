// One translation unit, from the IR to facts.
#ifndef SPINFAULT_ANALYZER_SCAN_UNIT_H
#define SPINFAULT_ANALYZER_SCAN_UNIT_H

#include "foreign.h"
#include "front.h"
#include "model.h"
#include "scan_result.h"

// `front` may be NULL (tests): no excerpts. `foreign` NULL: nothing is known of
// other files. `assumptions`: struct assumption*.
struct scan_result *scan_unit(const struct ir_unit *unit, const struct model_set *models,
                              const GPtrArray *assumptions, const struct front *front,
                              struct foreign *foreign);

#endif
