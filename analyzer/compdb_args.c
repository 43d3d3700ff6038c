// Compiler arguments, cut down to what a front end cares about. The rule is to keep what is known
// to matter: macros, include paths, language, target. Options that only some other compiler has are
// left out and counted, so that the scan can say so.
#include <string.h>

#include "compdb.h"

#define RESPONSE_DEPTH 8

enum argument_form {
    ALONE,  // -std=c11, -m64: the whole word, or a prefix of it
    JOINED, // the value follows at once or as the next word: -DX, -D X
    NEXT,   // the value is the next word: -include file
};

struct argument_rule {
    const char *text;
    enum argument_form form;
    bool prefix; // ALONE: matches what starts with it
    bool keep;
};

static const struct argument_rule rules[] = {
    // what is read and how
    {"-D", JOINED, false, true},
    {"-U", JOINED, false, true},
    {"-I", JOINED, false, true},
    {"-include", NEXT, false, true},
    {"-imacros", NEXT, false, true},
    {"-iquote", JOINED, false, true},
    {"-isystem", JOINED, false, true},
    {"-idirafter", JOINED, false, true},
    {"-iprefix", JOINED, false, true},
    {"-iwithprefixbefore", JOINED, false, true},
    {"-iwithprefix", JOINED, false, true},
    {"-isysroot", JOINED, false, true},
    {"--sysroot=", ALONE, true, true},
    {"--sysroot", NEXT, false, true},
    {"-nostdinc", ALONE, false, true},
    {"-undef", ALONE, false, true},
    {"-std=", ALONE, true, true},
    {"-ansi", ALONE, false, true},
    {"-trigraphs", ALONE, false, true},
    {"-pthread", ALONE, false, true},
    {"-fopenmp", ALONE, true, true},
    {"-O", ALONE, true, true},
    // the target
    {"-target", NEXT, false, true},
    {"--target=", ALONE, true, true},
    {"-m16", ALONE, false, true},
    {"-m32", ALONE, false, true},
    {"-m64", ALONE, false, true},
    {"-mx32", ALONE, false, true},
    {"-march=", ALONE, true, true},
    {"-mcpu=", ALONE, true, true},
    {"-mabi=", ALONE, true, true},
    {"-mfpu=", ALONE, true, true},
    {"-mfloat-abi=", ALONE, true, true},
    {"-mgeneral-regs-only", ALONE, false, true},
    {"-msse", ALONE, true, true},
    {"-mno-sse", ALONE, true, true},
    {"-mavx", ALONE, true, true},
    {"-mno-avx", ALONE, true, true},
    {"-mmmx", ALONE, false, true},
    {"-mno-mmx", ALONE, false, true},
    {"-mpopcnt", ALONE, false, true},
    {"-mcrc32", ALONE, false, true},
    {"-maes", ALONE, false, true},
    {"-mbmi", ALONE, true, true},
    {"-mcx16", ALONE, false, true},
    {"-mrtm", ALONE, false, true},
    {"-mpclmul", ALONE, false, true},
    {"-mssse3", ALONE, false, true},
    // the language
    {"-funsigned-char", ALONE, false, true},
    {"-fsigned-char", ALONE, false, true},
    {"-fshort-wchar", ALONE, false, true},
    {"-fshort-enums", ALONE, false, true},
    {"-fms-extensions", ALONE, false, true},
    {"-fgnu89-inline", ALONE, false, true},
    {"-ffreestanding", ALONE, false, true},
    {"-fno-builtin", ALONE, true, true},
    {"-fblocks", ALONE, false, true},
    {"-fpack-struct", ALONE, true, true},
    {"-fPIC", ALONE, false, true},
    {"-fpic", ALONE, false, true},
    {"-fPIE", ALONE, false, true},
    {"-fpie", ALONE, false, true},
    // output, dependencies, linking: nothing to us
    {"-o", JOINED, false, false},
    {"-MF", JOINED, false, false},
    {"-MT", JOINED, false, false},
    {"-MQ", JOINED, false, false},
    {"-MJ", JOINED, false, false},
    {"-L", JOINED, false, false},
    {"-l", JOINED, false, false},
    {"-Xlinker", NEXT, false, false},
    {"-Xassembler", NEXT, false, false},
    {"-Xclang", NEXT, false, false},
    {"-mllvm", NEXT, false, false},
    {"--param", NEXT, false, false},
    {"-aux-info", NEXT, false, false},
    {"-dumpbase", NEXT, false, false},
    {"-dumpdir", NEXT, false, false},
    {"-arch", NEXT, false, false},
};

// Options that clang has as well or that say nothing about the language: left out in silence.
static const char *const silent[] = {
    "-c", "-S", "-E", "-M",    "-W",     "-g",      "-f",      "-p",        "-s",
    "-v", "-Q", "-r", "-ggdb", "-nostd", "-static", "-shared", "-rdynamic", "-save-temps",
    "-C", "-H", "-w", "-#",    "-T",     "-z",      "-u",      "--",
};

// Options of gcc alone that change what the code means or how it is laid out: worth a note.
static const char *const gcc_only[] = {
    "-fplugin",
    "-fconserve-stack",
    "-fno-allow-store-data-races",
    "-fplan9-extensions",
    "-fpack-struct",
    "-fsso-struct",
    "-mindirect-branch",
    "-mfunction-return",
    "-mpreferred-stack",
    "-fno-var-tracking",
    "-fvar-tracking",
    "-fipa",
    "-fno-ipa",
    "-fmin-function-alignment",
    "-fno-tree",
    "-ftree",
    "-fcallgraph",
    "-fno-reorder",
    "-freorder",
    "-fno-partial-inlining",
    "-fno-stack-clash",
    "-fzero-call-used",
    "-fcondition-coverage",
    "-flive-patching",
    "-frename",
    "-fno-gcse",
    "-fgcse",
    "-fsched",
    "-fno-sched",
    "-fno-dce",
    "-fwhole-program",
    "-fuse-linker",
    "-fexcess-precision",
    "-fno-cse",
    "-fconserve",
    "-fdump",
    "-fopt-info",
    "-fgraphite",
};

static bool starts_with_any(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (g_str_has_prefix(word, list[i]))
            return true;
    }
    return false;
}

static const struct argument_rule *find_rule(const char *word)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        const struct argument_rule *rule = &rules[i];
        bool match = rule->form == JOINED || rule->prefix ? g_str_has_prefix(word, rule->text)
                                                          : strcmp(word, rule->text) == 0;
        if (match)
            return rule;
    }
    return NULL;
}

struct cleaning {
    GStrvBuilder *kept;
    const char *directory;
    struct compdb_dropped *dropped;
    bool says_c, other_language; // by -x
    bool take_next;              // the next word belongs to the option before it
    bool keep_next;              // and is kept
    bool language_next;          // and is the value of -x
};

static void note_dropped(struct cleaning *cleaning, const char *word)
{
    if (!cleaning->dropped)
        return;
    size_t n = strcspn(word, "=");
    g_autofree char *option = g_strndup(word, n);
    guint count = GPOINTER_TO_UINT(g_hash_table_lookup(cleaning->dropped->options, option));
    g_hash_table_insert(cleaning->dropped->options, g_steal_pointer(&option),
                        GUINT_TO_POINTER(count + 1));
}

static void clean_language(struct cleaning *cleaning, const char *language)
{
    static const char *const c[] = {"c", "cpp-output", "c-header", "none"};
    bool known = false;
    for (size_t i = 0; i < G_N_ELEMENTS(c); i++)
        known |= strcmp(language, c[i]) == 0;
    cleaning->other_language |= !known;
    cleaning->says_c |= known && strcmp(language, "none") != 0;
}

static void clean_word(struct cleaning *cleaning, const char *word);

// -Wp,-DX=1,-MMD,file: what is handed to the preprocessor. A list for dependencies ends it.
static void clean_preprocessor_list(struct cleaning *cleaning, const char *list)
{
    g_auto(GStrv) words = g_strsplit(list, ",", -1);
    for (char **word = words; *word && !g_str_has_prefix(*word, "-M"); word++)
        clean_word(cleaning, *word);
}

static void clean_option(struct cleaning *cleaning, const char *word)
{
    const struct argument_rule *rule = find_rule(word);
    if (g_str_has_prefix(word, "-Wp,")) {
        clean_preprocessor_list(cleaning, word + strlen("-Wp,"));
    } else if (g_str_has_prefix(word, "-x")) {
        if (word[2])
            clean_language(cleaning, word + 2);
        else
            cleaning->take_next = cleaning->language_next = true;
    } else if (rule) {
        if (rule->keep)
            g_strv_builder_add(cleaning->kept, word);
        if (rule->form == NEXT || (rule->form == JOINED && strcmp(word, rule->text) == 0)) {
            cleaning->take_next = true;
            cleaning->keep_next = rule->keep;
        }
    } else if (starts_with_any(word, gcc_only, G_N_ELEMENTS(gcc_only)) ||
               !starts_with_any(word, silent, G_N_ELEMENTS(silent))) {
        note_dropped(cleaning, word);
    }
}

static void clean_word(struct cleaning *cleaning, const char *word)
{
    if (cleaning->take_next) {
        if (cleaning->language_next)
            clean_language(cleaning, word);
        else if (cleaning->keep_next)
            g_strv_builder_add(cleaning->kept, word);
        cleaning->take_next = cleaning->keep_next = cleaning->language_next = false;
    } else if (word[0] == '-' && word[1]) {
        clean_option(cleaning, word);
    }
    // Anything else is an input: ours, or another that is not our business.
}

static void clean_words(struct cleaning *cleaning, char *const *words, unsigned depth)
{
    for (; *words; words++) {
        g_autofree char *text = NULL;
        g_auto(GStrv) response = NULL;
        if ((*words)[0] != '@' || depth >= RESPONSE_DEPTH) {
            clean_word(cleaning, *words);
            continue;
        }
        g_autofree char *path = g_canonicalize_filename(*words + 1, cleaning->directory);
        if (g_file_get_contents(path, &text, NULL, NULL) &&
            g_shell_parse_argv(text, NULL, &response, NULL))
            clean_words(cleaning, response, depth + 1);
        else
            note_dropped(cleaning, *words);
    }
}

static bool file_is_c(const char *file)
{
    return g_str_has_suffix(file, ".c") || g_str_has_suffix(file, ".i") ||
           g_str_has_suffix(file, ".h");
}

char **compdb_clean(char *const *argv, const char *file, const char *directory,
                    struct compdb_dropped *dropped)
{
    g_autoptr(GStrvBuilder) kept = g_strv_builder_new();
    struct cleaning cleaning = {.kept = kept, .directory = directory, .dropped = dropped};
    // The compiler, maybe behind ccache or distcc: words before the first option are skipped as
    // inputs are.
    clean_words(&cleaning, argv + 1, 0);
    if (cleaning.other_language || !(cleaning.says_c || file_is_c(file))) {
        if (dropped)
            dropped->other_languages++;
        return NULL;
    }
    return g_strv_builder_end(kept);
}
