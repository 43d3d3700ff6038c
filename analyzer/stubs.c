#include "stubs.h"

#include <stdlib.h>
#include <string.h>

#include "stub_words.h"

enum stub_kind {
    KIND_NUMBER,  // typedef long name;          extern long name;
    KIND_OBJECT,  // typedef struct … name;      extern struct … name;
    KIND_POINTER, // typedef struct … *name;     extern struct … *name;
    KIND_NOTHING, // #define name, or #define name(…) where it is called
    KIND_TEXT,    // #define name ""
    KIND_CONSTANT,
    KIND_LOOP,   // #define name(…) while (…)
    KIND_RESULT, // struct … *name();
    KIND_ANY,    // #define name(…) (…)
    KIND_TYPE,   // #define name(…) struct …
};

struct stub {
    bool type;
    enum stub_kind kind;
    unsigned changes; // of mind, after an error that its declaration made
};

struct stubs {
    struct stub_words *words;
    const struct model_set *models;
    GHashTable *names;       // char* -> struct stub*
    GHashTable *tags;        // "struct name", "enum name" -> itself
    GHashTable *banned;      // names that are declared somewhere after all, or by `declarations`
    GPtrArray *declarations; // const char*: what models have for headers that are missing
};

struct stubs *stubs_new(const char *text, size_t bytes, const struct model_set *models)
{
    struct stubs *stubs = g_new0(struct stubs, 1);
    stubs->words = stub_words_scan(text, bytes);
    stubs->models = models;
    stubs->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    stubs->tags = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    stubs->banned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    stubs->declarations = g_ptr_array_new();
    return stubs;
}

void stubs_free(struct stubs *stubs)
{
    if (!stubs)
        return;
    stub_words_free(stubs->words);
    g_hash_table_unref(stubs->names);
    g_hash_table_unref(stubs->tags);
    g_hash_table_unref(stubs->banned);
    g_ptr_array_unref(stubs->declarations);
    g_free(stubs);
}

const unsigned *stubs_call_lines(const struct stubs *stubs, const char *name, unsigned *n)
{
    const struct stub_word *word = stub_word_find(stubs->words, name);
    *n = word ? word->calls->len : 0;
    return *n ? &g_array_index(word->calls, unsigned, 0) : NULL;
}

unsigned stubs_count(const struct stubs *stubs)
{
    return g_hash_table_size(stubs->names) + g_hash_table_size(stubs->tags);
}

// ---- What a name is

static bool any_use(const struct stubs *stubs, const GPtrArray *variables, unsigned uses)
{
    for (guint i = 0; i < variables->len; i++) {
        const struct stub_word *word = stub_word_find(stubs->words, variables->pdata[i]);
        if (word && (word->uses & uses))
            return true;
    }
    return false;
}

static enum stub_kind kind_of_type(const struct stubs *stubs, const struct stub_word *word)
{
    if (any_use(stubs, word->values, STUB_DOT))
        return KIND_OBJECT;
    if (any_use(stubs, word->values, STUB_ARROW))
        return KIND_POINTER;
    if (any_use(stubs, word->pointers, STUB_ARROW))
        return KIND_OBJECT;
    if (any_use(stubs, word->values, STUB_STAR))
        return KIND_POINTER;
    return word->values->len || (word->uses & STUB_TYPE) ? KIND_NUMBER : KIND_OBJECT;
}

static enum stub_kind kind_of_spelling(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (g_ascii_islower(*c))
            return KIND_NUMBER;
    }
    return KIND_CONSTANT;
}

static enum stub_kind kind_of_value(const struct stub_word *word)
{
    if (word->uses & STUB_TEXT)
        return KIND_TEXT;
    if (word->uses & (STUB_ARROW | STUB_INDEX | STUB_STAR))
        return KIND_POINTER;
    if (word->uses & STUB_DOT)
        return KIND_OBJECT;
    if (word->uses & STUB_CASE)
        return KIND_CONSTANT;
    return word->uses & STUB_SET ? KIND_NUMBER : kind_of_spelling(word->name);
}

static bool add_name(struct stubs *stubs, const char *name, bool type, enum stub_kind kind)
{
    if (g_hash_table_contains(stubs->names, name) || g_hash_table_contains(stubs->banned, name))
        return false;
    struct stub *stub = g_new0(struct stub, 1);
    *stub = (struct stub){.type = type, .kind = kind};
    g_hash_table_insert(stubs->names, g_strdup(name), stub);
    return true;
}

static const char *known_type(const char *name)
{
    static const char *const known[][2] = {
        {"bool", "_Bool"},
        {"size_t", "__SIZE_TYPE__"},
        {"ssize_t", "__PTRDIFF_TYPE__"},
        {"va_list", "__builtin_va_list"},
        {"int8_t", "signed char"},
        {"int8", "signed char"},
        {"uint8_t", "unsigned char"},
        {"uint8", "unsigned char"},
        {"int16_t", "short"},
        {"int16", "short"},
        {"uint16_t", "unsigned short"},
        {"uint16", "unsigned short"},
        {"int32_t", "int"},
        {"int32", "int"},
        {"uint32_t", "unsigned"},
        {"uint32", "unsigned"},
        {"uint", "unsigned"},
        {"s8", "signed char"},
        {"u8", "unsigned char"},
        {"s16", "short"},
        {"u16", "unsigned short"},
        {"s32", "int"},
        {"u32", "unsigned"},
        {"s64", "long"},
        {"u64", "unsigned long"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(known[i][0], name) == 0)
            return known[i][1];
    }
    return NULL;
}

// A name in a header has no uses in the file; then the error says whether it is a type.
static bool learn_name(struct stubs *stubs, const char *name, bool as_type)
{
    const struct stub_word *word = stub_word_find(stubs->words, name);
    if (known_type(name))
        return add_name(stubs, name, true, KIND_NUMBER);
    if (!word)
        return add_name(stubs, name, as_type, as_type ? KIND_NUMBER : kind_of_spelling(name));
    for (guint i = 0; as_type && i < stubs->words->calls->len; i++) {
        const struct stub_call *call = &g_array_index(stubs->words->calls, struct stub_call, i);
        if (call->word == word && call->form == STUB_TYPE_OF)
            return add_name(stubs, name, false, KIND_TYPE);
    }
    bool type = (word->uses & (STUB_TYPE | STUB_TYPE_STAR)) != 0;
    if (as_type && !type && (word->uses & STUB_ATTRIBUTE))
        return add_name(stubs, name, false, KIND_NOTHING);
    if (as_type || (type && !(word->uses & (STUB_ARROW | STUB_SET))))
        return add_name(stubs, name, true, kind_of_type(stubs, word));
    return add_name(stubs, name, false, kind_of_value(word));
}

// A type turned out to be something else than it looked like.
static bool change_kind(struct stubs *stubs, const char *name, enum stub_kind kind)
{
    struct stub *stub = g_hash_table_lookup(stubs->names, name);
    if (!stub || stub->kind == kind || stub->changes)
        return false;
    stub->kind = kind;
    stub->changes++;
    return true;
}

// ---- Errors

// The N-th name in quotes, without "struct " and what is known of it; NULL when there is none.
static char *quoted(const char *message, unsigned n)
{
    for (const char *at = strchr(message, '\''); at; at = strchr(at, '\'')) {
        const char *end = strchr(++at, '\'');
        if (!end)
            return NULL;
        if (n-- == 0)
            return g_strndup(at, (gsize)(end - at));
        at = end + 1;
    }
    return NULL;
}

static bool is_identifier(const char *name)
{
    if (!name || !(g_ascii_isalpha(*name) || *name == '_'))
        return false;
    while (g_ascii_isalnum(*name) || *name == '_')
        name++;
    return !*name;
}

static bool learn_quoted(struct stubs *stubs, const char *message, bool as_type)
{
    g_autofree char *name = quoted(message, 0);
    return is_identifier(name) && learn_name(stubs, name, as_type);
}

// "incomplete definition of type 'struct x'", "… 'x_t' (aka 'struct x')", "calling 'f' with
// incomplete return type 'enum x'".
static bool learn_tag(struct stubs *stubs, const char *message)
{
    static const char *const kinds[] = {"struct ", "union ", "enum "};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const char *at = strstr(message, kinds[i]);
        size_t n = at ? strcspn(at + strlen(kinds[i]), "' *[") : 0;
        if (!n)
            continue;
        g_autofree char *tag = g_strndup(at, strlen(kinds[i]) + n);
        const char *name = strchr(tag, ' ') + 1;
        if (!is_identifier(name) || g_hash_table_contains(stubs->banned, name) ||
            g_hash_table_contains(stubs->tags, tag))
            return false;
        g_hash_table_add(stubs->tags, g_steal_pointer(&tag));
        return true;
    }
    return false;
}

static bool ban(struct stubs *stubs, const char *message)
{
    g_autofree char *name = quoted(message, 0);
    const struct stub *stub = is_identifier(name) ? g_hash_table_lookup(stubs->names, name) : NULL;
    if (!is_identifier(name) || (stub && stub->kind == KIND_NOTHING))
        return false; // what was learned a moment ago: it is no variable after all
    g_autofree char *as_struct = g_strconcat("struct ", name, NULL);
    g_autofree char *as_union = g_strconcat("union ", name, NULL);
    g_autofree char *as_enum = g_strconcat("enum ", name, NULL);
    bool known = g_hash_table_remove(stubs->names, name);
    known |= g_hash_table_remove(stubs->tags, as_struct);
    known |= g_hash_table_remove(stubs->tags, as_union);
    known |= g_hash_table_remove(stubs->tags, as_enum);
    if (known)
        g_hash_table_add(stubs->banned, g_steal_pointer(&name));
    return known;
}

// The word after each `before` at the beginning of a line is declared.
static void ban_declared(struct stubs *stubs, const char *text, const char *before)
{
    for (const char *at = text; (at = strstr(at, before));) {
        at += strlen(before);
        char *name = g_strndup(at, strspn(at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_"));
        g_autofree char *tag = g_strconcat("struct ", name, NULL);
        g_hash_table_remove(stubs->names, name);
        g_hash_table_remove(stubs->tags, tag);
        g_hash_table_add(stubs->banned, name);
    }
}

// A header of which a model has the gist.
static bool learn_header(struct stubs *stubs, const char *message)
{
    g_autofree char *header = quoted(message, 0);
    const char *text = header ? model_find_declarations(stubs->models, header) : NULL;
    if (!text || g_ptr_array_find(stubs->declarations, text, NULL))
        return false;
    g_ptr_array_add(stubs->declarations, (gpointer)text);
    ban_declared(stubs, text, "\n#define ");
    ban_declared(stubs, text, "\nstruct ");
    return true;
}

// A call that no function can be: the macro is missing.
static bool learn_call(struct stubs *stubs, const char *message, unsigned line)
{
    static const enum stub_kind kinds[] = {
        [STUB_LOOP] = KIND_LOOP,     [STUB_TYPE_ARG] = KIND_ANY,  [STUB_RESULT] = KIND_RESULT,
        [STUB_TYPE_OF] = KIND_TYPE,  [STUB_BESIDE] = KIND_TEXT,   [STUB_BEFORE] = KIND_NOTHING,
        [STUB_AFTER] = KIND_NOTHING, [STUB_MIDDLE] = KIND_NOTHING};
    bool changed = false;
    for (guint i = 0; line && i < stubs->words->calls->len; i++) {
        const struct stub_call *call = &g_array_index(stubs->words->calls, struct stub_call, i);
        if (call->form == STUB_AFTER && !strstr(message, "expected function body"))
            continue; // `if (…) name(…);` looks the same
        if (call->form == STUB_MIDDLE && !strstr(message, "after top level declarator"))
            continue;
        if (call->first_line <= line && line <= call->last_line)
            changed |= add_name(stubs, call->word->name, false, kinds[call->form]);
    }
    return changed;
}

// "… type 'x' (aka 'long') …": what the typedef should have been.
static bool learn_mistake(struct stubs *stubs, const char *message)
{
    static const struct {
        const char *text;
        enum stub_kind kind;
    } mistakes[] = {
        {"is not a structure or union", KIND_OBJECT},
        {"is not a pointer", KIND_POINTER},
        {"indirection requires pointer", KIND_POINTER},
        {"from incompatible type", KIND_NUMBER},
        {"with an expression of incompatible type", KIND_NUMBER},
        {"invalid operands to binary", KIND_NUMBER},
        {"arithmetic or pointer type is required", KIND_NUMBER},
        {"of incompatible type", KIND_NUMBER},
        {"invalid argument type", KIND_NUMBER},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
        if (!strstr(message, mistakes[i].text))
            continue;
        for (unsigned n = 0; n < 4; n++) {
            g_autofree char *name = quoted(message, n);
            if (is_identifier(name) && change_kind(stubs, name, mistakes[i].kind))
                return true;
        }
    }
    return false;
}

bool stubs_learn(struct stubs *stubs, const char *message, unsigned line)
{
    if (strstr(message, "file not found"))
        return learn_header(stubs, message);
    if (g_str_has_prefix(message, "unknown type name"))
        return learn_quoted(stubs, message, true);
    if (g_str_has_prefix(message, "use of undeclared identifier"))
        return learn_quoted(stubs, message, false);
    if (strstr(message, "redefinition") || strstr(message, "conflicting types") ||
        strstr(message, "does not match previous declaration"))
        return ban(stubs, message);
    if (strstr(message, "incomplete") && learn_tag(stubs, message))
        return true;
    bool changed = learn_mistake(stubs, message);
    return learn_call(stubs, message, line) || changed;
}

// ---- The header

#define ANY "struct __spinfault_any"

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **sorted_keys(GHashTable *table, guint *n)
{
    const char **keys = (const char **)g_hash_table_get_keys_as_array(table, n);
    qsort(keys, *n, sizeof *keys, by_text);
    return keys;
}

static void declare_type(GString *out, const char *name, enum stub_kind kind)
{
    const char *known = known_type(name);
    if (kind == KIND_NUMBER)
        g_string_append_printf(out, "typedef %s %s;\n", known ? known : "long", name);
    else
        g_string_append_printf(out, "typedef " ANY " %s%s;\n", kind == KIND_POINTER ? "*" : "",
                               name);
}

static const char *const zero[] = {"NULL", "false", "FALSE", NULL};
static const char *const one[] = {"true", "TRUE", NULL};

static bool is_known_constant(const char *name)
{
    return g_strv_contains(zero, name) || g_strv_contains(one, name);
}

// Constants differ, for `switch`, and make an array a big one. A bound of a matrix stays small: its
// initialiser may name each element.
static void define_constant(GString *out, const struct stubs *stubs, const char *name, guint number)
{
    const struct stub_word *word = stub_word_find(stubs->words, name);
    int64_t value = word && (word->uses & STUB_MATRIX) ? 16 + number % 16 : 4096 + (int64_t)number;
    if (g_strv_contains(zero, name))
        value = 0;
    else if (g_strv_contains(one, name))
        value = 1;
    else
        model_find_constant(stubs->models, name, &value);
    if (strcmp(name, "NULL") == 0)
        g_string_append(out, "#define NULL ((void *)0)\n");
    else
        g_string_append_printf(out, "enum { %s = %" G_GINT64_FORMAT " };\n", name, value);
}

static bool is_called(const struct stubs *stubs, const char *name)
{
    const struct stub_word *word = stub_word_find(stubs->words, name);
    return word && (word->uses & STUB_CALL);
}

static void declare_value(GString *out, const char *name, enum stub_kind kind, bool called)
{
    switch (kind) {
    case KIND_NOTHING:
        g_string_append_printf(out, "#define %s%s\n", name, called ? "(...)" : "");
        break;
    case KIND_TEXT:
        g_string_append_printf(out, "#define %s \"\"\n", name);
        break;
    case KIND_LOOP:
        g_string_append_printf(out, "#define %s(...) while (__spinfault_some())\n", name);
        break;
    case KIND_ANY:
        g_string_append_printf(out, "#define %s(...) (__spinfault_any())\n", name);
        break;
    case KIND_TYPE:
        g_string_append_printf(out, "#define %s(...) " ANY "\n", name);
        break;
    case KIND_RESULT:
        g_string_append_printf(out, ANY " *%s();\n", name);
        break;
    default:
        g_string_append_printf(out, "extern %s%s;\n",
                               kind == KIND_OBJECT    ? ANY " "
                               : kind == KIND_POINTER ? ANY " *"
                                                      : "long ",
                               name);
        break;
    }
}

// Members of members are objects where they are read with a dot, which must end somewhere.
static void list_members(GString *out, const struct stubs *stubs, const char *macro,
                         const char *inner)
{
    g_string_append_printf(out, "#define %s", macro);
    for (guint i = 0; i < stubs->words->order->len; i++) {
        const struct stub_word *member = stubs->words->order->pdata[i];
        if (member->uses & (STUB_ARROW | STUB_INDEX))
            g_string_append_printf(out, " " ANY " *%s;", member->name);
        else if (member->uses & STUB_DOT)
            g_string_append_printf(out, " %s%s;", inner, member->name);
        else if (member->uses & STUB_CALL)
            g_string_append_printf(out, " long (*%s)();", member->name);
        else
            g_string_append_printf(out, " long %s;", member->name);
    }
    g_string_append_c(out, '\n');
}

static void define_tags(GString *out, const struct stubs *stubs)
{
    guint n;
    g_autofree const char **tags = sorted_keys(stubs->tags, &n);
    for (guint i = 0; i < n; i++) {
        if (g_str_has_prefix(tags[i], "enum "))
            g_string_append_printf(out, "%s { __spinfault_%s };\n", tags[i], tags[i] + 5);
        else
            g_string_append_printf(out, "%s { __SPINFAULT_MEMBERS };\n", tags[i]);
    }
}

char *stubs_header(const struct stubs *stubs)
{
    GString *out = g_string_new(ANY ";\n");
    list_members(out, stubs, "__SPINFAULT_LEAVES", ANY " *");
    list_members(out, stubs, "__SPINFAULT_MEMBERS", ANY "_leaf ");
    g_string_append(out, ANY "_leaf { __SPINFAULT_LEAVES };\n" ANY " { __SPINFAULT_MEMBERS };\n" ANY
                             " *__spinfault_any(void);\nint __spinfault_some(void);\n"
                             "#define likely(...) (__VA_ARGS__)\n"
                             "#define unlikely(...) (__VA_ARGS__)\n"
                             "#define assert(...) ((void)0)\n#define Assert(...) ((void)0)\n");
    for (guint i = 0; i < stubs->declarations->len; i++)
        g_string_append(out, stubs->declarations->pdata[i]);
    define_tags(out, stubs);
    guint n;
    g_autofree const char **names = sorted_keys(stubs->names, &n);
    for (guint i = 0; i < n; i++) {
        const struct stub *stub = g_hash_table_lookup(stubs->names, names[i]);
        if (stub->type)
            declare_type(out, names[i], stub->kind);
        else if (stub->kind == KIND_CONSTANT || is_known_constant(names[i]))
            define_constant(out, stubs, names[i], i);
        else
            declare_value(out, names[i], stub->kind, is_called(stubs, names[i]));
    }
    return g_string_free(out, FALSE);
}
