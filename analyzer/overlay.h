// Lock operations that are macros, made visible.
//
// A macro's expansion hides what it was: a conditional, an asm statement, `*(lock) = 0`. So files
// that define such a macro are given to libclang with the macro's replacement changed to the call
// of a marker function; a header that declares the markers is included first. Line numbers stay,
// whatever was continued. For operation N of the models:
//
//   __spinfault_op_N(lock)     the lock alone: other arguments may be labels or types
//   __spinfault_raw_N(a, b)    all arguments, where the model wants more than the lock
//   int unique __attribute__((cleanup(__spinfault_leave_N))) = __spinfault_op_N(lock)
//                              a guard of its scope
//   for (int __spinfault_block_N … = __spinfault_op_N(lock);;)
//                              a guard of the statement that follows; lowering runs it once
//   __spinfault_call_NAME(…)   a macro that a model describes as a function
#ifndef SPINFAULT_ANALYZER_OVERLAY_H
#define SPINFAULT_ANALYZER_OVERLAY_H

#include "model.h"

#define OVERLAY_HEADER "/spinfault-markers.h"

#define MARKER_OP    "__spinfault_op_"
#define MARKER_RAW   "__spinfault_raw_"
#define MARKER_LEAVE "__spinfault_leave_"
#define MARKER_BLOCK "__spinfault_block_"
#define MARKER_CALL  "__spinfault_call_"

// Whether a macro of that name is changed.
bool overlay_wants(const struct model_set *models, const char *name);
// The text with every definition of a macro that is wanted replaced; NULL when there is none. The
// result is the caller's. Names that were replaced are added to `used`, unless it is NULL.
char *overlay_text(const char *text, size_t bytes, const struct model_set *models,
                   GHashTable *used);
// The text of the header that declares the markers of the names in `used`; the caller's.
char *overlay_header(const struct model_set *models, GHashTable *used);

#endif
