// Scans: sections, findings, files. They are held until the scan is done, so that nobody waits for
// the archive while sources are parsed; even a big tree has only thousands.
#include "store.h"

#include "facts.h"
#include "query.h"

static bool scan_begin(void *context, const struct scan_fact *scan, GError **error)
{
    struct store *s = context;
    if (s->archive->mode == ARCHIVE_READ)
        return error_set(error, SPINFAULT_ERROR_USAGE, "%s was opened for reading only",
                         s->archive->path);
    g_assert(s->state == STORE_IDLE);
    s->state = STORE_SCAN;
    s->path = text_printable(slice_from(scan->root ? scan->root : ""));
    s->version = g_strdup(scan->version ? scan->version : SPINFAULT_VERSION);
    s->revision = g_strdup(scan->commit);
    s->started_ns = scan->started_ns;
    s->held_sections = g_ptr_array_new_with_free_func(section_fact_free);
    s->held_findings = g_ptr_array_new_with_free_func(finding_fact_free);
    s->held_files = g_ptr_array_new_with_free_func(file_fact_free);
    return true;
}

static bool section(void *context, const struct section_fact *fact, GError **error)
{
    (void)error;
    g_ptr_array_add(((struct store *)context)->held_sections, section_fact_copy(fact));
    return true;
}

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    (void)error;
    g_ptr_array_add(((struct store *)context)->held_findings, finding_fact_copy(fact));
    return true;
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    (void)error;
    g_ptr_array_add(((struct store *)context)->held_files, file_fact_copy(fact));
    return true;
}

static bool store_accesses(struct store *s, int64_t section_id, const struct section_fact *section,
                           GError **error)
{
    for (size_t i = 0; i < section->n_accesses; i++) {
        const struct access_fact *a = &section->accesses[i];
        int64_t object;
        if (!store_string(s, slice_from(a->object), &object, error))
            return false;
        struct query q;
        query_begin(&q, s->archive,
                    "INSERT INTO section_access (section_id, seq, line, object_id, rw, residency, "
                    "why, bytes, pages_4k) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        query_int(&q, section_id);
        query_int(&q, (int64_t)i);
        query_int(&q, a->line);
        query_int_if(&q, object != 0, object);
        query_text(&q, a->write ? "write" : "read");
        query_text(&q, residency_name(a->residency));
        query_text(&q, fault_why_name(a->why));
        query_int_if(&q, a->bytes != 0, (int64_t)a->bytes);
        query_int_if(&q, a->pages_4k != 0, (int64_t)a->pages_4k);
        if (!query_run(&q, error))
            return false;
    }
    return true;
}

static bool store_calls(struct store *s, int64_t section_id, const struct section_fact *section,
                        GError **error)
{
    for (size_t i = 0; i < section->n_calls; i++) {
        const struct call_fact *c = &section->calls[i];
        int64_t name;
        if (!store_string(s, slice_from(c->name), &name, error))
            return false;
        struct query q;
        query_begin(&q, s->archive,
                    "INSERT INTO section_call (section_id, seq, line, name_id, effect) "
                    "VALUES (?, ?, ?, ?, ?)");
        query_int(&q, section_id);
        query_int(&q, (int64_t)i);
        query_int(&q, c->line);
        query_int_if(&q, name != 0, name);
        query_text(&q, call_effect_name(c->effect));
        if (!query_run(&q, error))
            return false;
    }
    return true;
}

static char *json_lines(const unsigned *lines, size_t n)
{
    GString *out = g_string_new("[");
    for (size_t i = 0; i < n; i++)
        g_string_append_printf(out, i ? ",%u" : "%u", lines[i]);
    return g_string_free(g_string_append_c(out, ']'), false);
}

static bool store_section(struct store *s, const struct section_fact *f, GError **error)
{
    g_autofree char *releases = json_lines(f->release_lines, f->n_release_lines);
    const char *const texts[] = {f->file, f->function, f->api, f->model, f->lock, f->excerpt};
    int64_t ids[G_N_ELEMENTS(texts)];
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (!store_string(s, slice_from(texts[i]), &ids[i], error))
            return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO section (file_id, function_id, api_id, model_id, lock_id, excerpt_id, "
                "scan_id, acquire_line, release_lines, scope, mode, entered_held, left_held, cost, "
                "excerpt_line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++)
        query_int_if(&q, ids[i] != 0, ids[i]);
    query_int(&q, s->scan_id);
    query_int(&q, f->acquire_line);
    query_text(&q, releases);
    query_text(&q, lock_scope_name(f->scope));
    query_text(&q, lock_mode_name(f->mode));
    query_int(&q, f->entered_held);
    query_int(&q, f->left_held);
    query_int(&q, f->cost);
    query_int(&q, f->excerpt_line);
    if (!query_run(&q, error))
        return false;
    int64_t id = sqlite3_last_insert_rowid(s->archive->db);
    return store_accesses(s, id, f, error) && store_calls(s, id, f, error);
}

static bool store_path(struct store *s, int64_t finding_id, const struct finding_fact *finding,
                       GError **error)
{
    for (size_t i = 0; i < finding->n_path; i++) {
        const struct path_step *step = &finding->path[i];
        int64_t file, what;
        if (!store_string(s, slice_from(step->file), &file, error) ||
            !store_string(s, slice_from(step->what), &what, error))
            return false;
        struct query q;
        query_begin(&q, s->archive,
                    "INSERT INTO finding_step (finding_id, seq, file_id, line, what_id) "
                    "VALUES (?, ?, ?, ?, ?)");
        query_int(&q, finding_id);
        query_int(&q, (int64_t)i);
        query_int_if(&q, file != 0, file);
        query_int(&q, step->line);
        query_int_if(&q, what != 0, what);
        if (!query_run(&q, error))
            return false;
    }
    return true;
}

static bool store_finding(struct store *s, const struct finding_fact *f, GError **error)
{
    const char *const texts[] = {f->file,   f->function, f->lock,
                                 f->object, f->message,  f->suggestion};
    int64_t ids[G_N_ELEMENTS(texts)];
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (!store_string(s, slice_from(texts[i]), &ids[i], error))
            return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO finding (file_id, function_id, lock_id, object_id, message_id, "
                "suggestion_id, scan_id, rule, severity, confidence, line, \"column\", "
                "acquire_line, fingerprint, suppressed, baseline) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++)
        query_int_if(&q, ids[i] != 0, ids[i]);
    query_int(&q, s->scan_id);
    query_text(&q, f->rule);
    query_text(&q, severity_name(f->severity));
    query_text(&q, confidence_name(f->confidence));
    query_int(&q, f->line);
    query_int(&q, f->column);
    query_int(&q, f->acquire_line);
    query_text(&q, f->fingerprint);
    query_int(&q, f->suppressed);
    query_int(&q, f->baseline);
    if (!query_run(&q, error))
        return false;
    return store_path(s, sqlite3_last_insert_rowid(s->archive->db), f, error);
}

static bool store_file(struct store *s, const struct file_fact *f, int64_t seq, GError **error)
{
    int64_t name, why;
    if (!store_string(s, slice_from(f->file), &name, error) ||
        !store_string(s, slice_from(f->why), &why, error))
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO scan_file (scan_id, seq, file_id, status, why_id) "
                "VALUES (?, ?, ?, ?, ?)");
    query_int(&q, s->scan_id);
    query_int(&q, seq);
    query_int(&q, name);
    query_text(&q, file_status_name(f->status));
    query_int_if(&q, why != 0, why);
    return query_run(&q, error);
}

static bool insert_scan(struct store *s, const struct scan_summary *summary, GError **error)
{
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO scan (root, version, revision, started_ns, files, parsed, cached, "
                "degraded, failed, skipped, sections, none, low, medium, high, suppressed, "
                "baseline, seconds, stored_sections, stored_findings) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    query_text(&q, s->path);
    query_text(&q, s->version);
    query_text(&q, s->revision);
    query_int(&q, s->started_ns);
    query_int(&q, summary->files);
    query_int(&q, summary->parsed);
    query_int(&q, summary->cached);
    query_int(&q, summary->degraded);
    query_int(&q, summary->failed);
    query_int(&q, summary->skipped);
    query_int(&q, summary->sections);
    for (size_t i = 0; i < G_N_ELEMENTS(summary->findings); i++)
        query_int(&q, summary->findings[i]);
    query_int(&q, summary->suppressed);
    query_int(&q, summary->baseline);
    query_real(&q, summary->seconds);
    query_int(&q, s->held_sections->len);
    query_int(&q, s->held_findings->len);
    if (!query_run(&q, error))
        return false;
    s->scan_id = sqlite3_last_insert_rowid(s->archive->db);
    return true;
}

// A scan is known by its tree and its time; it comes twice when archives are merged.
static bool is_duplicate(struct store *s, GError **error)
{
    struct query q;
    int64_t known = 0;
    query_begin(&q, s->archive, "SELECT id FROM scan WHERE root = ? AND started_ns = ?");
    query_text(&q, s->path);
    query_int(&q, s->started_ns);
    while (query_row(&q))
        known = query_get_int(&q, 0);
    if (!query_end(&q, error))
        return true;
    if (known)
        error_set(error, SPINFAULT_ERROR_DUPLICATE,
                  "the scan of %s is in %s already, as scan %" G_GINT64_FORMAT, s->path,
                  s->archive->path, known);
    return known != 0;
}

static bool store_all(struct store *s, const struct scan_summary *summary, GError **error)
{
    if (!store_open(s, error) || is_duplicate(s, error) || !insert_scan(s, summary, error))
        return false;
    for (guint i = 0; i < s->held_files->len; i++)
        if (!store_file(s, s->held_files->pdata[i], i, error))
            return false;
    for (guint i = 0; i < s->held_sections->len; i++)
        if (!store_section(s, s->held_sections->pdata[i], error))
            return false;
    for (guint i = 0; i < s->held_findings->len; i++)
        if (!store_finding(s, s->held_findings->pdata[i], error))
            return false;
    return true;
}

static bool scan_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    struct store *s = context;
    if (!ok)
        return store_close(s, false, error);
    if (!store_all(s, summary, error)) {
        store_close(s, false, NULL);
        return false;
    }
    return store_close(s, true, error);
}

void store_scan_callbacks(struct fact_sink *sink)
{
    sink->scan_begin = scan_begin;
    sink->section = section;
    sink->finding = finding;
    sink->file = file;
    sink->scan_end = scan_end;
}
