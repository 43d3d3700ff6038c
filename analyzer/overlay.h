// Lock operations that are macros, made visible.
//
// A macro's expansion hides what it was: a conditional, an asm statement, `*(lock) = 0`. So files
// that define such a macro are given to libclang with the macro's replacement changed to the call
// of a marker function, `__spinfault_op_N(lock)` for operation N of the models; a header that
// declares the markers is included first. Line numbers stay, whatever was continued.
#ifndef SPINFAULT_ANALYZER_OVERLAY_H
#define SPINFAULT_ANALYZER_OVERLAY_H

#include "model.h"

#define OVERLAY_HEADER "/spinfault-markers.h"

// The text with every definition of a macro that is a lock operation replaced; NULL when there is
// none. The result is the caller's.
char *overlay_text(const char *text, size_t bytes, const struct model_set *models);
// The text of the header that declares the markers; the caller's.
char *overlay_header(const struct model_set *models);

#endif
