// Finding the compile database, or making one up.
#include "compdb_load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DATABASE "compile_commands.json"

static void entry_free(gpointer data)
{
    struct compdb_entry *entry = data;
    g_free(entry->path);
    g_free(entry->name);
    g_free(entry->directory);
    g_strfreev(entry->args);
    g_free(entry);
}

void compdb_free(struct compdb *db)
{
    if (!db)
        return;
    g_free(db->root);
    g_free(db->top);
    g_ptr_array_unref(db->entries);
    g_ptr_array_unref(db->others);
    g_free(db);
}

char *compdb_relative(const char *root, const char *path)
{
    size_t n = strlen(root);
    while (n > 1 && root[n - 1] == '/')
        n--;
    if (strncmp(path, root, n) == 0 && path[n] == '/')
        return g_strdup(path + n + 1);
    if (n == 1 && path[0] == '/')
        return g_strdup(path + 1);
    return g_strdup(path);
}

// ---- Filling

struct compdb_entry *compdb_add_entry(struct loading *loading, const char *path,
                                      const char *directory, char **args)
{
    struct compdb_entry *entry = g_new0(struct compdb_entry, 1);
    entry->path = g_strdup(path);
    entry->name = compdb_relative(loading->db->root, path);
    entry->directory = g_strdup(directory);
    entry->args = args;
    g_ptr_array_add(loading->db->entries, entry);
    g_hash_table_insert(loading->by_path, entry->path, entry);
    return entry;
}

// A file that is compiled several times counts once, the way it comes first.
static void add_command(void *context, const char *directory, const char *file, char **argv)
{
    struct loading *loading = context;
    g_autofree char *dir = g_canonicalize_filename(directory, loading->db->root);
    g_autofree char *path = g_canonicalize_filename(file, dir);
    if (g_hash_table_contains(loading->by_path, path))
        return;
    char **args = compdb_clean(argv, file, dir, &loading->dropped);
    if (args)
        compdb_add_entry(loading, path, dir, args);
    else
        g_hash_table_add(loading->others, g_steal_pointer(&path));
}

void compdb_note(const struct scan_options *options, const char *format, ...)
{
    if (!options->note)
        return;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    options->note(options->note_context, text);
}

static gint by_text(gconstpointer a, gconstpointer b)
{
    return strcmp(a, b);
}

static void note_dropped(const struct loading *loading)
{
    guint n = loading->db->others->len;
    if (n)
        compdb_note(loading->options, "%u %s not C and left out", n,
                    n == 1 ? "file is" : "files are");
    GList *options = g_list_sort(g_hash_table_get_keys(loading->dropped.options), by_text);
    if (options) {
        g_autoptr(GString) text = g_string_new(NULL);
        for (GList *i = options; i; i = i->next)
            g_string_append_printf(text, "%s%s", text->len ? " " : "", (const char *)i->data);
        compdb_note(loading->options, "options that clang does not know were dropped: %s",
                    text->str);
    }
    g_list_free(options);
}

static bool read_database(struct loading *loading, const char *file, GError **error)
{
    g_autofree char *text = NULL;
    gsize bytes;
    struct stat st;
    if (stat(file, &st) == 0 && st.st_size > (off_t)LIMIT_COMPDB_BYTES)
        return error_set(error, SPINFAULT_ERROR_LIMIT,
                         "%s is larger than LIMIT_COMPDB_BYTES (%u bytes); scan a part of it", file,
                         LIMIT_COMPDB_BYTES);
    g_autoptr(GError) read_error = NULL;
    if (!g_file_get_contents(file, &text, &bytes, &read_error))
        return error_set(error, SPINFAULT_ERROR_IO, "cannot read %s: %s", file,
                         read_error->message);
    return compdb_parse(text, bytes, file, add_command, loading, error);
}

// ---- Finding

static char *database_in(const char *directory)
{
    g_autofree char *file = g_build_filename(directory, DATABASE, NULL);
    return g_file_test(file, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer(&file) : NULL;
}

// From `start` upwards, each directory and its build/.
static char *find_database(const char *start)
{
    for (g_autofree char *dir = g_strdup(start);;) {
        char *file = database_in(dir);
        if (file)
            return file;
        g_autofree char *build = g_build_filename(dir, "build", NULL);
        if ((file = database_in(build)))
            return file;
        char *parent = g_path_get_dirname(dir);
        bool top = strcmp(parent, dir) == 0;
        g_free(dir);
        dir = parent;
        if (top)
            return NULL;
    }
}

static char *first_directory(const struct scan_options *options)
{
    const char *first = options->paths ? options->paths[0] : NULL;
    g_autofree char *path = g_canonicalize_filename(first ? first : ".", NULL);
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer(&path);
    return g_path_get_dirname(path);
}

// The database to read, or NULL when there is none to be had (then *ok says whether that is fine).
static char *choose_database(const struct scan_options *options, bool *ok, GError **error)
{
    *ok = true;
    if (options->build_dir) {
        g_autofree char *dir = g_canonicalize_filename(options->build_dir, NULL);
        char *file = g_str_has_suffix(dir, "/" DATABASE) ? g_strdup(dir) : database_in(dir);
        if (!file)
            *ok = error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                            "no " DATABASE " in %s; make one with cmake "
                            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson or bear",
                            options->build_dir);
        return file;
    }
    if (options->clang_args && options->clang_args[0])
        return NULL;
    g_autofree char *start = first_directory(options);
    return find_database(start);
}

// ---- Files that are not there, and files by two names

// The same file, and not another one that was linked hard to save room.
static bool same_file(const char *a, const char *b)
{
    char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
    bool same = real_a && real_b && strcmp(real_a, real_b) == 0;
    free(real_a);
    free(real_b);
    return same;
}

// False: it is there already by another name.
static bool is_new(GHashTable *seen, struct compdb_entry *entry, const struct stat *st)
{
    char *key = g_strdup_printf("%ju:%ju", (uintmax_t)st->st_dev, (uintmax_t)st->st_ino);
    const struct compdb_entry *first = g_hash_table_lookup(seen, key);
    if (first && same_file(first->path, entry->path)) {
        g_free(key);
        return false;
    }
    g_hash_table_insert(seen, key, entry);
    return true;
}

static bool check_files(struct loading *loading, const char *database, GError **error)
{
    GPtrArray *entries = loading->db->entries;
    unsigned missing = 0;
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < entries->len;) {
        struct compdb_entry *entry = entries->pdata[i];
        struct stat st;
        entry->missing = stat(entry->path, &st) != 0 || !S_ISREG(st.st_mode);
        missing += entry->missing;
        if (entry->missing || is_new(seen, entry, &st)) {
            i++;
            continue;
        }
        g_hash_table_remove(loading->by_path, entry->path);
        g_ptr_array_remove_index(entries, i);
    }
    return !database || missing == 0 || missing < entries->len ||
           error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                     "of the %u files that %s lists, none is there; make it anew for this tree, or "
                     "say flags after --",
                     missing, database);
}

// ---- Without a database

static char **args_for(const struct loading *loading, char *const *args, const char *path)
{
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    const char *standard = loading->guesses ? compdb_guess_standard(path) : NULL;
    g_strv_builder_addv(all, (const char **)args);
    if (standard)
        g_strv_builder_add(all, standard);
    return g_strv_builder_end(all);
}

static void add_files(struct loading *loading, const GPtrArray *files, guint most, char **args)
{
    g_autofree char *cwd = g_get_current_dir();
    for (guint i = 0; i < files->len && i < most; i++) {
        const char *path = files->pdata[i];
        if (!g_hash_table_contains(loading->by_path, path))
            compdb_add_entry(loading, path, cwd, args_for(loading, args, path));
    }
}

static bool collect_sources(struct loading *loading, char **args, GError **error)
{
    const char *const *paths = loading->options->paths;
    const char *const here[] = {".", NULL};
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    for (paths = paths && paths[0] ? paths : here; *paths; paths++) {
        g_autofree char *path = g_canonicalize_filename(*paths, NULL);
        if (!compdb_check_path(*paths, path, error))
            return false;
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR) && compdb_other_language(path))
            g_hash_table_add(loading->others, g_strdup(path));
        else
            compdb_collect(path, files);
    }
    add_files(loading, files, G_MAXUINT, args);
    if (!loading->db->entries->len)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "no C file in %s; name a file, a folder or a build directory (-p)",
                         loading->db->root);
    return true;
}

static bool collect(struct loading *loading, const char *top, char **args, GError **error)
{
    if (!collect_sources(loading, args, error))
        return false;
    if (top) { // The other files of the tree: not asked for, but what is called may be defined
               // there.
        g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
        compdb_collect(top, files);
        add_files(loading, files, LIMIT_GUESSED_FILES, args);
    }
    return true;
}

// The first few of them, and how many more there are.
static char *few_of(char **args)
{
    enum { FEW = 6 };
    guint n = g_strv_length(args);
    if (n <= FEW + 1)
        return g_strjoinv(" ", args);
    g_autoptr(GString) text = g_string_new(args[0]);
    for (guint i = 1; i < FEW; i++)
        g_string_append_printf(text, " %s", args[i]);
    g_string_append_printf(text, " and %u more", n - FEW);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static bool make_up(struct loading *loading, GError **error)
{
    const char *top = loading->db->top = compdb_tree_top(loading->db->root);
    const struct scan_options *options = loading->options;
    if (options->clang_args && options->clang_args[0]) {
        // compdb_clean skips the compiler's name, which these do not have.
        g_autoptr(GStrvBuilder) argv = g_strv_builder_new();
        g_strv_builder_add(argv, "cc");
        g_strv_builder_addv(argv, (const char **)options->clang_args);
        g_auto(GStrv) with_compiler = g_strv_builder_end(argv);
        g_autofree char *cwd = g_get_current_dir();
        g_auto(GStrv) args = compdb_clean(with_compiler, "given.c", cwd, &loading->dropped);
        return collect(loading, top, args, error);
    }
    g_auto(GStrv) args = compdb_guess(top ? top : loading->db->root);
    g_autofree char *text = few_of(args);
    loading->guesses = true;
    bool ok = collect(loading, top, args, error);
    if (ok)
        compdb_note(options, "no " DATABASE " found, guessing the flags %s", text);
    return ok;
}

static void append_args(struct compdb *db, const char *const *more)
{
    if (!more || !more[0])
        return;
    for (guint i = 0; i < db->entries->len; i++) {
        struct compdb_entry *entry = db->entries->pdata[i];
        g_autoptr(GStrvBuilder) args = g_strv_builder_new();
        g_strv_builder_addv(args, (const char **)entry->args);
        g_strv_builder_addv(args, (const char **)more);
        g_strfreev(entry->args);
        entry->args = g_strv_builder_end(args);
    }
}

// A build folder beside the sources holds none of them: then the deepest folder that holds them all
// is what names are relative to.
static void raise_root(struct compdb *db)
{
    g_autofree char *common = NULL;
    for (guint i = 0; i < db->entries->len; i++) {
        const struct compdb_entry *entry = db->entries->pdata[i];
        if (compdb_under(entry->path, db->root))
            return;
        if (!common)
            common = g_path_get_dirname(entry->path);
        while (!compdb_under(entry->path, common)) {
            char *parent = g_path_get_dirname(common);
            g_free(common);
            common = parent;
        }
    }
    if (!common || strcmp(common, "/") == 0)
        return;
    g_free(db->root);
    db->root = g_steal_pointer(&common);
    for (guint i = 0; i < db->entries->len; i++) {
        struct compdb_entry *entry = db->entries->pdata[i];
        g_free(entry->name);
        entry->name = compdb_relative(db->root, entry->path);
    }
}

static gint by_entry_name(gconstpointer a, gconstpointer b)
{
    const struct compdb_entry *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static bool load(struct loading *loading, const char *file, GError **error)
{
    struct compdb *db = loading->db;
    if (file && !read_database(loading, file, error))
        return false;
    if (!file && !make_up(loading, error))
        return false;
    if (!db->entries->len)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "%s lists no C file; make it anew (cmake "
                         "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson, bear), or say flags after --",
                         file);
    if (!check_files(loading, file, error))
        return false;
    if (file) {
        raise_root(db);
        append_args(db, loading->options->clang_args);
    }
    append_args(db, loading->options->extra_args);
    if (!compdb_select(loading, error))
        return false;
    note_dropped(loading);
    return true;
}

struct compdb *compdb_load(const struct scan_options *options, GError **error)
{
    bool ok;
    g_autofree char *file = choose_database(options, &ok, error);
    if (!ok)
        return NULL;
    struct compdb *db = g_new0(struct compdb, 1);
    db->root = file ? g_path_get_dirname(file) : first_directory(options);
    db->entries = g_ptr_array_new_with_free_func(entry_free);
    db->others = g_ptr_array_new_with_free_func(g_free);
    db->ignored = options->ignored;
    struct loading loading = {
        .options = options,
        .db = db,
        .by_path = g_hash_table_new(g_str_hash, g_str_equal),
        .others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .dropped.options = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    ok = load(&loading, file, error);
    g_hash_table_unref(loading.by_path);
    g_hash_table_unref(loading.others);
    g_hash_table_unref(loading.dropped.options);
    g_ptr_array_sort(db->entries, by_entry_name);
    if (!ok)
        g_clear_pointer(&db, compdb_free);
    return db;
}
