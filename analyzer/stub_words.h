// How the identifiers of a source file are used, by the look of it: evidence for what a name stands
// for when its declaration is missing (stubs.h). Knows tokens, not C.
#ifndef SPINFAULT_ANALYZER_STUB_WORDS_H
#define SPINFAULT_ANALYZER_STUB_WORDS_H

#include <glib.h>
#include <stdbool.h>

enum stub_use {
    STUB_ARROW = 1 << 0,     // name->
    STUB_DOT = 1 << 1,       // name.
    STUB_INDEX = 1 << 2,     // name[ that declares nothing
    STUB_CALL = 1 << 3,      // name(
    STUB_STAR = 1 << 4,      // *name where a value is wanted
    STUB_TYPE = 1 << 5,      // declares something, or is what a cast makes
    STUB_TYPE_STAR = 1 << 6, // the same, of a pointer to it
    STUB_CASE = 1 << 7,      // case name:
    STUB_TEXT = 1 << 8,      // beside a string literal
    STUB_ATTRIBUTE = 1 << 9, // before a type: no part of it
    STUB_SET = 1 << 10,      // name = …, &name, name++
    STUB_MATRIX = 1 << 11,   // [name][…], […][name], [0 ... name]: a bound among bounds
};

struct stub_word {
    char *name;
    unsigned uses;
    GPtrArray *values;   // char*, lent: variables that it declares as a type
    GPtrArray *pointers; // the same, by pointer
    GArray *calls;       // unsigned: lines where it is called
};

// What does not parse when the name is no macro.
enum stub_form {
    STUB_LOOP,     // name(…) { … }
    STUB_TYPE_ARG, // name(struct x *, …)
    STUB_RESULT,   // name(…)->
    STUB_TYPE_OF,  // name(…) *x
    STUB_BESIDE,   // "text" name: no call at all
    STUB_BEFORE,   // void name(…) f(
    STUB_AFTER,    // void f(…) name(…);
    STUB_MIDDLE,   // void name f(…): no call either
};

struct stub_call {
    const struct stub_word *word;
    enum stub_form form;
    unsigned first_line, last_line;
};

struct stub_words {
    GHashTable *words;   // name -> struct stub_word*
    GHashTable *members; // the same of what stands after . and ->; only `uses`
    GPtrArray *order;    // struct stub_word* of `members`, by their first use
    GArray *calls;       // struct stub_call
};

struct stub_words *stub_words_scan(const char *text, size_t bytes);
void stub_words_free(struct stub_words *words); // accepts NULL
const struct stub_word *stub_word_find(const struct stub_words *words, const char *name);

#endif
