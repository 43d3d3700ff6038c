// How a unit treats the words that loops of compare-and-swap wait for. A lock is given back: the
// word gets its free value by a store, or by a swap. A count of users moves up and down instead,
// and a slot is claimed once.
#ifndef SPINFAULT_ANALYZER_SPIN_WORD_H
#define SPINFAULT_ANALYZER_SPIN_WORD_H

#include "ir.h"

// Field of a record, or variable -> what is written there. For one unit.
struct spin_words;

struct spin_words *spin_words_new(const struct ir_unit *unit);
void spin_words_free(struct spin_words *words); // accepts NULL

// Does something give back the word that `swap` takes when it is `free`? True where the word has no
// name, as in `void lock(int *word)`.
bool spin_words_given_back(const struct spin_words *words, const struct ir_instruction *swap,
                           int64_t free);

#endif
