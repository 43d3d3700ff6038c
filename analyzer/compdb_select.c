// Of what the compile database lists, or a walk has found, what the paths ask for.
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "compdb_load.h"

bool compdb_ignores(const struct compdb *db, const char *path)
{
    for (const char *const *glob = db->ignored; glob && *glob; glob++) {
        if (fnmatch(*glob, path, FNM_LEADING_DIR) == 0)
            return true;
    }
    return false;
}

bool compdb_under(const char *path, const char *directory)
{
    size_t n = strlen(directory);
    return strncmp(path, directory, n) == 0 &&
           (path[n] == 0 || path[n] == '/' || (n == 1 && directory[0] == '/'));
}

// Who names a folder that is ignored, or something in it, wants to see it.
static bool is_ignored(const struct loading *loading, const char *path)
{
    if (!compdb_ignores(loading->db, path))
        return false;
    const char *const *paths = loading->options->paths;
    for (; paths && *paths; paths++) {
        g_autofree char *asked = g_canonicalize_filename(*paths, NULL);
        if (compdb_under(path, asked) && compdb_ignores(loading->db, asked))
            return false;
    }
    return true;
}

// The entry whose flags a file that is in no database most likely shares: the one with the longest
// common beginning of its name.
static const struct compdb_entry *nearest(const struct compdb *db, const char *path)
{
    const struct compdb_entry *best = NULL;
    size_t best_common = 0;
    for (guint i = 0; i < db->entries->len; i++) {
        const struct compdb_entry *entry = db->entries->pdata[i];
        size_t common = 0;
        while (path[common] && path[common] == entry->path[common])
            common++;
        if (!best || common > best_common) {
            best = entry;
            best_common = common;
        }
    }
    return best;
}

static struct compdb_entry *add_undescribed(struct loading *loading, const char *path)
{
    const struct compdb_entry *like = nearest(loading->db, path);
    g_autofree char *directory = g_strdup(like->directory);
    struct compdb_entry *entry = compdb_add_entry(loading, path, directory, g_strdupv(like->args));
    entry->selected = true;
    return entry;
}

static void note_undescribed(struct loading *loading, const char *path, unsigned files)
{
    const struct compdb_entry *like = nearest(loading->db, path);
    g_autofree char *name = compdb_relative(loading->db->root, path);
    if (files == 0)
        compdb_note(loading->options, "%s is not in the compile database, taking the flags of %s",
                    name, like->name);
    else
        compdb_note(
            loading->options,
            "nothing in %s is in the compile database, taking for each file (%u) the flags of the "
            "nearest, as of %s",
            name, files, like->name);
}

bool compdb_other_language(const char *path)
{
    static const char *const suffixes[] = {".cc",  ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp",
                                           ".hxx", ".m",   ".mm",  ".cu",  ".S", ".s",  ".asm"};
    for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        if (g_str_has_suffix(path, suffixes[i]))
            return true;
    }
    return false;
}

// A file or folder that is there but that the database says nothing of.
static void select_undescribed(struct loading *loading, const char *path)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        if (compdb_other_language(path)) {
            g_hash_table_add(loading->others, g_strdup(path));
        } else {
            note_undescribed(loading, path, 0);
            add_undescribed(loading, path)->named = true;
        }
        return;
    }
    compdb_collect(path, files);
    if (files->len)
        note_undescribed(loading, path, files->len);
    for (guint i = 0; i < files->len; i++) {
        if (!g_hash_table_contains(loading->by_path, files->pdata[i]))
            add_undescribed(loading, files->pdata[i]);
    }
}

bool compdb_check_path(const char *given, const char *path, GError **error)
{
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return error_set(error, SPINFAULT_ERROR_NOT_FOUND, "%s: no such file or directory", given);
    return g_file_test(path, G_FILE_TEST_IS_DIR) || g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
           error_set(error, SPINFAULT_ERROR_USAGE,
                     "%s is neither a file nor a folder; name C files or folders", given);
}

static bool select_in_database(struct loading *loading, const char *path)
{
    bool any = false;
    for (guint i = 0; i < loading->db->entries->len; i++) {
        struct compdb_entry *entry = loading->db->entries->pdata[i];
        if (compdb_under(entry->path, path))
            any = entry->selected = true;
        entry->named |= strcmp(entry->path, path) == 0;
    }
    GHashTableIter iter;
    gpointer other;
    g_hash_table_iter_init(&iter, loading->others);
    while (!any && g_hash_table_iter_next(&iter, &other, NULL))
        any = compdb_under(other, path);
    return any;
}

static bool select_path(struct loading *loading, const char *given, GError **error)
{
    g_autofree char *path = g_canonicalize_filename(given, NULL);
    if (!compdb_check_path(given, path, error))
        return false;
    bool any = select_in_database(loading, path);
    // The same tree by another name: follow the links and try again.
    char *real = any ? NULL : realpath(path, NULL);
    if (real && strcmp(real, path) != 0)
        any = select_in_database(loading, real);
    free(real);
    if (!any)
        select_undescribed(loading, path);
    return true;
}

static bool asked_for(const struct loading *loading, const char *path)
{
    const char *const *paths = loading->options->paths;
    if (!paths || !paths[0])
        return true;
    for (; *paths; paths++) {
        g_autofree char *asked = g_canonicalize_filename(*paths, NULL);
        if (compdb_under(path, asked))
            return true;
    }
    return false;
}

static gint by_string(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_others(struct loading *loading)
{
    GHashTableIter iter;
    gpointer path;
    g_hash_table_iter_init(&iter, loading->others);
    while (g_hash_table_iter_next(&iter, &path, NULL)) {
        if (asked_for(loading, path) && !is_ignored(loading, path))
            g_ptr_array_add(loading->db->others, compdb_relative(loading->db->root, path));
    }
    g_ptr_array_sort(loading->db->others, by_string);
}

static void leave_out_ignored(struct loading *loading)
{
    unsigned ignored = 0;
    for (guint i = 0; i < loading->db->entries->len; i++) {
        struct compdb_entry *entry = loading->db->entries->pdata[i];
        if (!entry->selected || !is_ignored(loading, entry->path))
            continue;
        entry->selected = false;
        ignored++;
    }
    if (ignored)
        compdb_note(loading->options, "%u %s ignored, as asked for", ignored,
                    ignored == 1 ? "file is" : "files are");
}

bool compdb_select(struct loading *loading, GError **error)
{
    const char *const *paths = loading->options->paths;
    bool all = !paths || !paths[0], any = false;
    for (guint i = 0; all && i < loading->db->entries->len; i++)
        ((struct compdb_entry *)loading->db->entries->pdata[i])->selected = true;
    for (; !all && *paths; paths++) {
        if (!select_path(loading, *paths, error))
            return false;
    }
    for (guint i = 0; i < loading->db->entries->len && !any; i++)
        any = ((struct compdb_entry *)loading->db->entries->pdata[i])->selected;
    if (!any)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "no C file in %s; name a file, a folder or a build directory (-p)",
                         all ? loading->db->root : loading->options->paths[0]);
    leave_out_ignored(loading);
    list_others(loading);
    return true;
}
