// Scans with their sections, findings and files. The rows are the facts themselves.
#include "facts.h"
#include "query.h"

static void scan_row_free(gpointer p)
{
    struct scan_row *r = p;
    g_free(r->root);
    g_free(r->version);
    g_free(r->commit);
    g_free(r);
}

GPtrArray *archive_scans(struct archive *archive, GError **error)
{
    GPtrArray *scans = g_ptr_array_new_with_free_func(scan_row_free);
    struct query q;
    query_begin(&q, archive,
                "SELECT id, root, version, revision, started_ns, files, parsed, cached, degraded, "
                "failed, skipped, sections, none, low, medium, high, suppressed, baseline, seconds "
                "FROM scan ORDER BY started_ns DESC, id DESC");
    while (query_row(&q)) {
        struct scan_row *r = g_new0(struct scan_row, 1);
        r->id = query_get_int(&q, 0);
        r->root = query_get_text(&q, 1);
        r->version = query_get_text(&q, 2);
        r->commit = query_get_text(&q, 3);
        r->started_ns = query_get_int(&q, 4);
        struct scan_summary *s = &r->summary;
        unsigned *const counts[] = {&s->files,  &s->parsed,  &s->cached,  &s->degraded,
                                    &s->failed, &s->skipped, &s->sections};
        for (int i = 0; i < (int)G_N_ELEMENTS(counts); i++)
            *counts[i] = (unsigned)query_get_int(&q, 5 + i);
        for (int i = 0; i <= SEVERITY_HIGH; i++)
            s->findings[i] = (unsigned)query_get_int(&q, 12 + i);
        s->suppressed = (unsigned)query_get_int(&q, 16);
        s->baseline = (unsigned)query_get_int(&q, 17);
        s->seconds = query_get_real(&q, 18);
        g_ptr_array_add(scans, r);
    }
    if (!query_end(&q, error))
        g_clear_pointer(&scans, g_ptr_array_unref);
    return scans;
}

static bool damaged(struct archive *archive, const char *table, GError **error)
{
    return error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s: a row of %s holds a word that its CHECK should have refused; \"spinfault "
                     "archive verify\" says what else is damaged",
                     archive->path, table);
}

// "[107,115]", which the archive has checked to be JSON.
static unsigned *read_lines(const char *json, size_t *n)
{
    GArray *lines = g_array_new(false, false, sizeof(unsigned));
    for (const char *p = json; *p; p++) {
        if (!g_ascii_isdigit(*p))
            continue;
        char *end;
        unsigned line = (unsigned)g_ascii_strtoull(p, &end, 10);
        g_array_append_val(lines, line);
        p = end - 1;
    }
    *n = lines->len;
    return (void *)g_array_free(lines, lines->len == 0);
}

static bool read_accesses(struct archive *archive, int64_t section_id, struct section_fact *f,
                          GError **error)
{
    g_autoptr(GArray) rows = g_array_new(false, true, sizeof(struct access_fact));
    struct query q;
    bool good = true;
    query_begin(&q, archive,
                "SELECT a.line, o.text, a.rw = 'write', a.residency, a.why, a.bytes, a.pages_4k "
                "FROM section_access a LEFT JOIN string o ON o.id = a.object_id "
                "WHERE a.section_id = ? ORDER BY a.seq");
    query_int(&q, section_id);
    while (good && query_row(&q)) {
        struct access_fact a = {.line = (unsigned)query_get_int(&q, 0)};
        g_autofree char *residency = query_get_text(&q, 3);
        g_autofree char *why = query_get_text(&q, 4);
        a.object = query_get_text(&q, 1);
        a.write = query_get_int(&q, 2) != 0;
        good = residency_parse(residency, &a.residency) && fault_why_parse(why, &a.why);
        a.bytes = (uint64_t)query_get_int(&q, 5);
        a.pages_4k = (uint64_t)query_get_int(&q, 6);
        g_array_append_val(rows, a);
    }
    f->n_accesses = rows->len;
    f->accesses = g_memdup2(rows->data, rows->len * sizeof(struct access_fact));
    return query_end(&q, error) && (good || damaged(archive, "section_access", error));
}

static bool read_calls(struct archive *archive, int64_t section_id, struct section_fact *f,
                       GError **error)
{
    g_autoptr(GArray) rows = g_array_new(false, true, sizeof(struct call_fact));
    struct query q;
    bool good = true;
    query_begin(&q, archive,
                "SELECT c.line, n.text, c.effect FROM section_call c "
                "LEFT JOIN string n ON n.id = c.name_id WHERE c.section_id = ? ORDER BY c.seq");
    query_int(&q, section_id);
    while (good && query_row(&q)) {
        struct call_fact c = {.line = (unsigned)query_get_int(&q, 0)};
        g_autofree char *effect = query_get_text(&q, 2);
        c.name = query_get_text(&q, 1);
        good = call_effect_parse(effect, &c.effect);
        g_array_append_val(rows, c);
    }
    f->n_calls = rows->len;
    f->calls = g_memdup2(rows->data, rows->len * sizeof(struct call_fact));
    return query_end(&q, error) && (good || damaged(archive, "section_call", error));
}

// Fills what the row of the section holds. Returns false for a word that is none of ours.
static bool read_section(const struct query *q, struct section_fact *f)
{
    g_autofree char *releases = query_get_text(q, 8);
    g_autofree char *scope = query_get_text(q, 9);
    g_autofree char *mode = query_get_text(q, 10);
    f->file = query_get_text(q, 1);
    f->function = query_get_text(q, 2);
    f->api = query_get_text(q, 3);
    f->model = query_get_text(q, 4);
    f->lock = query_get_text(q, 5);
    f->excerpt = query_get_text(q, 6);
    f->acquire_line = (unsigned)query_get_int(q, 7);
    f->release_lines = read_lines(releases, &f->n_release_lines);
    f->entered_held = query_get_int(q, 11) != 0;
    f->left_held = query_get_int(q, 12) != 0;
    f->cost = (unsigned)query_get_int(q, 13);
    f->excerpt_line = (unsigned)query_get_int(q, 14);
    return lock_scope_parse(scope, &f->scope) && lock_mode_parse(mode, &f->mode);
}

GPtrArray *archive_sections(struct archive *archive, int64_t scan_id, GError **error)
{
    GPtrArray *sections = g_ptr_array_new_with_free_func(section_fact_free);
    struct query q;
    bool ok = true;
    query_begin(&q, archive,
                "SELECT s.id, f.text, fn.text, a.text, m.text, l.text, x.text, s.acquire_line, "
                "s.release_lines, s.scope, s.mode, s.entered_held, s.left_held, s.cost, "
                "s.excerpt_line FROM section s JOIN string f ON f.id = s.file_id "
                "LEFT JOIN string fn ON fn.id = s.function_id "
                "LEFT JOIN string a ON a.id = s.api_id LEFT JOIN string m ON m.id = s.model_id "
                "LEFT JOIN string l ON l.id = s.lock_id "
                "LEFT JOIN string x ON x.id = s.excerpt_id "
                "WHERE s.scan_id = ? ORDER BY f.text, s.acquire_line, s.id");
    query_int(&q, scan_id);
    while (ok && query_row(&q)) {
        struct section_fact *f = g_new0(struct section_fact, 1);
        int64_t id = query_get_int(&q, 0);
        g_ptr_array_add(sections, f);
        ok = (read_section(&q, f) || damaged(archive, "section", error)) &&
             read_accesses(archive, id, f, error) && read_calls(archive, id, f, error);
    }
    ok = query_end(&q, ok ? error : NULL) && ok;
    if (!ok)
        g_clear_pointer(&sections, g_ptr_array_unref);
    return sections;
}

static bool read_path(struct archive *archive, int64_t finding_id, struct finding_fact *f,
                      GError **error)
{
    g_autoptr(GArray) rows = g_array_new(false, true, sizeof(struct path_step));
    struct query q;
    query_begin(&q, archive,
                "SELECT f.text, p.line, w.text FROM finding_step p "
                "LEFT JOIN string f ON f.id = p.file_id LEFT JOIN string w ON w.id = p.what_id "
                "WHERE p.finding_id = ? ORDER BY p.seq");
    query_int(&q, finding_id);
    while (query_row(&q)) {
        struct path_step step = {.line = (unsigned)query_get_int(&q, 1)};
        step.file = query_get_text(&q, 0);
        step.what = query_get_text(&q, 2);
        g_array_append_val(rows, step);
    }
    f->n_path = rows->len;
    f->path = g_memdup2(rows->data, rows->len * sizeof(struct path_step));
    return query_end(&q, error);
}

static bool read_finding(const struct query *q, struct finding_fact *f)
{
    g_autofree char *severity = query_get_text(q, 2);
    g_autofree char *confidence = query_get_text(q, 3);
    f->rule = query_get_text(q, 1);
    f->file = query_get_text(q, 4);
    f->line = (unsigned)query_get_int(q, 5);
    f->column = (unsigned)query_get_int(q, 6);
    f->function = query_get_text(q, 7);
    f->lock = query_get_text(q, 8);
    f->acquire_line = (unsigned)query_get_int(q, 9);
    f->object = query_get_text(q, 10);
    f->message = query_get_text(q, 11);
    f->suggestion = query_get_text(q, 12);
    f->fingerprint = query_get_text(q, 13);
    f->suppressed = query_get_int(q, 14) != 0;
    f->baseline = query_get_int(q, 15) != 0;
    return severity_parse(severity, &f->severity) && confidence_parse(confidence, &f->confidence);
}

GPtrArray *archive_findings(struct archive *archive, int64_t scan_id, GError **error)
{
    GPtrArray *findings = g_ptr_array_new_with_free_func(finding_fact_free);
    struct query q;
    bool ok = true;
    query_begin(&q, archive,
                "SELECT n.id, n.rule, n.severity, n.confidence, f.text, n.line, n.\"column\", "
                "fn.text, l.text, n.acquire_line, o.text, m.text, g.text, n.fingerprint, "
                "n.suppressed, n.baseline FROM finding n JOIN string f ON f.id = n.file_id "
                "LEFT JOIN string fn ON fn.id = n.function_id "
                "LEFT JOIN string l ON l.id = n.lock_id "
                "LEFT JOIN string o ON o.id = n.object_id "
                "LEFT JOIN string m ON m.id = n.message_id "
                "LEFT JOIN string g ON g.id = n.suggestion_id "
                "WHERE n.scan_id = ? ORDER BY f.text, n.line, n.id");
    query_int(&q, scan_id);
    while (ok && query_row(&q)) {
        struct finding_fact *f = g_new0(struct finding_fact, 1);
        int64_t id = query_get_int(&q, 0);
        g_ptr_array_add(findings, f);
        ok = (read_finding(&q, f) || damaged(archive, "finding", error)) &&
             read_path(archive, id, f, error);
    }
    ok = query_end(&q, ok ? error : NULL) && ok;
    if (!ok)
        g_clear_pointer(&findings, g_ptr_array_unref);
    return findings;
}

GPtrArray *archive_scan_files(struct archive *archive, int64_t scan_id, GError **error)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(file_fact_free);
    struct query q;
    bool good = true;
    query_begin(&q, archive,
                "SELECT f.text, s.status, w.text FROM scan_file s "
                "JOIN string f ON f.id = s.file_id LEFT JOIN string w ON w.id = s.why_id "
                "WHERE s.scan_id = ? ORDER BY f.text, s.seq");
    query_int(&q, scan_id);
    while (good && query_row(&q)) {
        struct file_fact *f = g_new0(struct file_fact, 1);
        g_autofree char *status = query_get_text(&q, 1);
        g_ptr_array_add(files, f);
        f->file = query_get_text(&q, 0);
        f->why = query_get_text(&q, 2);
        good = file_status_parse(status, &f->status);
    }
    if (!query_end(&q, error) || (!good && !damaged(archive, "scan_file", error)))
        g_clear_pointer(&files, g_ptr_array_unref);
    return files;
}
