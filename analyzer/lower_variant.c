// What #if switches off: a second parse, with the branches around it switched on.
#include <string.h>

#include "lexindex.h"
#include "lower.h"
#include "lower_parse.h"

static bool is_lowered(const struct ir_unit *unit, const char *name)
{
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        if (strcmp(function->name, name) == 0)
            return true;
    }
    return false;
}

struct missing {
    GPtrArray *names; // const char*, lent
    GArray *lines;    // unsigned
};

static void add_missing(struct missing *missing, const char *name, unsigned line)
{
    g_ptr_array_add(missing->names, (gpointer)name);
    g_array_append_val(missing->lines, line);
}

static void missing_roots(struct missing *missing, const struct ir_unit *unit,
                          const struct lex_roots *roots)
{
    for (unsigned i = 0; roots && roots->names[i]; i++) {
        if (!is_lowered(unit, roots->names[i]))
            add_missing(missing, roots->names[i], roots->lines[i]);
    }
}

// ---- Parts of a function

static bool is_acquire(const struct ir_instruction *in)
{
    return in->op == IR_LOCK_OP && (in->action == IR_LOCK_ACQUIRE || in->action == IR_LOCK_TRY);
}

static unsigned count_acquires(const struct ir_function *function)
{
    unsigned n = 0;
    for (unsigned b = 0; b < function->n_blocks; b++) {
        const struct ir_block *block = function->blocks[b];
        for (unsigned i = 0; i < block->n_instructions; i++)
            n += is_acquire(block->instructions[i]);
    }
    return n;
}

static bool has_lock_op_on(const struct ir_function *function, unsigned line)
{
    for (unsigned b = 0; b < function->n_blocks; b++) {
        const struct ir_block *block = function->blocks[b];
        for (unsigned i = 0; i < block->n_instructions; i++) {
            const struct ir_instruction *in = block->instructions[i];
            if (in->op == IR_LOCK_OP && in->location.line == line)
                return true;
        }
    }
    return false;
}

static const struct ir_function *function_around(const struct ir_unit *unit, unsigned line)
{
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        if (!function->from_header && function->location.line <= line && line <= function->end.line)
            return function;
    }
    return NULL;
}

static bool is_named(const struct missing *missing, const char *name)
{
    for (guint i = 0; i < missing->names->len; i++) {
        if (strcmp(missing->names->pdata[i], name) == 0)
            return true;
    }
    return false;
}

// Calls of `op` that the text has and the function around them has not. A missing release alone is
// no reason: another configuration would be read for it.
static void missing_calls(struct missing *missing, const struct ir_unit *unit,
                          const struct stubs *stubs, const char *op, bool acquires)
{
    unsigned n;
    const unsigned *lines = stubs_call_lines(stubs, op, &n);
    for (unsigned i = 0; i < n; i++) {
        const struct ir_function *function = function_around(unit, lines[i]);
        if (function && !has_lock_op_on(function, lines[i]) &&
            (acquires || is_named(missing, function->name)))
            add_missing(missing, function->name, lines[i]);
    }
}

static void missing_parts(struct missing *missing, const struct ir_unit *unit,
                          const struct model_set *models, const struct stubs *stubs)
{
    for (const char *const *name = model_acquire_names(models); *name; name++)
        missing_calls(missing, unit, stubs, *name, true);
    for (unsigned id = 0; id < model_lock_op_count(models); id++) {
        const struct model_lock_op *op = model_lock_op_by_id(models, id);
        if (op->action == MODEL_RELEASE)
            missing_calls(missing, unit, stubs, op->name, false);
    }
}

// ---- The other configuration

static void mark(struct ir_unit *unit, struct ir_function *function, const char *what)
{
    g_autofree char *why = g_strdup_printf("%s:%u: %sswitched off by #if in this configuration",
                                           function->location.file, function->location.line, what);
    function->degraded = true;
    function->degraded_why = ir_text(unit, why);
}

static int find_function(const struct ir_unit *unit, guint known, const char *usr)
{
    for (guint i = 0; i < known; i++) {
        if (strcmp(((struct ir_function *)unit->functions->pdata[i])->usr, usr) == 0)
            return (int)i;
    }
    return -1;
}

// Keeps of what was lowered the functions that the first parse did not have, or had less of.
static void keep_new(struct ir_unit *unit, guint known)
{
    for (guint i = known; i < unit->functions->len;) {
        struct ir_function *function = unit->functions->pdata[i];
        int old = find_function(unit, known, function->usr);
        if (old < 0) {
            if (!function->from_header)
                mark(unit, function, "");
            // In a file with errors the conditions may have come out wrong.
            function->switched_off = unit->status == FILE_PARSED;
            i++;
            continue;
        }
        bool more = !function->from_header &&
                    count_acquires(function) > count_acquires(unit->functions->pdata[old]);
        if (more) {
            mark(unit, function, "a part of it is ");
            unit->functions->pdata[old] = function;
        }
        g_ptr_array_remove_index(unit->functions, i);
    }
}

// Another configuration may have errors of its own; they are not the file's.
static void lower_variant(struct lower *l, const struct unit_request *request, CXIndex index,
                          const char *text, const struct missing *missing)
{
    if (lower_parse(request, index, text, &l->tu) != CXError_Success)
        return;
    stubs_free(lower_declare_missing(request, index, text, &l->tu));
    guint known = l->unit->functions->len, uses = l->unit->function_uses->len;
    lower_tables_init(l);
    lower_all(l, (const char *const *)missing->names->pdata);
    lower_note_includes(l);
    keep_new(l->unit, known);
    g_ptr_array_set_size(l->unit->function_uses, (gint)uses);
    g_ptr_array_sort(l->unit->functions, lower_by_location);
    lower_tables_clear(l);
    clang_disposeTranslationUnit(l->tu);
}

void lower_switched_off(struct lower *l, const struct unit_request *request, CXIndex index,
                        const struct stubs *stubs)
{
    struct missing missing = {g_ptr_array_new(), g_array_new(FALSE, FALSE, sizeof(unsigned))};
    missing_roots(&missing, l->unit, request->roots);
    if (stubs)
        missing_parts(&missing, l->unit, request->models, stubs);
    g_ptr_array_add(missing.names, NULL);
    g_autofree char *text = missing.lines->len ? lower_text_of(request) : NULL;
    g_autofree char *changed =
        text ? lex_switch_on(text, strlen(text), &g_array_index(missing.lines, unsigned, 0),
                             missing.lines->len)
             : NULL;
    if (changed)
        lower_variant(l, request, index, changed, &missing);
    g_ptr_array_unref(missing.names);
    g_array_unref(missing.lines);
}
