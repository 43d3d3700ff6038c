// The driver: files are lowered and analysed in parallel, and delivered in order.
//
// A worker takes a file through all stages and leaves facts behind; nothing of its IR lives on.
// When all are done the facts are sorted by file and line, what several units found in one header
// is reduced to one, and the sink is called from this thread only. So the output does not depend on
// the number of threads.
#include <string.h>

#include "cache.h"
#include "content.h"
#include "flow.h"
#include "foreign.h"
#include "front.h"
#include "model.h"
#include "scan_merge.h"
#include "scan_tried.h"
#include "scan_unit.h"
#include "spinfault/analyzer.h"
#include "suppress.h"

struct scan {
    const struct scan_options *options;
    struct model_set *models;
    struct front *front;
    struct foreign *foreign;
    struct content *content;
    struct cache *cache;          // or NULL
    GPtrArray *assumptions;       // struct assumption*
    unsigned n_selected;          // files under the paths asked for
    GArray *files;                // unsigned: those of them to look at
    struct scan_result **results; // by file; NULL: not looked at
    GMutex lock;                  // of `done` and the callbacks
    unsigned done;
};

static void assumption_free(gpointer data)
{
    struct assumption *assumption = data;
    g_free(assumption->name);
    g_free(assumption);
}

static bool read_assumptions(struct scan *scan, GError **error)
{
    scan->assumptions = g_ptr_array_new_with_free_func(assumption_free);
    for (const char *const *a = scan->options->assumptions; a && *a; a++) {
        const char *equals = strchr(*a, '=');
        uint64_t value = 0;
        if (!equals || equals == *a ||
            (!slice_to_u64(slice_from(equals + 1), &value) && !text_to_bytes(equals + 1, &value)))
            return error_set(error, SPINFAULT_ERROR_USAGE,
                             "an assumption is NAME=NUMBER, as in NBuffers=15728640, not \"%s\"",
                             *a);
        struct assumption *assumption = g_new(struct assumption, 1);
        assumption->name = g_strndup(*a, (gsize)(equals - *a));
        assumption->value = value;
        g_ptr_array_add(scan->assumptions, assumption);
    }
    return true;
}

// Those that may take a lock, and those that were asked for by name: one that does not parse must
// not look like one that is clean.
static void find_files(struct scan *scan)
{
    size_t n = 0;
    const unsigned *candidates = front_candidates(scan->front, &n);
    const unsigned *end = candidates + n;
    scan->files = g_array_new(FALSE, FALSE, sizeof(unsigned));
    scan->results = g_new0(struct scan_result *, MAX(front_n_files(scan->front), 1));
    for (unsigned file = 0; file < front_n_files(scan->front); file++) {
        bool candidate = candidates < end && *candidates == file;
        candidates += candidate;
        if (!front_file_selected(scan->front, file))
            continue;
        scan->n_selected++;
        if (!candidate && !front_file_named(scan->front, file))
            continue;
        g_array_append_val(scan->files, file);
        foreign_expect(scan->foreign, file, true);
    }
}

static struct scan_result *look_at(const struct scan *scan, unsigned file)
{
    const struct ir_unit *unit = foreign_take_unit(scan->foreign, file);
    foreign_expect(scan->foreign, file, false);
    struct scan_result *result =
        scan_unit(unit, scan->models, scan->assumptions, scan->front, scan->foreign);
    foreign_give_unit(scan->foreign, file);
    return result;
}

static void work(gpointer data, gpointer user_data)
{
    struct scan *scan = user_data;
    unsigned file = GPOINTER_TO_UINT(data) - 1;
    struct scan_result *known = scan->cache ? cache_take(scan->cache, file) : NULL;
    if (known)
        foreign_expect(scan->foreign, file, false);
    scan->results[file] = known ? known : look_at(scan, file);
    g_mutex_lock(&scan->lock);
    scan->done++;
    if (scan->options->progress)
        scan->options->progress(scan->options->progress_context, scan->done, scan->files->len,
                                front_file_name(scan->front, file));
    g_mutex_unlock(&scan->lock);
}

static bool work_on(struct scan *scan, const unsigned *files, size_t n, GError **error)
{
    unsigned jobs = scan->options->jobs ? scan->options->jobs : g_get_num_processors();
    GThreadPool *pool = g_thread_pool_new(work, scan, (int)MIN(jobs, 4096), FALSE, error);
    if (!pool)
        return false;
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        ok = g_thread_pool_push(pool, GUINT_TO_POINTER(files[i] + 1), error);
    g_thread_pool_free(pool, !ok, TRUE);
    return ok;
}

// All files that have no result yet. `lockers`: what earlier rounds found, in order.
static bool work_round(struct scan *scan, const char *lockers, GError **error)
{
    g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(unsigned));
    for (guint i = 0; i < scan->files->len; i++) {
        unsigned file = g_array_index(scan->files, unsigned, i);
        if (!scan->results[file])
            g_array_append_val(todo, file);
    }
    const unsigned *files = (const unsigned *)todo->data;
    if (scan->cache)
        cache_look_up(scan->cache, lockers, files, todo->len);
    if (!work_on(scan, files, todo->len, error))
        return false;
    if (scan->cache)
        cache_keep(scan->cache, lockers, files, scan->results, todo->len);
    return true;
}

static int by_number(gconstpointer a, gconstpointer b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

// Files that mention a function which keeps or releases its caller's lock: they name no lock
// themselves. Those that were looked at before it was known to be such a one are looked at again.
static void add_callers(struct scan *scan, const char *locker)
{
    bool is_news = foreign_add_locker(scan->foreign, locker);
    size_t n;
    g_autofree unsigned *files = front_mentions(scan->front, locker, &n);
    for (size_t i = 0; i < n; i++) {
        if (!front_file_selected(scan->front, files[i]))
            continue;
        if (!g_array_binary_search(scan->files, &files[i], by_number, NULL)) {
            g_array_append_val(scan->files, files[i]);
            g_array_sort(scan->files, by_number);
            foreign_expect(scan->foreign, files[i], true);
        } else if (is_news) {
            scan->done -= scan->results[files[i]] != NULL;
            g_clear_pointer(&scan->results[files[i]], scan_result_free);
        }
    }
}

static char *names_in_order(GHashTable *names)
{
    g_autoptr(GList) list = g_list_sort(g_hash_table_get_keys(names), (GCompareFunc)strcmp);
    GString *text = g_string_new(NULL);
    for (GList *name = list; name; name = name->next)
        g_string_append_printf(text, "%s ", (const char *)name->data);
    return g_string_free(text, FALSE);
}

static bool work_all(struct scan *scan, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (bool again = true; again;) {
        g_autofree char *round = names_in_order(known);
        if (!work_round(scan, round, error))
            return false;
        g_autoptr(GPtrArray) lockers = g_ptr_array_new();
        for (guint i = 0; i < scan->files->len; i++) {
            const struct scan_result *result =
                scan->results[g_array_index(scan->files, unsigned, i)];
            for (guint k = 0; k < result->lockers->len; k++) {
                const char *name = g_intern_string(result->lockers->pdata[k]);
                if (g_hash_table_add(known, (gpointer)name))
                    g_ptr_array_add(lockers, (gpointer)name);
            }
        }
        for (guint i = 0; i < lockers->len; i++)
            add_callers(scan, lockers->pdata[i]);
        again = lockers->len > 0;
    }
    return true;
}

// ---- Order.

static int by_file_and_line(const char *file, unsigned line, const char *other_file,
                            unsigned other_line)
{
    int files = strcmp(file, other_file);
    if (files)
        return files;
    return line < other_line ? -1 : line > other_line;
}

static int section_order(gconstpointer a, gconstpointer b)
{
    const struct section_fact *x = *(struct section_fact *const *)a;
    const struct section_fact *y = *(struct section_fact *const *)b;
    int order = by_file_and_line(x->file, x->acquire_line, y->file, y->acquire_line);
    if (!order)
        order = strcmp(x->function, y->function);
    return order ? order : strcmp(x->lock, y->lock);
}

static int finding_order(gconstpointer a, gconstpointer b)
{
    const struct finding_fact *x = *(struct finding_fact *const *)a;
    const struct finding_fact *y = *(struct finding_fact *const *)b;
    int order = by_file_and_line(x->file, x->line, y->file, y->line);
    if (!order && x->column != y->column)
        order = x->column < y->column ? -1 : 1;
    if (!order)
        order = strcmp(x->rule, y->rule);
    if (!order)
        order = strcmp(x->object, y->object);
    return order ? order : strcmp(x->lock, y->lock);
}

// ---- Delivery.

struct delivery {
    GPtrArray *sections, *findings; // of all units, sorted
    const struct fact_sink *sink;
    struct scan_summary *summary;
};

static bool deliver_sections(struct delivery *delivery, GError **error)
{
    const GPtrArray *all = delivery->sections;
    for (guint i = 0; i < all->len; i++) {
        // Found by several units that include the same header.
        if (i && section_order(&all->pdata[i - 1], &all->pdata[i]) == 0)
            continue;
        delivery->summary->sections++;
        if (!sink_section(delivery->sink, all->pdata[i], error))
            return false;
    }
    return true;
}

static bool deliver_findings(struct delivery *delivery, GError **error)
{
    const GPtrArray *all = delivery->findings;
    for (guint i = 0; i < all->len; i++) {
        const struct finding_fact *finding = all->pdata[i];
        if (finding->suppressed)
            delivery->summary->suppressed++;
        else if (finding->baseline)
            delivery->summary->baseline++;
        else if (strcmp(finding->rule, "debug") != 0)
            delivery->summary->findings[finding->severity]++;
        if (!sink_finding(delivery->sink, finding, error))
            return false;
    }
    return true;
}

static const struct scan_result *result_at(const struct scan *scan, guint i)
{
    return scan->results[g_array_index(scan->files, unsigned, i)];
}

static bool deliver_files(const struct scan *scan, struct delivery *delivery, GError **error)
{
    struct scan_summary *summary = delivery->summary;
    for (guint i = 0; i < scan->files->len; i++) {
        const struct scan_result *result = result_at(scan, i);
        enum file_status status = result->has_file ? result->file.status : FILE_PARSED;
        summary->cached += result->from_cache;
        summary->parsed += status == FILE_PARSED || status == FILE_DEGRADED;
        summary->degraded += status == FILE_DEGRADED;
        summary->failed += status == FILE_FAILED;
        summary->skipped += status == FILE_SKIPPED;
        if (result->has_file && !sink_file(delivery->sink, &result->file, error))
            return false;
    }
    size_t n;
    const char *const *others = front_others(scan->front, &n);
    for (size_t i = 0; i < n; i++) {
        struct file_fact other = {others[i], FILE_SKIPPED, "it is not C"};
        if (!sink_file(delivery->sink, &other, error))
            return false;
    }
    summary->files += (unsigned)n;
    summary->skipped += (unsigned)n;
    return true;
}

// Found by several units that include the same header.
static void drop_twins(GPtrArray *findings)
{
    guint kept = 0;
    for (guint i = 0; i < findings->len; i++) {
        if (!kept || finding_order(&findings->pdata[kept - 1], &findings->pdata[i]) != 0)
            findings->pdata[kept++] = findings->pdata[i];
    }
    g_ptr_array_set_size(findings, (gint)kept);
}

// ---- Suppressions.

// Files that were looked at, and headers with something in them: name -> is it understood in part
// only?
static GHashTable *files_with_facts(const struct scan *scan, const struct delivery *delivery)
{
    GHashTable *files = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < delivery->sections->len; i++)
        g_hash_table_add(files,
                         (gpointer)((struct section_fact *)delivery->sections->pdata[i])->file);
    for (guint i = 0; i < delivery->findings->len; i++)
        g_hash_table_add(files,
                         (gpointer)((struct finding_fact *)delivery->findings->pdata[i])->file);
    for (guint i = 0; i < scan->files->len; i++) {
        unsigned file = g_array_index(scan->files, unsigned, i);
        g_hash_table_replace(files, (gpointer)front_file_name(scan->front, file),
                             GINT_TO_POINTER(result_at(scan, i)->has_file));
    }
    return files;
}

// By file and over all units, because several include one header.
static void suppress(const struct scan *scan, const struct delivery *delivery)
{
    g_autoptr(GHashTable) files = files_with_facts(scan, delivery);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(files), (GCompareFunc)strcmp);
    for (GList *name = names; name; name = name->next) {
        g_autofree char *text = front_source_lines(scan->front, name->data, 1, G_MAXUINT);
        gpointer unsure = g_hash_table_lookup(files, name->data);
        struct suppress_file file = {name->data, text, unsure && unsure != name->data};
        suppress_apply(&file, delivery->findings, notes);
    }
    for (guint i = 0; scan->options->note && i < notes->len; i++)
        scan->options->note(scan->options->note_context, notes->pdata[i]);
}

static void deliver_notes(const struct scan *scan)
{
    for (guint i = 0; i < scan->files->len; i++) {
        const GPtrArray *notes = result_at(scan, i)->notes;
        for (guint k = 0; scan->options->note && k < notes->len; k++)
            scan->options->note(scan->options->note_context, notes->pdata[k]);
    }
}

// What is in an ignored header is dropped here and not where it is found, so that results that are
// kept do not depend on what is ignored.
static bool is_wanted(const struct scan *scan, const char *unit, const char *file)
{
    return strcmp(unit, file) == 0 || !front_ignores(scan->front, file);
}

// Every file that may take a lock is looked at.
static bool is_whole(const struct scan *scan)
{
    size_t n;
    const unsigned *candidates = front_candidates(scan->front, &n);
    for (size_t i = 0; i < n; i++) {
        if (!front_file_selected(scan->front, candidates[i]))
            return false;
    }
    return true;
}

static bool deliver(const struct scan *scan, const struct fact_sink *sink,
                    struct scan_summary *summary, GError **error)
{
    struct delivery delivery = {g_ptr_array_new(), g_ptr_array_new(), sink, summary};
    for (guint i = 0; i < scan->files->len; i++) {
        const struct scan_result *result = result_at(scan, i);
        const char *unit = front_file_name(scan->front, g_array_index(scan->files, unsigned, i));
        for (guint k = 0; k < result->sections->len; k++) {
            const struct section_fact *fact = result->sections->pdata[k];
            if (is_wanted(scan, unit, fact->file))
                g_ptr_array_add(delivery.sections, (gpointer)fact);
        }
        for (guint k = 0; k < result->findings->len; k++) {
            const struct finding_fact *fact = result->findings->pdata[k];
            if (is_wanted(scan, unit, fact->file))
                g_ptr_array_add(delivery.findings, (gpointer)fact);
        }
    }
    g_ptr_array_sort(delivery.sections, section_order);
    g_ptr_array_sort(delivery.findings, finding_order);
    if (is_whole(scan))
        tried_lower(delivery.sections, delivery.findings);
    suppress(scan, &delivery);
    g_autoptr(GPtrArray) merged = g_ptr_array_new_with_free_func(g_free);
    drop_twins(delivery.findings);
    merge_findings(delivery.findings, merged);
    deliver_notes(scan);
    bool ok = deliver_files(scan, &delivery, error) && deliver_sections(&delivery, error) &&
              deliver_findings(&delivery, error);
    g_ptr_array_unref(delivery.sections);
    g_ptr_array_unref(delivery.findings);
    return ok;
}

// ---- The whole.

// What .git says the tree is at, or NULL.
static char *commit_of(const char *root)
{
    g_autofree char *head_path = g_build_filename(root, ".git", "HEAD", NULL);
    g_autofree char *head = NULL;
    if (!g_file_get_contents(head_path, &head, NULL, NULL))
        return NULL;
    g_strchomp(head);
    if (!g_str_has_prefix(head, "ref: "))
        return g_steal_pointer(&head);
    g_autofree char *path = g_build_filename(root, ".git", head + strlen("ref: "), NULL);
    char *commit = NULL;
    if (g_file_get_contents(path, &commit, NULL, NULL))
        g_strchomp(commit);
    return commit;
}

static void open_cache(struct scan *scan)
{
    const struct scan_options *options = scan->options;
    if (!options->cache)
        return;
    const struct cache_setup setup = {
        .front = scan->front,
        .foreign = scan->foreign,
        .content = scan->content,
        .models = model_set_digest(scan->models),
        .assumptions = options->assumptions,
        .store = options->cache,
        .jobs = options->jobs ? options->jobs : g_get_num_processors(),
    };
    scan->cache = cache_new(&setup);
}

static bool scan_and_deliver(struct scan *scan, const struct fact_sink *sink,
                             struct scan_summary *summary, GError **error)
{
    gint64 started = g_get_monotonic_time();
    const char *root = front_root(scan->front);
    g_autofree char *commit = commit_of(root);
    struct scan_fact fact = {root, SPINFAULT_VERSION, commit, g_get_real_time() * 1000};
    *summary = (struct scan_summary){.files = scan->n_selected};
    open_cache(scan);
    bool ok = sink_scan_begin(sink, &fact, error);
    if (!ok)
        return false;
    ok = work_all(scan, error) && deliver(scan, sink, summary, error);
    summary->seconds = (double)(g_get_monotonic_time() - started) / G_USEC_PER_SEC;
    // The first failure is the one to report.
    ok = sink_scan_end(sink, summary, ok, ok ? error : NULL) && ok;
    if (ok && scan->cache)
        cache_flush(scan->cache);
    return ok;
}

static void scan_clear(struct scan *scan)
{
    for (unsigned file = 0; scan->results && file < front_n_files(scan->front); file++)
        scan_result_free(scan->results[file]);
    g_free(scan->results);
    cache_free(scan->cache);
    content_free(scan->content);
    g_clear_pointer(&scan->files, g_array_unref);
    g_clear_pointer(&scan->assumptions, g_ptr_array_unref);
    foreign_free(scan->foreign);
    front_free(scan->front);
    model_set_free(scan->models);
    g_mutex_clear(&scan->lock);
}

bool scan_run(const struct scan_options *options, const struct fact_sink *sink,
              struct scan_summary *summary, GError **error)
{
    struct scan scan = {.options = options, .content = content_new()};
    g_mutex_init(&scan.lock);
    bool ok = read_assumptions(&scan, error) &&
              (scan.models = model_set_load(options->models, error)) &&
              (scan.front = front_new(options, scan.models, error));
    if (ok) {
        scan.foreign = foreign_new(scan.front, scan.models, scan.assumptions);
        find_files(&scan);
        ok = scan_and_deliver(&scan, sink, summary, error);
    }
    scan_clear(&scan);
    return ok;
}
