// Parsing a file with its overlays, and with declarations for what nothing declares.
#ifndef SPINFAULT_ANALYZER_LOWER_PARSE_H
#define SPINFAULT_ANALYZER_LOWER_PARSE_H

#include <clang-c/Index.h>

#include "lower_unit.h"
#include "stubs.h"

struct lower;

// `main_text` replaces the text of the file itself, unless it is NULL.
enum CXErrorCode lower_parse(const struct unit_request *request, CXIndex index,
                             const char *main_text, CXTranslationUnit *tu);
bool lower_is_error(CXDiagnostic diagnostic);
// When `*tu` has errors: parses again until what its names stand for is known or made up. `*tu`
// becomes the best there is. The result is the caller's; NULL when there was no error.
struct stubs *lower_declare_missing(const struct unit_request *request, CXIndex index,
                                    const char *main_text, CXTranslationUnit *tu);
// The text as it is parsed, overlays included; NULL when it cannot be read. The caller's.
char *lower_text_of(const struct unit_request *request);

// lower_unit.c: what a translation unit needs while it is lowered, and lowering it.
void lower_tables_init(struct lower *l);
void lower_tables_clear(struct lower *l);
void lower_all(struct lower *l, const char *const *functions);
void lower_note_includes(struct lower *l); // files read by `l->tu`, each once a parse
int lower_by_location(const void *a, const void *b);

// lower_variant.c: what #if switches off in this configuration. Functions that may take a lock are
// added to the unit. Where the file has errors, so that its configuration is not known, a function
// also replaces another version of itself that takes fewer. `stubs` or NULL.
void lower_switched_off(struct lower *l, const struct unit_request *request, CXIndex index,
                        const struct stubs *stubs);

#endif
