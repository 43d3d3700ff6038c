// Lowering: each case in lower/ is a source that ends in a comment with the IR it becomes. With
// SPINFAULT_BLESS set the comments are written anew, to be reviewed as a diff. What the text of the
// IR does not show is checked below.
#include "front.h"

#include <glib/gstdio.h>
#include <string.h>

#define EXPECTATION "\n/* IR\n"

// What libclang was doing when it crashed is lost, which is its affair (test_crash).
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libclang\nleak:libLLVM\n";
}

static struct model_set *models;

struct scanned {
    struct front *front;
    struct ir_unit *unit;
    char *notes;
};

static void add_note(void *context, const char *text)
{
    struct scanned *scanned = context;
    char *notes = g_strconcat(scanned->notes ? scanned->notes : "", text, "\n", NULL);
    g_free(scanned->notes);
    scanned->notes = notes;
}

static struct scanned *scan_file(const char *path)
{
    struct scanned *scanned = g_new0(struct scanned, 1);
    const char *paths[] = {path, NULL};
    const char *args[] = {"-std=gnu11", "-Wall", NULL};
    struct scan_options options = {
        .paths = paths, .clang_args = args, .jobs = 1, .note = add_note, .note_context = scanned};
    g_autoptr(GError) error = NULL;
    scanned->front = front_new(&options, models, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(front_n_files(scanned->front), ==, 1);
    scanned->unit = front_lower(scanned->front, 0, NULL);
    return scanned;
}

static void scanned_free(struct scanned *scanned)
{
    ir_unit_free(scanned->unit);
    front_free(scanned->front);
    g_free(scanned->notes);
    g_free(scanned);
}
typedef struct scanned scanned_file;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scanned_file, scanned_free)

// A file of its own in a directory of its own, removed by scan_text's caller's end.
static struct scanned *scan_text(const char *text)
{
    g_autofree char *dir = g_dir_make_tmp("lower-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a.c", NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    struct scanned *result = scan_file(path);
    g_unlink(path);
    g_rmdir(dir);
    return result;
}

static char *unit_text(const struct ir_unit *unit)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < unit->functions->len; i++) {
        g_autofree char *function = ir_function_text(unit->functions->pdata[i]);
        g_string_append_printf(text, "%s%s", i ? "\n" : "", function);
    }
    for (guint i = 0; i < unit->function_uses->len; i++) {
        const struct ir_function_use *use = unit->function_uses->pdata[i];
        g_string_append_printf(text, "use %s in %s.%s of %s\n", use->function_name,
                               use->record ? use->record : "?", use->field ? use->field : "?",
                               use->variable_usr ? use->variable_usr : "?");
    }
    return g_string_free(text, FALSE);
}

static void bless(const char *path, const char *source, const char *ir)
{
    const char *end = strstr(source, EXPECTATION);
    g_autofree char *kept = end ? g_strndup(source, (gsize)(end - source)) : g_strdup(source);
    g_strchomp(kept);
    g_autofree char *text = g_strconcat(kept, "\n", EXPECTATION, ir, "*/\n", NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void test_case(gconstpointer data)
{
    const char *path = data;
    g_autofree char *source = NULL;
    g_assert_true(g_file_get_contents(path, &source, NULL, NULL));
    g_autoptr(scanned_file) scanned = scan_file(path);
    g_assert_cmpstr(scanned->unit->why, ==, NULL);
    g_assert_cmpint(scanned->unit->status, ==, FILE_PARSED);
    g_autofree char *ir = unit_text(scanned->unit);
    if (g_getenv("SPINFAULT_BLESS")) {
        bless(path, source, ir);
        return;
    }
    char *expected = strstr(source, EXPECTATION);
    g_assert_nonnull(expected);
    expected += strlen(EXPECTATION);
    char *end = strstr(expected, "*/\n");
    g_assert_nonnull(end);
    *end = 0;
    g_assert_cmpstr(ir, ==, expected);
}

static void add_cases(void)
{
    const char *dir = SPINFAULT_SOURCE_DIR "/tests/analyzer/lower";
    GDir *listing = g_dir_open(dir, 0, NULL);
    g_assert_nonnull(listing);
    const char *name;
    while ((name = g_dir_read_name(listing))) {
        g_autofree char *test = g_strconcat("/lower/case/", name, NULL);
        if (g_str_has_suffix(name, ".c"))
            g_test_add_data_func_full(test, g_build_filename(dir, name, NULL), test_case, g_free);
    }
    g_dir_close(listing);
}

// ---- What the text does not show

static const struct ir_function *function_named(const struct ir_unit *unit, const char *name)
{
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        if (strcmp(function->name, name) == 0)
            return function;
    }
    g_error("no function %s", name);
}

// The n-th access of the function, in order of lowering.
static const struct ir_instruction *access_at(const struct ir_function *function, unsigned n)
{
    for (unsigned b = 0; b < function->n_blocks; b++) {
        for (unsigned i = 0; i < function->blocks[b]->n_instructions; i++) {
            const struct ir_instruction *in = function->blocks[b]->instructions[i];
            if (in->op == IR_ACCESS && n-- == 0)
                return in;
        }
    }
    g_error("no such access in %s", function->name);
}

static void test_offsets(void)
{
    g_autoptr(scanned_file) s = scan_text("struct s {\n"
                                          "    int first;\n"
                                          "    union { struct { int u, v; }; long whole; };\n"
                                          "    struct { int deep; } named;\n"
                                          "    int list[4];\n"
                                          "} __attribute__((aligned(64)));\n"
                                          "int f(struct s *p, int i)\n"
                                          "{ return p->v + p->named.deep + p->list[i]; }\n");
    const struct ir_function *f = function_named(s->unit, "f");
    const struct ir_path *path = &access_at(f, 0)->path;
    g_assert_cmpuint(path->n_steps, ==, 2);
    g_assert_cmpint(path->base, ==, IR_BASE_PARAM);
    g_assert_cmpstr(path->steps[1].field, ==, "v");
    g_assert_cmpstr(path->steps[1].record, ==, "s");
    g_assert_cmpuint(path->steps[1].offset, ==, 12);
    g_assert_cmpuint(path->steps[1].record_size, ==, 64);
    g_assert_cmpuint(path->steps[1].record_align, ==, 64);
    g_assert_cmpuint(path->steps[1].size, ==, 4);

    path = &access_at(f, 1)->path;
    g_assert_cmpuint(path->n_steps, ==, 3);
    g_assert_cmpuint(path->steps[1].offset, ==, 16);
    g_assert_cmpuint(path->steps[2].offset, ==, 0);

    path = &access_at(f, 2)->path;
    g_assert_cmpint(path->steps[2].kind, ==, IR_STEP_INDEX);
    g_assert_cmpuint(path->steps[2].count, ==, 4);
    g_assert_cmpuint(path->steps[2].size, ==, 4);
    g_assert_cmpstr(path->steps[2].index_text, ==, "i");
    g_assert_cmpint(path->steps[2].index_value->kind, ==, IR_VALUE_LOAD);
    g_assert_true(path->steps[2].index_value->path.variable == f->params[1]);
}

static void test_variables(void)
{
    g_autoptr(scanned_file) s = scan_text("extern int global[10]; static int own;\n"
                                          "static _Thread_local int mine[2];\n"
                                          "int f(int *p)\n"
                                          "{ static int kept[3]; int local[2];\n"
                                          "  local[0] = 1;\n"
                                          "  return global[1] + own + mine[0] + kept[0] + *p; }\n");
    const struct ir_function *f = function_named(s->unit, "f");
    static const enum ir_base_kind kinds[] = {IR_BASE_LOCAL,        IR_BASE_GLOBAL,
                                              IR_BASE_GLOBAL,       IR_BASE_THREAD_LOCAL,
                                              IR_BASE_STATIC_LOCAL, IR_BASE_PARAM};
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
        g_assert_cmpint(access_at(f, i)->path.base, ==, kinds[i]);
    const struct ir_variable *global = access_at(f, 1)->path.variable;
    g_assert_cmpstr(global->usr, ==, "c:@global");
    g_assert_true(global->type.is_array);
    g_assert_cmpuint(global->type.count, ==, 10);
    g_assert_cmpuint(global->type.element_size, ==, 4);
    g_assert_cmpuint(global->type.size, ==, 40);
    g_assert_null(access_at(f, 0)->path.variable->usr);
    g_assert_true(f->params[0]->type.is_pointer);
    g_assert_cmpuint(f->params[0]->type.element_size, ==, 4);
    g_assert_cmpuint(f->location.line, ==, 3);
    g_assert_cmpuint(f->end.line, ==, 6);
    g_assert_cmpstr(f->location.file, ==, "a.c");
}

// A macro is where it is used, also one in another, and one whose argument holds the access.
static void test_expansion_lines(void)
{
    g_autoptr(scanned_file) s = scan_text("#define INNER(p) ((p)->x)\n"
                                          "#define OUTER(p) \\\n"
                                          "    (INNER(p) + \\\n"
                                          "     INNER(p))\n"
                                          "struct s { int x; };\n"
                                          "int f(struct s *p)\n"
                                          "{\n"
                                          "    return OUTER(\n"
                                          "        p);\n"
                                          "}\n");
    const struct ir_function *f = function_named(s->unit, "f");
    g_assert_cmpuint(access_at(f, 0)->location.line, ==, 8);
    g_assert_cmpuint(access_at(f, 1)->location.line, ==, 8);
}

static void test_degraded(void)
{
    g_autoptr(scanned_file) s = scan_text("#include \"missing.h\"\n"
                                          "int f(int *p) { return *p; }\n"
                                          "int g(int *p) { return unknown_variable + *p; }\n"
                                          "int h(int *p) { return unknown_function(p) + *p; }\n");
    g_assert_cmpint(s->unit->status, ==, FILE_DEGRADED);
    g_assert_true(g_str_has_prefix(s->unit->why, "a.c:1: "));
    g_assert_nonnull(strstr(s->unit->why, "missing.h"));
    g_assert_cmpuint(s->unit->functions->len, ==, 3);
    g_assert_false(function_named(s->unit, "f")->degraded);
    g_assert_true(function_named(s->unit, "g")->degraded);
    g_assert_true(g_str_has_prefix(function_named(s->unit, "g")->degraded_why, "a.c:3: "));
    g_assert_false(function_named(s->unit, "h")->degraded);
    g_assert_cmpint(access_at(function_named(s->unit, "f"), 0)->path.base, ==, IR_BASE_PARAM);
    g_assert_cmpint(access_at(function_named(s->unit, "h"), 0)->path.base, ==, IR_BASE_PARAM);
}

// What takes a lock in another configuration is lowered as well, and says that it is not compiled.
static void test_switched_off(void)
{
    g_autoptr(scanned_file) s =
        scan_text("#include <pthread.h>\n"
                  "pthread_spinlock_t l; int n;\n"
                  "#if defined(NEVER) && \\\n"
                  "    defined(EVER)\n"
                  "#if 0\n"
                  "void f(void) { n++; }\n"
                  "#elif UNKNOWN\n"
                  "void f(void) { pthread_spin_lock(&l); no_such_variable = 1; }\n"
                  "#else\n"
                  "void h(void) { pthread_spin_lock(&l); }\n"
                  "#endif\n"
                  "void plain(void) { n--; }\n"
                  "#endif\n"
                  "void g(void) { pthread_spin_lock(&l); }\n");
    g_assert_cmpint(s->unit->status, ==, FILE_PARSED);
    g_assert_cmpuint(s->unit->functions->len, ==, 2);
    const struct ir_function *f = function_named(s->unit, "f"), *g = function_named(s->unit, "g");
    g_assert_true(f->degraded);
    g_assert_nonnull(strstr(f->degraded_why, "a.c:8: switched off"));
    g_assert_false(g->degraded);
    g_assert_cmpuint(f->location.line, ==, 8);
    g_assert_cmpint(f->blocks[0]->instructions[0]->op, ==, IR_LOCK_OP);
    g_assert_cmpuint(f->blocks[0]->instructions[0]->location.line, ==, 8);
}

static void test_crash(void)
{
    g_autoptr(scanned_file) s = scan_text("int f(void) { return 1; }\n"
                                          "#pragma clang __debug crash\n");
    g_assert_cmpint(s->unit->status, ==, FILE_FAILED);
    g_assert_nonnull(strstr(s->unit->why, "crash"));
    g_assert_cmpuint(s->unit->functions->len, ==, 0);
}

static void test_deep_nesting(void)
{
    GString *text = g_string_new("int f(int x) { return ");
    for (int i = 0; i < 20000; i++)
        g_string_append(text, "-~");
    g_string_append(text, "x; }\nint g(int *p) { return *p; }\n");
    g_autofree char *source = g_string_free(text, FALSE);
    g_autoptr(scanned_file) s = scan_text(source);
    g_assert_cmpint(s->unit->status, !=, FILE_PARSED);
    g_assert_nonnull(s->unit->why);
}

static void test_source_lines(void)
{
    g_autofree char *dir = g_dir_make_tmp("lower-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a.c", NULL);
    g_assert_true(g_file_set_contents(path, "one\n\ttwo\n\nfour", -1, NULL));
    g_autoptr(scanned_file) s = scan_file(path);
    static const struct {
        unsigned first, last;
        const char *lines;
    } rows[] = {{1, 1, "one"}, {2, 3, "\ttwo\n"}, {3, 99, "\nfour"}, {4, 4, "four"},
                {9, 12, ""},   {0, 1, "one"},     {2, 2, "\ttwo"}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *lines = front_source_lines(s->front, "a.c", rows[i].first, rows[i].last);
        g_assert_cmpstr(lines, ==, rows[i].lines);
    }
    g_assert_null(front_source_lines(s->front, "b.c", 1, 1));
    g_unlink(path);
    g_rmdir(dir);
}

static void test_path_equal(void)
{
    g_autoptr(scanned_file) s =
        scan_text("struct s { int a[4], b; } *g;\n"
                  "int f(struct s *p, int i, int j)\n"
                  "{ return p->b + p->b + p->a[i] + p->a[i] + p->a[j] + p->a[1] + g->b; }\n");
    const struct ir_function *f = function_named(s->unit, "f");
    const struct ir_path *at[6];
    for (unsigned i = 0; i < G_N_ELEMENTS(at); i++)
        at[i] = &access_at(f, i)->path;
    g_assert_true(ir_path_equal(at[0], at[1]));
    g_assert_true(ir_path_equal(at[2], at[3]));
    g_assert_false(ir_path_equal(at[2], at[4]));
    g_assert_false(ir_path_equal(at[2], at[5]));
    g_assert_false(ir_path_equal(at[0], at[2]));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    models = model_set_load(NULL, &error);
    g_assert_no_error(error);
    add_cases();
    g_test_add_func("/lower/offsets", test_offsets);
    g_test_add_func("/lower/variables", test_variables);
    g_test_add_func("/lower/expansion-lines", test_expansion_lines);
    g_test_add_func("/lower/degraded", test_degraded);
    g_test_add_func("/lower/switched-off", test_switched_off);
    g_test_add_func("/lower/crash", test_crash);
    g_test_add_func("/lower/deep-nesting", test_deep_nesting);
    g_test_add_func("/lower/source-lines", test_source_lines);
    g_test_add_func("/lower/path-equal", test_path_equal);
    int result = g_test_run();
    model_set_free(models);
    return result;
}
