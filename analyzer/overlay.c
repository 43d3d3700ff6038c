#include "overlay.h"

#include <string.h>

#include "lexindex.h"

// A definition in the text: `#define NAME(parameters) replacement` up to its last line's end.
struct macro {
    const struct lex_definition *definition;
    const struct model_lock_op *op;
    char **parameters; // NULL for an object-like macro
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

// The new replacement, or NULL when the macro does not have the parameter the model names.
static char *marker_call(const struct macro *macro)
{
    const struct model_lock_op *op = macro->op;
    if (!macro->parameters)
        return g_strdup_printf(" __spinfault_raw_%u", op->id);
    unsigned n = g_strv_length(macro->parameters);
    if (op->lock_arg >= n)
        return NULL;
    const char *name = macro->parameters[op->lock_arg];
    if (g_str_has_suffix(name, "..."))
        name = strcmp(name, "...") == 0 ? "__VA_ARGS__" : NULL;
    if (!name)
        return NULL;
    return g_strdup_printf(" __spinfault_op_%u(%s(%s))", op->id, op->lock_is_object ? "&" : "",
                           name);
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
    g_autofree char *call = read_parameters(macro) ? marker_call(macro) : NULL;
    if (call) {
        g_string_append_len(out, *copied, macro->replacement - *copied);
        g_string_append(out, call);
        append_lines(out, macro->replacement, macro->definition->end);
        *copied = macro->definition->end;
    }
    g_strfreev(macro->parameters);
}

char *overlay_text(const char *text, size_t bytes, const struct model_set *models)
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
        const struct model_lock_op *op = model_find_lock_op(models, name);
        if (d->kind != LEX_MACRO || !op || op->form == MODEL_GUARD)
            continue;
        struct macro macro = {.definition = d, .op = op};
        out = out ? out : g_string_sized_new(bytes + 256);
        replace(out, &macro, &copied);
    }
    lex_result_clear(&found);
    if (!out)
        return NULL;
    g_string_append_len(out, copied, text + bytes - copied);
    return g_string_free(out, FALSE);
}

// Markers take whatever they are given: a pointer of any type, or what a macro made of it.
char *overlay_header(const struct model_set *models)
{
    GString *out = g_string_new("#if __STDC_VERSION__ >= 202000L\n"
                                "#define __SPINFAULT_ANY ...\n"
                                "#else\n"
                                "#define __SPINFAULT_ANY\n"
                                "#endif\n");
    for (unsigned i = 0; i < model_lock_op_count(models); i++) {
        const char *type = model_lock_op_by_id(models, i)->returns_state ? "unsigned" : "int";
        g_string_append_printf(out,
                               "%s __spinfault_op_%u(__SPINFAULT_ANY);"
                               "%s __spinfault_raw_%u(__SPINFAULT_ANY);\n",
                               type, i, type, i);
    }
    g_string_append(out, "#undef __SPINFAULT_ANY\n");
    return g_string_free(out, FALSE);
}
