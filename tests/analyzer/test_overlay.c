// Overlays: macros that are lock operations become calls of markers, wherever and however they are
// defined and used, and no line moves.
#include "overlay.h"

#include <string.h>

#include "front.h"
#include "scratch.h"

static struct model_set *models;

static unsigned id_of(const char *name)
{
    const struct model_lock_op *op = model_find_lock_op(models, name);
    g_assert_nonnull(op);
    return op->id;
}

static void check_text(const char *text, const char *format)
{
    g_autofree char *changed = overlay_text(text, strlen(text), models, NULL);
    if (!format) {
        g_assert_null(changed);
        return;
    }
    GString *expected = g_string_new(format);
    static const char *const names[] = {"SpinLockAcquire", "SpinLockRelease", "TAS"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *from = g_strdup_printf("<%s>", names[i]);
        g_autofree char *to = g_strdup_printf("%u", id_of(names[i]));
        g_string_replace(expected, from, to, 0);
    }
    g_assert_cmpstr(changed, ==, expected->str);
    g_string_free(expected, TRUE);
}

static void test_replacements(void)
{
    check_text("#define SpinLockAcquire(lock) S_LOCK(lock)\nint x;\n",
               "#define SpinLockAcquire(lock) __spinfault_op_<SpinLockAcquire>((lock))\nint x;\n");
    // several definitions, under #if, odd spacing
    check_text("#if A\n#  define\tTAS( l ) tas(l)\n#else\n# define TAS(x) (*(x) ? 1 : 0)\n#endif\n",
               "#if A\n#  define\tTAS( l ) __spinfault_op_<TAS>((l))\n#else\n"
               "# define TAS(x) __spinfault_op_<TAS>((x))\n#endif\n");
    // continued lines, a comment over two lines
    check_text("#define SpinLockRelease(lock) \\\n\tdo { \\\n\t\t*(lock) = 0; /* a\n b */ \\\n"
               "\t} while (0)\nafter\n",
               "#define SpinLockRelease(lock) __spinfault_op_<SpinLockRelease>((lock)) \\\n \\\n"
               " \\\n \\\n\nafter\n");
    // parameters over two lines
    check_text("#define TAS(\\\n lock) 1\n",
               "#define TAS(\\\n lock) __spinfault_op_<TAS>((lock))\n");
    // an alias takes over all arguments
    check_text("#define SpinLockAcquire spin_take\n",
               "#define SpinLockAcquire __spinfault_raw_<SpinLockAcquire>\n");
    check_text("#define TAS(...) tas(__VA_ARGS__)\n",
               "#define TAS(...) __spinfault_op_<TAS>((__VA_ARGS__))\n");
}

static void test_left_alone(void)
{
    check_text("#define Other(lock) SpinLockAcquire(lock)\n", NULL);
    check_text("/* #define TAS(x) 1 */\n// #define TAS(x) 1\nchar *s = \"#define TAS(x)\";\n",
               NULL);
    check_text("void SpinLockAcquire(int *l) {}\n#undef TAS\n", NULL);
    // the lock argument is not there
    g_autofree char *same =
        overlay_text("#define TAS() 1\n", strlen("#define TAS() 1\n"), models, NULL);
    g_assert_cmpstr(same, ==, "#define TAS() 1\n");
    check_text("", NULL);
}

// ---- Through the whole front end

struct found {
    unsigned line;
    const char *what; // "acquire SpinLockAcquire &pool.lock"
};

static void check_operations(const char *header, const char *source, const struct found *expected)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_free(scratch_write(dir, "include/spin.h", header));
    g_free(scratch_write(dir, "a.c", source));
    const char *paths[] = {dir, NULL};
    struct scan_options options = {.paths = paths, .jobs = 1};
    struct front *front = front_new(&options, models, &error);
    g_assert_no_error(error);
    size_t n;
    front_candidates(front, &n);
    g_assert_cmpuint(n, ==, 1);
    struct ir_unit *unit = front_lower(front, 0, NULL);
    g_assert_cmpstr(unit->why, ==, NULL);
    for (guint i = 0; i < unit->functions->len; i++) {
        g_autofree char *text = ir_function_text(unit->functions->pdata[i]);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (char **line = lines; *line; line++) {
            const char *what = strchr(*line, '#');
            what = what ? strchr(what, ' ') : NULL;
            if (!what || !(g_str_has_prefix(what, " acquire ") || g_str_has_prefix(what, " try ") ||
                           g_str_has_prefix(what, " release ")))
                continue;
            g_assert_nonnull(expected->what);
            g_assert_cmpstr(what + 1, ==, expected->what);
            g_assert_cmpint(atoi(*line), ==, (int)expected->line);
            expected++;
        }
    }
    g_assert_null(expected->what);
    ir_unit_free(unit);
    front_free(front);
    scratch_free(dir);
}

#define SPIN_H                                                                                     \
    "typedef volatile int slock_t;\n"                                                              \
    "int s_lock(slock_t *);\n"                                                                     \
    "#ifdef __GNUC__\n"                                                                            \
    "static inline int tas(slock_t *l) { return __sync_lock_test_and_set(l, 1); }\n"               \
    "#define TAS(lock) tas(lock)\n"                                                                \
    "#else\n"                                                                                      \
    "#define TAS(lock) other_tas(lock)\n"                                                          \
    "#endif\n"                                                                                     \
    "#define S_LOCK(lock) \\\n"                                                                    \
    "\t(TAS(lock) ? s_lock(lock) : 0)\n"                                                           \
    "#define S_UNLOCK(lock) \\\n"                                                                  \
    "\tdo { __asm__ __volatile__(\"\" : : : \"memory\"); *(lock) = 0; } while (0)\n"               \
    "#define SpinLockAcquire(lock) S_LOCK(lock)\n"                                                 \
    "#define SpinLockRelease(lock) S_UNLOCK(lock)\n"

static void test_nested_macros(void)
{
    static const struct found expected[] = {
        {6, "acquire SpinLockAcquire &pool.lock"},
        {6, "release SpinLockRelease &pool.lock"},
        {7, "acquire S_LOCK &pool.lock"},
        {10, "release S_UNLOCK &pool.lock"},
        {11, "try TAS &pool.lock"},
        {0, NULL},
    };
    check_operations(
        SPIN_H,
        "#include <spin.h>\n"
        "struct { slock_t lock; int n; } pool;\n"
        "#define WITH(l, code) \\\n"
        "    do { SpinLockAcquire(&(l)->lock); code; SpinLockRelease(&(l)->lock); } while (0)\n"
        "int f(void) {\n"
        "    WITH(&pool, pool.n++);\n"
        "    S_LOCK(\n"
        "        &pool.lock);\n"
        "    pool.n = 2;\n"
        "    S_UNLOCK(&pool.lock);\n"
        "    return TAS(&pool.lock);\n"
        "}\n",
        expected);
}

// The macro is used as an expression, in a condition, and by a header's inline function.
static void test_in_expressions(void)
{
    static const struct found expected[] = {
        {3, "try TAS &l[1]"},
        {5, "acquire SpinLockAcquire l"},
        {16, "acquire SpinLockAcquire l"},
        {0, NULL},
    };
    check_operations(SPIN_H "static inline void take(slock_t *l)\n{ SpinLockAcquire(l); }\n",
                     "#include <spin.h>\n"
                     "int f(slock_t *l, int n) {\n"
                     "    while (TAS(&l[1]))\n"
                     "        n++;\n"
                     "    if (n == 3 && (SpinLockAcquire(l), n))\n"
                     "        take(l);\n"
                     "    return 0;\n"
                     "}\n",
                     expected);
}

// Defined by the source itself, after the header's definition was undone.
static void test_redefined(void)
{
    static const struct found expected[] = {
        {4, "acquire SpinLockAcquire &lock"},
        {0, NULL},
    };
    check_operations(SPIN_H,
                     "#include <spin.h>\n#undef SpinLockAcquire\n"
                     "#define SpinLockAcquire(l) my_lock(l)\n"
                     "static slock_t lock; void f(void) { SpinLockAcquire(&lock); }\n",
                     expected);
}

// With a model of its own.
static void check_with_model(const char *model_text, const char *header, const char *source,
                             const struct found *expected)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autofree char *wrapped =
        g_strconcat("<model name='m' title='m'>", model_text, "</model>", NULL);
    g_autofree char *model = scratch_write(dir, "m.xml", wrapped);
    const char *files[] = {model, NULL};
    struct model_set *saved = models;
    models = model_set_load(files, &error);
    g_assert_no_error(error);
    check_operations(header, source, expected);
    model_set_free(models);
    models = saved;
    scratch_free(dir);
}

// The argument index of a model, and a macro that is given the lock itself.
static void test_arguments(void)
{
    static const struct found expected[] = {
        {3, "acquire TAKE &p->lock"},
        {4, "release DROP &p->lock"},
        {0, NULL},
    };
    check_with_model("<lock family='f'><acquire names='TAKE' arg='1' object='yes'/>"
                     "<release names='DROP' arg='1' object='yes'/></lock>",
                     "#define TAKE(label, lock) take_(label, &lock, __LINE__)\n"
                     "#define DROP(label, lock) drop_(label, &lock)\n"
                     "struct s { int lock; };\n",
                     "#include <spin.h>\n"
                     "void f(struct s *p) {\n"
                     "    TAKE(SOME_LABEL, p->lock);\n"
                     "    DROP(SOME_LABEL, p->lock);\n"
                     "}\n",
                     expected);
}

// Guards of a scope and of a block: released on every way out, in reverse order.
static void test_guards(void)
{
    static const struct found expected[] = {
        {3, "acquire GUARD a"},  {4, "acquire GUARD b"},  {6, "release GUARD b"},
        {6, "release GUARD a"},  {8, "acquire WITH b"},   {10, "release WITH b"},
        {10, "release GUARD b"}, {10, "release GUARD a"}, {13, "release WITH b"},
        {14, "release GUARD b"}, {14, "release GUARD a"}, {0, NULL},
    };
    check_with_model("<lock family='f'><acquire names='GUARD' form='guard'/>"
                     "<acquire names='WITH' form='block'/></lock>",
                     "#define GUARD(x) struct guard g = guard_(x)\n"
                     "#define WITH(x) for (struct guard g = guard_(x); g.n; g.n = 0)\n",
                     "#include <spin.h>\n"
                     "int f(int *a, int *b, int n) {\n"
                     "    GUARD(a);\n"
                     "    GUARD(b);\n"
                     "    if (n)\n"
                     "        return 1;\n"
                     "    n = 2;\n"
                     "    WITH(b) {\n"
                     "        if (n == 3)\n"
                     "            return 2;\n"
                     "        if (n == 4)\n"
                     "            break;\n"
                     "    }\n"
                     "    return 0; }\n",
                     expected);
}

static void test_kinds_of_operation(void)
{
    static const struct found expected[] = {
        {5, "acquire ONLY s"},     {8, "acquire WHEN s"},   {9, "acquire NAMED &table->lock"},
        {10, "acquire BEHIND me"}, {11, "acquire ALIAS s"}, {0, NULL},
    };
    check_with_model("<lock family='f' type='spin_t'>"
                     "<acquire names='ONLY' only-type='yes'/>"
                     "<acquire names='WHEN' arg='1' when-arg='0'/>"
                     "<acquire names='NAMED' global='table->lock'/>"
                     "<acquire names='BEHIND' pointer='yes'/>"
                     "<acquire names='ALIAS' arg='1'/></lock>",
                     "typedef struct { int n; } spin_t; typedef struct { int n; } mutex_t;\n"
                     "#define ONLY(x) lock_any(x)\n"
                     "#define WHEN(c, x) do { if (c) take(x); } while (0)\n"
                     "#define NAMED() take_table()\n"
                     "#define BEHIND(x) queue_lock(x)\n"
                     "#define ALIAS take_by_label\n"
                     "int n;\n",
                     "#include <spin.h>\n"
                     "void f(spin_t *s, mutex_t *m, spin_t *me, int c) {\n"
                     "    ONLY(m);\n"
                     "    n = 1;\n"
                     "    ONLY(s);\n"
                     "    WHEN(0, s);\n"
                     "    n = 2;\n"
                     "    WHEN(c, s);\n"
                     "    NAMED();\n"
                     "    BEHIND(&me);\n"
                     "    ALIAS(n, s);\n"
                     "}\n",
                     expected);
}

// A macro that a model describes as a function is one call, and its inside is not looked at.
static void test_macro_functions(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autofree char *model =
        scratch_write(dir, "m.xml",
                      "<model name='m' title='m'>"
                      "<function names='LOG' form='macro' effects='logs'/>"
                      "<function names='COPY' form='macro' writes='0' reads='1' length='2'/>"
                      "<function names='STOP' form='macro' effects='no-return'/></model>");
    const char *files[] = {model, NULL};
    struct model_set *set = model_set_load(files, &error);
    g_assert_no_error(error);
    g_autofree char *source =
        scratch_write(dir, "a.c",
                      "#define LOG(level, ...) log_(label_##level, __VA_ARGS__)\n"
                      "#define COPY(a, b, n) do { char *p_ = (a); *p_ = *(b); } while (0)\n"
                      "#define STOP() stop_()\n"
                      "void f(char *a, char *b) { LOG(nothing, *a); COPY(a, b, 4); STOP(); }\n");
    const char *paths[] = {source, NULL};
    struct scan_options options = {.paths = paths, .jobs = 1};
    struct front *front = front_new(&options, set, &error);
    g_assert_no_error(error);
    struct ir_unit *unit = front_lower(front, 0, NULL);
    g_assert_cmpstr(unit->why, ==, NULL);
    g_autofree char *text = ir_function_text(unit->functions->pdata[0]);
    g_assert_cmpstr(text, ==,
                    "function f(a, b)\nb0:\n"
                    "  4: #0 call LOG(0, 0)\n"
                    "  4: #1 call COPY(a, b, 4)\n"
                    "  4: #2 call STOP() no-return\n"
                    "  4: unreachable\n");
    ir_unit_free(unit);
    front_free(front);
    model_set_free(set);
    scratch_free(dir);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    models = model_set_load(NULL, &error);
    g_assert_no_error(error);
    g_test_add_func("/overlay/replacements", test_replacements);
    g_test_add_func("/overlay/left-alone", test_left_alone);
    g_test_add_func("/overlay/nested-macros", test_nested_macros);
    g_test_add_func("/overlay/in-expressions", test_in_expressions);
    g_test_add_func("/overlay/redefined", test_redefined);
    g_test_add_func("/overlay/arguments", test_arguments);
    g_test_add_func("/overlay/guards", test_guards);
    g_test_add_func("/overlay/kinds-of-operation", test_kinds_of_operation);
    g_test_add_func("/overlay/macro-functions", test_macro_functions);
    int result = g_test_run();
    model_set_free(models);
    return result;
}
