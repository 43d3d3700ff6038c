// What to do without a compile database: walk the tree, and guess include directories.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compdb.h"

#define WALK_DEPTH   64
#define GUESSED_DIRS 200u
#define TOP_DEPTH    12u // folders from a source up to the top of its tree

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Names in `path`, sorted, without hidden ones; NULL when it cannot be read.
static GPtrArray *list_directory(const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    if (!dir)
        return NULL;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while ((name = g_dir_read_name(dir))) {
        if (name[0] != '.')
            g_ptr_array_add(names, g_strdup(name));
    }
    g_dir_close(dir);
    g_ptr_array_sort(names, by_name);
    return names;
}

// Directories seen on the way down, by device and inode: a link to a parent must not be followed
// for ever.
struct walk {
    GPtrArray *files;
    GHashTable *seen;
    const char *suffix;
    char *root;       // where it began, without links
    bool directories; // collect the directories that hold such files, not the files
};

static bool first_visit(struct walk *walk, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    return g_hash_table_add(walk->seen,
                            g_strdup_printf("%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino));
}

// A link to something below the root leads to what is met under its own name. A link that leads
// nowhere is no file.
static bool is_second_name(const struct walk *walk, const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode) || !walk->root)
        return false;
    char *real = realpath(path, NULL);
    size_t n = strlen(walk->root);
    bool below = real && strncmp(real, walk->root, n) == 0 && (real[n] == '/' || n == 1);
    free(real);
    return below;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void walk_directory(struct walk *walk, const char *path, unsigned depth)
{
    if (depth > WALK_DEPTH || !first_visit(walk, path))
        return;
    g_autoptr(GPtrArray) names = list_directory(path);
    bool listed = false;
    for (guint i = 0; names && i < names->len; i++) {
        g_autofree char *child = g_build_filename(path, names->pdata[i], NULL);
        if (is_directory(child)) {
            if (!is_second_name(walk, child))
                walk_directory(walk, child, depth + 1);
        } else if (g_str_has_suffix(child, walk->suffix) && is_file(child) &&
                   !is_second_name(walk, child)) {
            if (!walk->directories)
                g_ptr_array_add(walk->files, g_steal_pointer(&child));
            else if (!listed)
                g_ptr_array_add(walk->files, g_strdup(path));
            listed = true;
        }
    }
}

static void walk_tree(const char *path, const char *suffix, bool directories, GPtrArray *files)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    char *root = realpath(path, NULL);
    struct walk walk = {files, seen, suffix, root, directories};
    walk_directory(&walk, path, 0);
    free(root);
}

void compdb_collect(const char *path, GPtrArray *files)
{
    if (is_directory(path))
        walk_tree(path, ".c", false, files);
    else
        g_ptr_array_add(files, g_strdup(path));
}

static gint include_first(gconstpointer a, gconstpointer b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    bool x_include = g_str_has_suffix(x, "/include"), y_include = g_str_has_suffix(y, "/include");
    if (x_include != y_include)
        return x_include ? -1 : 1;
    return strcmp(x, y);
}

// Names of folders for other systems and processors: their headers stand in for ours.
static const char *const foreign[] = {
    "windows", "win32",   "win",     "freebsd", "netbsd", "openbsd",   "darwin", "macos", "solaris",
    "ppc",     "powerpc", "s390",    "riscv",   "mips",   "loongarch", "sparc",  "alpha", "m68k",
#if !defined(__aarch64__) && !defined(__arm__)
    "arm",     "arm64",   "aarch64",
#endif
#if !defined(__x86_64__) && !defined(__i386__)
    "x86",     "x86_64",  "i386",    "amd64",
#endif
};

static bool is_foreign(const char *root, const char *dir)
{
    g_autofree char *below = compdb_relative(root, dir);
    g_auto(GStrv) parts = g_strsplit(below, "/", -1);
    for (char **part = parts; *part; part++) {
        for (size_t i = 0; i < G_N_ELEMENTS(foreign); i++) {
            if (strcmp(*part, foreign[i]) == 0)
                return true;
        }
    }
    return false;
}

// Folders called include are meant to be searched. Any other comes after the system's, so that a
// header of the tree called limits.h or time.h does not stand in for the system's.
static const char *option_for(const char *dir)
{
    return g_str_has_suffix(dir, "/include") ? "-I" : "-idirafter";
}

// /usr has an include folder and is nobody's source tree; neither is a home.
static bool is_nobodys(const char *path)
{
    static const char *const systems[] = {"/usr", "/usr/local", "/opt", NULL};
    const char *below = strchr(path + 1, '/');
    return !below || g_strv_contains(systems, path) || strcmp(path, g_get_home_dir()) == 0;
}

char *compdb_tree_top(const char *directory)
{
    g_autofree char *dir = g_strdup(directory);
    for (unsigned i = 0; i < TOP_DEPTH && !is_nobodys(dir); i++) {
        g_autofree char *include = g_build_filename(dir, "include", NULL);
        if (is_directory(include))
            return g_steal_pointer(&dir);
        char *parent = g_path_get_dirname(dir);
        g_free(dir);
        dir = parent;
    }
    return NULL;
}

char **compdb_guess(const char *root)
{
    g_autoptr(GPtrArray) dirs = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GStrvBuilder) args = g_strv_builder_new();
    walk_tree(root, ".h", true, dirs);
    g_autofree char *include = g_build_filename(root, "include", NULL);
    if (is_directory(include))
        g_ptr_array_add(dirs, g_strdup(include));
    g_ptr_array_sort(dirs, include_first);
    g_autofree char *first = g_strconcat("-I", root, NULL);
    g_strv_builder_add(args, first);
    const char *last = root;
    for (guint i = 0, n = 0; i < dirs->len && n < GUESSED_DIRS; i++) {
        if (strcmp(dirs->pdata[i], last) == 0 || strcmp(dirs->pdata[i], root) == 0 ||
            is_foreign(root, dirs->pdata[i]))
            continue;
        last = dirs->pdata[i];
        g_autofree char *option = g_strconcat(option_for(last), last, NULL);
        g_strv_builder_add(args, option);
        n++;
    }
    g_strv_builder_add(args, "-D_GNU_SOURCE");
    return g_strv_builder_end(args);
}

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += n) {
        bool begins = at == text || !(g_ascii_isalnum(at[-1]) || at[-1] == '_');
        if (begins && !g_ascii_isalnum(at[n]) && at[n] != '_')
            return true;
    }
    return false;
}

const char *compdb_guess_standard(const char *path)
{
    g_autofree char *text = NULL;
    struct stat st;
    if (stat(path, &st) != 0 || st.st_size > (off_t)LIMIT_SOURCE_BYTES ||
        !g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    return has_word(text, "constexpr") || has_word(text, "nullptr") ? "-std=gnu2x" : NULL;
}
