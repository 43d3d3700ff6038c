#include "stub_words.h"

#include <string.h>

enum token_kind { TOKEN_BREAK, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCTUATION };

struct token {
    enum token_kind kind;
    const char *at;
    unsigned bytes, line;
    bool first; // in its line, at its very beginning
};

struct scanning {
    struct stub_words *result;
    GArray *tokens; // struct token
};

// ---- Tokens

struct lexer {
    GArray *tokens;
    const char *at, *end;
    unsigned line;
    bool line_start;
};

static void add(struct lexer *lexer, enum token_kind kind, const char *from, bool first)
{
    struct token token = {kind, from, (unsigned)(lexer->at - from), lexer->line, first};
    g_array_append_val(lexer->tokens, token);
}

static void skip_literal(struct lexer *lexer, char quote)
{
    for (lexer->at++; lexer->at < lexer->end && *lexer->at != quote; lexer->at++) {
        if (*lexer->at == '\n')
            return; // not closed
        if (*lexer->at == '\\' && lexer->at + 1 < lexer->end)
            lexer->at++;
    }
    if (lexer->at < lexer->end)
        lexer->at++;
}

static void skip_comment(struct lexer *lexer)
{
    for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
        if (*lexer->at == '\n')
            lexer->line++;
        if (*lexer->at == '/' && lexer->at[-1] == '*')
            break;
    }
    if (lexer->at < lexer->end)
        lexer->at++;
}

static void skip_line(struct lexer *lexer)
{
    for (; lexer->at < lexer->end && *lexer->at != '\n'; lexer->at++) {
        if (*lexer->at == '\\' && lexer->at + 1 < lexer->end && lexer->at[1] == '\n') {
            lexer->line++;
            lexer->at++;
        }
    }
}

// A directive ends what went before. What a macro stands for is read like any other text.
static void directive(struct lexer *lexer)
{
    const char *hash = lexer->at++;
    lexer->at = hash;
    add(lexer, TOKEN_BREAK, hash, true);
    const char *word = hash + 1;
    while (word < lexer->end && (*word == ' ' || *word == '\t'))
        word++;
    if (lexer->end - word > 6 && memcmp(word, "define", 6) == 0) {
        lexer->at = word + 6;
        while (lexer->at < lexer->end && (*lexer->at == ' ' || *lexer->at == '\t'))
            lexer->at++;
        while (lexer->at < lexer->end && (g_ascii_isalnum(*lexer->at) || *lexer->at == '_'))
            lexer->at++;
    } else {
        skip_line(lexer);
    }
}

static bool two(const struct lexer *lexer, const char *text)
{
    return lexer->end - lexer->at >= 2 && memcmp(lexer->at, text, 2) == 0;
}

static void punctuation(struct lexer *lexer, const char *from)
{
    static const char *const pairs[] = {"->", "++", "--", "==", "!=", "<=", ">=",
                                        "&&", "||", "<<", ">>", "+=", "-="};
    unsigned length = 1;
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (two(lexer, pairs[i]))
            length = 2;
    }
    if (two(lexer, "..") && lexer->end - lexer->at >= 3 && lexer->at[2] == '.')
        length = 3;
    lexer->at += length;
    add(lexer, TOKEN_PUNCTUATION, from, false);
}

static void lex_one(struct lexer *lexer)
{
    const char *from = lexer->at;
    bool first = lexer->line_start;
    lexer->line_start = false;
    if (g_ascii_isalpha(*from) || *from == '_') {
        while (lexer->at < lexer->end && (g_ascii_isalnum(*lexer->at) || *lexer->at == '_'))
            lexer->at++;
        add(lexer, TOKEN_WORD, from, first);
    } else if (g_ascii_isdigit(*from)) {
        while (lexer->at < lexer->end && (g_ascii_isalnum(*lexer->at) || *lexer->at == '.'))
            lexer->at++;
        add(lexer, TOKEN_NUMBER, from, first);
    } else if (*from == '"' || *from == '\'') {
        skip_literal(lexer, *from);
        add(lexer, *from == '"' ? TOKEN_STRING : TOKEN_NUMBER, from, first);
    } else if (two(lexer, "/*")) {
        skip_comment(lexer);
    } else if (two(lexer, "//")) {
        skip_line(lexer);
    } else {
        punctuation(lexer, from);
    }
}

static GArray *tokens_of(const char *text, size_t bytes)
{
    struct lexer lexer = {g_array_new(FALSE, FALSE, sizeof(struct token)), text, text + bytes, 1,
                          true};
    bool blank = true; // nothing but blanks in this line so far
    while (lexer.at < lexer.end) {
        char c = *lexer.at;
        if (c == '\n') {
            lexer.line++;
            lexer.at++;
            lexer.line_start = blank = true;
        } else if (g_ascii_isspace(c) || c == '\\') {
            lexer.at++;
            lexer.line_start = false;
        } else if (c == '#' && blank) {
            directive(&lexer);
            blank = false;
        } else {
            lex_one(&lexer);
            blank = false;
        }
    }
    for (unsigned i = 0; i < 4; i++) // looked ahead at
        add(&lexer, TOKEN_BREAK, lexer.at, true);
    return lexer.tokens;
}

// ---- Evidence

static const struct token *token_at(const struct scanning *s, guint i)
{
    static const struct token none = {TOKEN_BREAK, "", 0, 0, true};
    return i < s->tokens->len ? &g_array_index(s->tokens, struct token, i) : &none;
}

static bool is(const struct token *token, const char *text)
{
    return token->kind != TOKEN_BREAK && token->bytes == strlen(text) &&
           memcmp(token->at, text, token->bytes) == 0;
}

static bool is_any(const struct token *token, const char *const *texts)
{
    for (; *texts; texts++) {
        if (is(token, *texts))
            return true;
    }
    return false;
}

static const char *const type_words[] = {"void",       "char",   "short",    "int",      "long",
                                         "float",      "double", "const",    "struct",   "union",
                                         "enum",       "signed", "unsigned", "volatile", "_Bool",
                                         "bool",       "static", "extern",   "inline",   "__inline",
                                         "__inline__", NULL};
static const char *const other_keywords[] = {
    "return",  "if",         "else",          "for",      "while",    "do",
    "switch",  "case",       "break",         "goto",     "continue", "sizeof",
    "default", "typeof",     "__attribute__", "register", "typedef",  "asm",
    "__asm__", "__typeof__", "defined",       "auto",     NULL};

static bool is_name(const struct token *token)
{
    return token->kind == TOKEN_WORD && !is_any(token, type_words) &&
           !is_any(token, other_keywords);
}

static struct stub_word *word_in(GHashTable *table, GPtrArray *order, const struct token *token)
{
    g_autofree char *name = g_strndup(token->at, token->bytes);
    struct stub_word *word = g_hash_table_lookup(table, name);
    if (word)
        return word;
    word = g_new0(struct stub_word, 1);
    word->name = g_steal_pointer(&name);
    word->values = g_ptr_array_new();
    word->pointers = g_ptr_array_new();
    word->calls = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_hash_table_insert(table, word->name, word);
    if (order)
        g_ptr_array_add(order, word);
    return word;
}

static struct stub_word *word_of(struct scanning *s, const struct token *token)
{
    return word_in(s->result->words, NULL, token);
}

// After the `)` that closes the `(` at `i`.
static guint after_parentheses(const struct scanning *s, guint i)
{
    unsigned depth = 0;
    for (; i < s->tokens->len; i++) {
        const struct token *token = token_at(s, i);
        if (token->kind == TOKEN_BREAK)
            return i;
        if (is(token, "("))
            depth++;
        else if (is(token, ")") && --depth == 0)
            return i + 1;
    }
    return i;
}

static guint skip_stars(const struct scanning *s, guint i)
{
    while (is(token_at(s, i), "*") || is(token_at(s, i), "const") || is(token_at(s, i), "volatile"))
        i++;
    return i;
}

static bool starts_declaration(const struct token *before)
{
    static const char *const starts[] = {"{", "}", ";", "(", ",", ")", ":", NULL};
    return before->kind == TOKEN_BREAK || is_any(before, starts) || is_any(before, type_words) ||
           is(before, "register") || is(before, "typedef");
}

// `name x`, `name *x`: what follows x must follow a declared name.
static void look_for_declaration(struct scanning *s, struct stub_word *word, guint i)
{
    static const char *const ends[] = {"=", ";", ",", ")", "[", "(", ":", NULL};
    const struct token *before = token_at(s, i - 1);
    guint next = skip_stars(s, i + 1);
    bool star = false;
    for (guint k = i + 1; k < next; k++)
        star |= is(token_at(s, k), "*");
    const struct token *declared = token_at(s, next), *after = token_at(s, next + 1);
    if (!is_name(declared) || is(before, "struct") || is(before, "union") || is(before, "enum"))
        return;
    if (!star && token_at(s, i + 1)->kind == TOKEN_WORD &&
        (after->kind == TOKEN_WORD || is(after, "*")) && before->kind != TOKEN_PUNCTUATION) {
        word->uses |= STUB_ATTRIBUTE;
        return;
    }
    if (!is_any(after, ends) || (star && !starts_declaration(before)))
        return;
    // `f(a * b)` is a product; `f(A *b)` at the beginning of a line declares.
    if (star && (is(before, "(") || is(before, ",")) && is(after, "(") == false &&
        !is(after, ")") && !is(after, ",") && !is(after, "["))
        return;
    if (star && is(before, ")"))
        return;
    word->uses |= star ? STUB_TYPE_STAR : STUB_TYPE;
    struct stub_word *variable = word_of(s, declared);
    if (!is(after, "("))
        g_ptr_array_add(star ? word->pointers : word->values, variable->name);
}

// `(name)x`, `(name *)x`, and a type as an argument: `va_arg(list, name *)`.
static void look_for_cast(struct scanning *s, struct stub_word *word, guint i)
{
    const struct token *before = token_at(s, i - 1), *one_more = token_at(s, i - 2);
    guint next = skip_stars(s, i + 1);
    if (!is(token_at(s, next), ")"))
        return;
    const struct token *after = token_at(s, next + 1);
    if (next > i + 1 && (is(before, "(") || is(before, ",") || is(before, "const"))) {
        word->uses |= STUB_TYPE_STAR;
    } else if (next == i + 1 && is(before, "(") && one_more->kind != TOKEN_WORD &&
               !is(one_more, ")") && !is(one_more, "]") &&
               (after->kind == TOKEN_WORD || after->kind == TOKEN_NUMBER || is(after, "("))) {
        word->uses |= STUB_TYPE;
    }
}

static void add_call(struct scanning *s, const struct stub_word *word, enum stub_form form, guint i,
                     guint last)
{
    struct stub_call call = {word, form, token_at(s, i)->line, token_at(s, last)->line};
    g_array_append_val(s->result->calls, call);
}

static bool has_type_argument(const struct scanning *s, guint from, guint to)
{
    for (guint i = from; i < to; i++) {
        bool tag = is(token_at(s, i), "struct") || is(token_at(s, i), "union");
        guint after = skip_stars(s, i + 2);
        if (tag &&
            (is(token_at(s, after), ",") || (is(token_at(s, after), ")") && after + 1 == to)))
            return true;
        if (is(token_at(s, i), "*") &&
            (is(token_at(s, i + 1), ",") || (is(token_at(s, i + 1), ")") && i + 2 == to)))
            return true;
    }
    return false;
}

static void look_at_call(struct scanning *s, struct stub_word *word, guint i)
{
    static const char *const starts[] = {";", "{", "}", ")", ":", NULL};
    const struct token *before = token_at(s, i - 1);
    guint after = after_parentheses(s, i + 1);
    const struct token *next = token_at(s, after);
    word->uses |= STUB_CALL;
    g_array_append_val(word->calls, token_at(s, i)->line);
    if (is_name(next) && is(token_at(s, after + 1), "(") && before->kind == TOKEN_WORD)
        add_call(s, word, STUB_BEFORE, i, after);
    else if (is(before, ")") && (is(next, ";") || is(next, "{")))
        add_call(s, word, STUB_AFTER, i, after);
    if (is(next, "*") && is_name(token_at(s, skip_stars(s, after))) && starts_declaration(before))
        add_call(s, word, STUB_TYPE_OF, i, after);
    else if (is(next, "->") || is(next, "["))
        add_call(s, word, STUB_RESULT, i, after);
    else if (is(next, "{") && !token_at(s, i)->first &&
             (is_any(before, starts) || is(before, "else")))
        add_call(s, word, STUB_LOOP, i, after);
    else if (has_type_argument(s, i + 2, after))
        add_call(s, word, STUB_TYPE_ARG, i, after);
}

static void look_at_neighbours(struct stub_word *word, struct scanning *s, guint i)
{
    static const char *const values[] = {"(",      ",",  "=",  ";", "{", "}", "&&", "||", "!",
                                         "return", "==", "!=", "+", "-", "?", ":",  NULL};
    static const char *const sets[] = {"=", "++", "--", "+=", "-=", NULL};
    const struct token *before = token_at(s, i - 1), *after = token_at(s, i + 1);
    if (is(after, "->"))
        word->uses |= STUB_ARROW;
    if (is(after, "."))
        word->uses |= STUB_DOT;
    if (is(after, "[") && before->kind == TOKEN_PUNCTUATION && !is(before, "*"))
        word->uses |= STUB_INDEX;
    if (is_any(after, sets) || (is(before, "&") && is_any(token_at(s, i - 2), values)) ||
        is(before, "++") || is(before, "--"))
        word->uses |= STUB_SET;
    if (is(before, "*") && is_any(token_at(s, i - 2), values))
        word->uses |= STUB_STAR;
    if (is(before, "case"))
        word->uses |= STUB_CASE;
    if (is(before, "...") || (is(before, "[") && is(after, "]") &&
                              (is(token_at(s, i - 2), "]") || is(token_at(s, i + 2), "["))))
        word->uses |= STUB_MATRIX;
    if (before->kind == TOKEN_STRING || (after->kind == TOKEN_STRING && !is(before, "case"))) {
        word->uses |= STUB_TEXT;
        add_call(s, word, STUB_BESIDE, i, i);
    }
}

static void look_at_word(struct scanning *s, guint i)
{
    const struct token *token = token_at(s, i), *before = token_at(s, i - 1);
    const struct token *after = token_at(s, i + 1);
    if (is(before, ".") || is(before, "->")) {
        struct stub_word *member = word_in(s->result->members, s->result->order, token);
        if (is(after, "("))
            member->uses |= STUB_CALL;
        look_at_neighbours(member, s, i);
        return;
    }
    if (is(before, "struct") || is(before, "union") || is(before, "enum") || is(before, "goto"))
        return;
    struct stub_word *word = word_of(s, token);
    look_at_neighbours(word, s, i);
    if (is(after, "("))
        look_at_call(s, word, i);
    if (is_any(after, type_words) && !is(before, "*"))
        word->uses |= STUB_ATTRIBUTE;
    if ((before->kind == TOKEN_WORD || is(before, "*")) && is_name(after) &&
        is(token_at(s, i + 2), "("))
        add_call(s, word, STUB_MIDDLE, i, i + 1);
    look_for_declaration(s, word, i);
    look_for_cast(s, word, i);
}

static void word_free(gpointer data)
{
    struct stub_word *word = data;
    g_free(word->name);
    g_ptr_array_unref(word->values);
    g_ptr_array_unref(word->pointers);
    g_array_unref(word->calls);
    g_free(word);
}

struct stub_words *stub_words_scan(const char *text, size_t bytes)
{
    struct stub_words *words = g_new0(struct stub_words, 1);
    words->words = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, word_free);
    words->members = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, word_free);
    words->order = g_ptr_array_new();
    words->calls = g_array_new(FALSE, FALSE, sizeof(struct stub_call));
    struct scanning s = {words, tokens_of(text, bytes)};
    for (guint i = 0; i < s.tokens->len; i++) {
        if (is_name(token_at(&s, i)))
            look_at_word(&s, i);
    }
    g_array_unref(s.tokens);
    return words;
}

void stub_words_free(struct stub_words *words)
{
    if (!words)
        return;
    g_hash_table_unref(words->words);
    g_hash_table_unref(words->members);
    g_ptr_array_unref(words->order);
    g_array_unref(words->calls);
    g_free(words);
}

const struct stub_word *stub_word_find(const struct stub_words *words, const char *name)
{
    return g_hash_table_lookup(words->words, name);
}
