// Declarations for what a file uses and nothing declares: its headers are missing, or were made for
// another configuration.
//
// Clang drops a statement whose names it does not know, and with it the calls, locks and returns in
// it. So the names of its complaints are declared, as what their uses in the file look like
// (stub_words.h), in a header that is included first, and the file is parsed again. What is made up
// so is good enough to see who calls what with which lock held; sizes and offsets it does not give,
// and a function that needed it stays marked as degraded.
//
// Every object that something is read of is a `struct __spinfault_any`, which has all members that
// the file reads of anything; other names are numbers.
#ifndef SPINFAULT_ANALYZER_STUBS_H
#define SPINFAULT_ANALYZER_STUBS_H

#include <glib.h>
#include <stdbool.h>

#include "model.h"

#define STUBS_HEADER "/spinfault-stubs.h"
#define STUBS_ROUNDS 6u // a statement shows its next unknown name once the first one is declared

struct stubs;

struct stubs *stubs_new(const char *text, size_t bytes, const struct model_set *models);
void stubs_free(struct stubs *stubs); // accepts NULL
// Learns from an error of the compiler, at `line` of the file itself or 0. True when that changed
// the header.
bool stubs_learn(struct stubs *stubs, const char *message, unsigned line);
// Lines on which the file calls `name`, in whatever configuration; lent.
const unsigned *stubs_call_lines(const struct stubs *stubs, const char *name, unsigned *n);
unsigned stubs_count(const struct stubs *stubs); // of names
char *stubs_header(const struct stubs *stubs);   // the caller's

#endif
