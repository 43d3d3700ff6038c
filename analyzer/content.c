// See content.h.
#include "content.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lexinclude.h"

struct content_file {
    char *path;
    char *folder;
    GPtrArray *names; // char*: operands of its #include lines, a '"' or '<' before each
    char digest[DIGEST_HEX_BYTES];
    bool unfit, opaque;
};

// What was asked under the same include directories.
struct places {
    GHashTable *by_name; // name -> where it is, as text
    GHashTable *states;  // path -> state in hex
};

struct content {
    GHashTable *files;         // path -> struct content_file*
    GHashTable *folders;       // path -> set of the names in it, or NULL
    struct includes *includes; // directories by options
    GHashTable *places;        // struct include_dirs* -> struct places*
    GPtrArray *built_in;       // char*: directories that no option names
    struct timespec started;   // by the clock that file systems use
};

static void file_free(gpointer data)
{
    struct content_file *file = data;
    g_free(file->path);
    g_free(file->folder);
    g_ptr_array_unref(file->names);
    g_free(file);
}

static void set_free(gpointer data)
{
    if (data)
        g_hash_table_unref(data);
}

static void places_free(gpointer data)
{
    struct places *places = data;
    g_hash_table_unref(places->by_name);
    g_hash_table_unref(places->states);
    g_free(places);
}

static int by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Debian's clang looks into /usr/include/x86_64-linux-gnu as well.
static GPtrArray *built_in_folders(void)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) include = g_dir_open("/usr/include", 0, NULL);
    const char *name;
    while (include && (name = g_dir_read_name(include))) {
        if (strstr(name, "-linux-"))
            g_ptr_array_add(folders, g_build_filename("/usr/include", name, NULL));
    }
    g_ptr_array_sort(folders, by_name);
    return folders;
}

struct content *content_new(void)
{
    struct content *content = g_new0(struct content, 1);
    content->files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, file_free);
    content->folders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, set_free);
    content->includes = includes_new();
    content->places = g_hash_table_new_full(NULL, NULL, NULL, places_free);
    content->built_in = built_in_folders();
    clock_gettime(CLOCK_REALTIME_COARSE, &content->started);
    return content;
}

void content_free(struct content *content)
{
    if (!content)
        return;
    g_hash_table_unref(content->files);
    g_hash_table_unref(content->folders);
    g_hash_table_unref(content->places);
    g_ptr_array_unref(content->built_in);
    includes_free(content->includes);
    g_free(content);
}

// ---- Directives, as bytes: one that is switched off or stands in a comment costs a look-up, no
// more.

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

// `"name"` or `<name>` at `at`; returns where it ends, or NULL when there is none.
static const char *take_operand(struct content_file *file, const char *at, const char *end)
{
    if (at == end || (*at != '"' && *at != '<'))
        return NULL;
    char close = *at == '"' ? '"' : '>';
    const char *stop = at + 1;
    while (stop < end && *stop != close && *stop != '\n')
        stop++;
    if (stop == end || *stop != close || stop == at + 1)
        return NULL;
    g_ptr_array_add(file->names, g_strndup(at, (gsize)(stop - at)));
    return stop;
}

static bool starts(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - at) >= n && memcmp(at, word, n) == 0;
}

static void read_directives(struct content_file *file, const char *at, const char *end)
{
    while (at < end && (at = memchr(at, '#', (size_t)(end - at)))) {
        at = skip_blanks(at + 1, end);
        bool include = starts(at, end, "include"), import = starts(at, end, "import");
        if (include || import) {
            at += include ? strlen("include") : strlen("import");
            at += starts(at, end, "_next") ? strlen("_next") : 0;
            const char *operand = skip_blanks(at, end);
            // "#included" is nothing; #include MACRO and #include"x.h" are.
            bool operand_follows = operand > at || (operand < end && !g_ascii_isalnum(*operand));
            at = operand;
            if (operand_follows && !take_operand(file, at, end))
                file->opaque = true;
        } else if (starts(at, end, "embed")) {
            file->unfit = true;
        }
    }
}

static void read_questions(struct content_file *file, const char *at, const char *end)
{
    static const char word[] = "__has_include";
    while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1))) {
        at += sizeof word - 1;
        at += starts(at, end, "_next") ? strlen("_next") : 0;
        at = skip_blanks(at, end);
        if (at < end && *at == '(')
            take_operand(file, skip_blanks(at + 1, end), end);
    }
}

// ---- Reading

// Changed so late that its text may be another one than what was read of it before.
static bool is_later(const struct timespec *changed, const struct timespec *started)
{
    return changed->tv_sec > started->tv_sec ||
           (changed->tv_sec == started->tv_sec && changed->tv_nsec >= started->tv_nsec);
}

static void read_file(struct content_file *file, const struct timespec *started)
{
    int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (fd < 0)
        return;
    g_autofree char *text = NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= LIMIT_SOURCE_BYTES) {
        size_t bytes = 0, room = (size_t)st.st_size + 1;
        ssize_t got = 1;
        text = g_malloc(room);
        while (bytes < room && (got = read(fd, text + bytes, room - bytes)) > 0)
            bytes += (size_t)got;
        file->unfit = is_later(&st.st_ctim, started) || got < 0 || bytes != (size_t)st.st_size;
        digest_bytes(text, bytes, file->digest);
        read_directives(file, text, text + bytes);
        read_questions(file, text, text + bytes);
    } else {
        file->unfit = true; // nothing to compare
    }
    close(fd);
}

struct reader {
    const struct content *content;
    const GPtrArray *files; // struct content_file*
    guint first, step;
};

static gpointer read_some(gpointer data)
{
    const struct reader *reader = data;
    for (guint i = reader->first; i < reader->files->len; i += reader->step)
        read_file(reader->files->pdata[i], &reader->content->started);
    return NULL;
}

void content_read(struct content *content, const GPtrArray *paths, unsigned jobs)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new();
    struct reader readers[16];
    GThread *threads[16];
    for (guint i = 0; i < paths->len; i++) {
        if (g_hash_table_contains(content->files, paths->pdata[i]))
            continue;
        struct content_file *file = g_new0(struct content_file, 1);
        file->path = g_strdup(paths->pdata[i]);
        file->folder = g_path_get_dirname(file->path);
        file->names = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_insert(content->files, file->path, file);
        g_ptr_array_add(files, file);
    }
    unsigned n = CLAMP(MIN(jobs, files->len / 16), 1, G_N_ELEMENTS(readers));
    for (unsigned i = 0; i < n; i++) {
        readers[i] = (struct reader){content, files, i, n};
        threads[i] = i + 1 < n ? g_thread_new("content", read_some, &readers[i]) : NULL;
    }
    read_some(&readers[n - 1]);
    for (unsigned i = 0; i + 1 < n; i++)
        g_thread_join(threads[i]);
}

static const struct content_file *file_at(const struct content *content, const char *path)
{
    const struct content_file *file = g_hash_table_lookup(content->files, path);
    g_assert(file); // content_read() comes first
    return file;
}

const char *content_digest(const struct content *content, const char *path)
{
    return file_at(content, path)->digest;
}

bool content_is_unfit(const struct content *content, const char *path)
{
    return file_at(content, path)->unfit;
}

bool content_is_opaque(const struct content *content, const char *path)
{
    return file_at(content, path)->opaque;
}

// ---- Where names are found

static GHashTable *folder_names(struct content *content, const char *path)
{
    gpointer known;
    if (g_hash_table_lookup_extended(content->folders, path, NULL, &known))
        return known;
    GHashTable *names = NULL;
    GDir *folder = g_dir_open(path, 0, NULL);
    if (folder) {
        const char *name;
        names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        while ((name = g_dir_read_name(folder)))
            g_hash_table_add(names, g_strdup(name));
        g_dir_close(folder);
    }
    g_hash_table_insert(content->folders, g_strdup(path), names);
    return names;
}

// Listings are kept: the same few folders are asked for thousands of names.
static bool is_in(struct content *content, const char *folder, const char *name)
{
    const char *slash = strrchr(name, '/');
    if (!slash) {
        GHashTable *names = folder_names(content, folder);
        return names && g_hash_table_contains(names, name);
    }
    g_autofree char *deeper = name[0] == '/'
                                  ? g_strndup(name, (gsize)(slash - name))
                                  : g_strdup_printf("%s/%.*s", folder, (int)(slash - name), name);
    GHashTable *names = folder_names(content, deeper);
    return names && g_hash_table_contains(names, slash + 1);
}

static void append_places(struct content *content, GString *places, const GPtrArray *folders,
                          const char *name)
{
    for (guint i = 0; i < folders->len; i++) {
        if (is_in(content, folders->pdata[i], name))
            g_string_append_printf(places, " %u", i);
    }
}

static struct places *places_of(struct content *content, const struct include_dirs *dirs)
{
    struct places *places = g_hash_table_lookup(content->places, dirs);
    if (!places) {
        places = g_new(struct places, 1);
        places->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        places->states = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
        g_hash_table_insert(content->places, (gpointer)dirs, places);
    }
    return places;
}

// Which of the directories have the name.
static const char *find_name(struct content *content, const struct include_dirs *dirs,
                             const char *name)
{
    struct places *places = places_of(content, dirs);
    char *known = g_hash_table_lookup(places->by_name, name);
    if (!known) {
        GString *text = g_string_new(NULL);
        append_places(content, text, dirs->dirs, name);
        g_string_append(text, ";");
        append_places(content, text, content->built_in, name);
        known = g_string_free(text, FALSE);
        g_hash_table_insert(places->by_name, g_strdup(name), known);
    }
    return known;
}

static void feed_text(struct digest *digest, const char *text)
{
    digest_update(digest, text, strlen(text) + 1);
}

static void feed_name(struct content *content, const char *folder, const struct include_dirs *dirs,
                      const char *name, struct digest *digest)
{
    if (name[0] == '"')
        feed_text(digest, is_in(content, folder, name + 1) ? "here" : "");
    feed_text(digest, find_name(content, dirs, name + 1));
}

const struct include_dirs *content_dirs(struct content *content, const struct compdb_entry *entry)
{
    return includes_dirs(content->includes, entry);
}

const char *content_state(struct content *content, const struct include_dirs *dirs,
                          const char *path)
{
    struct places *places = places_of(content, dirs);
    char *known = g_hash_table_lookup(places->states, path);
    if (known)
        return known;
    const struct content_file *file = file_at(content, path);
    struct digest *digest = digest_new();
    feed_text(digest, path);
    feed_text(digest, file->digest);
    for (guint i = 0; i < file->names->len; i++)
        feed_name(content, file->folder, dirs, file->names->pdata[i], digest);
    known = g_malloc(DIGEST_HEX_BYTES);
    digest_finish(digest, known);
    g_hash_table_insert(places->states, file->path, known);
    return known;
}

void content_feed_forced(struct content *content, const struct compdb_entry *entry,
                         struct digest *digest)
{
    const struct include_dirs *dirs = content_dirs(content, entry);
    for (char **arg = entry->args; *arg; arg++) {
        if ((strcmp(*arg, "-include") != 0 && strcmp(*arg, "-imacros") != 0) || !arg[1])
            continue;
        g_autofree char *name = g_strconcat("\"", arg[1], NULL);
        feed_name(content, entry->directory, dirs, name, digest);
    }
}
