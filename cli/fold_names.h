// Names of functions as other folding tools write them.
#ifndef SPINFAULT_CLI_FOLD_NAMES_H
#define SPINFAULT_CLI_FOLD_NAMES_H

#include "spinfault/base.h"

// Without arguments and quotes; for Java without the L before a class.
void fold_tidy(GString *name, bool java);
// The same, with what inferno does beside: arguments within brackets stay, and mangled names of
// Rust are made readable.
void fold_tidy_inferno(GString *name, bool java);

#endif
