// A directory of files for one test, gone when it ends.
#ifndef SPINFAULT_TESTS_SCRATCH_H
#define SPINFAULT_TESTS_SCRATCH_H

#include <glib.h>
#include <glib/gstdio.h>

static inline char *scratch_new(void)
{
    char *dir = g_dir_make_tmp("spinfault-XXXXXX", NULL);
    g_assert_nonnull(dir);
    return dir;
}

// Writes dir/name, making folders on the way; returns its path, the caller's.
static inline char *scratch_write(const char *dir, const char *name, const char *text)
{
    char *path = g_build_filename(dir, name, NULL);
    g_autofree char *folder = g_path_get_dirname(path);
    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static inline void scratch_remove(const char *path)
{
    GDir *listing = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
    const char *name;
    while (listing && (name = g_dir_read_name(listing))) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        scratch_remove(child);
    }
    if (listing)
        g_dir_close(listing);
    g_remove(path);
}

static inline void scratch_free(char *dir)
{
    scratch_remove(dir);
    g_free(dir);
}

#endif
