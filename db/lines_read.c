// JSON lines as facts: the lines themselves, sources and runs.
#include "lines_read.h"

#include <errno.h>
#include <math.h>
#include <string.h>

bool lines_damaged(struct lines_reader *r, const char *what, GError **error)
{
    return error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s:%" G_GUINT64_FORMAT ": %s; this is no whole export of an archive", r->path,
                     r->line, what);
}

const char *lines_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

struct slice lines_slice(struct lines_reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value))
        return (struct slice){json_string_value(value), json_string_length(value)};
    const char *hex = lines_text(value, "hex");
    if (!hex)
        return SLICE_NULL;
    size_t n = strlen(hex) / 2;
    char *bytes = g_malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(g_ascii_xdigit_value(hex[2 * i]) << 4 |
                          (g_ascii_xdigit_value(hex[2 * i + 1]) & 0xf));
    g_ptr_array_add(r->line_text, bytes);
    return (struct slice){bytes, n};
}

int64_t lines_int(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

double lines_real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *word = json_string_value(value);
    if (json_is_number(value))
        return json_number_value(value);
    if (word)
        return strcmp(word, "inf") == 0 ? INFINITY : strcmp(word, "-inf") == 0 ? -INFINITY : NAN;
    return NAN;
}

bool lines_bool(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

uint64_t lines_hex(const json_t *object, const char *key, bool *there)
{
    uint64_t value = 0;
    const char *text = lines_text(object, key);
    bool ok = text && slice_to_hex(slice_from(text), &value);
    if (there)
        *there = ok;
    return value;
}

static bool on_archive(struct lines_reader *r, const json_t *o, GError **error)
{
    if (r->begun)
        return lines_damaged(r, "a second first line", error);
    if (lines_int(o, "format") > LINES_FORMAT)
        return error_set(error, SPINFAULT_ERROR_NEWER,
                         "%s was written by a newer spinfault (format %d, this one knows %d); use "
                         "that version",
                         r->path, (int)lines_int(o, "format"), LINES_FORMAT);
    r->begun = true;
    return true;
}

static bool on_end(struct lines_reader *r, const json_t *o, GError **error)
{
    const struct replay_target *to = r->to;
    if (lines_int(o, "sources") != to->stored_sources + to->known_sources ||
        lines_int(o, "scans") != to->stored_scans + to->known_scans)
        return lines_damaged(r, "the end counts other sources and scans than came", error);
    r->ended = true;
    return true;
}

// The members of "set". Names and texts are lent by `o`.
static GArray *read_settings(const json_t *o)
{
    GArray *settings = g_array_new(false, false, sizeof(struct setting));
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(o, "set"), key, value)
    {
        const char *number = lines_text(value, "number");
        struct setting setting = {key, number ? number : json_string_value(value), number != NULL};
        if (setting.value)
            g_array_append_val(settings, setting);
    }
    return settings;
}

static void forget_profile(struct lines_reader *r)
{
    g_array_set_size(r->frames, 1);
    g_array_set_size(r->nodes, 1);
    g_array_set_size(r->threads, 1);
    g_array_set_size(r->events, 1);
    g_string_chunk_clear(r->text);
}

static bool on_source(struct lines_reader *r, const json_t *o, GError **error)
{
    const json_t *ingested = json_object_get(o, "ingested");
    g_autoptr(GArray) settings = read_settings(o);
    const struct source_fact source = {lines_text(o, "path"), lines_text(o, "format"),
                                       (const void *)settings->data, settings->len};
    if (!source.path || !source.format)
        return lines_damaged(r, "a source without a path or format", error);
    forget_profile(r);
    if (r->to->source)
        r->to->source(r->to->context, NULL, ingested ? json_integer_value(ingested) : INT64_MIN);
    if (!sink_source_begin(r->to->sink, &source, error))
        return false;
    r->state = LINES_SOURCE;
    return true;
}

// Ends a source or scan whose end says that it is there already as "known".
static bool ended(struct lines_reader *r, bool ok, GError *inner, unsigned *stored, unsigned *known,
                  GError **error)
{
    r->state = LINES_OUTSIDE;
    if (ok) {
        ++*stored;
        return true;
    }
    if (g_error_matches(inner, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE)) {
        ++*known;
        g_error_free(inner);
        return true;
    }
    g_propagate_error(error, inner);
    return false;
}

static bool on_source_end(struct lines_reader *r, const json_t *o, GError **error)
{
    GError *inner = NULL;
    const char *sha256 = lines_text(o, "sha256");
    if (!sha256 || strlen(sha256) != DIGEST_HEX_BYTES - 1)
        return lines_damaged(r, "a source without its digest", error);
    struct source_summary summary = {
        .bytes = (uint64_t)lines_int(o, "bytes"),
        .records = (uint64_t)lines_int(o, "records"),
        .skipped = (uint64_t)lines_int(o, "skipped"),
        .lost = (uint64_t)lines_int(o, "lost"),
        .truncated = lines_bool(o, "truncated"),
    };
    g_strlcpy(summary.sha256, sha256, sizeof summary.sha256);
    bool ok = sink_source_end(r->to->sink, &summary, true, &inner);
    return ended(r, ok, inner, &r->to->stored_sources, &r->to->known_sources, error);
}

bool lines_on_scan_end(struct lines_reader *r, const json_t *o, GError **error)
{
    GError *inner = NULL;
    const json_t *findings = json_object_get(o, "findings");
    struct scan_summary s = {
        .files = (unsigned)lines_int(o, "files"),
        .parsed = (unsigned)lines_int(o, "parsed"),
        .cached = (unsigned)lines_int(o, "cached"),
        .degraded = (unsigned)lines_int(o, "degraded"),
        .failed = (unsigned)lines_int(o, "failed"),
        .skipped = (unsigned)lines_int(o, "skipped"),
        .sections = (unsigned)lines_int(o, "sections"),
        .suppressed = (unsigned)lines_int(o, "suppressed"),
        .baseline = (unsigned)lines_int(o, "baseline"),
        .seconds = lines_real(o, "seconds"),
    };
    for (int i = SEVERITY_NONE; i <= SEVERITY_HIGH; i++)
        s.findings[i] = (unsigned)lines_int(findings, severity_name((enum severity)i));
    bool ok = sink_scan_end(r->to->sink, &s, true, &inner);
    return ended(r, ok, inner, &r->to->stored_scans, &r->to->known_scans, error);
}

static bool on_run(struct lines_reader *r, const json_t *o, GError **error)
{
    const json_t *started = json_object_get(o, "started");
    g_autoptr(GArray) settings = read_settings(o);
    struct run_fact run = {
        .benchmark = lines_text(o, "benchmark"),
        .workload = lines_text(o, "workload"),
        .started_ns = started ? json_integer_value(started) : INT64_MIN,
        .why = lines_text(o, "why"),
        .settings = (const void *)settings->data,
        .n_settings = settings->len,
    };
    if (!run_status_parse(lines_text(o, "status"), &run.status))
        return lines_damaged(r, "a run without a status", error);
    return sink_run(r->to->sink, &run, error);
}

static bool on_metric(struct lines_reader *r, const json_t *o, GError **error)
{
    struct metric_fact m = {
        .name = lines_text(o, "name"),
        .value = lines_real(o, "value"),
        .unit = lines_text(o, "unit"),
        .source_unit = lines_text(o, "source_unit"),
        .n = (uint64_t)lines_int(o, "n"),
        .stddev = lines_real(o, "stddev"),
        .why = lines_text(o, "why"),
    };
    if (!m.name || !better_parse(lines_text(o, "better"), &m.better) ||
        !provenance_parse(lines_text(o, "provenance"), &m.provenance))
        return lines_damaged(r, "a metric without name, better or provenance", error);
    return sink_metric(r->to->sink, &m, error);
}

static bool on_series(struct lines_reader *r, const json_t *o, GError **error)
{
    const struct series_fact f = {lines_text(o, "name"), lines_real(o, "t"), lines_bool(o, "epoch"),
                                  lines_real(o, "value")};
    if (!f.name || isnan(f.t))
        return lines_damaged(r, "a point without a name or time", error);
    return sink_series(r->to->sink, &f, error);
}

static bool on_wait(struct lines_reader *r, const json_t *o, GError **error)
{
    const struct wait_fact f = {
        lines_text(o, "backend_type"), lines_text(o, "event_type"),     lines_text(o, "event"),
        lines_text(o, "state"),        (uint64_t)lines_int(o, "count"), lines_real(o, "t"),
    };
    return sink_wait(r->to->sink, &f, error);
}

static bool on_environment(struct lines_reader *r, const json_t *o, GError **error)
{
    const struct environment_fact f = {
        lines_text(o, "scope"), lines_text(o, "source"), lines_text(o, "key"),
        lines_text(o, "value"), lines_text(o, "unit"),   lines_text(o, "phase"),
    };
    return sink_environment(r->to->sink, &f, error);
}

static bool on_skipped(struct lines_reader *r, const json_t *o, GError **error)
{
    const struct skipped_fact f = {(uint64_t)lines_int(o, "line"), lines_text(o, "why"),
                                   lines_text(o, "text")};
    return sink_skipped(r->to->sink, &f, error);
}

static const struct {
    const char *type;
    int state; // in which it may come
    lines_handler handle;
} handlers[] = {
    {"sample", LINES_SOURCE, lines_on_sample},
    {"node", LINES_SOURCE, lines_on_node},
    {"frame", LINES_SOURCE, lines_on_frame},
    {"thread", LINES_SOURCE, lines_on_thread},
    {"event", LINES_SOURCE, lines_on_event},
    {"side", LINES_SOURCE, lines_on_side},
    {"metric", LINES_SOURCE, on_metric},
    {"series", LINES_SOURCE, on_series},
    {"run", LINES_SOURCE, on_run},
    {"wait", LINES_SOURCE, on_wait},
    {"environment", LINES_SOURCE, on_environment},
    {"skipped", LINES_SOURCE, on_skipped},
    {"source_end", LINES_SOURCE, on_source_end},
    {"source", LINES_OUTSIDE, on_source},
    {"section", LINES_SCAN, lines_on_section},
    {"finding", LINES_SCAN, lines_on_finding},
    {"file", LINES_SCAN, lines_on_file},
    {"scan_end", LINES_SCAN, lines_on_scan_end},
    {"scan", LINES_OUTSIDE, lines_on_scan},
    {"archive", LINES_OUTSIDE, on_archive},
    {"end", LINES_OUTSIDE, on_end},
};

static bool read_line(struct lines_reader *r, const char *text, size_t len, GError **error)
{
    json_error_t why;
    json_t *o = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
    const char *type = lines_text(o, "type");
    bool ok = false, known = false;
    if (!type || (!r->begun && strcmp(type, "archive") != 0)) {
        lines_damaged(r, o ? "not a line of an export" : why.text, error);
        json_decref(o);
        return false;
    }
    for (size_t i = 0; !known && i < G_N_ELEMENTS(handlers); i++) {
        if (strcmp(handlers[i].type, type) != 0)
            continue;
        known = true;
        ok = (int)r->state == handlers[i].state && !r->ended
                 ? handlers[i].handle(r, o, error)
                 : lines_damaged(r, "a line out of place", error);
    }
    if (!known)
        lines_damaged(r, "a line of an unknown type", error);
    json_decref(o);
    g_ptr_array_set_size(r->line_text, 0);
    return ok;
}

// One line without its end into `line`. False at the end of the file, and when it is too long,
// which is then an error.
static bool next_line(struct lines_reader *r, FILE *in, GString *line, GError **error)
{
    int c;
    g_string_truncate(line, 0);
    while ((c = getc_unlocked(in)) != EOF && c != '\n') {
        if (line->len < LIMIT_LINE_BYTES) {
            g_string_append_c(line, (char)c);
            continue;
        }
        return error_set(error, SPINFAULT_ERROR_LIMIT,
                         "%s:%" G_GUINT64_FORMAT ": a line longer than LIMIT_LINE_BYTES (%u MB)",
                         r->path, r->line + 1, LIMIT_LINE_BYTES >> 20);
    }
    return c == '\n' || line->len > 0;
}

static bool read_all(struct lines_reader *r, FILE *in, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    GError *inner = NULL;
    bool ok = true;
    errno = 0;
    while (ok && next_line(r, in, line, &inner)) {
        r->line++;
        ok = read_line(r, line->str, line->len, &inner);
    }
    if (inner) {
        g_propagate_error(error, inner);
        return false;
    }
    if (ferror(in))
        return error_from_errno(error, errno ? errno : EIO, "read", r->path);
    return r->ended || lines_damaged(r, r->begun ? "the end is missing" : "nothing", error);
}

bool lines_read(FILE *in, const char *path, struct replay_target *to, GError **error)
{
    struct lines_reader r = {.to = to, .path = path};
    r.frames = g_array_new(false, true, sizeof(struct frame_fact));
    r.nodes = g_array_new(false, true, sizeof(struct node_key));
    r.threads = g_array_new(false, true, sizeof(struct sample_fact));
    r.events = g_array_new(false, true, sizeof(struct slice));
    r.chain = g_array_new(false, false, sizeof(struct frame_fact));
    r.text = g_string_chunk_new(4096);
    r.line_text = g_ptr_array_new_with_free_func(g_free);
    bool ok = read_all(&r, in, error);
    // What had begun when it failed is not kept.
    if (r.state == LINES_SOURCE)
        sink_source_end(to->sink, NULL, false, NULL);
    else if (r.state == LINES_SCAN)
        sink_scan_end(to->sink, NULL, false, NULL);
    g_array_free(r.frames, true);
    g_array_free(r.nodes, true);
    g_array_free(r.threads, true);
    g_array_free(r.events, true);
    g_array_free(r.chain, true);
    g_string_chunk_free(r.text);
    g_ptr_array_free(r.line_text, true);
    return ok;
}
