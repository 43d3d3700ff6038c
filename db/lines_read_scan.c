// JSON lines as facts: scans.
#include "lines_read.h"

bool lines_on_scan(struct lines_reader *r, const json_t *o, GError **error)
{
    const struct scan_fact scan = {lines_text(o, "root"), lines_text(o, "version"),
                                   lines_text(o, "commit"), lines_int(o, "started")};
    if (!scan.root || !scan.version)
        return lines_damaged(r, "a scan without a tree or version", error);
    if (!sink_scan_begin(r->to->sink, &scan, error))
        return false;
    r->state = LINES_SCAN;
    return true;
}

bool lines_on_file(struct lines_reader *r, const json_t *o, GError **error)
{
    struct file_fact f = {.file = lines_text(o, "file"), .why = lines_text(o, "why")};
    if (!f.file || !file_status_parse(lines_text(o, "status"), &f.status))
        return lines_damaged(r, "a file without its name or status", error);
    return sink_file(r->to->sink, &f, error);
}

static bool read_accesses(struct lines_reader *r, const json_t *o, GArray *accesses, GError **error)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(o, "accesses"), i, item)
    {
        struct access_fact a = {
            .line = (unsigned)lines_int(item, "line"),
            .object = lines_text(item, "object"),
            .write = g_strcmp0(lines_text(item, "rw"), "write") == 0,
            .bytes = (uint64_t)lines_int(item, "bytes"),
            .pages_4k = (uint64_t)lines_int(item, "pages_4k"),
        };
        if (!residency_parse(lines_text(item, "residency"), &a.residency) ||
            !fault_why_parse(lines_text(item, "why"), &a.why))
            return lines_damaged(r, "an access without its residency", error);
        g_array_append_val(accesses, a);
    }
    return true;
}

static bool read_calls(struct lines_reader *r, const json_t *o, GArray *calls, GError **error)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(o, "calls"), i, item)
    {
        struct call_fact c = {.line = (unsigned)lines_int(item, "line"),
                              .name = lines_text(item, "name")};
        if (!call_effect_parse(lines_text(item, "effect"), &c.effect))
            return lines_damaged(r, "a call without its effect", error);
        g_array_append_val(calls, c);
    }
    return true;
}

bool lines_on_section(struct lines_reader *r, const json_t *o, GError **error)
{
    g_autoptr(GArray) accesses = g_array_new(false, false, sizeof(struct access_fact));
    g_autoptr(GArray) calls = g_array_new(false, false, sizeof(struct call_fact));
    g_autoptr(GArray) releases = g_array_new(false, false, sizeof(unsigned));
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(o, "release_lines"), i, item)
    {
        unsigned line = (unsigned)json_integer_value(item);
        g_array_append_val(releases, line);
    }
    struct section_fact f = {
        .file = lines_text(o, "file"),
        .function = lines_text(o, "function"),
        .acquire_line = (unsigned)lines_int(o, "acquire_line"),
        .api = lines_text(o, "api"),
        .model = lines_text(o, "model"),
        .lock = lines_text(o, "lock"),
        .entered_held = lines_bool(o, "entered_held"),
        .left_held = lines_bool(o, "left_held"),
        .cost = (unsigned)lines_int(o, "cost"),
        .excerpt = lines_text(o, "excerpt"),
        .excerpt_line = (unsigned)lines_int(o, "excerpt_line"),
    };
    if (!f.file || !lock_scope_parse(lines_text(o, "scope"), &f.scope) ||
        !lock_mode_parse(lines_text(o, "mode"), &f.mode))
        return lines_damaged(r, "a section without file, scope or mode", error);
    if (!read_accesses(r, o, accesses, error) || !read_calls(r, o, calls, error))
        return false;
    f.release_lines = (const void *)releases->data;
    f.n_release_lines = releases->len;
    f.accesses = (const void *)accesses->data;
    f.n_accesses = accesses->len;
    f.calls = (const void *)calls->data;
    f.n_calls = calls->len;
    return sink_section(r->to->sink, &f, error);
}

bool lines_on_finding(struct lines_reader *r, const json_t *o, GError **error)
{
    g_autoptr(GArray) path = g_array_new(false, false, sizeof(struct path_step));
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(o, "path"), i, item)
    {
        const struct path_step step = {lines_text(item, "file"), (unsigned)lines_int(item, "line"),
                                       lines_text(item, "what")};
        g_array_append_val(path, step);
    }
    struct finding_fact f = {
        .rule = lines_text(o, "rule"),
        .file = lines_text(o, "file"),
        .line = (unsigned)lines_int(o, "line"),
        .column = (unsigned)lines_int(o, "column"),
        .function = lines_text(o, "function"),
        .lock = lines_text(o, "lock"),
        .acquire_line = (unsigned)lines_int(o, "acquire_line"),
        .object = lines_text(o, "object"),
        .message = lines_text(o, "message"),
        .suggestion = lines_text(o, "suggestion"),
        .fingerprint = lines_text(o, "fingerprint"),
        .suppressed = lines_bool(o, "suppressed"),
        .baseline = lines_bool(o, "baseline"),
        .path = (const void *)path->data,
        .n_path = path->len,
    };
    if (!f.rule || !f.file || !f.fingerprint ||
        !severity_parse(lines_text(o, "severity"), &f.severity) ||
        !confidence_parse(lines_text(o, "confidence"), &f.confidence))
        return lines_damaged(r, "a finding without rule, file, fingerprint or severity", error);
    return sink_finding(r->to->sink, &f, error);
}
