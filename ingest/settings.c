// Settings from the command line and from the sidecar.
#include "settings.h"

#include <string.h>

// Names and versions may look like numbers ("7.0"), and are none.
static bool is_number(const char *key, const char *value)
{
    static const char *const names[] = {"kernel", "host", "instance", "arch",
                                        "label",  "run",  "commit"};
    double v;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(key, names[i]) == 0)
            return false;
    return !g_str_has_suffix(key, "_version") && slice_to_double(slice_from(value), &v);
}

// The value by the grid's name, or NULL when it is none.
static char *normalised(const char *key, const char *value)
{
    char page[8];
    if (strcmp(key, "page") == 0 || strcmp(key, "page_asked") == 0)
        return page_parse(value, page, NULL) ? g_strdup(page) : NULL;
    if (strcmp(key, "preempt") == 0)
        return g_strdup(preempt_parse(value));
    return g_strdup(value);
}

struct setting *setting_new(const char *key, const char *value)
{
    struct setting *s = g_new0(struct setting, 1);
    char *normal = normalised(key, value);
    s->key = g_strdup(key);
    s->value = normal ? normal : g_strdup(value);
    s->is_number = is_number(key, s->value);
    return s;
}

void setting_free(gpointer setting)
{
    struct setting *s = setting;
    g_free((char *)s->key);
    g_free((char *)s->value);
    g_free(s);
}

GPtrArray *settings_new(void)
{
    return g_ptr_array_new_with_free_func(setting_free);
}

static guint find(const GPtrArray *settings, const char *key)
{
    guint i = 0;
    while (i < settings->len && strcmp(((struct setting *)settings->pdata[i])->key, key) != 0)
        i++;
    return i;
}

void settings_set(GPtrArray *settings, const char *key, const char *value)
{
    guint i = find(settings, key);
    struct setting *s = setting_new(key, value);
    if (i == settings->len) {
        g_ptr_array_add(settings, s);
        return;
    }
    setting_free(settings->pdata[i]);
    settings->pdata[i] = s;
}

void settings_unset(GPtrArray *settings, const char *key)
{
    guint i = find(settings, key);
    if (i < settings->len)
        g_ptr_array_remove_index(settings, i);
}

const char *settings_get(const GPtrArray *settings, const char *key)
{
    guint i = find(settings, key);
    return i < settings->len ? ((struct setting *)settings->pdata[i])->value : NULL;
}

struct setting *settings_flat(const GPtrArray *settings)
{
    struct setting *flat = g_new0(struct setting, settings->len + 1);
    for (guint i = 0; i < settings->len; i++)
        flat[i] = *(struct setting *)settings->pdata[i];
    return flat;
}

static bool set_checked(GPtrArray *settings, const char *where, const char *key, const char *value,
                        GError **error)
{
    g_autofree char *normal = normalised(key, value);
    if (!normal)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         strcmp(key, "preempt") == 0
                             ? "%s: \"%s\" is not a preemption mode for %s; say none, voluntary, "
                               "full, lazy or rt"
                             : "%s: \"%s\" is not a page size for %s; say 4K, 16K, 64K, THP, 2M or "
                               "1G",
                         where, value, key);
    settings_set(settings, key, value);
    return true;
}

static bool read_sidecar(GPtrArray *settings, const char *path, GError **error)
{
    g_autofree char *name = g_strconcat(path, ".spinfault.ini", NULL);
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) problem = NULL;
    if (!g_key_file_load_from_file(file, name, G_KEY_FILE_NONE, &problem)) {
        if (g_error_matches(problem, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
            g_error_matches(problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
            return true;
        return error_set(error, SPINFAULT_ERROR_DAMAGED, "%s cannot be used: %s", name,
                         problem->message);
    }
    g_auto(GStrv) keys = g_key_file_get_keys(file, "set", NULL, NULL);
    for (char **key = keys; key && *key; key++) {
        g_autofree char *value = g_key_file_get_string(file, "set", *key, NULL);
        if (value && !set_checked(settings, name, *key, g_strstrip(value), error))
            return false;
    }
    return true;
}

GPtrArray *settings_read(const char *path, const struct ingest_options *options, GError **error)
{
    g_autoptr(GPtrArray) settings = settings_new();
    if (strcmp(path, "-") != 0 && !read_sidecar(settings, path, error))
        return NULL;
    for (size_t i = 0; options && i < options->n_settings; i++)
        if (!set_checked(settings, "--set", options->settings[i].key, options->settings[i].value,
                         error))
            return NULL;
    return g_steal_pointer(&settings);
}

GPtrArray *settings_merge(const struct setting *base, size_t n, const GPtrArray *over)
{
    GPtrArray *all = settings_new();
    for (size_t i = 0; i < n; i++)
        settings_set(all, base[i].key, base[i].value);
    for (guint i = 0; i < over->len; i++) {
        const struct setting *s = over->pdata[i];
        settings_set(all, s->key, s->value);
    }
    return all;
}
