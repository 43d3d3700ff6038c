#include "overlay.h"

#include <string.h>

#include "lexindex.h"

// A definition in the text: `#define NAME(parameters) replacement` up to its last line's end.
struct macro {
    const struct lex_definition *definition;
    const struct model_lock_op *op;        // or
    const struct model_function *function; // what it is
    char **parameters;                     // NULL for an object-like macro
    const char *replacement;
};

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\\' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

// `(a, b, ...)` right after the name.
static bool read_parameters(struct macro *macro)
{
    const char *at = macro->definition->start, *end = macro->definition->end;
    macro->replacement = at;
    if (at == end || *at != '(')
        return true;
    const char *close = memchr(at, ')', (size_t)(end - at));
    if (!close)
        return false;
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    for (at = skip_blanks(at + 1, close); at < close;) {
        const char *stop = at;
        while (stop < close && *stop != ',')
            stop++;
        g_autofree char *name = g_strndup(at, (gsize)(stop - at));
        g_strdelimit(name, "\\\r\n", ' ');
        g_strstrip(name);
        g_strv_builder_add(names, name);
        at = skip_blanks(stop < close ? stop + 1 : close, close);
    }
    macro->parameters = g_strv_builder_end(names);
    macro->replacement = close + 1;
    return true;
}

// A parameter as it is used: `...` is __VA_ARGS__, GNU's `args...` is args.
static char *parameter_use(const char *name)
{
    if (strcmp(name, "...") == 0)
        return g_strdup("__VA_ARGS__");
    if (g_str_has_suffix(name, "..."))
        return g_strndup(name, strlen(name) - 3);
    return g_strdup(name);
}

static char *all_parameters(const struct macro *macro)
{
    GString *list = g_string_new(NULL);
    for (char **name = macro->parameters; *name && (*name)[0]; name++) {
        g_autofree char *use = parameter_use(*name);
        // A variable argument list may be empty; the comma before it must not stay.
        bool variadic = g_str_has_suffix(*name, "...");
        g_string_append_printf(list, "%s%s", list->len ? (variadic ? ", ##" : ", ") : "", use);
    }
    return g_string_free(list, FALSE);
}

// The call that takes the lock, or NULL when the macro does not have the parameter the model names.
static char *operation_call(const struct macro *macro)
{
    const struct model_lock_op *op = macro->op;
    if (!macro->parameters)
        return g_strdup_printf(MARKER_RAW "%u", op->id);
    if (op->global)
        return g_strdup_printf(MARKER_RAW "%u()", op->id);
    if (op->lock_arg >= g_strv_length(macro->parameters) || !macro->parameters[op->lock_arg][0])
        return NULL;
    if (op->bit_arg >= 0 || op->when_arg >= 0) {
        g_autofree char *list = all_parameters(macro);
        return g_strdup_printf(MARKER_RAW "%u(%s)", op->id, list);
    }
    g_autofree char *lock = parameter_use(macro->parameters[op->lock_arg]);
    return g_strdup_printf(MARKER_OP "%u(%s(%s))", op->id, op->lock_is_object ? "&" : "", lock);
}

static char *operation_text(const struct macro *macro)
{
    const struct model_lock_op *op = macro->op;
    g_autofree char *call = operation_call(macro);
    if (!call)
        return NULL;
    if (op->form == MODEL_GUARD)
        return g_strdup_printf(" int __SPINFAULT_UNIQUE __SPINFAULT_CLEANUP(" MARKER_LEAVE
                               "%u) = %s",
                               op->id, call);
    if (op->form == MODEL_BLOCK)
        return g_strdup_printf(" for (int " MARKER_BLOCK "%u __SPINFAULT_CLEANUP(" MARKER_LEAVE
                               "%u) = %s;;)",
                               op->id, op->id, call);
    return g_strdup_printf(" %s", call);
}

// Arguments are handed on only when the model says something about them: others may be labels or
// types.
static bool model_uses_argument(const struct model_function *f, int i)
{
    return f->writes_arg == i || f->reads_arg == i || f->length_arg == i || f->resident_arg == i ||
           f->flag_arg == i || f->no_return_level_arg == i;
}

static char *used_parameters(const struct macro *macro)
{
    GString *list = g_string_new(NULL);
    for (int i = 0; macro->parameters[i] && macro->parameters[i][0]; i++) {
        g_autofree char *use = model_uses_argument(macro->function, i)
                                   ? parameter_use(macro->parameters[i])
                                   : g_strdup("0");
        g_string_append_printf(list, "%s%s", i ? ", " : "", use);
    }
    return g_string_free(list, FALSE);
}

static char *function_text(const struct macro *macro)
{
    const char *name = macro->function->name;
    if (!macro->parameters)
        return NULL; // another name for what is no macro: seen as it is
    g_autofree char *list = used_parameters(macro);
    return g_strdup_printf(" " MARKER_CALL "%s(%s)", name, list);
}

static void append_lines(GString *out, const char *from, const char *to)
{
    for (; from < to; from++) {
        if (*from == '\n')
            g_string_append(out, " \\\n");
    }
}

// Replaces one definition; what was copied of the text so far ends at `*copied`.
static void replace(GString *out, struct macro *macro, const char **copied)
{
    g_autofree char *call = NULL;
    if (read_parameters(macro))
        call = macro->op ? operation_text(macro) : function_text(macro);
    if (call) {
        g_string_append_len(out, *copied, macro->replacement - *copied);
        g_string_append(out, call);
        append_lines(out, macro->replacement, macro->definition->end);
        *copied = macro->definition->end;
    }
    g_strfreev(macro->parameters);
}

static const struct model_function *macro_function(const struct model_set *models, const char *name)
{
    const struct model_function *function = model_find_function(models, name);
    return function && function->is_macro ? function : NULL;
}

bool overlay_wants(const struct model_set *models, const char *name)
{
    return model_find_lock_op(models, name) || macro_function(models, name);
}

char *overlay_text(const char *text, size_t bytes, const struct model_set *models, GHashTable *used)
{
    struct lex_result found;
    GString *out = NULL;
    const char *copied = text;
    lex_result_init(&found);
    lex_scan(text, bytes, &found);
    for (guint i = 0; i < found.definitions->len; i++) {
        const struct lex_definition *d =
            &g_array_index(found.definitions, struct lex_definition, i);
        g_autofree char *name = g_strndup(d->name, d->name_bytes);
        struct macro macro = {.definition = d,
                              .op = model_find_lock_op(models, name),
                              .function = macro_function(models, name)};
        if (d->kind != LEX_MACRO || (!macro.op && !macro.function))
            continue;
        out = out ? out : g_string_sized_new(bytes + 256);
        replace(out, &macro, &copied);
        if (used)
            g_hash_table_add(used, (gpointer)(macro.op ? macro.op->name : macro.function->name));
    }
    lex_result_clear(&found);
    if (!out)
        return NULL;
    g_string_append_len(out, copied, text + bytes - copied);
    return g_string_free(out, FALSE);
}

static void declare_operation(GString *out, const struct model_lock_op *op)
{
    const char *type = op->returns_state ? "unsigned" : "int";
    g_string_append_printf(out,
                           "%s " MARKER_OP "%u(__SPINFAULT_ANY);"
                           "%s " MARKER_RAW "%u(__SPINFAULT_ANY);\n",
                           type, op->id, type, op->id);
    if (op->form == MODEL_GUARD || op->form == MODEL_BLOCK)
        g_string_append_printf(out, "void " MARKER_LEAVE "%u(void *);\n", op->id);
}

static void declare_function(GString *out, const struct model_function *function)
{
    bool pointer = function->returns != MEMORY_NONE || (function->effects & MODEL_ALLOCATES);
    g_string_append_printf(out, "%s" MARKER_CALL "%s(__SPINFAULT_ANY);\n",
                           pointer ? "void *" : "int ", function->name);
}

// Markers take whatever they are given: a pointer of any type, or what a macro made of it.
char *overlay_header(const struct model_set *models, GHashTable *used)
{
    GString *out = g_string_new("#if __STDC_VERSION__ >= 202000L\n"
                                "#define __SPINFAULT_ANY ...\n"
                                "#else\n"
                                "#define __SPINFAULT_ANY\n"
                                "#endif\n"
                                "#define __SPINFAULT_JOIN_(a, b) a##b\n"
                                "#define __SPINFAULT_JOIN(a, b) __SPINFAULT_JOIN_(a, b)\n"
                                "#define __SPINFAULT_UNIQUE "
                                "__SPINFAULT_JOIN(__spinfault_guard_, __COUNTER__)\n"
                                "#define __SPINFAULT_CLEANUP(f) "
                                "__attribute__((__unused__, __cleanup__(f)))\n");
    for (unsigned i = 0; i < model_lock_op_count(models); i++) {
        const struct model_lock_op *op = model_lock_op_by_id(models, i);
        if (g_hash_table_contains(used, op->name))
            declare_operation(out, op);
    }
    for (unsigned i = 0; i < model_function_count(models); i++) {
        const struct model_function *function = model_function_at(models, i);
        if (function->is_macro && g_hash_table_contains(used, function->name))
            declare_function(out, function);
    }
    g_string_append(out, "#undef __SPINFAULT_ANY\n");
    return g_string_free(out, FALSE);
}
