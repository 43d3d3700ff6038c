// The lexical index: what the scanner takes for a definition, how lock names spread through
// headers, which files are left to parse.
#include "lexindex.h"

#include <string.h>

#include "scratch.h"

static struct model_set *models;

// "function f, static function g, macro M(3), variable v" in order; macros and functions with the
// number of words in their bodies.
static char *definitions(const char *text)
{
    struct lex_result result;
    lex_result_init(&result);
    lex_scan(text, strlen(text), &result);
    GString *out = g_string_new(NULL);
    static const char *const kinds[] = {"function", "macro", "variable"};
    for (guint i = 0; i < result.definitions->len; i++) {
        const struct lex_definition *d =
            &g_array_index(result.definitions, struct lex_definition, i);
        g_string_append_printf(out, "%s%s%s %.*s", i ? ", " : "", d->is_static ? "static " : "",
                               kinds[d->kind], (int)d->name_bytes, d->name);
        if (d->kind != LEX_VARIABLE)
            g_string_append_printf(out, "(%u)", d->n_words);
    }
    lex_result_clear(&result);
    return g_string_free(out, FALSE);
}

static void check(const char *text, const char *expected)
{
    g_autofree char *found = definitions(text);
    g_assert_cmpstr(found, ==, expected);
}

static void test_functions(void)
{
    check("int f(void) { return g(1); }", "function f(2)");
    check("static inline int *f(int a)\n{\n}\nint g(int);\nint h(b)\nint b;\n{ x; }\n",
          "static function f(0), function h(1)");
    check("ATTR(1, 2) int f(int x) __attribute__((noinline)) { }", "function f(0)");
    check("int f(int x) NONNULL(1) { }", "function f(0)");
    check("struct s { int a; };\nenum e { A, B };\ntypedef struct { int b; } t;\nvoid f() {}",
          "function f(0)");
    check("extern \"C\" {\nint f() { a; }\n}\nint g() { b; }", "function f(1), function g(1)");
    check("void f(int) ATTR;\nstruct s { int f; };\nint g() {}", "function g(0)");
    check("int f(int (*cb)(int), char x[3]) { if (x) { y(); } }\nint z() {}",
          "function f(3), function z(0)");
}

static void test_variables(void)
{
    check("int a; static int b = 3, c; extern int d; int e[4] = {f, g}; struct s *p, q;",
          "variable a, static variable b, static variable c, variable e, variable p, variable q");
    check("int x __attribute__((aligned(8)));\nint y = (1 + z);", "variable x, variable y");
    check("typedef int t; int f(int a);", "");
    check("int (*hook)(void) = f; static void (* const table[2])(int) = {g}, *last; int (*p)[3];",
          "variable hook, static variable table, static variable last, variable p");
    check("int (*choose(int a))(void) { return b; }\nint (*declared(int a))(void);",
          "function choose(2)");
}

static void test_macros(void)
{
    check("#define A(x) b(x) \\\n  c /* d */ \"e\" 'f' // g\nint h;", "macro A(4), variable h");
    check("# define  B\n#define C 1u 0x2f\n", "macro B(0), macro C(0)");
    check("// #define D\n/* #define E */\nchar *s = \"\\\"#define F\";", "variable s");
}

// Braces that are opened twice under #if, by macros, or not at all.
static void test_drift(void)
{
    check("#if A\nint f(int a) {\n#else\nint f(void) {\n#endif\n x;\n}\nint g() { y; }",
          "function f(0), function f(1), function g(1)");
    check("int f() { BEGIN { x; }\n}\nint g() { y; }", "function f(2), function g(1)");
    check("int f() { if (a) { x;\n}\n}\nint g() { y; }", "function f(3), function g(1)");
    check("#if 0\nisn't a literal\n#endif\nint f() { x; }", "function f(1)");
}

static void test_any_bytes(void)
{
    static const char *const texts[] = {"",           "/*",        "\"",    "'",     "#",
                                        "#define",    "}}",        "(((",   "#if\\", "\\",
                                        "/",          "int f(",    "{",     "f(){",  "#include",
                                        "#include <", "\xff\xfe{", "#endif"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(definitions(texts[i]));
    // No byte decides about memory past the end: every prefix of a text is scanned on its own.
    const char *text = "#define A(x) \\\n b\n/* c */ int f(int a) { return \"d\" + 'e'; } // g\n";
    for (size_t n = 0; n <= strlen(text); n++) {
        g_autofree char *copy = g_memdup2(text, n + (n == 0));
        struct lex_result result;
        lex_result_init(&result);
        lex_scan(copy, n, &result);
        lex_result_clear(&result);
    }
}

static void check_switched(const char *text, unsigned line, const char *expected)
{
    g_autofree char *changed = lex_switch_on(text, strlen(text), &line, 1);
    g_assert_cmpstr(changed, ==, expected);
}

static void test_switch_on(void)
{
    check_switched("int f() { }\n", 1, NULL);
    check_switched("#if A && \\\n B\nint f() {\n}\n#endif\n", 3, "#if 1\n\nint f() {\n}\n#endif\n");
    check_switched("#ifdef A\nint f() { }\n#elif B // c\nint f() { }\n#else\nint f() { }\n"
                   "#endif\nint g;\n",
                   4,
                   "#if 0\nint f() { }\n#elif 1\nint f() { }\n#else\nint f() { }\n"
                   "#endif\nint g;\n");
    check_switched("#if A\n#if B\nint x;\n#endif\n# if C\n#else\nint f() { }\n#endif\n#endif\n", 7,
                   "#if 1\n#if B\nint x;\n#endif\n#if 0\n#else\nint f() { }\n#endif\n#endif\n");
    check_switched("#else\n#endif\n#if A\nint f() { }\n", 4, "#else\n#endif\n#if 1\nint f() { }\n");
}

static void test_mentions(void)
{
    const char *text = "int f(void) { return take_lock(a); }";
    g_assert_true(lex_mentions(text, strlen(text), "take_lock"));
    g_assert_false(lex_mentions(text, strlen(text), "take"));
    g_assert_false(lex_mentions(text, strlen(text), "lock"));
    g_assert_true(lex_mentions(text, strlen(text), "int"));
    g_assert_false(lex_mentions(text, strlen(text), ""));
    g_assert_false(lex_mentions(text, 3, "intx"));
}

// ---- Over a tree

struct tree {
    char *dir;
    struct compdb *db;
    struct lexindex *index;
};

static struct tree tree_scan(char *dir, unsigned jobs)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *include = g_strconcat("-I", dir, "/include", NULL);
    const char *paths[] = {dir, NULL}, *args[] = {include, NULL};
    struct scan_options options = {.paths = paths, .clang_args = args};
    struct tree tree = {.dir = dir, .db = compdb_load(&options, &error)};
    g_assert_no_error(error);
    tree.index = lexindex_build(tree.db, models, jobs);
    return tree;
}

static void tree_clear(struct tree *tree)
{
    lexindex_free(tree->index);
    compdb_free(tree->db);
    scratch_free(tree->dir);
}

static char *candidate_names(const struct tree *tree)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < tree->index->candidates->len; i++) {
        unsigned at = g_array_index(tree->index->candidates, unsigned, i);
        const struct compdb_entry *entry = tree->db->entries->pdata[at];
        g_string_append_printf(out, "%s%s", i ? " " : "", entry->name);
    }
    return g_string_free(out, FALSE);
}

static void write_tree(const char *dir)
{
    g_free(scratch_write(dir, "include/spin.h",
                         "#define SpinLockAcquire(l) S_LOCK(l)\n"
                         "#define S_LOCK(l) (TAS(l) ? s_lock(l) : 0)\n"));
    g_free(scratch_write(dir, "include/pool.h",
                         "#include \"spin.h\"\n"
                         "#define POOL_ENTER(p) \\\n    SpinLockAcquire(&(p)->lock)\n"
                         "static inline int pool_take(struct pool *p)\n"
                         "{ POOL_ENTER(p); return p->head; }\n"
                         "static inline int pool_size(struct pool *p) { return p->size; }\n"));
    g_free(scratch_write(dir, "direct.c",
                         "#include <spin.h>\nvoid f(int *l)\n"
                         "{ SpinLockAcquire(l); }\nvoid g(void) {}\n"));
    g_free(scratch_write(dir, "wrapped.c",
                         "#include \"include/pool.h\"\nint h(struct pool *p)\n"
                         "{ return pool_take(p); }\nint counter; static int hidden;\n"));
    g_free(scratch_write(dir, "own.c",
                         "#define MINE(x) pthread_spin_lock(x)\n"
                         "void i(int *x) { MINE(x); }\nvoid j(void) { i(0); }\n"));
    g_free(scratch_write(dir, "plain.c",
                         "#include <pool.h>\n/* SpinLockAcquire */ char *s = \"S_LOCK\";\n"
                         "int k(struct pool *p) { return pool_size(p); }\n"
                         "static void f(void) {}\n"));
}

static void check_tree(unsigned jobs)
{
    char *dir = scratch_new();
    write_tree(dir);
    struct tree tree = tree_scan(dir, jobs);
    g_autofree char *names = candidate_names(&tree);
    g_assert_cmpstr(names, ==, "direct.c own.c wrapped.c");

    const char *const *locks = (const char *const *)tree.index->lock_names->pdata;
    g_assert_true(g_strv_contains(locks, "POOL_ENTER"));
    g_assert_true(g_strv_contains(locks, "pool_take"));
    g_assert_false(g_strv_contains(locks, "pool_size"));
    g_assert_false(g_strv_contains(locks, "SpinLockAcquire"));

    const struct lex_roots *roots = g_hash_table_lookup(tree.index->roots, GUINT_TO_POINTER(0));
    g_assert_cmpuint(g_strv_length(roots->names), ==, 1);
    g_assert_cmpstr(roots->names[0], ==, "f");
    g_assert_cmpuint(roots->lines[0], ==, 2);

    g_assert_cmpuint(tree.index->macro_files->len, ==, 1);
    g_assert_true(g_str_has_suffix(tree.index->macro_files->pdata[0], "/include/spin.h"));

    // entries by name: direct.c own.c plain.c wrapped.c
    g_assert_cmpuint(GPOINTER_TO_UINT(g_hash_table_lookup(tree.index->functions, "f")), ==, 1);
    g_assert_cmpuint(GPOINTER_TO_UINT(g_hash_table_lookup(tree.index->functions, "k")), ==, 3);
    g_assert_null(g_hash_table_lookup(tree.index->functions, "nobody"));
    g_assert_cmpuint(GPOINTER_TO_UINT(g_hash_table_lookup(tree.index->variables, "counter")), ==,
                     4);
    g_assert_null(g_hash_table_lookup(tree.index->variables, "hidden"));

    g_autoptr(GArray) mentions = lexindex_mentions(tree.index, "pool_size");
    g_assert_cmpuint(mentions->len, ==, 1);
    g_assert_cmpuint(g_array_index(mentions, unsigned, 0), ==, 2);
    tree_clear(&tree);
}

static void test_tree(void)
{
    check_tree(1);
}

static void test_tree_in_parallel(void)
{
    check_tree(3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    models = model_set_load(NULL, &error);
    g_assert_no_error(error);
    g_test_add_func("/lexindex/functions", test_functions);
    g_test_add_func("/lexindex/variables", test_variables);
    g_test_add_func("/lexindex/macros", test_macros);
    g_test_add_func("/lexindex/drift", test_drift);
    g_test_add_func("/lexindex/any-bytes", test_any_bytes);
    g_test_add_func("/lexindex/switch-on", test_switch_on);
    g_test_add_func("/lexindex/mentions", test_mentions);
    g_test_add_func("/lexindex/tree", test_tree);
    g_test_add_func("/lexindex/tree-in-parallel", test_tree_in_parallel);
    int result = g_test_run();
    model_set_free(models);
    return result;
}
