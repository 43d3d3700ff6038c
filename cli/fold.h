// Samples as folded stacks: "thread;outer;inner 12", one line for each stack there is.
#ifndef SPINFAULT_CLI_FOLD_H
#define SPINFAULT_CLI_FOLD_H

#include <stdio.h>

#include "spinfault/base.h"

enum fold_root {
    FOLD_COMM, // "java"
    FOLD_PID,  // "java-12"
    FOLD_TID,  // "java-12/13"
};

enum fold_names {
    FOLD_RAW,
    // As stackcollapse-perf.pl and inferno-collapse-perf write them: blanks of the thread's name
    // are
    // '_', functions have no arguments, "a->b" becomes two frames.
    FOLD_FLAMEGRAPH,
    FOLD_INFERNO,
};

struct fold_style {
    enum fold_names names;
    enum fold_root root;
    bool kernel, jit; // append "_[k]", "_[j]" to their functions
    bool addresses;   // "[libc.so <7f12>]" for what has no symbol
};

struct folder;

struct folder *folder_new(const struct fold_style *style);
const struct fact_sink *folder_sink(struct folder *folder); // lent; takes samples
// Sorted by byte. False when `out` has an error.
bool folder_write(const struct folder *folder, FILE *out);
void folder_free(struct folder *folder); // accepts NULL

#endif
