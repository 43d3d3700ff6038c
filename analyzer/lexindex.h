// A lexical index of the sources: identifier -> files, as far as is needed to parse little.
//
// It knows bytes, not C: comments, literals and preprocessor lines are told apart, braces counted,
// and that is all. It may say yes too often (then a file is parsed in vain), and must not say no
// where a lock is taken. Sources are the entries of the compile database and all they include.
//
// A macro, or an inline function of a header, whose body takes a lock makes its own name a lock
// name, and so on: lexindex_build closes the set over the headers first and then looks for it in
// the sources.
#ifndef SPINFAULT_ANALYZER_LEXINDEX_H
#define SPINFAULT_ANALYZER_LEXINDEX_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "compdb.h"
#include "model.h"

// Functions of a file, each with the line its name stands on.
struct lex_roots {
    char **names; // NULL-terminated
    unsigned *lines;
};

struct lexindex {
    const struct compdb *db;
    GArray *candidates;    // unsigned: entries that name a lock, ascending
    GPtrArray *lock_names; // char*: names that closed the set, without the models'; NULL-terminated
    GHashTable *functions; // name -> 1 + entry that defines it (external ones, first by name)
    GHashTable *variables; // the same for globals
    GPtrArray *macro_files; // char*: absolute paths of files that define a macro a model knows
    GHashTable *roots;      // candidate -> struct lex_roots*: its functions that may take a lock; a
                            // candidate that is not in it may take one anywhere
    GStringChunk *text;
    uint64_t bytes; // read
    unsigned headers;
    struct lex_filters *filters; // of the entries' words; made when first asked for a mention
};

struct lexindex *lexindex_build(const struct compdb *db, const struct model_set *models,
                                unsigned jobs);
void lexindex_free(struct lexindex *index); // accepts NULL

// Entries whose text mentions the identifier `name`, ascending; reads the sources again. The
// result (unsigned) is the caller's.
GArray *lexindex_mentions(const struct lexindex *index, const char *name);

// ---- The scanner below it.

enum lex_kind { LEX_FUNCTION, LEX_MACRO, LEX_VARIABLE };

struct lex_definition {
    enum lex_kind kind;
    const char *name; // in the scanned text, not terminated
    unsigned name_bytes, line;
    bool is_static;
    bool extern_only;             // `extern inline` and the like
    const char *start, *end;      // replacement list or body, without the braces
    unsigned first_word, n_words; // its identifiers in lex_result.words
};

struct lex_include {
    const char *name;
    unsigned bytes;
    bool quoted;
};

enum lex_branch { LEX_IF, LEX_ELSE_IF, LEX_ELSE, LEX_END_IF };

// A line of conditional inclusion.
struct lex_conditional {
    enum lex_branch branch;
    const char *start, *end; // from the '#' to the end of the logical line
};

// What a file holds. Reused from file to file; nothing in it outlives the scanned text.
struct lex_result {
    GArray *definitions;  // struct lex_definition
    GArray *includes;     // struct lex_include
    GArray *conditionals; // struct lex_conditional
    GArray *words;        // uint64_t hashes of the identifiers in bodies
    GArray *loose;        // the same for those inside braces that are no recognised body
};

void lex_result_init(struct lex_result *result);
void lex_result_clear(struct lex_result *result);
// Total on any bytes.
void lex_scan(const char *text, size_t bytes, struct lex_result *result);
uint64_t lex_hash(const char *name, size_t bytes);
// The text with the #if branches switched on, whatever their conditions, around what stands on
// `lines`; no line moves. NULL when nothing had to be changed; the
// caller's.
char *lex_switch_on(const char *text, size_t bytes, const unsigned *lines, size_t n_lines);
// Whether the identifier stands in the text, outside of comments and literals or not.
bool lex_mentions(const char *text, size_t bytes, const char *name);
// A bit for each word of the text, at its lex_hash() modulo `*n_bits`, a power of two: what is not
// there is not mentioned. The caller's.
uint64_t *lex_word_filter(const char *text, size_t bytes, size_t *n_bits);

#endif
