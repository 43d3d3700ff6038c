// Parsing, also of files whose headers are missing.
#include "lower_parse.h"

#include "lower_thread.h"

#include <string.h>

#include "overlay.h"

// Besides the file's own flags. Nothing is wanted of warnings; a missing declaration or a pointer
// of the wrong type is no reason to lose a function, so what newer compilers made an error is none.
static const char *const extra_args[] = {
    "-w",
    "-fno-spell-checking",
    "-ferror-limit=0",
    "-fbracket-depth=16384",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-include",
    OVERLAY_HEADER,
};

static GPtrArray *arguments(const struct compdb_entry *entry, bool stubs)
{
    GPtrArray *args = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(extra_args); i++)
        g_ptr_array_add(args, g_strdup(extra_args[i]));
    if (stubs) {
        g_ptr_array_add(args, g_strdup("-include"));
        g_ptr_array_add(args, g_strdup(STUBS_HEADER));
    }
    g_ptr_array_add(args, g_strdup_printf("-working-directory=%s", entry->directory));
    if (!g_str_has_suffix(entry->path, ".c")) {
        g_ptr_array_add(args, g_strdup("-x"));
        g_ptr_array_add(args, g_strdup("c"));
    }
    for (char **arg = entry->args; *arg; arg++)
        g_ptr_array_add(args, g_strdup(*arg));
    return args;
}

// `stubs`: the text of STUBS_HEADER, or NULL.
static enum CXErrorCode parse(const struct unit_request *request, CXIndex index,
                              const char *main_text, const char *stubs, CXTranslationUnit *tu)
{
    g_autoptr(GPtrArray) args = arguments(request->entry, stubs);
    g_autofree struct CXUnsavedFile *files =
        g_new0(struct CXUnsavedFile, request->overlays->len + 2);
    unsigned n = 0;
    for (guint i = 0; i < request->overlays->len; i++) {
        const struct overlaid_file *overlay = request->overlays->pdata[i];
        if (!main_text || strcmp(overlay->path, request->entry->path) != 0)
            files[n++] = (struct CXUnsavedFile){overlay->path, overlay->text, overlay->bytes};
    }
    if (main_text)
        files[n++] = (struct CXUnsavedFile){request->entry->path, main_text, strlen(main_text)};
    if (stubs)
        files[n++] = (struct CXUnsavedFile){STUBS_HEADER, stubs, strlen(stubs)};
    enum CXErrorCode code =
        clang_parseTranslationUnit2(index, request->entry->path, (const char *const *)args->pdata,
                                    (int)args->len, files, n, CXTranslationUnit_KeepGoing, tu);
    if (code == CXError_Crashed)
        lower_note_crash();
    return code;
}

bool lower_is_error(CXDiagnostic diagnostic)
{
    return clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
}

enum CXErrorCode lower_parse(const struct unit_request *request, CXIndex index,
                             const char *main_text, CXTranslationUnit *tu)
{
    return parse(request, index, main_text, NULL, tu);
}

// ---- Names that nothing declares

static bool learn_from(struct stubs *stubs, CXDiagnostic diagnostic)
{
    CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
    CXString message = clang_getDiagnosticSpelling(diagnostic);
    unsigned line = 0;
    if (clang_Location_isFromMainFile(location))
        clang_getExpansionLocation(location, NULL, &line, NULL, NULL);
    bool changed = stubs_learn(stubs, clang_getCString(message), line);
    clang_disposeString(message);
    return changed;
}

static bool learn_errors(struct stubs *stubs, CXTranslationUnit tu)
{
    bool changed = false;
    unsigned n = clang_getNumDiagnostics(tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        if (lower_is_error(diagnostic))
            changed |= learn_from(stubs, diagnostic);
        clang_disposeDiagnostic(diagnostic);
    }
    return changed;
}

static bool has_errors(CXTranslationUnit tu)
{
    bool found = false;
    for (unsigned i = clang_getNumDiagnostics(tu); i-- > 0 && !found;) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        found = lower_is_error(diagnostic);
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

// Parses again and again, each time with more of the missing names declared; `*tu` becomes the
// last one.
static void parse_with_stubs(const struct unit_request *request, CXIndex index,
                             const char *main_text, struct stubs *stubs, CXTranslationUnit *tu)
{
    for (unsigned round = 0; round < STUBS_ROUNDS && learn_errors(stubs, *tu); round++) {
        g_autofree char *header = stubs_header(stubs);
        CXTranslationUnit next = NULL;
        if (parse(request, index, main_text, header, &next) != CXError_Success || !next)
            return;
        clang_disposeTranslationUnit(*tu);
        *tu = next;
    }
}

char *lower_text_of(const struct unit_request *request)
{
    char *text = NULL;
    for (guint i = 0; i < request->overlays->len; i++) {
        const struct overlaid_file *overlay = request->overlays->pdata[i];
        if (strcmp(overlay->path, request->entry->path) == 0)
            return g_strdup(overlay->text);
    }
    g_file_get_contents(request->entry->path, &text, NULL, NULL);
    return text;
}

struct stubs *lower_declare_missing(const struct unit_request *request, CXIndex index,
                                    const char *main_text, CXTranslationUnit *tu)
{
    if (!has_errors(*tu))
        return NULL;
    g_autofree char *text = main_text ? g_strdup(main_text) : lower_text_of(request);
    if (!text)
        return NULL;
    struct stubs *stubs = stubs_new(text, strlen(text), request->models);
    parse_with_stubs(request, index, main_text, stubs, tu);
    return stubs;
}
