#include "lexinclude.h"

#include <string.h>
#include <sys/stat.h>

static const char *const system_dirs[] = {"/usr/local/include", "/usr/include"};

static void dirs_free(gpointer data)
{
    struct include_dirs *dirs = data;
    g_ptr_array_unref(dirs->dirs);
    g_hash_table_unref(dirs->found);
    g_free(dirs);
}

struct includes *includes_new(void)
{
    struct includes *includes = g_new0(struct includes, 1);
    includes->by_options = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, dirs_free);
    includes->exists = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return includes;
}

void includes_free(struct includes *includes)
{
    if (!includes)
        return;
    g_hash_table_unref(includes->by_options);
    g_hash_table_unref(includes->exists);
    g_free(includes);
}

// The value of `option` at `args` ("-I" "dir" or "-Idir"), or NULL.
static const char *option_value(char *const *args, const char *option)
{
    size_t n = strlen(option);
    if (strncmp(*args, option, n) != 0)
        return NULL;
    return (*args)[n] ? *args + n : args[1];
}

static void add_dirs(GPtrArray *dirs, const struct compdb_entry *entry, const char *option)
{
    for (char **arg = entry->args; *arg; arg++) {
        const char *value = option_value(arg, option);
        if (value)
            g_ptr_array_add(dirs, g_canonicalize_filename(value, entry->directory));
    }
}

static char *options_key(const struct compdb_entry *entry)
{
    GString *key = g_string_new(entry->directory);
    for (char **arg = entry->args; *arg; arg++) {
        if (g_str_has_prefix(*arg, "-I") || g_str_has_prefix(*arg, "-i")) {
            g_string_append_printf(key, "\n%s", *arg);
            if (arg[1] && arg[1][0] != '-')
                g_string_append_printf(key, "\n%s", arg[1]);
        }
    }
    return g_string_free(key, FALSE);
}

struct include_dirs *includes_dirs(struct includes *includes, const struct compdb_entry *entry)
{
    static const char *const options[] = {"-iquote", "-I", "-isystem", "-idirafter"};
    g_autofree char *key = options_key(entry);
    struct include_dirs *dirs = g_hash_table_lookup(includes->by_options, key);
    if (dirs)
        return dirs;
    dirs = g_new0(struct include_dirs, 1);
    dirs->dirs = g_ptr_array_new_with_free_func(g_free);
    dirs->found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
        add_dirs(dirs->dirs, entry, options[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(system_dirs); i++)
        g_ptr_array_add(dirs->dirs, g_strdup(system_dirs[i]));
    g_hash_table_insert(includes->by_options, g_steal_pointer(&key), dirs);
    return dirs;
}

static bool exists(struct includes *includes, const char *path)
{
    int known = GPOINTER_TO_INT(g_hash_table_lookup(includes->exists, path));
    if (!known) {
        struct stat st;
        known = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? 1 : 2;
        g_hash_table_insert(includes->exists, g_strdup(path), GINT_TO_POINTER(known));
    }
    return known == 1;
}

static char *join(const char *directory, const char *name)
{
    // Canonical only when it has to be: this runs once for every directory and name.
    if (strstr(name, "..") || strstr(name, "./"))
        return g_canonicalize_filename(name, directory);
    return g_strconcat(directory, "/", name, NULL);
}

static const char *find_in_dirs(struct includes *includes, struct include_dirs *dirs,
                                const char *name)
{
    const char *known = g_hash_table_lookup(dirs->found, name);
    for (guint i = 0; !known && i < dirs->dirs->len; i++) {
        g_autofree char *path = join(dirs->dirs->pdata[i], name);
        if (exists(includes, path)) {
            known = path;
            g_hash_table_insert(dirs->found, g_strdup(name), g_steal_pointer(&path));
        }
    }
    if (!known) {
        known = g_strdup("");
        g_hash_table_insert(dirs->found, g_strdup(name), (gpointer)known);
    }
    return known[0] ? known : NULL;
}

const char *includes_find(struct includes *includes, struct include_dirs *dirs, const char *from,
                          const struct lex_include *include)
{
    g_autofree char *name = g_strndup(include->name, include->bytes);
    if (name[0] == '/' || include->quoted) {
        g_autofree char *directory = g_path_get_dirname(from);
        g_autofree char *path = join(name[0] == '/' ? "" : directory, name + (name[0] == '/'));
        gpointer kept = NULL;
        if (exists(includes, path) &&
            g_hash_table_lookup_extended(includes->exists, path, &kept, NULL))
            return kept;
    }
    return find_in_dirs(includes, dirs, name);
}

GPtrArray *includes_forced(const struct compdb_entry *entry)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    for (char **arg = entry->args; *arg; arg++) {
        if ((strcmp(*arg, "-include") == 0 || strcmp(*arg, "-imacros") == 0) && arg[1])
            g_ptr_array_add(files, g_canonicalize_filename(arg[1], entry->directory));
    }
    return files;
}
