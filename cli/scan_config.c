// See scan_config.h. GLib reads the file; where something stands is found by a look at the lines,
// because GKeyFile does not tell.
#include "scan_config.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "nearest.h"

enum kind {
    KIND_SEVERITY,
    KIND_CONFIDENCE,
    KIND_PATH,
    KIND_PATHS,
    KIND_GLOBS,
    KIND_RULES,
    KIND_WORDS, // as a shell would split them
};

struct config_key {
    const char *group, *name;
    enum kind kind;
    size_t offset; // of the field in struct scan_settings
};

#define FIELD(name) offsetof(struct scan_settings, name)
static const struct config_key keys[] = {
    {"scan", "build-dir", KIND_PATH, FIELD(build_dir)},
    {"scan", "models", KIND_PATHS, FIELD(models)},
    {"scan", "ignore", KIND_GLOBS, FIELD(ignored)},
    {"scan", "clang-args", KIND_WORDS, FIELD(clang_args)},
    {"findings", "fail-on", KIND_SEVERITY, FIELD(fail_on)},
    {"findings", "min-severity", KIND_SEVERITY, FIELD(min_severity)},
    {"findings", "min-confidence", KIND_CONFIDENCE, FIELD(min_confidence)},
    {"findings", "disable", KIND_RULES, FIELD(disabled)},
    {"findings", "baseline", KIND_PATH, FIELD(baseline)},
};
#define GROUP_ASSUME "assume" // its keys are the user's own

struct config {
    const char *path;
    char *folder;
    GKeyFile *file;
    char **lines;
    struct scan_settings *settings;
};

static const char *nth_key(size_t i)
{
    return i < G_N_ELEMENTS(keys) ? keys[i].name : NULL;
}

// ---- Lines

// "[group]" gives the group, "key = value" the key; each is the caller's, NULL for the other kind
// and for comments and empty lines. False: neither.
static bool take_apart(const char *line, char **group, char **key)
{
    g_autofree char *text = g_strstrip(g_strdup(line));
    size_t n = strlen(text);
    *group = *key = NULL;
    if (n == 0 || text[0] == '#')
        return true;
    if (text[0] == '[') {
        *group = text[n - 1] == ']' ? g_strstrip(g_strndup(text + 1, n - 2)) : NULL;
        return *group != NULL;
    }
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return false;
    *key = g_strstrip(g_strndup(text, (gsize)(equals - text)));
    return true;
}

static unsigned line_of(const struct config *config, const char *group, const char *key)
{
    bool inside = false;
    for (unsigned i = 0; config->lines[i]; i++) {
        g_autofree char *found_group = NULL, *found_key = NULL;
        take_apart(config->lines[i], &found_group, &found_key);
        if (found_group)
            inside = strcmp(found_group, group) == 0;
        if (inside && (key ? g_strcmp0(found_key, key) == 0 : found_group != NULL))
            return i + 1;
    }
    return 1;
}

static bool check_group(const struct config *config, unsigned line, const char *group,
                        GError **error)
{
    return strcmp(group, "scan") == 0 || strcmp(group, "findings") == 0 ||
           strcmp(group, GROUP_ASSUME) == 0 ||
           error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s:%u: there is no group [%s]; it is one of [scan], [findings], [assume]",
                     config->path, line, group);
}

static bool check_key(const struct config *config, unsigned line, const char *group,
                      const char *key, GError **error)
{
    if (strcmp(group, GROUP_ASSUME) == 0)
        return true;
    const char *elsewhere = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (strcmp(keys[i].name, key) != 0)
            continue;
        if (strcmp(keys[i].group, group) == 0)
            return true;
        elsewhere = keys[i].group;
    }
    if (elsewhere)
        return error_set(error, SPINFAULT_ERROR_DAMAGED, "%s:%u: \"%s\" belongs to the group [%s]",
                         config->path, line, key, elsewhere);
    const char *near = nearest_name(key, nth_key);
    if (near)
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s:%u: there is no key \"%s\"; did you mean \"%s\"?", config->path, line,
                         key, near);
    return error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s:%u: [%s] has no key \"%s\"; docs/scan-config.md lists those it has",
                     config->path, line, group, key);
}

// Every line is of a known kind, every group and key is known, and none is said twice.
static bool check_lines(const struct config *config, GError **error)
{
    g_autofree char *group = NULL;
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; config->lines[i]; i++) {
        char *new_group;
        g_autofree char *key = NULL;
        if (!take_apart(config->lines[i], &new_group, &key))
            return error_set(error, SPINFAULT_ERROR_DAMAGED,
                             "%s:%u: this is neither [group], key = value nor # comment",
                             config->path, i + 1);
        if (new_group) {
            g_free(group);
            group = new_group;
            if (!check_group(config, i + 1, group, error))
                return false;
        }
        if (!key)
            continue;
        if (!group)
            return error_set(error, SPINFAULT_ERROR_DAMAGED,
                             "%s:%u: \"%s\" stands before any group; begin with [scan]",
                             config->path, i + 1, key);
        if (!check_key(config, i + 1, group, key, error))
            return false;
        if (!g_hash_table_add(seen, g_strconcat(group, "/", key, NULL)))
            return error_set(error, SPINFAULT_ERROR_DAMAGED, "%s:%u: \"%s\" is said twice",
                             config->path, i + 1, key);
    }
    return true;
}

// ---- Values

static bool no_value(const struct config *config, const struct config_key *key, const char *value,
                     const char *wanted, GError **error)
{
    return error_set(error, SPINFAULT_ERROR_DAMAGED, "%s:%u: %s cannot be \"%s\"; %s", config->path,
                     line_of(config, key->group, key->name), key->name, value, wanted);
}

void scan_ignore_add(GStrvBuilder *patterns, const char *folder, const char *glob)
{
    g_autofree char *trimmed = g_strdup(glob);
    g_autoptr(GString) escaped = g_string_new(NULL);
    size_t n = strlen(trimmed);
    while (n > 1 && trimmed[n - 1] == '/')
        trimmed[--n] = '\0';
    const char *name = g_str_has_prefix(trimmed, "./") ? trimmed + 2 : trimmed;
    if (g_path_is_absolute(name)) {
        g_strv_builder_add(patterns, name);
        return;
    }
    for (const char *p = strcmp(folder, "/") == 0 ? "" : folder; *p; p++) {
        if (strchr("*?[]\\", *p))
            g_string_append_c(escaped, '\\');
        g_string_append_c(escaped, *p);
    }
    g_autofree char *below = g_strconcat(escaped->str, "/", name, NULL);
    g_strv_builder_add(patterns, below);
    if (!strchr(name, '/')) {
        g_autofree char *anywhere = g_strconcat(escaped->str, "/*/", name, NULL);
        g_strv_builder_add(patterns, anywhere);
    }
}

static bool read_list(const struct config *config, const struct config_key *key, char ***field,
                      GError **error)
{
    g_auto(GStrv) values =
        g_key_file_get_string_list(config->file, key->group, key->name, NULL, NULL);
    g_autoptr(GStrvBuilder) list = g_strv_builder_new();
    for (char **one = values; one && *one; one++) {
        const char *value = g_strstrip(*one);
        if (!*value)
            continue;
        if (key->kind == KIND_RULES && !scan_rule_exists(value))
            return no_value(config, key, value, "\"spinfault explain\" lists the rules", error);
        g_autofree char *path = g_canonicalize_filename(value, config->folder);
        if (key->kind == KIND_GLOBS)
            scan_ignore_add(list, config->folder, value);
        else
            g_strv_builder_add(list, key->kind == KIND_PATHS ? path : value);
    }
    *field = g_strv_builder_end(list);
    return true;
}

// The folder that follows an option like -I, said as the next word or at once, made absolute.
static void place_folders(const struct config *config, char **words)
{
    static const char *const options[] = {"-I", "-isystem", "-iquote", "-idirafter"};
    for (char **word = words; *word; word++) {
        for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
            if (!g_str_has_prefix(*word, options[i]))
                continue;
            bool joined = (*word)[strlen(options[i])] != '\0';
            char **folder = joined ? word : word + 1;
            const char *said = joined ? *word + strlen(options[i]) : *folder;
            if (!said)
                return;
            g_autofree char *path = g_canonicalize_filename(said, config->folder);
            g_free(*folder);
            *folder = g_strconcat(joined ? options[i] : "", path, NULL);
            word = folder;
            break;
        }
    }
}

static bool read_words(const struct config *config, const struct config_key *key, const char *value,
                       char ***field, GError **error)
{
    g_autoptr(GError) shell = NULL;
    if (*value && !g_shell_parse_argv(value, NULL, field, &shell))
        return no_value(config, key, value, "it is split as a shell does", error);
    if (*field)
        place_folders(config, *field);
    return true;
}

static bool read_text(const struct config *config, const struct config_key *key, const char *value,
                      char **field, GError **error)
{
    enum severity severity;
    enum confidence confidence;
    bool fits = key->kind == KIND_SEVERITY
                    ? severity_parse(value, &severity) && severity != SEVERITY_NONE
                : key->kind == KIND_CONFIDENCE ? confidence_parse(value, &confidence)
                                               : *value != '\0';
    if (!fits)
        return no_value(config, key, value,
                        key->kind == KIND_PATH ? "it is a path" : "it is one of low, medium, high",
                        error);
    *field =
        key->kind == KIND_PATH ? g_canonicalize_filename(value, config->folder) : g_strdup(value);
    return true;
}

static bool read_key(const struct config *config, const struct config_key *key, GError **error)
{
    void *field = (char *)config->settings + key->offset;
    if (!g_key_file_has_key(config->file, key->group, key->name, NULL))
        return true;
    if (key->kind == KIND_PATHS || key->kind == KIND_GLOBS || key->kind == KIND_RULES)
        return read_list(config, key, field, error);
    // Escapes are undone, and the value may not be UTF-8 (then GLib has no string of it).
    g_autofree char *value = g_key_file_get_string(config->file, key->group, key->name, NULL);
    if (!value)
        value = g_key_file_get_value(config->file, key->group, key->name, NULL);
    g_strstrip(value);
    return key->kind == KIND_WORDS ? read_words(config, key, value, field, error)
                                   : read_text(config, key, value, field, error);
}

static bool read_assumptions(const struct config *config, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(config->file, GROUP_ASSUME, NULL, NULL);
    g_autoptr(GStrvBuilder) list = g_strv_builder_new();
    for (char **name = names; name && *name; name++) {
        g_autofree char *value = g_key_file_get_value(config->file, GROUP_ASSUME, *name, NULL);
        uint64_t number;
        g_strstrip(value);
        if (!slice_to_u64(slice_from(value), &number) && !text_to_bytes(value, &number))
            return error_set(error, SPINFAULT_ERROR_DAMAGED,
                             "%s:%u: %s cannot be \"%s\"; it is a number, as in NBuffers = "
                             "15728640",
                             config->path, line_of(config, GROUP_ASSUME, *name), *name, value);
        g_autofree char *assumption = g_strconcat(*name, "=", value, NULL);
        g_strv_builder_add(list, assumption);
    }
    config->settings->assumptions = g_strv_builder_end(list);
    return true;
}

// ---- The file

static char *read_file(const char *path, GError **error)
{
    char *text = NULL;
    struct stat info;
    g_autoptr(GError) io = NULL;
    if (stat(path, &info) == 0 && info.st_size > (off_t)LIMIT_CONFIG_BYTES) {
        error_set(error, SPINFAULT_ERROR_LIMIT, "%s is larger than LIMIT_CONFIG_BYTES (%u bytes)",
                  path, LIMIT_CONFIG_BYTES);
    } else if (!g_file_get_contents(path, &text, NULL, &io)) {
        bool gone = g_error_matches(io, G_FILE_ERROR, G_FILE_ERROR_NOENT);
        error_set(error, gone ? SPINFAULT_ERROR_NOT_FOUND : SPINFAULT_ERROR_IO,
                  gone ? "there is no configuration %s" : "cannot read the configuration %s", path);
    }
    return text;
}

bool scan_config_read(const char *path, struct scan_settings *settings, GError **error)
{
    g_autofree char *text = read_file(path, error);
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    g_autofree char *folder = g_path_get_dirname(absolute);
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) damage = NULL;
    if (!text)
        return false;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    struct config config = {path, folder, file, lines, settings};
    g_key_file_set_list_separator(file, ';');
    if (!check_lines(&config, error))
        return false;
    if (!g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &damage))
        return error_set(error, SPINFAULT_ERROR_DAMAGED, "%s: %s", path, damage->message);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        if (!read_key(&config, &keys[i], error))
            return false;
    return read_assumptions(&config, error);
}

char *scan_config_find(const char *path)
{
    g_autofree char *folder = g_canonicalize_filename(path, NULL);
    for (;;) {
        g_autofree char *file = g_build_filename(folder, SCAN_CONFIG_NAME, NULL);
        if (g_file_test(file, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer(&file);
        char *parent = g_path_get_dirname(folder);
        bool top = strcmp(parent, folder) == 0;
        g_free(folder);
        folder = parent;
        if (top)
            return NULL;
    }
}
