// One translation unit: parsed, lowered, disposed of.
#include "lower_unit.h"

#include <pthread.h>
#include <string.h>

#include "lower.h"
#include "overlay.h"

// Besides the file's own flags. Nothing is wanted of warnings; a missing declaration or a pointer
// of the wrong type is no reason to lose a function, so what newer compilers made an error is none.
static const char *const extra_args[] = {
    "-w",
    "-fno-spell-checking",
    "-ferror-limit=0",
    "-fbracket-depth=1024",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-include",
    OVERLAY_HEADER,
};

static GPtrArray *arguments(const struct compdb_entry *entry)
{
    GPtrArray *args = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(extra_args); i++)
        g_ptr_array_add(args, g_strdup(extra_args[i]));
    g_ptr_array_add(args, g_strdup_printf("-working-directory=%s", entry->directory));
    if (!g_str_has_suffix(entry->path, ".c")) {
        g_ptr_array_add(args, g_strdup("-x"));
        g_ptr_array_add(args, g_strdup("c"));
    }
    for (char **arg = entry->args; *arg; arg++)
        g_ptr_array_add(args, g_strdup(*arg));
    return args;
}

static enum CXErrorCode parse(const struct unit_request *request, CXIndex index,
                              CXTranslationUnit *tu)
{
    g_autoptr(GPtrArray) args = arguments(request->entry);
    g_autofree struct CXUnsavedFile *files =
        g_new0(struct CXUnsavedFile, MAX(request->overlays->len, 1));
    for (guint i = 0; i < request->overlays->len; i++) {
        const struct overlaid_file *overlay = request->overlays->pdata[i];
        files[i] = (struct CXUnsavedFile){overlay->path, overlay->text, overlay->bytes};
    }
    return clang_parseTranslationUnit2(index, request->entry->path,
                                       (const char *const *)args->pdata, (int)args->len, files,
                                       request->overlays->len, CXTranslationUnit_KeepGoing, tu);
}

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

// The first error decides. A fatal one (a header that is missing) is told before lesser ones that
// follow from it; notes and warnings are nothing to us.
static void check_diagnostics(struct lower *l)
{
    unsigned n = clang_getNumDiagnostics(l->tu), errors = 0;
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(l->tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && errors++ == 0) {
            CXFile file;
            unsigned line;
            clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, NULL,
                                       NULL);
            const char *name = file ? lower_file(l, file) : l->unit->file;
            CXString message = clang_getDiagnosticSpelling(diagnostic);
            g_autofree char *text =
                g_strdup_printf("%s:%u: %s", name, line, clang_getCString(message));
            clang_disposeString(message);
            l->unit->status = FILE_DEGRADED;
            l->unit->why = ir_text(l->unit, text);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    if (errors > 1) {
        g_autofree char *text =
            g_strdup_printf("%s (and %u more errors)", l->unit->why, errors - 1);
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
    if (strcmp(path, OVERLAY_HEADER) != 0)
        g_ptr_array_add(l->unit->includes, (gpointer)ir_text(l->unit, path));
}

static int by_location(gconstpointer a, gconstpointer b)
{
    const struct ir_function *const *x = a, *const *y = b;
    if ((*x)->from_header != (*y)->from_header)
        return (*x)->from_header ? 1 : -1;
    int by_file = strcmp((*x)->location.file, (*y)->location.file);
    if (by_file)
        return by_file;
    return (*x)->location.line<(*y)->location.line ? -1 : (*x)->location.line>(*y)->location.line;
}

static void lower_all(struct lower *l, const char *const *functions)
{
    struct top_level top = {l, functions};
    clang_visitChildren(clang_getTranslationUnitCursor(l->tu), visit_top_level, &top);
    for (guint i = 0; i < l->queue->len; i++) // grows while it is read
        lower_function(l, g_array_index(l->queue, CXCursor, i));
    g_ptr_array_sort(l->unit->functions, by_location);
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

static void lower_parsed(struct lower *l, const struct unit_request *request)
{
    l->files = g_hash_table_new(NULL, NULL);
    l->variables = g_hash_table_new(NULL, NULL);
    l->fields = g_hash_table_new(NULL, NULL);
    l->callees = g_hash_table_new(NULL, NULL);
    l->queued = g_hash_table_new(NULL, NULL);
    l->queue = g_array_new(FALSE, FALSE, sizeof(CXCursor));
    check_diagnostics(l);
    lower_all(l, request->functions);
    clang_getInclusions(l->tu, add_include, l);
    note_degraded_functions(l->unit);
    g_hash_table_unref(l->files);
    g_clear_pointer(&l->types, g_hash_table_unref);
    g_hash_table_unref(l->variables);
    g_hash_table_unref(l->fields);
    g_hash_table_unref(l->callees);
    g_clear_pointer(&l->by_name, g_hash_table_unref);
    g_hash_table_unref(l->queued);
    g_array_unref(l->queue);
}

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
    enum CXErrorCode code = parse(request, index, &l.tu);
    if (code == CXError_Success && l.tu) {
        lower_parsed(&l, request);
        clang_disposeTranslationUnit(l.tu);
    } else {
        fail(l.unit, parse_failure(code));
    }
    clang_disposeIndex(index);
    return l.unit;
}

// ---- On a stack of its own
//
// Clang's parser recurses with the nesting of the source, and an exhausted stack is the one crash
// that libclang does not recover from. Its own helper thread has 8 MB and is switched off
// (lower_prepare); memory that the stack does not use is never mapped.

#define STACK_BYTES ((size_t)256 << 20)

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

void lower_prepare(void)
{
    g_setenv("LIBCLANG_NOTHREADS", "1", TRUE);
}

struct ir_unit *lower_file_unit(const struct unit_request *request)
{
    struct job job = {.request = request};
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, run_job, &job) == 0)
        pthread_join(thread, NULL);
    else
        run_job(&job);
    pthread_attr_destroy(&attributes);
    return job.unit;
}
