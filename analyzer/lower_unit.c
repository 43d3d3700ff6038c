// One translation unit: parsed, lowered, disposed of.
#include "lower_unit.h"

#include <string.h>

#include "lower.h"
#include "lower_parse.h"
#include "lower_thread.h"
#include "overlay.h"

static const char *parse_failure(enum CXErrorCode code)
{
    switch (code) {
    case CXError_Crashed:
        return "libclang crashed while parsing it";
    case CXError_InvalidArguments:
        return "libclang refuses its arguments";
    case CXError_ASTReadError:
        return "libclang could not read a precompiled header";
    default:
        return "libclang could not parse it";
    }
}

static void fail(struct ir_unit *unit, const char *why)
{
    g_autofree char *text = g_strdup_printf("%s: %s", unit->file, why);
    unit->status = FILE_FAILED;
    unit->why = ir_text(unit, text);
}

static const char *error_text(struct lower *l, const struct lower_error *error,
                              CXDiagnostic diagnostic)
{
    CXString message = clang_getDiagnosticSpelling(diagnostic);
    g_autofree char *text =
        g_strdup_printf("%s:%u: %s", error->file, error->line, clang_getCString(message));
    clang_disposeString(message);
    return ir_text(l->unit, text);
}

// The first error says why the unit is degraded; where the others are says which functions are.
// Warnings are nothing to us.
static void check_diagnostics(struct lower *l)
{
    unsigned n = clang_getNumDiagnostics(l->tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(l->tu, i);
        if (lower_is_error(diagnostic)) {
            struct lower_error error = {0};
            CXFile file;
            clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &error.line,
                                       NULL, NULL);
            error.file = file ? lower_file(l, file) : l->unit->file;
            if (!l->errors->len) {
                l->unit->status = FILE_DEGRADED;
                l->unit->why = error_text(l, &error, diagnostic);
            }
            g_array_append_val(l->errors, error);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    if (l->errors->len > 1) {
        g_autofree char *text =
            g_strdup_printf("%s (and %u more errors)", l->unit->why, l->errors->len - 1);
        l->unit->why = ir_text(l->unit, text);
    }
}

struct top_level {
    struct lower *l;
    const char *const *functions;
};

static bool wanted(const struct top_level *top, CXCursor function)
{
    if (!top->functions)
        return true;
    CXString name = clang_getCursorSpelling(function);
    bool found = g_strv_contains(top->functions, clang_getCString(name));
    clang_disposeString(name);
    return found;
}

static enum CXChildVisitResult visit_top_level(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct top_level *top = data;
    if (cursor.kind != CXCursor_FunctionDecl && cursor.kind != CXCursor_VarDecl)
        return CXChildVisit_Continue;
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (cursor.kind == CXCursor_VarDecl)
        lower_global_initializer(top->l, cursor);
    else if (clang_isCursorDefinition(cursor) && wanted(top, cursor))
        lower_want(top->l, cursor);
    return CXChildVisit_Continue;
}

static void add_include(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    (void)stack;
    (void)depth;
    struct lower *l = data;
    CXString text = clang_getFileName(file);
    g_autofree char *path =
        g_canonicalize_filename(clang_getCString(text) ? clang_getCString(text) : "", l->directory);
    clang_disposeString(text);
    if (strcmp(path, OVERLAY_HEADER) != 0 && strcmp(path, STUBS_HEADER) != 0)
        g_ptr_array_add(l->unit->includes, (gpointer)ir_text(l->unit, path));
}

void lower_note_includes(struct lower *l)
{
    clang_getInclusions(l->tu, add_include, l);
}

int lower_by_location(gconstpointer a, gconstpointer b)
{
    const struct ir_function *const *x = a, *const *y = b;
    if ((*x)->from_header != (*y)->from_header)
        return (*x)->from_header ? 1 : -1;
    int by_file = strcmp((*x)->location.file, (*y)->location.file);
    if (by_file)
        return by_file;
    return (*x)->location.line<(*y)->location.line ? -1 : (*x)->location.line>(*y)->location.line;
}

void lower_all(struct lower *l, const char *const *functions)
{
    struct top_level top = {l, functions};
    clang_visitChildren(clang_getTranslationUnitCursor(l->tu), visit_top_level, &top);
    for (guint i = 0; i < l->queue->len; i++) // grows while it is read
        lower_function(l, g_array_index(l->queue, CXCursor, i));
}

static void note_degraded_functions(struct ir_unit *unit)
{
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        if (function->degraded && unit->status == FILE_PARSED) {
            unit->status = FILE_DEGRADED;
            unit->why = function->degraded_why;
        }
    }
}

void lower_tables_init(struct lower *l)
{
    l->files = g_hash_table_new(NULL, NULL);
    l->variables = g_hash_table_new(NULL, NULL);
    l->fields = g_hash_table_new(NULL, NULL);
    l->callees = g_hash_table_new(NULL, NULL);
    l->queued = g_hash_table_new(NULL, NULL);
    l->queue = g_array_new(FALSE, FALSE, sizeof(CXCursor));
    l->errors = g_array_new(FALSE, FALSE, sizeof(struct lower_error));
}

// What is keyed by libclang's addresses dies with the translation unit.
void lower_tables_clear(struct lower *l)
{
    g_clear_pointer(&l->files, g_hash_table_unref);
    g_clear_pointer(&l->types, g_hash_table_unref);
    g_clear_pointer(&l->variables, g_hash_table_unref);
    g_clear_pointer(&l->fields, g_hash_table_unref);
    g_clear_pointer(&l->callees, g_hash_table_unref);
    g_clear_pointer(&l->by_name, g_hash_table_unref);
    g_clear_pointer(&l->queued, g_hash_table_unref);
    g_clear_pointer(&l->queue, g_array_unref);
    g_clear_pointer(&l->errors, g_array_unref);
}

static void note_stubs(struct ir_unit *unit, unsigned names)
{
    g_autofree char *text =
        g_strdup_printf("%s; made up declarations for %u names", unit->why, names);
    unit->why = ir_text(unit, text);
}

// `*stubs`: what was made up, or NULL.
static bool lower_once(struct lower *l, const struct unit_request *request, CXIndex index,
                       struct stubs **stubs)
{
    enum CXErrorCode code = lower_parse(request, index, NULL, &l->tu);
    if (code != CXError_Success || !l->tu) {
        fail(l->unit, parse_failure(code));
        return false;
    }
    lower_tables_init(l);
    check_diagnostics(l);
    lower_note_includes(l);
    *stubs = lower_declare_missing(request, index, NULL, &l->tu);
    if (*stubs)
        lower_note_includes(l); // of another parse
    if (*stubs && stubs_count(*stubs))
        note_stubs(l->unit, stubs_count(*stubs));
    g_hash_table_remove_all(l->files);
    lower_all(l, request->functions);
    g_ptr_array_sort(l->unit->functions, lower_by_location);
    note_degraded_functions(l->unit);
    lower_tables_clear(l);
    clang_disposeTranslationUnit(l->tu);
    return true;
}

// ---- The unit

static struct ir_unit *lower_here(const struct unit_request *request)
{
    struct lower l = {
        .unit = ir_unit_new(request->entry->name),
        .models = request->models,
        .root = request->root,
        .directory = request->entry->directory,
    };
    if (!g_file_test(request->entry->path, G_FILE_TEST_EXISTS)) {
        fail(l.unit, "no such file");
        return l.unit;
    }
    CXIndex index = clang_createIndex(0, 0);
    struct stubs *stubs = NULL;
    if (lower_once(&l, request, index, &stubs))
        lower_switched_off(&l, request, index, stubs);
    stubs_free(stubs);
    clang_disposeIndex(index);
    return l.unit;
}

// ---- On a thread of its own

struct job {
    const struct unit_request *request;
    struct ir_unit *unit;
};

static void *run_job(void *data)
{
    struct job *job = data;
    job->unit = lower_here(job->request);
    return NULL;
}

// Its own helper thread has 8 MB of stack and is switched off.
void lower_prepare(void)
{
    if (!g_getenv("LIBCLANG_NOTHREADS"))
        g_setenv("LIBCLANG_NOTHREADS", "1", TRUE);
}

char *lower_clang_version(void)
{
    CXString version = clang_getClangVersion();
    char *text = g_strdup(clang_getCString(version));
    clang_disposeString(version);
    return text;
}

struct ir_unit *lower_file_unit(const struct unit_request *request)
{
    struct job *job = g_new0(struct job, 1);
    job->request = request;
    if (!lower_run(run_job, job)) {
        // The job is the thread's for ever.
        struct ir_unit *unit = ir_unit_new(request->entry->name);
        fail(unit, "libclang does not answer since it crashed; scan this file by itself");
        return unit;
    }
    struct ir_unit *unit = job->unit;
    g_free(job);
    return unit;
}
