// Compile databases: what is read, what is kept of the flags, what is guessed without one.
#include "compdb.h"

#include <string.h>
#include <unistd.h>

#include "scratch.h"

struct notes {
    GString *text;
};

static void add_note(void *context, const char *text)
{
    struct notes *notes = context;
    g_string_append_printf(notes->text, "%s\n", text);
}

static struct compdb *load(const char *build_dir, const char *const *paths, const char *const *args,
                           GString *text, GError **error)
{
    struct notes notes = {text};
    struct scan_options options = {.build_dir = build_dir,
                                   .paths = paths,
                                   .clang_args = args,
                                   .note = text ? add_note : NULL,
                                   .note_context = &notes};
    return compdb_load(&options, error);
}

static const struct compdb_entry *entry(const struct compdb *db, unsigned i)
{
    g_assert_cmpuint(i, <, db->entries->len);
    return db->entries->pdata[i];
}

static void check_args(const struct compdb_entry *e, const char *expected)
{
    g_autofree char *joined = g_strjoinv(" ", e->args);
    g_assert_cmpstr(joined, ==, expected);
}

static void test_arguments_and_commands(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) notes = g_string_new(NULL);
    g_free(scratch_write(dir, "src/b.c", ""));
    g_free(scratch_write(dir, "src/with space/a.c", ""));
    g_free(scratch_write(dir, "src/flags.rsp", "-DFROM_FILE=1 '-I/x y'"));
    g_autofree char *json = g_strdup_printf(
        "[\n"
        " {\"directory\": \"%s/src\", \"file\": \"b.c\", \"output\": \"b.o\",\n"
        "  \"command\": \"ccache gcc -I inc -DNAME=\\\"a b\\\" '-DQ=\\\"q\\\"' -O2 -g -Wall"
        " -std=gnu11 -MD -MF b.d -fconserve-stack -c b.c -o b.o\"},\n"
        " {\"directory\": \"src\", \"file\": \"with space/a.c\",\n"
        "  \"arguments\": [\"cc\", \"@flags.rsp\", \"-include\", \"pre.h\", \"-isystem\","
        " \"sys\", \"-Wp,-DWP=1,-MMD,a.d\", \"-c\", \"with space/a.c\", \"-o\", \"a.o\"]},\n"
        " {\"directory\": \"src\", \"file\": \"b.c\", \"arguments\": [\"cc\", \"-DSECOND\"]},\n"
        " {\"directory\": \"src\", \"file\": \"x.cpp\", \"arguments\": [\"c++\", \"x.cpp\"]},\n"
        " {\"directory\": \"src\", \"file\": \"y.S\", \"arguments\": [\"cc\", \"y.S\"]}\n"
        "]\n",
        dir);
    g_free(scratch_write(dir, "compile_commands.json", json));
    struct compdb *db = load(dir, NULL, NULL, notes, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(db->root, ==, dir);
    g_assert_cmpuint(db->entries->len, ==, 2);

    g_assert_cmpstr(entry(db, 0)->name, ==, "src/b.c");
    check_args(entry(db, 0), "-I inc -DNAME=a b -DQ=\"q\" -O2 -std=gnu11");
    g_assert_true(entry(db, 0)->selected);
    g_assert_cmpstr(entry(db, 1)->name, ==, "src/with space/a.c");
    check_args(entry(db, 1), "-DFROM_FILE=1 -I/x y -include pre.h -isystem sys -DWP=1");
    g_autofree char *src = g_build_filename(dir, "src", NULL);
    g_assert_cmpstr(entry(db, 1)->directory, ==, src);

    g_assert_nonnull(strstr(notes->str, "2 files are not C and left out"));
    g_assert_nonnull(strstr(notes->str, "-fconserve-stack"));
    g_assert_null(strstr(notes->str, "-Wall"));
    compdb_free(db);
    scratch_free(dir);
}

static void check_damaged(const char *json, const char *where)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_free(scratch_write(dir, "compile_commands.json", json));
    g_assert_null(load(dir, NULL, NULL, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    g_assert_nonnull(strstr(error->message, where));
    g_assert_null(strchr(error->message, '\n'));
    scratch_free(dir);
}

static void test_damaged(void)
{
    check_damaged("", "compile_commands.json:1: ");
    check_damaged("[\n{\"directory\": \"x\"", ":2: ");
    check_damaged("[\n\n{\"directory\": \"x\", \"file\": \"y\"}]", ":3: ");
    check_damaged("[{\"file\": \"y\", \"arguments\": [\"cc\"]}]", "lacks");
    check_damaged("[{\"directory\": \"x\", \"file\": \"y\", \"arguments\": []}]", "lacks");
    check_damaged("[{\"directory\": \"x\", \"file\": \"\\ud800\"}]", "escape");
    check_damaged("[{\"directory\": \"x\", \"file\": \"a\nb\"}]", "not closed");
    check_damaged("[{\"directory\":\"x\",\"file\":\"y\",\"command\":\"cc 'open\"}]", "command");
    check_damaged("[]]", "follows");
    g_autofree char *deep = g_strnfill(100000, '[');
    g_autofree char *nested = g_strconcat("[{\"x\": ", deep, NULL);
    check_damaged(nested, "nested");
}

static void test_unknown_members(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_free(scratch_write(dir, "a.c", ""));
    g_autofree char *json = g_strdup_printf(
        "[{\"directory\": \"%s\", \"x\": {\"y\": [1, -2.5e3, true, null, {}, []]},"
        " \"file\": \"\\u0061.c\", \"arguments\": [\"cc\", \"-D\\u00e9\\ud83d\\ude00\"]}]",
        dir);
    g_free(scratch_write(dir, "compile_commands.json", json));
    struct compdb *db = load(dir, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(entry(db, 0)->name, ==, "a.c");
    check_args(entry(db, 0), "-D\xc3\xa9\xf0\x9f\x98\x80");
    compdb_free(db);
    scratch_free(dir);
}

static void write_two_files(const char *dir)
{
    g_free(scratch_write(dir, "one/a.c", ""));
    g_free(scratch_write(dir, "two/b.c", ""));
    g_free(scratch_write(dir, "two/new.c", ""));
    g_autofree char *json = g_strdup_printf(
        "[{\"directory\": \"%s\", \"file\": \"one/a.c\", \"arguments\": [\"cc\", \"-DA\"]},"
        " {\"directory\": \"%s\", \"file\": \"two/b.c\", \"arguments\": [\"cc\", \"-DB\"]}]",
        dir, dir);
    g_free(scratch_write(dir, "compile_commands.json", json));
}

// Also by a link to the tree, and for a file the database does not know.
static void test_selection(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) notes = g_string_new(NULL);
    write_two_files(dir);
    g_autofree char *link = g_strconcat(dir, "-link", NULL);
    g_assert_cmpint(symlink(dir, link), ==, 0);
    g_autofree char *by_link = g_build_filename(link, "two", "b.c", NULL);
    g_autofree char *unknown = g_build_filename(dir, "two", "new.c", NULL);
    const char *paths[] = {by_link, unknown, NULL};
    struct compdb *db = load(dir, paths, NULL, notes, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(db->entries->len, ==, 3);
    g_assert_false(entry(db, 0)->selected);
    g_assert_true(entry(db, 1)->selected);
    g_assert_cmpstr(entry(db, 2)->name, ==, "two/new.c");
    g_assert_true(entry(db, 2)->selected);
    check_args(entry(db, 2), "-DB");
    g_assert_nonnull(strstr(notes->str, "two/new.c is not in the compile database"));
    compdb_free(db);

    g_autofree char *missing = g_build_filename(dir, "three", NULL);
    const char *wrong[] = {missing, NULL};
    g_assert_null(load(dir, wrong, NULL, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_unlink(link);
    scratch_free(dir);
}

// Without -p: looked for upwards, and in build/.
static void test_search(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    write_two_files(dir);
    g_autofree char *below = g_build_filename(dir, "two", NULL);
    const char *paths[] = {below, NULL};
    struct compdb *db = load(NULL, paths, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(db->root, ==, dir);
    g_assert_false(entry(db, 0)->selected);
    g_assert_true(entry(db, 1)->selected);
    compdb_free(db);
    scratch_free(dir);
}

// A build folder beside the sources: names are relative to what holds the sources.
static void test_build_folder(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_free(scratch_write(dir, "src/a.c", ""));
    g_free(scratch_write(dir, "lib/b.c", ""));
    g_autofree char *json = g_strdup_printf(
        "[{\"directory\": \"%s/build\", \"file\": \"../src/a.c\", \"arguments\": [\"cc\"]},"
        " {\"directory\": \"%s/build\", \"file\": \"%s/lib/b.c\", \"arguments\": [\"cc\"]}]",
        dir, dir, dir);
    g_free(scratch_write(dir, "build/compile_commands.json", json));
    g_autofree char *build = g_build_filename(dir, "build", NULL);
    struct compdb *db = load(build, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(db->root, ==, dir);
    g_assert_cmpstr(entry(db, 0)->name, ==, "lib/b.c");
    g_assert_cmpstr(entry(db, 1)->name, ==, "src/a.c");
    compdb_free(db);
    scratch_free(dir);
}

static void test_given_flags(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    write_two_files(dir);
    const char *paths[] = {dir, NULL};
    const char *args[] = {"-DGIVEN", "-Iinc", "-Wextra", NULL};
    struct compdb *db = load(NULL, paths, args, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(db->entries->len, ==, 3);
    check_args(entry(db, 0), "-DGIVEN -Iinc");
    compdb_free(db);

    const char *more[] = {"-DMORE", NULL};
    db = load(dir, paths, more, NULL, &error);
    g_assert_no_error(error);
    check_args(entry(db, 0), "-DA -DMORE");
    compdb_free(db);
    scratch_free(dir);
}

static void test_guess(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) notes = g_string_new(NULL);
    g_free(scratch_write(dir, "src/a.c", ""));
    g_free(scratch_write(dir, "src/deep/a.h", ""));
    g_free(scratch_write(dir, "include/b.h", ""));
    g_free(scratch_write(dir, ".git/c.h", ""));
    g_free(scratch_write(dir, "src/windows/include/d.h", ""));
    g_autofree char *loop = g_build_filename(dir, "src", "loop", NULL);
    g_assert_cmpint(symlink(dir, loop), ==, 0);
    const char *paths[] = {dir, NULL};
    struct compdb *db = load(NULL, paths, NULL, notes, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(db->entries->len, ==, 1);
    g_autofree char *expected =
        g_strdup_printf("-I%s -I%s/include -idirafter%s/src/deep -D_GNU_SOURCE", dir, dir, dir);
    check_args(entry(db, 0), expected);
    g_assert_nonnull(strstr(notes->str, "guessing the flags"));
    compdb_free(db);
    scratch_free(dir);
}

static void test_guess_many(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) notes = g_string_new(NULL);
    g_free(scratch_write(dir, "a.c", ""));
    for (unsigned i = 0; i < 40; i++) {
        g_autofree char *name = g_strdup_printf("board%u/include/b.h", i);
        g_free(scratch_write(dir, name, ""));
    }
    const char *paths[] = {dir, NULL};
    struct compdb *db = load(NULL, paths, NULL, notes, &error);
    g_assert_no_error(error);
    g_assert_nonnull(strstr(notes->str, "/board0/include"));
    g_assert_nonnull(strstr(notes->str, " and 36 more"));
    compdb_free(db);
    scratch_free(dir);
}

// One file of a tree: its flags are the tree's, and the other files are there to be called.
static void test_guess_tree(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autofree char *a = scratch_write(dir, "src/deep/a.c", "");
    g_free(scratch_write(dir, "src/b.c", ""));
    g_free(scratch_write(dir, "include/b.h", ""));
    const char *paths[] = {a, NULL};
    struct compdb *db = load(NULL, paths, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(db->entries->len, ==, 2);
    unsigned named = entry(db, 0)->named ? 0 : 1;
    g_assert_cmpstr(entry(db, named)->name, ==, "a.c");
    g_assert_true(entry(db, named)->selected);
    g_assert_false(entry(db, !named)->selected);
    g_autofree char *expected = g_strdup_printf("-I%s -I%s/include -D_GNU_SOURCE", dir, dir);
    check_args(entry(db, named), expected);
    compdb_free(db);
    g_assert_null(compdb_tree_top("/usr/src"));
    scratch_free(dir);
}

static void test_nothing(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    const char *paths[] = {dir, NULL};
    g_assert_null(load(NULL, paths, NULL, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_null(load(dir, NULL, NULL, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_clear_error(&error);
    g_free(scratch_write(dir, "compile_commands.json", "[]"));
    g_assert_null(load(dir, NULL, NULL, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
    scratch_free(dir);
}

// A link beside its target, one to a folder above, and one to a file elsewhere: each file once.
static void test_two_names(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_free(scratch_write(dir, "tree/src/a.c", ""));
    g_free(scratch_write(dir, "elsewhere/b.c", ""));
    g_autofree char *tree = g_build_filename(dir, "tree", NULL);
    g_autofree char *folder = g_build_filename(tree, "first", NULL);
    g_autofree char *file = g_build_filename(tree, "alias.c", NULL);
    g_autofree char *out = g_build_filename(tree, "outside.c", NULL);
    g_autofree char *nowhere = g_build_filename(tree, "nowhere.c", NULL);
    g_assert_cmpint(symlink("src", folder), ==, 0);
    g_assert_cmpint(symlink("src/a.c", file), ==, 0);
    g_assert_cmpint(symlink("../elsewhere/b.c", out), ==, 0);
    g_assert_cmpint(symlink("gone.c", nowhere), ==, 0);
    const char *paths[] = {tree, NULL}, *both[] = {tree, folder, NULL};
    struct compdb *db = load(NULL, paths, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(db->entries->len, ==, 2);
    g_assert_cmpstr(entry(db, 0)->name, ==, "outside.c");
    g_assert_cmpstr(entry(db, 1)->name, ==, "src/a.c");
    compdb_free(db);
    db = load(NULL, both, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(db->entries->len, ==, 2);
    compdb_free(db);
    scratch_free(dir);
}

// What the database lists and nobody has, and what is there and the database does not list.
static void test_missing_and_undescribed(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) notes = g_string_new(NULL);
    write_two_files(dir);
    g_free(scratch_write(dir, "new/c.c", ""));
    g_free(scratch_write(dir, "new/d.c", ""));
    g_free(scratch_write(dir, "docs/readme", ""));
    g_autofree char *gone = g_build_filename(dir, "one", "a.c", NULL);
    g_autofree char *new_folder = g_build_filename(dir, "new", NULL);
    const char *paths[] = {new_folder, NULL};
    struct compdb *db = load(dir, paths, NULL, notes, &error);
    g_assert_no_error(error);
    unsigned selected = 0;
    for (guint i = 0; i < db->entries->len; i++)
        selected += entry(db, i)->selected;
    g_assert_cmpuint(selected, ==, 2);
    g_assert_nonnull(strstr(notes->str, "nothing in new is in the compile database"));
    compdb_free(db);
    g_autofree char *docs = g_build_filename(dir, "docs", NULL);
    const char *no_code[] = {docs, NULL};
    g_assert_null(load(dir, no_code, NULL, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_cmpint(unlink(gone), ==, 0);
    db = load(dir, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_true(entry(db, 0)->missing);
    g_assert_false(entry(db, 1)->missing);
    compdb_free(db);
    scratch_free(dir);
}

static void test_ignored(void)
{
    char *dir = scratch_new();
    g_autoptr(GError) error = NULL;
    g_free(scratch_write(dir, "src/a.c", ""));
    g_free(scratch_write(dir, "vendor/b.c", ""));
    g_autofree char *glob = g_build_filename(dir, "*end*", NULL);
    g_autofree char *vendored = g_build_filename(dir, "vendor", "b.c", NULL);
    const char *paths[] = {dir, NULL}, *named[] = {vendored, NULL};
    const char *ignored[] = {glob, NULL};
    struct scan_options options = {.paths = paths, .ignored = ignored};
    struct compdb *db = compdb_load(&options, &error);
    g_assert_no_error(error);
    g_assert_true(entry(db, 0)->selected);
    g_assert_false(entry(db, 1)->selected);
    g_assert_true(compdb_ignores(db, vendored));
    compdb_free(db);
    options.paths = named;
    db = compdb_load(&options, &error);
    g_assert_no_error(error);
    g_assert_true(entry(db, 0)->selected);
    compdb_free(db);
    scratch_free(dir);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/compdb/arguments-and-commands", test_arguments_and_commands);
    g_test_add_func("/compdb/damaged", test_damaged);
    g_test_add_func("/compdb/unknown-members", test_unknown_members);
    g_test_add_func("/compdb/selection", test_selection);
    g_test_add_func("/compdb/search", test_search);
    g_test_add_func("/compdb/build-folder", test_build_folder);
    g_test_add_func("/compdb/given-flags", test_given_flags);
    g_test_add_func("/compdb/guess", test_guess);
    g_test_add_func("/compdb/guess-many", test_guess_many);
    g_test_add_func("/compdb/guess-tree", test_guess_tree);
    g_test_add_func("/compdb/nothing", test_nothing);
    g_test_add_func("/compdb/two-names", test_two_names);
    g_test_add_func("/compdb/missing-and-undescribed", test_missing_and_undescribed);
    g_test_add_func("/compdb/ignored", test_ignored);
    return g_test_run();
}
