// One pass over C text: what is defined, what is included, which identifiers stand in which body.
//
// At brace depth 0 the tokens of a declaration are watched. `name (` … `) {` is a function (also
// with attributes between, and with K&R parameter declarations); `name = `, `name;` a variable.
// Macro-made braces and #if branches that open twice would make the depth drift: each branch of an
// #if starts at the depth the #if had, and a `}` in the first column ends whatever is open.
#include <string.h>

#include "lexindex.h"

#define CONDITIONAL_DEPTH 64

enum token { TOKEN_NONE, TOKEN_WORD, TOKEN_CLOSE, TOKEN_STRING, TOKEN_SEMICOLON, TOKEN_OTHER };

struct scanner {
    const char *at, *end, *line_start;
    struct lex_result *result;
    int braces, parens;
    int if_braces[CONDITIONAL_DEPTH];
    unsigned ifs;
    const char *counted; // newlines up to here are in `line`
    unsigned line;
    int linkage_braces; // of extern "C" {, not counted in `braces`
    // The declaration at depth 0
    enum token last;
    const char *word; // last identifier
    unsigned word_bytes;
    const char *name; // before the parameter list
    unsigned name_bytes;
    const char *pointer; // `(*name)`: a pointer to a function or an array
    unsigned pointer_bytes;
    bool is_static, is_extern, is_typedef, words_after_list;
    bool has_value;      // past the declarator: `=` or `[`
    bool old_parameters; // past a `;` that may have ended a K&R parameter declaration
    int open;            // index of the definition whose body is being read, or -1
};

static const unsigned char WORD_START = 1, WORD_PART = 2;
static unsigned char classes[256];

static void init_classes(void)
{
    static gsize once = 0;
    if (g_once_init_enter(&once)) {
        for (int c = 0; c < 256; c++) {
            bool start = g_ascii_isalpha(c) || c == '_' || c == '$' || c >= 0x80;
            classes[c] = (unsigned char)((start ? WORD_START | WORD_PART : 0) |
                                         (g_ascii_isdigit(c) ? WORD_PART : 0));
        }
        g_once_init_leave(&once, 1);
    }
}

static inline bool word_start(char c)
{
    return classes[(unsigned char)c] & WORD_START;
}

static inline bool word_part(char c)
{
    return classes[(unsigned char)c] & WORD_PART;
}

// FNV-1a: short words, no table, and 64 bits make a false match unlikely enough.
uint64_t lex_hash(const char *name, size_t bytes)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
    return hash;
}

void lex_result_init(struct lex_result *result)
{
    result->definitions = g_array_new(FALSE, FALSE, sizeof(struct lex_definition));
    result->includes = g_array_new(FALSE, FALSE, sizeof(struct lex_include));
    result->conditionals = g_array_new(FALSE, FALSE, sizeof(struct lex_conditional));
    result->words = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    result->loose = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void lex_result_clear(struct lex_result *result)
{
    g_array_unref(result->definitions);
    g_array_unref(result->includes);
    g_array_unref(result->conditionals);
    g_array_unref(result->words);
    g_array_unref(result->loose);
}

// ---- Skipping

static void skip_block_comment(struct scanner *s)
{
    s->at += 2;
    while (s->at < s->end) {
        const char *star = memchr(s->at, '*', (size_t)(s->end - s->at));
        if (!star || star + 1 >= s->end) {
            s->at = s->end;
            return;
        }
        s->at = star + 1;
        if (*s->at == '/') {
            s->at++;
            return;
        }
    }
}

// To the newline that ends the line (not past it); a backslash before it continues the line.
static void skip_line_comment(struct scanner *s)
{
    while (s->at < s->end) {
        const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
        if (!newline) {
            s->at = s->end;
            return;
        }
        const char *before = newline > s->at && newline[-1] == '\r' ? newline - 1 : newline;
        bool continued = before > s->at && before[-1] == '\\';
        s->at = continued ? newline + 1 : newline;
        if (!continued)
            return;
    }
}

// A literal ends at its quote, or at the end of the line when it is not closed (an apostrophe in
// text that is switched off by #if 0).
static void skip_literal(struct scanner *s)
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        if (*s->at == '\\' && s->at + 1 < s->end)
            s->at++;
        s->at++;
    }
    if (s->at < s->end && *s->at == quote)
        s->at++;
}

// Comments and literals at `at`; false when there is none.
static bool skip_opaque(struct scanner *s)
{
    char c = *s->at;
    if (c == '/' && s->at + 1 < s->end && s->at[1] == '*')
        skip_block_comment(s);
    else if (c == '/' && s->at + 1 < s->end && s->at[1] == '/')
        skip_line_comment(s);
    else if (c == '"' || c == '\'')
        skip_literal(s);
    else
        return false;
    return true;
}

// ---- Declarations

static unsigned line_of(struct scanner *s, const char *at)
{
    while (s->counted < at) {
        const char *newline = memchr(s->counted, '\n', (size_t)(at - s->counted));
        s->counted = newline ? newline + 1 : at;
        s->line += newline != NULL;
    }
    return s->line;
}

static void forget_declaration(struct scanner *s)
{
    s->last = TOKEN_NONE;
    s->word = s->name = s->pointer = NULL;
    s->is_static = s->is_extern = s->is_typedef = s->has_value = false;
    s->words_after_list = s->old_parameters = false;
}

static void end_body(struct scanner *s)
{
    g_array_index(s->result->definitions, struct lex_definition, s->open).end = s->at;
    s->open = -1;
    forget_declaration(s);
}

// ---- Directives

static bool skip_continuation(struct scanner *s)
{
    const char *next = s->at + 1;
    if (*s->at != '\\' || next >= s->end)
        return false;
    if (*next == '\r' && next + 1 < s->end)
        next++;
    if (*next != '\n')
        return false;
    s->at = next + 1;
    return true;
}

static void skip_blanks(struct scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || skip_continuation(s))) {
        if (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
            s->at++;
    }
}

static unsigned take_word(struct scanner *s, const char **word)
{
    *word = s->at;
    while (s->at < s->end && word_part(*s->at))
        s->at++;
    return (unsigned)(s->at - *word);
}

// The rest of the logical line; its identifiers are added to the definition, if there is one.
static void read_directive_rest(struct scanner *s, struct lex_definition *definition)
{
    while (s->at < s->end && *s->at != '\n') {
        if (word_start(*s->at)) {
            const char *word;
            unsigned bytes = take_word(s, &word);
            if (definition) {
                uint64_t hash = lex_hash(word, bytes);
                g_array_append_val(s->result->words, hash);
                definition->n_words++;
            }
        } else if (g_ascii_isdigit(*s->at)) {
            const char *number; // with its suffix, which is no word
            take_word(s, &number);
        } else if (!skip_opaque(s) && !skip_continuation(s)) {
            s->at++;
        }
    }
}

static void read_define(struct scanner *s)
{
    struct lex_definition definition = {.kind = LEX_MACRO, .first_word = s->result->words->len};
    skip_blanks(s);
    definition.name_bytes = take_word(s, &definition.name);
    definition.start = s->at;
    read_directive_rest(s, &definition);
    definition.end = s->at;
    if (definition.name_bytes)
        g_array_append_val(s->result->definitions, definition);
}

static void read_include(struct scanner *s)
{
    skip_blanks(s);
    char open = s->at < s->end ? *s->at : 0;
    if (open == '"' || open == '<') {
        const char *name = s->at + 1, *p = name;
        char close = open == '"' ? '"' : '>';
        while (p < s->end && *p != close && *p != '\n')
            p++;
        struct lex_include include = {name, (unsigned)(p - name), open == '"'};
        if (p < s->end && *p == close && include.bytes)
            g_array_append_val(s->result->includes, include);
        s->at = p;
    }
    read_directive_rest(s, NULL);
}

static bool word_is(const char *word, unsigned bytes, const char *wanted)
{
    return strlen(wanted) == bytes && memcmp(word, wanted, bytes) == 0;
}

// Each branch starts at the depth the #if had.
static void enter_branch(struct scanner *s, enum lex_branch branch)
{
    if (branch == LEX_IF) {
        if (s->ifs < CONDITIONAL_DEPTH)
            s->if_braces[s->ifs] = s->braces;
        s->ifs++;
    } else if (branch == LEX_END_IF) {
        s->ifs -= s->ifs > 0;
    } else {
        if (s->ifs && s->ifs <= CONDITIONAL_DEPTH)
            s->braces = s->if_braces[s->ifs - 1];
        if (s->braces == 0 && s->open >= 0)
            end_body(s);
    }
}

static bool branch_of(const char *word, unsigned bytes, enum lex_branch *branch)
{
    if (bytes >= 2 && memcmp(word, "if", 2) == 0)
        *branch = LEX_IF;
    else if (bytes >= 4 && memcmp(word, "elif", 4) == 0)
        *branch = LEX_ELSE_IF;
    else if (word_is(word, bytes, "else"))
        *branch = LEX_ELSE;
    else if (word_is(word, bytes, "endif"))
        *branch = LEX_END_IF;
    else
        return false;
    return true;
}

static void read_directive(struct scanner *s)
{
    const char *word, *start = s->at++;
    enum lex_branch branch;
    skip_blanks(s);
    unsigned bytes = take_word(s, &word);
    if (word_is(word, bytes, "define")) {
        read_define(s);
    } else if (word_is(word, bytes, "include") || word_is(word, bytes, "include_next")) {
        read_include(s);
    } else {
        read_directive_rest(s, NULL);
        if (branch_of(word, bytes, &branch)) {
            struct lex_conditional conditional = {branch, start, s->at};
            g_array_append_val(s->result->conditionals, conditional);
            enter_branch(s, branch);
        }
    }
}

// ---- Declarations at depth 0

static bool takes_parentheses(const char *word, unsigned bytes)
{
    static const char *const words[] = {"__attribute__",  "__attribute", "__declspec",
                                        "_Alignas",       "__asm__",     "asm",
                                        "__asm",          "typeof",      "__typeof__",
                                        "_Static_assert", "alignas",     "sizeof"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (word_is(word, bytes, words[i]))
            return true;
    }
    return false;
}

// `int (*name)(void)` declares a variable, `int (*name(int))(void)` a function.
static bool see_pointer(struct scanner *s)
{
    struct scanner ahead = *s;
    ahead.at++;
    skip_blanks(&ahead);
    if (ahead.at == ahead.end || *ahead.at != '*')
        return false;
    const char *word = NULL;
    unsigned bytes = 0;
    while (ahead.at < ahead.end && (*ahead.at == '*' || word_start(*ahead.at))) {
        if (*ahead.at == '*')
            ahead.at++;
        else
            bytes = take_word(&ahead, &word); // the last: qualifiers come before the name
        skip_blanks(&ahead);
    }
    if (!bytes || ahead.at == ahead.end)
        return false;
    if (*ahead.at == '(') {
        s->name = word;
        s->name_bytes = bytes;
    } else {
        s->pointer = word;
        s->pointer_bytes = bytes;
    }
    return true;
}

// A later group wins (`attribute_macro(1, 2) name(int x)`) unless it is all capitals and follows a
// name already (`name(int x) NONNULL(1)`).
static void see_list(struct scanner *s)
{
    if (s->last != TOKEN_WORD || s->has_value || s->pointer || see_pointer(s))
        return;
    bool capitals = true;
    for (unsigned i = 0; i < s->word_bytes; i++)
        capitals &= !g_ascii_islower(s->word[i]);
    if (s->name && capitals)
        return;
    s->name = s->word;
    s->name_bytes = s->word_bytes;
    s->words_after_list = false;
}

static void see_variable(struct scanner *s)
{
    if (s->name || s->has_value || s->is_typedef || s->is_extern)
        return;
    if (!s->pointer && s->last != TOKEN_WORD)
        return;
    struct lex_definition definition = {.kind = LEX_VARIABLE,
                                        .name = s->pointer ? s->pointer : s->word,
                                        .name_bytes = s->pointer ? s->pointer_bytes : s->word_bytes,
                                        .is_static = s->is_static};
    s->pointer = NULL;
    g_array_append_val(s->result->definitions, definition);
}

static void see_word(struct scanner *s, const char *word, unsigned bytes)
{
    s->is_static |= word_is(word, bytes, "static");
    s->is_extern |= word_is(word, bytes, "extern");
    s->is_typedef |= word_is(word, bytes, "typedef");
    s->words_after_list |= s->name != NULL;
    if (takes_parentheses(word, bytes)) {
        see_variable(s); // `int x __attribute__((…));` was declared before its attributes
        s->last = TOKEN_OTHER;
        return;
    }
    s->word = word;
    s->word_bytes = bytes;
    s->last = TOKEN_WORD;
}

static void open_brace(struct scanner *s)
{
    if (s->braces == 0 && s->last == TOKEN_STRING && s->is_extern) {
        s->linkage_braces++;
        forget_declaration(s);
        return;
    }
    // A K&R body follows a semicolon at once; a struct after an annotated prototype does not.
    if (s->old_parameters && s->last != TOKEN_SEMICOLON)
        s->name = NULL;
    if (s->braces++ == 0 && s->name && !s->has_value && !s->is_typedef) {
        struct lex_definition definition = {.kind = LEX_FUNCTION,
                                            .name = s->name,
                                            .name_bytes = s->name_bytes,
                                            .line = line_of(s, s->name),
                                            .is_static = s->is_static,
                                            .extern_only = s->is_extern,
                                            .start = s->at + 1,
                                            .end = s->end,
                                            .first_word = s->result->words->len};
        s->open = (int)s->result->definitions->len;
        g_array_append_val(s->result->definitions, definition);
    }
}

static void close_brace(struct scanner *s)
{
    if (s->at == s->line_start)
        s->braces = MIN(s->braces, 1);
    if (s->braces == 0) {
        s->linkage_braces -= s->linkage_braces > 0;
        forget_declaration(s);
        return;
    }
    if (--s->braces > 0)
        return;
    if (s->open >= 0)
        end_body(s);
    s->last = TOKEN_CLOSE;
    s->parens = 0;
}

static void see_punctuation(struct scanner *s, char c)
{
    switch (c) {
    case '{':
        open_brace(s);
        return;
    case '}':
        close_brace(s);
        return;
    case '(':
        if (s->braces == 0 && s->parens++ == 0)
            see_list(s);
        return;
    case ')':
        if (s->braces == 0 && s->parens > 0) {
            s->parens--;
            if (s->parens == 0)
                s->last = TOKEN_CLOSE;
        }
        return;
    default:
        break;
    }
    if (s->braces || s->parens)
        return;
    if (c == ';') {
        see_variable(s);
        // `int f(a) int a; {`: words between the list and the semicolon may be K&R declarations.
        if (!s->name || !s->words_after_list)
            forget_declaration(s);
        s->old_parameters = s->name != NULL;
        s->last = TOKEN_SEMICOLON;
    } else if (c == '=' || c == '[' || c == ',') {
        see_variable(s);
        s->has_value = c != ',';
        s->last = TOKEN_OTHER;
    } else if (c == '*') {
        s->last = TOKEN_OTHER;
    }
}

static void scan_word(struct scanner *s)
{
    const char *word;
    unsigned bytes = take_word(s, &word);
    if (s->open >= 0) {
        uint64_t hash = lex_hash(word, bytes);
        g_array_append_val(s->result->words, hash);
        g_array_index(s->result->definitions, struct lex_definition, s->open).n_words++;
    } else if (s->braces > 0) {
        uint64_t hash = lex_hash(word, bytes);
        g_array_append_val(s->result->loose, hash);
    } else if (s->parens == 0) {
        see_word(s, word, bytes);
    }
}

void lex_scan(const char *text, size_t bytes, struct lex_result *result)
{
    init_classes();
    g_array_set_size(result->definitions, 0);
    g_array_set_size(result->includes, 0);
    g_array_set_size(result->conditionals, 0);
    g_array_set_size(result->words, 0);
    g_array_set_size(result->loose, 0);
    struct scanner s = {.at = text,
                        .end = text + bytes,
                        .line_start = text,
                        .counted = text,
                        .line = 1,
                        .result = result,
                        .open = -1};
    bool only_blanks = true; // since the start of the line
    while (s.at < s.end) {
        char c = *s.at;
        if (c == '\n') {
            s.line_start = ++s.at;
            only_blanks = true;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            s.at++;
        } else if (word_start(c)) {
            only_blanks = false;
            scan_word(&s);
        } else if (c == '#' && only_blanks) {
            read_directive(&s);
        } else if (skip_opaque(&s)) {
            if (c != '/' && s.braces == 0 && s.parens == 0)
                s.last = TOKEN_STRING;
        } else {
            only_blanks = false;
            see_punctuation(&s, c);
            s.at++;
            // 123abc is a number: its letters are no word.
            while (g_ascii_isdigit(c) && s.at < s.end && word_part(*s.at))
                s.at++;
        }
    }
}

bool lex_mentions(const char *text, size_t bytes, const char *name)
{
    size_t n = strlen(name);
    const char *at = text, *end = text + bytes;
    init_classes();
    while (n && bytes && (at = memmem(at, (size_t)(end - at), name, n))) {
        bool before = at > text && word_part(at[-1]);
        bool after = at + n < end && word_part(at[n]);
        if (!before && !after)
            return true;
        at += n;
    }
    return false;
}

uint64_t *lex_word_filter(const char *text, size_t bytes, size_t *n_bits)
{
    init_classes();
    *n_bits = 1024;
    while (*n_bits < bytes / 2)
        *n_bits *= 2;
    uint64_t *bits = g_new0(uint64_t, *n_bits / 64);
    const char *end = text + bytes;
    for (const char *at = text; at < end; at++) {
        const char *start = at;
        while (at < end && word_part(*at))
            at++;
        if (at == start)
            continue;
        size_t bit = lex_hash(start, (size_t)(at - start)) & (*n_bits - 1);
        bits[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    return bits;
}
