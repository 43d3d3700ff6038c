// The front end's front: the compile database, the index and the overlays, made once; then units,
// made by whoever asks.
#include "front.h"

#include <string.h>

#include "compdb.h"
#include "lexindex.h"
#include "lower_unit.h"
#include "overlay.h"

struct front {
    const struct model_set *models;
    struct compdb *db;
    struct lexindex *index;
    GPtrArray *overlays;            // struct overlaid_file*
    GHashTable *overlaid;           // their paths
    GHashTable *by_name;            // name -> 1 + file
    char markers[DIGEST_HEX_BYTES]; // of the header that declares them
};

static void overlay_free(gpointer data)
{
    struct overlaid_file *overlay = data;
    g_free(overlay->path);
    g_free(overlay->text);
    g_free(overlay);
}

static void add_overlay(struct front *front, const char *path, char *text)
{
    struct overlaid_file *overlay = g_new0(struct overlaid_file, 1);
    overlay->path = g_strdup(path);
    overlay->text = text;
    overlay->bytes = strlen(text);
    g_ptr_array_add(front->overlays, overlay);
    g_hash_table_add(front->overlaid, overlay->path);
}

static void make_overlays(struct front *front)
{
    g_autoptr(GHashTable) used = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < front->index->macro_files->len; i++) {
        const char *path = front->index->macro_files->pdata[i];
        g_autofree char *text = NULL;
        gsize bytes;
        if (!g_file_get_contents(path, &text, &bytes, NULL))
            continue;
        char *changed = overlay_text(text, bytes, front->models, used);
        if (changed)
            add_overlay(front, path, changed);
    }
    char *markers = overlay_header(front->models, used);
    digest_bytes(markers, strlen(markers), front->markers);
    add_overlay(front, OVERLAY_HEADER, markers);
}

struct front *front_new(const struct scan_options *options, const struct model_set *models,
                        GError **error)
{
    lower_prepare();
    struct compdb *db = compdb_load(options, error);
    if (!db)
        return NULL;
    struct front *front = g_new0(struct front, 1);
    unsigned jobs = options->jobs ? options->jobs : g_get_num_processors();
    front->models = models;
    front->db = db;
    front->index = lexindex_build(db, models, jobs);
    front->overlays = g_ptr_array_new_with_free_func(overlay_free);
    front->overlaid = g_hash_table_new(g_str_hash, g_str_equal);
    front->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < db->entries->len; i++)
        g_hash_table_insert(front->by_name, ((struct compdb_entry *)db->entries->pdata[i])->name,
                            GUINT_TO_POINTER(i + 1));
    make_overlays(front);
    return front;
}

void front_free(struct front *front)
{
    if (!front)
        return;
    g_hash_table_unref(front->overlaid);
    g_hash_table_unref(front->by_name);
    compdb_free(front->db);
    lexindex_free(front->index);
    g_ptr_array_unref(front->overlays);
    g_free(front);
}

const char *front_root(const struct front *front)
{
    return front->db->root;
}

bool front_is_ours(const struct front *front, const char *file)
{
    if (!g_path_is_absolute(file))
        return true;
    size_t n = front->db->top ? strlen(front->db->top) : 0;
    return n && strncmp(file, front->db->top, n) == 0 && file[n] == '/';
}

unsigned front_n_files(const struct front *front)
{
    return front->db->entries->len;
}

static const struct compdb_entry *entry_at(const struct front *front, unsigned file)
{
    g_assert(file < front->db->entries->len);
    return front->db->entries->pdata[file];
}

const char *front_file_name(const struct front *front, unsigned file)
{
    return entry_at(front, file)->name;
}

bool front_file_selected(const struct front *front, unsigned file)
{
    return entry_at(front, file)->selected;
}

bool front_file_named(const struct front *front, unsigned file)
{
    return entry_at(front, file)->named || entry_at(front, file)->missing;
}

const char *const *front_others(const struct front *front, size_t *n)
{
    *n = front->db->others->len;
    return (const char *const *)front->db->others->pdata;
}

bool front_ignores(const struct front *front, const char *file)
{
    g_autofree char *path = g_canonicalize_filename(file, front->db->root);
    return compdb_ignores(front->db, path);
}

const unsigned *front_candidates(const struct front *front, size_t *n)
{
    *n = front->index->candidates->len;
    return *n ? &g_array_index(front->index->candidates, unsigned, 0) : NULL;
}

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

int front_find_definition(const struct front *front, const char *name)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(front->index->functions, name)) - 1;
}

bool front_is_candidate(const struct front *front, unsigned file)
{
    size_t n;
    const unsigned *candidates = front_candidates(front, &n);
    return n && bsearch(&file, candidates, n, sizeof *candidates, by_number);
}

bool front_may_lock(const struct front *front, const char *name)
{
    int file = front_find_definition(front, name);
    if (file < 0)
        return false;
    const struct lex_roots *roots =
        g_hash_table_lookup(front->index->roots, GUINT_TO_POINTER((unsigned)file));
    // A candidate without a list may take one anywhere.
    return roots ? g_strv_contains((const char *const *)roots->names, name)
                 : front_is_candidate(front, (unsigned)file);
}

int front_find_global(const struct front *front, const char *name)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(front->index->variables, name)) - 1;
}

unsigned *front_mentions(const struct front *front, const char *name, size_t *n)
{
    GArray *entries = lexindex_mentions(front->index, name);
    *n = entries->len;
    unsigned *files = g_array_steal(entries, NULL);
    g_array_unref(entries);
    return files;
}

// The functions to begin with: those that may take a lock, and those asked for.
static char **start_functions(const struct front *front, unsigned file,
                              const struct front_wanted *wanted)
{
    if (!wanted || wanted->everything)
        return NULL;
    const struct lex_roots *roots =
        g_hash_table_lookup(front->index->roots, GUINT_TO_POINTER(file));
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    if (roots)
        g_strv_builder_addv(names, (const char **)roots->names);
    if (wanted->functions)
        g_strv_builder_addv(names, (const char **)wanted->functions);
    return g_strv_builder_end(names);
}

struct ir_unit *front_lower(const struct front *front, unsigned file,
                            const struct front_wanted *wanted)
{
    g_auto(GStrv) functions = start_functions(front, file, wanted);
    struct unit_request request = {
        .entry = entry_at(front, file),
        .root = front->db->root,
        .models = front->models,
        .overlays = front->overlays,
        .roots = g_hash_table_lookup(front->index->roots, GUINT_TO_POINTER(file)),
        .functions = (const char *const *)functions,
    };
    return lower_file_unit(&request);
}

// ---- For the cache

const struct compdb_entry *front_entry(const struct front *front, unsigned file)
{
    return entry_at(front, file);
}

int front_file_by_name(const struct front *front, const char *name)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(front->by_name, name)) - 1;
}

static void feed_text(struct digest *digest, const char *text)
{
    digest_update(digest, text, strlen(text) + 1);
}

void front_feed(const struct front *front, unsigned file, struct digest *digest)
{
    const struct compdb_entry *entry = entry_at(front, file);
    const struct lex_roots *roots =
        g_hash_table_lookup(front->index->roots, GUINT_TO_POINTER(file));
    feed_text(digest, front->db->root);
    feed_text(digest, entry->name);
    feed_text(digest, entry->path);
    feed_text(digest, entry->directory);
    feed_text(digest, front->markers);
    for (char **arg = entry->args; *arg; arg++)
        feed_text(digest, *arg);
    feed_text(digest, roots ? "\nroots" : "\nall");
    for (unsigned i = 0; roots && roots->names[i]; i++) {
        digest_update(digest, &roots->lines[i], sizeof roots->lines[i]);
        feed_text(digest, roots->names[i]);
    }
}

bool front_is_overlaid(const struct front *front, const char *path)
{
    return g_hash_table_contains(front->overlaid, path);
}

// ---- Source text

static char *lines_of(const char *text, size_t bytes, unsigned first, unsigned last)
{
    const char *at = text, *end = text + bytes;
    for (unsigned line = 1; line < first && at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    const char *stop = at;
    for (unsigned line = first; line <= last && stop < end; line++) {
        const char *newline = memchr(stop, '\n', (size_t)(end - stop));
        stop = newline ? newline + 1 : end;
    }
    size_t n = (size_t)(stop - at);
    if (n && at[n - 1] == '\n')
        n--;
    return g_strndup(at, n);
}

char *front_source_lines(const struct front *front, const char *file, unsigned first, unsigned last)
{
    g_autofree char *path = g_canonicalize_filename(file, front->db->root);
    g_autofree char *text = NULL;
    gsize bytes;
    if (!g_file_get_contents(path, &text, &bytes, NULL))
        return NULL;
    return lines_of(text, bytes, MAX(first, 1), last);
}
