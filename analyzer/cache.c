// See cache.h.
#include "cache.h"

#include <string.h>

#include "cache_unit.h"
#include "scan_pack.h"

struct cache {
    struct cache_setup setup;
    struct cache_units units;
    struct scan_result **found; // by file
    bool *hit;                  // by file, in this round
    GArray *entries;            // struct scan_cache_entry, for the store; keys are ours
};

struct cache *cache_new(const struct cache_setup *setup)
{
    struct cache *cache = g_new0(struct cache, 1);
    cache->setup = *setup;
    cache_units_init(&cache->units, &cache->setup);
    cache->found = g_new0(struct scan_result *, cache->units.n + 1);
    cache->hit = g_new0(bool, cache->units.n + 1);
    cache->entries = g_array_new(FALSE, FALSE, sizeof(struct scan_cache_entry));
    return cache;
}

void cache_free(struct cache *cache)
{
    if (!cache)
        return;
    for (unsigned i = 0; i < cache->units.n; i++)
        scan_result_free(cache->found[i]);
    for (guint i = 0; i < cache->entries->len; i++) {
        struct scan_cache_entry *entry = &g_array_index(cache->entries, struct scan_cache_entry, i);
        g_free((gpointer)entry->key);
        g_clear_pointer(&entry->value, g_bytes_unref);
    }
    g_array_unref(cache->entries);
    g_free(cache->found);
    g_free(cache->hit);
    cache_units_clear(&cache->units);
    g_free(cache);
}

// `value` is taken; NULL: what is there was used.
static void add_entry(struct cache *cache, const char *key, GBytes *value)
{
    struct scan_cache_entry entry = {g_strdup(key), value};
    g_array_append_val(cache->entries, entry);
}

static void result_key(const struct cache *cache, const char *round, unsigned file,
                       char key[DIGEST_HEX_BYTES])
{
    struct digest *digest = digest_new();
    digest_update(digest, cache->units.units[file].key, DIGEST_HEX_BYTES);
    digest_update(digest, round, strlen(round));
    digest_finish(digest, key);
}

// ---- Looking up

// A state that a result rests on.
struct rest {
    int file; // -1: not in the compile database any more
    const char *state;
};

struct candidate {
    unsigned file;
    char key[DIGEST_HEX_BYTES];
    GBytes *record;
    struct unpack unpack; // behind the rests
    GArray *rests;        // struct rest
};

static void candidate_clear(gpointer data)
{
    struct candidate *candidate = data;
    unpack_clear(&candidate->unpack);
    g_bytes_unref(candidate->record);
    g_array_unref(candidate->rests);
}

static bool read_rests(const struct cache *cache, struct candidate *candidate)
{
    struct unpack *unpack = &candidate->unpack;
    size_t n = unpack_count(unpack);
    candidate->rests = g_array_new(FALSE, FALSE, sizeof(struct rest));
    for (size_t i = 0; i < n && !unpack->bad; i++) {
        struct rest rest = {front_file_by_name(cache->setup.front, unpack_required_text(unpack)),
                            unpack_required_text(unpack)};
        unpack->bad |= rest.file < 0;
        g_array_append_val(candidate->rests, rest);
    }
    return !unpack->bad;
}

static void add_candidate(struct cache *cache, const char *round, unsigned file, GArray *candidates)
{
    const struct scan_cache *store = cache->setup.store;
    struct candidate candidate = {.file = file};
    result_key(cache, round, file, candidate.key);
    candidate.record = store->get(store->context, candidate.key);
    if (!candidate.record)
        return;
    if (!unpack_init(&candidate.unpack, candidate.record))
        g_bytes_unref(candidate.record);
    else if (read_rests(cache, &candidate))
        g_array_append_val(candidates, candidate);
    else
        candidate_clear(&candidate);
}

static void fetch_rests(struct cache *cache, const GArray *candidates)
{
    g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(unsigned));
    for (guint i = 0; i < candidates->len; i++) {
        const GArray *rests = g_array_index(candidates, struct candidate, i).rests;
        for (guint k = 0; k < rests->len; k++) {
            unsigned file = (unsigned)g_array_index(rests, struct rest, k).file;
            g_array_append_val(files, file);
        }
    }
    cache_units_make_keys(&cache->units, (const unsigned *)files->data, files->len);
    cache_units_fetch(&cache->units, (const unsigned *)files->data, files->len);
}

static bool rests_are_good(const struct cache *cache, const struct candidate *candidate)
{
    for (guint i = 0; i < candidate->rests->len; i++) {
        const struct rest *rest = &g_array_index(candidate->rests, struct rest, i);
        const struct cache_unit *unit = &cache->units.units[rest->file];
        if (!unit->state[0] || strcmp(unit->state, rest->state) != 0)
            return false;
    }
    return candidate->rests->len > 0;
}

// The files that the index gives now.
static unsigned *ask(const struct front *front, enum foreign_question question, const char *name,
                     size_t *n)
{
    if (question == FOREIGN_MENTIONS)
        return front_mentions(front, name, n);
    int file = front_find_definition(front, name);
    bool yes = file >= 0 && (question == FOREIGN_DEFINITION || front_may_lock(front, name));
    unsigned *files = g_new(unsigned, 1);
    *n = yes;
    files[0] = yes ? (unsigned)file : 0;
    return files;
}

static bool answers_are_good(const struct cache *cache, struct unpack *unpack)
{
    const struct front *front = cache->setup.front;
    size_t n = unpack_count(unpack);
    for (size_t i = 0; i < n && !unpack->bad; i++) {
        enum foreign_question question = unpack_up_to(unpack, FOREIGN_MAY_LOCK);
        const char *name = unpack_required_text(unpack);
        size_t expected = unpack_count(unpack), is = 0;
        g_autofree unsigned *files = ask(front, question, name, &is);
        if (is != expected)
            return false;
        for (size_t k = 0; k < expected; k++) {
            bool candidate = unpack_up_to(unpack, 1);
            if (strcmp(front_file_name(front, files[k]), unpack_required_text(unpack)) != 0 ||
                front_is_candidate(front, files[k]) != candidate)
                return false;
        }
    }
    return !unpack->bad;
}

static void judge(struct cache *cache, struct candidate *candidate)
{
    if (!rests_are_good(cache, candidate) || !answers_are_good(cache, &candidate->unpack))
        return;
    struct scan_result *result = scan_unpack(&candidate->unpack);
    if (!result)
        return;
    result->from_cache = true;
    cache->found[candidate->file] = result;
    cache->hit[candidate->file] = true;
    add_entry(cache, candidate->key, NULL);
    for (guint i = 0; i < candidate->rests->len; i++)
        cache->units.units[g_array_index(candidate->rests, struct rest, i).file].used = true;
}

void cache_look_up(struct cache *cache, const char *round, const unsigned *files, size_t n)
{
    g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
    g_array_set_clear_func(candidates, candidate_clear);
    cache_units_make_keys(&cache->units, files, n);
    for (size_t i = 0; i < n; i++) {
        cache->hit[files[i]] = false;
        add_candidate(cache, round, files[i], candidates);
    }
    fetch_rests(cache, candidates);
    for (guint i = 0; i < candidates->len; i++)
        judge(cache, &g_array_index(candidates, struct candidate, i));
}

struct scan_result *cache_take(struct cache *cache, unsigned file)
{
    return g_steal_pointer(&cache->found[file]);
}

// ---- Keeping

static int by_number(gconstpointer a, gconstpointer b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

// Units that were lowered for the result, ascending, its own among them.
static GArray *rests_of(const struct cache *cache, unsigned file, const struct scan_result *result)
{
    unsigned n;
    const struct foreign_use *const *uses = foreign_log_uses(result->log, &n);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_append_val(all, file);
    for (unsigned i = 0; i < n; i++)
        g_array_append_vals(all, uses[i]->files, uses[i]->n_files);
    g_array_sort(all, by_number);
    guint kept = 0;
    for (guint i = 0; i < all->len; i++) {
        unsigned one = g_array_index(all, unsigned, i);
        bool again = kept && g_array_index(all, unsigned, kept - 1) == one;
        if (!again && foreign_includes(cache->setup.foreign, one))
            g_array_index(all, unsigned, kept++) = one;
    }
    g_array_set_size(all, kept);
    return all;
}

static void pack_answers(struct pack *pack, const struct front *front,
                         const struct scan_result *result)
{
    unsigned n;
    const struct foreign_use *const *uses = foreign_log_uses(result->log, &n);
    pack_number(pack, n);
    for (unsigned i = 0; i < n; i++) {
        pack_number(pack, uses[i]->question);
        pack_text(pack, uses[i]->name);
        pack_number(pack, uses[i]->n_files);
        for (unsigned k = 0; k < uses[i]->n_files; k++) {
            // Of many files, those that name a lock are looked at.
            pack_number(pack, front_is_candidate(front, uses[i]->files[k]));
            pack_text(pack, front_file_name(front, uses[i]->files[k]));
        }
    }
}

// A file that could not be read in full because of a name that a macro gives may be complete
// tomorrow, without any file we know of having changed.
static bool is_fit(const struct cache *cache, unsigned file, const struct scan_result *result)
{
    const GPtrArray *reads = cache->units.units[file].reads;
    if (!result->has_file)
        return true;
    for (guint i = 0; reads && i < reads->len; i++) {
        if (content_is_opaque(cache->setup.content, reads->pdata[i]))
            return false;
    }
    return result->file.status == FILE_DEGRADED;
}

static GBytes *make_record(struct cache *cache, unsigned file, const struct scan_result *result,
                           const GArray *rests)
{
    struct pack pack;
    bool fit = is_fit(cache, file, result);
    pack_init(&pack);
    pack_number(&pack, rests->len);
    for (guint i = 0; i < rests->len; i++) {
        unsigned one = g_array_index(rests, unsigned, i);
        fit &= cache_unit_is_fit(&cache->units, one);
        pack_text(&pack, front_file_name(cache->setup.front, one));
        pack_text(&pack, cache->units.units[one].state);
    }
    pack_answers(&pack, cache->setup.front, result);
    scan_pack(&pack, result);
    GBytes *record = pack_finish(&pack);
    if (!fit)
        g_clear_pointer(&record, g_bytes_unref);
    return record;
}

static void keep(struct cache *cache, const char *round, unsigned file,
                 const struct scan_result *result)
{
    char key[DIGEST_HEX_BYTES];
    g_autoptr(GArray) rests = rests_of(cache, file, result);
    const unsigned *files = (const unsigned *)rests->data;
    cache_units_make_keys(&cache->units, files, rests->len);
    cache_units_note(&cache->units, files, rests->len);
    GBytes *record = make_record(cache, file, result, rests);
    if (!record)
        return;
    result_key(cache, round, file, key);
    add_entry(cache, key, record);
    for (guint i = 0; i < rests->len; i++)
        cache->units.units[files[i]].used = true;
}

void cache_keep(struct cache *cache, const char *round, const unsigned *files,
                struct scan_result *const *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!cache->hit[files[i]])
            keep(cache, round, files[i], results[files[i]]);
    }
}

void cache_flush(struct cache *cache)
{
    const struct scan_cache *store = cache->setup.store;
    for (unsigned i = 0; i < cache->units.n; i++) {
        const struct cache_unit *unit = &cache->units.units[i];
        if (unit->used)
            add_entry(cache, unit->key, unit->noted ? cache_unit_record(&cache->units, i) : NULL);
    }
    store->put(store->context, (const struct scan_cache_entry *)cache->entries->data,
               cache->entries->len);
}
