// Properties that hold for every text that a program could print: a text is composed from values
// that are known, with variants chosen at random, and what comes out of it is compared with them.
//
// A program takes `--rounds N --first SEED`; a failure prints what repeats it.
#ifndef SPINFAULT_TESTS_INGEST_PROPERTY_H
#define SPINFAULT_TESTS_INGEST_PROPERTY_H

#include "support.h"

struct gen {
    GRand *rand;
    guint32 seed;
    GString *text; // composed so far
};

unsigned gen_below(struct gen *g, unsigned n); // 0 to n - 1
bool gen_maybe(struct gen *g);
double gen_between(struct gen *g, double low, double high);
#define gen_pick(g, array) ((array)[gen_below(g, G_N_ELEMENTS(array))])

// Adds a property to the tests. `each` is called once a round.
typedef void (*property)(struct gen *g);
void property_add(const char *name, property each);
int property_main(int argc, char **argv, void (*add)(void));

// What stands in g->text, as facts; NULL when it was refused. With another way to store it:
enum dress { DRESS_PLAIN, DRESS_CRLF, DRESS_GZIP, DRESS_BOM, DRESS_UTF16, DRESSES };
char *gen_facts(struct gen *g, enum dress dress, char **refused);
// Fail the round, with the text and the facts.
void gen_expect(struct gen *g, const char *facts, const char *holds);
void gen_expect_not(struct gen *g, const char *facts, const char *text);
void gen_expect_metric(struct gen *g, const char *facts, const char *name, double value);
void gen_expect_series(struct gen *g, const char *facts, const char *name, double t, double value);
void gen_expect_count(struct gen *g, const char *facts, const char *text, unsigned n);
// The same facts, whatever the text was stored as.
void gen_expect_dressed(struct gen *g, const char *facts);

#endif
