// See cache_unit.h.
#include "cache_unit.h"

#include <string.h>

#include "analyzer_digest.h"
#include "compdb.h"
#include "lower_unit.h"
#include "pack.h"

static void feed_text(struct digest *digest, const char *text)
{
    digest_update(digest, text ? text : "", text ? strlen(text) + 1 : 1);
}

// What a result depends on whatever the file.
static void make_base(struct cache_units *units)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"};
    struct digest *digest = digest_new();
    g_autofree char *clang = lower_clang_version();
    feed_text(digest, ANALYZER_DIGEST);
    feed_text(digest, clang);
    feed_text(digest, units->setup->models);
    for (size_t i = 0; i < G_N_ELEMENTS(variables); i++)
        feed_text(digest, g_getenv(variables[i]));
    for (const char *const *a = units->setup->assumptions; a && *a; a++)
        feed_text(digest, *a);
    digest_finish(digest, units->base);
}

void cache_units_init(struct cache_units *units, const struct cache_setup *setup)
{
    *units = (struct cache_units){.setup = setup, .n = front_n_files(setup->front)};
    units->units = g_new0(struct cache_unit, MAX(units->n, 1));
    make_base(units);
}

void cache_units_clear(struct cache_units *units)
{
    for (unsigned i = 0; i < units->n; i++)
        g_clear_pointer(&units->units[i].reads, g_ptr_array_unref);
    g_free(units->units);
}

void cache_units_make_keys(struct cache_units *units, const unsigned *files, size_t n)
{
    const struct front *front = units->setup->front;
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(paths, front_entry(front, files[i])->path);
    content_read(units->setup->content, paths, units->setup->jobs);
    for (size_t i = 0; i < n; i++) {
        struct cache_unit *unit = &units->units[files[i]];
        if (unit->key[0])
            continue;
        struct digest *digest = digest_new();
        feed_text(digest, units->base);
        front_feed(front, files[i], digest);
        feed_text(digest, content_digest(units->setup->content, paths->pdata[i]));
        digest_finish(digest, unit->key);
    }
}

// ---- States

static void make_state(struct cache_units *units, unsigned file)
{
    struct content *content = units->setup->content;
    struct cache_unit *unit = &units->units[file];
    const struct compdb_entry *entry = front_entry(units->setup->front, file);
    const struct include_dirs *dirs = content_dirs(content, entry);
    struct digest *digest = digest_new();
    feed_text(digest, unit->key);
    content_feed_forced(content, entry, digest);
    for (guint i = 0; i < unit->reads->len; i++) {
        const char *path = unit->reads->pdata[i];
        feed_text(digest, content_state(content, dirs, path));
        feed_text(digest, front_is_overlaid(units->setup->front, path) ? "overlaid" : "");
    }
    digest_finish(digest, unit->state);
}

static void make_states(struct cache_units *units, const unsigned *files, size_t n)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    for (size_t i = 0; i < n; i++) {
        struct cache_unit *unit = &units->units[files[i]];
        if (unit->reads && !unit->state[0])
            g_ptr_array_extend(paths, unit->reads, NULL, NULL);
    }
    content_read(units->setup->content, paths, units->setup->jobs);
    for (size_t i = 0; i < n; i++) {
        struct cache_unit *unit = &units->units[files[i]];
        if (unit->reads && !unit->state[0])
            make_state(units, files[i]);
    }
}

// ---- Records. Names in order share most of their beginning with the one before.

static void pack_paths(struct pack *pack, const GPtrArray *paths)
{
    const char *before = "";
    pack_number(pack, paths->len);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = paths->pdata[i];
        size_t same = 0;
        while (before[same] && before[same] == path[same])
            same++;
        pack_number(pack, same);
        pack_text(pack, path + same);
        before = path;
    }
}

static GPtrArray *unpack_paths(struct unpack *unpack)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    size_t n = unpack_count(unpack);
    const char *before = "";
    for (size_t i = 0; i < n && !unpack->bad; i++) {
        uint64_t same = unpack_number(unpack);
        const char *rest = unpack_required_text(unpack);
        if (same > strlen(before)) {
            unpack->bad = true;
            break;
        }
        g_ptr_array_add(paths, g_strdup_printf("%.*s%s", (int)same, before, rest));
        before = paths->pdata[i];
    }
    return paths;
}

static void read_record(struct cache_unit *unit, GBytes *record)
{
    struct unpack unpack;
    if (!unpack_init(&unpack, record))
        return;
    const char *state = unpack_required_text(&unpack);
    GPtrArray *reads = unpack_paths(&unpack);
    if (!unpack.bad && reads->len) {
        g_strlcpy(unit->stored, state, sizeof unit->stored);
        unit->reads = reads;
    } else {
        g_ptr_array_unref(reads);
    }
    unpack_clear(&unpack);
}

void cache_units_fetch(struct cache_units *units, const unsigned *files, size_t n)
{
    const struct scan_cache *store = units->setup->store;
    for (size_t i = 0; i < n; i++) {
        struct cache_unit *unit = &units->units[files[i]];
        if (unit->fetched || unit->noted)
            continue;
        unit->fetched = true;
        g_autoptr(GBytes) record = store->get(store->context, unit->key);
        if (record)
            read_record(unit, record);
    }
    make_states(units, files, n);
}

static int by_text(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void note_reads(struct cache_unit *unit, const GPtrArray *includes)
{
    GPtrArray *reads = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) sorted = g_ptr_array_copy((GPtrArray *)includes, NULL, NULL);
    g_ptr_array_set_free_func(sorted, NULL);
    g_ptr_array_sort(sorted, by_text);
    for (guint i = 0; i < sorted->len; i++) {
        if (i == 0 || strcmp(sorted->pdata[i - 1], sorted->pdata[i]) != 0)
            g_ptr_array_add(reads, g_strdup(sorted->pdata[i]));
    }
    g_clear_pointer(&unit->reads, g_ptr_array_unref);
    unit->reads = reads;
    unit->noted = true;
    unit->state[0] = 0;
}

void cache_units_note(struct cache_units *units, const unsigned *files, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const GPtrArray *includes = foreign_includes(units->setup->foreign, files[i]);
        if (includes && !units->units[files[i]].noted)
            note_reads(&units->units[files[i]], includes);
    }
    make_states(units, files, n);
}

bool cache_unit_is_fit(const struct cache_units *units, unsigned file)
{
    const struct cache_unit *unit = &units->units[file];
    for (guint i = 0; unit->reads && i < unit->reads->len; i++) {
        if (content_is_unfit(units->setup->content, unit->reads->pdata[i]))
            return false;
    }
    return unit->reads && unit->reads->len;
}

GBytes *cache_unit_record(const struct cache_units *units, unsigned file)
{
    const struct cache_unit *unit = &units->units[file];
    if (strcmp(unit->state, unit->stored) == 0)
        return NULL;
    struct pack pack;
    pack_init(&pack);
    pack_text(&pack, unit->state);
    pack_paths(&pack, unit->reads);
    return pack_finish(&pack);
}
