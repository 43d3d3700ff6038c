// Building the index: headers first, until no name is added; then the sources, in parallel.
#include "lexindex.h"

#include <string.h>

#include "lexinclude.h"
#include "overlay.h"

// Macros and inline functions of headers: what the closure runs over.
struct header_definition {
    char *name;
    uint64_t *words;
    unsigned n_words;
    bool is_lock;
};

struct building {
    struct lexindex *index;
    const struct model_set *models;
    struct includes *includes;
    GHashTable *headers; // path -> path, seen
    GPtrArray *queue;    // struct pending*: headers to scan
    GArray *definitions; // struct header_definition
    GHashTable *names;   // hash of a lock name -> itself (guint64 keys)
    struct lex_result result;
};

struct pending {
    const char *path;
    struct include_dirs *dirs;
};

struct lex_filter {
    uint64_t *bits; // NULL: unreadable, and so mentions nothing
    size_t n_bits;
};

struct lex_filters {
    gsize ready; // for g_once_init_enter()
    unsigned n;
    struct lex_filter *of_entry;
};

static void filters_free(struct lex_filters *filters)
{
    for (unsigned i = 0; i < filters->n; i++)
        g_free(filters->of_entry[i].bits);
    g_free(filters->of_entry);
    g_free(filters);
}

void lexindex_free(struct lexindex *index)
{
    if (!index)
        return;
    g_array_unref(index->candidates);
    g_ptr_array_unref(index->lock_names);
    g_hash_table_unref(index->functions);
    g_hash_table_unref(index->variables);
    g_ptr_array_unref(index->macro_files);
    g_hash_table_unref(index->roots);
    g_string_chunk_free(index->text);
    filters_free(index->filters);
    g_free(index);
}

static void roots_free(gpointer data)
{
    struct lex_roots *roots = data;
    g_strfreev(roots->names);
    g_free(roots->lines);
    g_free(roots);
}

static struct lexindex *index_new(const struct compdb *db)
{
    struct lexindex *index = g_new0(struct lexindex, 1);
    index->db = db;
    index->filters = g_new0(struct lex_filters, 1);
    index->candidates = g_array_new(FALSE, FALSE, sizeof(unsigned));
    index->lock_names = g_ptr_array_new();
    index->functions = g_hash_table_new(g_str_hash, g_str_equal);
    index->variables = g_hash_table_new(g_str_hash, g_str_equal);
    index->macro_files = g_ptr_array_new_with_free_func(g_free);
    index->roots = g_hash_table_new_full(NULL, NULL, NULL, roots_free);
    index->text = g_string_chunk_new(65536);
    return index;
}

static GMappedFile *map(const char *path)
{
    GMappedFile *file = g_mapped_file_new(path, FALSE, NULL);
    if (file && g_mapped_file_get_length(file) > LIMIT_SOURCE_BYTES)
        g_clear_pointer(&file, g_mapped_file_unref);
    return file;
}

// ---- Sets of 64-bit hashes

static void hash_add(GHashTable *set, uint64_t hash)
{
    g_hash_table_add(set, g_memdup2(&hash, sizeof hash));
}

static bool hash_has(GHashTable *set, uint64_t hash)
{
    return g_hash_table_contains(set, &hash);
}

static GHashTable *hash_set(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

// ---- Headers

static void queue_header(struct building *b, const char *path, struct include_dirs *dirs)
{
    if (!path || g_hash_table_contains(b->headers, path))
        return;
    char *kept = g_strdup(path);
    g_hash_table_add(b->headers, kept);
    struct pending *pending = g_new(struct pending, 1);
    *pending = (struct pending){kept, dirs};
    g_ptr_array_add(b->queue, pending);
}

static void queue_includes(struct building *b, const char *from, struct include_dirs *dirs)
{
    for (guint i = 0; i < b->result.includes->len; i++)
        queue_header(b,
                     includes_find(b->includes, dirs, from,
                                   &g_array_index(b->result.includes, struct lex_include, i)),
                     dirs);
}

// Only #include lines: sources are read again once the lock names are known.
static void scan_includes(const char *text, size_t bytes, GArray *includes)
{
    const char *at = text, *end = text + bytes;
    g_array_set_size(includes, 0);
    while (at < end && (at = memchr(at, '#', (size_t)(end - at)))) {
        for (at++; at < end && (*at == ' ' || *at == '\t'); at++)
            ;
        if (end - at < 8 || memcmp(at, "include", 7) != 0)
            continue;
        for (at += 7; at < end && (*at == ' ' || *at == '\t'); at++)
            ;
        if (at == end || (*at != '"' && *at != '<'))
            continue;
        char close = *at == '"' ? '"' : '>';
        const char *name = ++at;
        while (at < end && *at != close && *at != '\n')
            at++;
        struct lex_include include = {name, (unsigned)(at - name), close == '"'};
        if (at < end && *at == close && include.bytes)
            g_array_append_val(includes, include);
    }
}

static void queue_entry(struct building *b, const struct compdb_entry *entry)
{
    struct include_dirs *dirs = includes_dirs(b->includes, entry);
    g_autoptr(GPtrArray) forced = includes_forced(entry);
    for (guint i = 0; i < forced->len; i++)
        queue_header(b, forced->pdata[i], dirs);
    g_autoptr(GMappedFile) file = map(entry->path);
    if (!file)
        return;
    scan_includes(g_mapped_file_get_contents(file), g_mapped_file_get_length(file),
                  b->result.includes);
    queue_includes(b, entry->path, dirs);
}

static bool models_know(const struct building *b, const struct lex_definition *definition)
{
    char name[128];
    if (definition->name_bytes >= sizeof name)
        return false;
    memcpy(name, definition->name, definition->name_bytes);
    name[definition->name_bytes] = 0;
    return overlay_wants(b->models, name);
}

static void scan_header(struct building *b, const struct pending *header)
{
    g_autoptr(GMappedFile) file = map(header->path);
    if (!file)
        return;
    lex_scan(g_mapped_file_get_contents(file), g_mapped_file_get_length(file), &b->result);
    b->index->bytes += g_mapped_file_get_length(file);
    b->index->headers++;
    bool overlaid = false;
    for (guint i = 0; i < b->result.definitions->len; i++) {
        const struct lex_definition *d =
            &g_array_index(b->result.definitions, struct lex_definition, i);
        if (d->kind == LEX_VARIABLE)
            continue;
        overlaid |= d->kind == LEX_MACRO && models_know(b, d);
        if (!d->n_words)
            continue;
        struct header_definition kept = {
            .name = g_strndup(d->name, d->name_bytes),
            .words = g_memdup2(&g_array_index(b->result.words, uint64_t, d->first_word),
                               d->n_words * sizeof(uint64_t)),
            .n_words = d->n_words,
        };
        g_array_append_val(b->definitions, kept);
    }
    if (overlaid)
        g_ptr_array_add(b->index->macro_files, g_strdup(header->path));
    queue_includes(b, header->path, header->dirs);
}

static bool takes_lock(const struct header_definition *d, GHashTable *names)
{
    for (unsigned i = 0; i < d->n_words; i++) {
        if (hash_has(names, d->words[i]))
            return true;
    }
    return false;
}

// A lock that nobody named is a loop on one of these. Test-and-set is used for little else; the
// others are everywhere in headers of atomics, so they count only in a source's own bodies.
static const char *const spin_words[] = {"atomic_flag_test_and_set",
                                         "atomic_flag_test_and_set_explicit",
                                         "__sync_lock_test_and_set", "__atomic_test_and_set"};
static const char *const swap_words[] = {"atomic_exchange",
                                         "atomic_exchange_explicit",
                                         "__atomic_exchange_n",
                                         "__atomic_exchange",
                                         "atomic_compare_exchange_weak",
                                         "atomic_compare_exchange_strong",
                                         "atomic_compare_exchange_weak_explicit",
                                         "atomic_compare_exchange_strong_explicit",
                                         "__atomic_compare_exchange_n",
                                         "__atomic_compare_exchange",
                                         "__sync_bool_compare_and_swap",
                                         "__sync_val_compare_and_swap"};

static void add_words(GHashTable *names, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash_add(names, lex_hash(words[i], strlen(words[i])));
}

// What a model names itself is left alone: `SpinLockAcquire` is known, not derived.
static void close_lock_names(struct building *b)
{
    for (const char *const *name = model_acquire_names(b->models); *name; name++)
        hash_add(b->names, lex_hash(*name, strlen(*name)));
    add_words(b->names, spin_words, G_N_ELEMENTS(spin_words));
    for (bool changed = true; changed;) {
        changed = false;
        for (guint i = 0; i < b->definitions->len; i++) {
            struct header_definition *d =
                &g_array_index(b->definitions, struct header_definition, i);
            if (d->is_lock || !takes_lock(d, b->names))
                continue;
            d->is_lock = changed = true;
            uint64_t hash = lex_hash(d->name, strlen(d->name));
            if (!hash_has(b->names, hash) && !model_find_lock_op(b->models, d->name)) {
                hash_add(b->names, hash);
                g_ptr_array_add(b->index->lock_names,
                                g_string_chunk_insert(b->index->text, d->name));
            }
        }
    }
    g_ptr_array_add(b->index->lock_names, NULL);
}

// ---- Sources

// What one source file adds to the index; made by a worker, merged in order afterwards.
struct source {
    const struct building *b;
    const struct compdb_entry *entry;
    GPtrArray *functions, *variables; // char*, external definitions
    GPtrArray *roots;                 // char*, functions that may take a lock
    GArray *root_lines;               // unsigned
    bool candidate, overlaid;
    bool loose; // names a lock outside of every body that was recognised
    size_t bytes;
};

static bool words_have(const struct lex_result *result, const struct lex_definition *d,
                       GHashTable *names, GHashTable *own)
{
    for (unsigned i = d->first_word; i < d->first_word + d->n_words; i++) {
        uint64_t hash = g_array_index(result->words, uint64_t, i);
        if (hash_has(names, hash) || hash_has(own, hash))
            return true;
    }
    return false;
}

static void scan_source(struct source *source, struct lex_result *result)
{
    const struct building *b = source->b;
    g_autoptr(GMappedFile) file = map(source->entry->path);
    g_autoptr(GHashTable) own = hash_set(); // and macros of this file that take a lock
    add_words(own, swap_words, G_N_ELEMENTS(swap_words));
    if (!file)
        return;
    source->bytes = g_mapped_file_get_length(file);
    lex_scan(g_mapped_file_get_contents(file), source->bytes, result);
    for (guint i = 0; i < result->loose->len && !source->loose; i++)
        source->loose = hash_has(b->names, g_array_index(result->loose, uint64_t, i));
    source->candidate = source->loose;
    for (guint i = 0; i < result->definitions->len; i++) {
        const struct lex_definition *d =
            &g_array_index(result->definitions, struct lex_definition, i);
        bool locks = d->kind != LEX_VARIABLE && words_have(result, d, b->names, own);
        source->candidate |= locks;
        if (d->kind == LEX_MACRO) {
            source->overlaid |= models_know(b, d);
            if (locks)
                hash_add(own, lex_hash(d->name, d->name_bytes));
            continue;
        }
        if (locks) {
            g_ptr_array_add(source->roots, g_strndup(d->name, d->name_bytes));
            g_array_append_val(source->root_lines, d->line);
        }
        if (!d->is_static)
            g_ptr_array_add(d->kind == LEX_FUNCTION ? source->functions : source->variables,
                            g_strndup(d->name, d->name_bytes));
    }
}

struct worker {
    GPtrArray *sources;
    guint first, step;
};

// Every step-th file, so that one result buffer serves many.
static gpointer scan_some(gpointer data)
{
    const struct worker *worker = data;
    struct lex_result result;
    lex_result_init(&result);
    for (guint i = worker->first; i < worker->sources->len; i += worker->step)
        scan_source(worker->sources->pdata[i], &result);
    lex_result_clear(&result);
    return NULL;
}

static void scan_all(GPtrArray *sources, unsigned jobs)
{
    struct worker workers[16];
    GThread *threads[16];
    unsigned n = CLAMP(jobs, 1, G_N_ELEMENTS(workers));
    for (unsigned i = 0; i < n; i++) {
        workers[i] = (struct worker){sources, i, n};
        threads[i] = i + 1 < n ? g_thread_new("lexindex", scan_some, &workers[i]) : NULL;
    }
    scan_some(&workers[n - 1]);
    for (unsigned i = 0; i + 1 < n; i++)
        g_thread_join(threads[i]);
}

static void merge_names(struct lexindex *index, GHashTable *table, GPtrArray *names, unsigned entry)
{
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        if (!g_hash_table_contains(table, name))
            g_hash_table_insert(table, g_string_chunk_insert(index->text, name),
                                GUINT_TO_POINTER(entry + 1));
    }
}

static void merge_source(struct lexindex *index, struct source *source, unsigned entry)
{
    index->bytes += source->bytes;
    merge_names(index, index->functions, source->functions, entry);
    merge_names(index, index->variables, source->variables, entry);
    if (source->overlaid)
        g_ptr_array_add(index->macro_files, g_strdup(source->entry->path));
    if (source->candidate) {
        g_array_append_val(index->candidates, entry);
        g_ptr_array_add(source->roots, NULL);
        if (!source->loose) {
            struct lex_roots *roots = g_new(struct lex_roots, 1);
            roots->names = (char **)g_ptr_array_steal(source->roots, NULL);
            roots->lines = g_array_steal(source->root_lines, NULL);
            g_hash_table_insert(index->roots, GUINT_TO_POINTER(entry), roots);
        }
    }
}

static void source_free(gpointer data)
{
    struct source *source = data;
    g_ptr_array_unref(source->functions);
    g_ptr_array_unref(source->variables);
    g_ptr_array_unref(source->roots);
    g_array_unref(source->root_lines);
    g_free(source);
}

static void index_sources(struct building *b, unsigned jobs)
{
    g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(source_free);
    for (guint i = 0; i < b->index->db->entries->len; i++) {
        struct source *source = g_new0(struct source, 1);
        source->b = b;
        source->entry = b->index->db->entries->pdata[i];
        source->functions = g_ptr_array_new_with_free_func(g_free);
        source->variables = g_ptr_array_new_with_free_func(g_free);
        source->roots = g_ptr_array_new_with_free_func(g_free);
        source->root_lines = g_array_new(FALSE, FALSE, sizeof(unsigned));
        g_ptr_array_add(sources, source);
    }
    scan_all(sources, jobs);
    for (guint i = 0; i < sources->len; i++)
        merge_source(b->index, sources->pdata[i], i);
}

static void clear_definition(gpointer data)
{
    struct header_definition *definition = data;
    g_free(definition->name);
    g_free(definition->words);
}

struct lexindex *lexindex_build(const struct compdb *db, const struct model_set *models,
                                unsigned jobs)
{
    struct building b = {
        .index = index_new(db),
        .models = models,
        .includes = includes_new(),
        .headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .queue = g_ptr_array_new_with_free_func(g_free),
        .definitions = g_array_new(FALSE, FALSE, sizeof(struct header_definition)),
        .names = hash_set(),
    };
    g_array_set_clear_func(b.definitions, clear_definition);
    lex_result_init(&b.result);
    for (guint i = 0; i < db->entries->len; i++)
        queue_entry(&b, db->entries->pdata[i]);
    for (guint i = 0; i < b.queue->len; i++) // grows while it is read
        scan_header(&b, b.queue->pdata[i]);
    close_lock_names(&b);
    index_sources(&b, jobs);
    lex_result_clear(&b.result);
    g_hash_table_unref(b.headers);
    g_ptr_array_unref(b.queue);
    g_array_unref(b.definitions);
    g_hash_table_unref(b.names);
    includes_free(b.includes);
    return b.index;
}

// ---- Which files mention a name.

static void make_filters(const struct lexindex *index)
{
    struct lex_filters *filters = index->filters;
    filters->n = index->db->entries->len;
    filters->of_entry = g_new0(struct lex_filter, MAX(filters->n, 1));
    for (unsigned i = 0; i < filters->n; i++) {
        const struct compdb_entry *entry = index->db->entries->pdata[i];
        g_autoptr(GMappedFile) file = map(entry->path);
        struct lex_filter *filter = &filters->of_entry[i];
        if (file)
            filter->bits = lex_word_filter(g_mapped_file_get_contents(file),
                                           g_mapped_file_get_length(file), &filter->n_bits);
    }
}

static bool may_mention(const struct lex_filter *filter, uint64_t hash)
{
    size_t bit = hash & (filter->n_bits - 1);
    return filter->bits && (filter->bits[bit / 64] >> (bit % 64) & 1);
}

GArray *lexindex_mentions(const struct lexindex *index, const char *name)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(unsigned));
    if (g_once_init_enter(&index->filters->ready)) {
        make_filters(index);
        g_once_init_leave(&index->filters->ready, 1);
    }
    uint64_t hash = lex_hash(name, strlen(name));
    for (guint i = 0; i < index->db->entries->len; i++) {
        if (!may_mention(&index->filters->of_entry[i], hash))
            continue;
        const struct compdb_entry *entry = index->db->entries->pdata[i];
        g_autoptr(GMappedFile) file = map(entry->path);
        if (file &&
            lex_mentions(g_mapped_file_get_contents(file), g_mapped_file_get_length(file), name))
            g_array_append_val(entries, i);
    }
    return entries;
}
