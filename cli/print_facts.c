// Facts as JSON lines. Keys keep the order of the documentation, so that output can be compared.
#include "print_facts.h"

#include "spinfault/base.h"

#include <inttypes.h>

struct printer {
    struct fact_sink sink;
    FILE *out;
};

// --- JSON ------------------------------------------------------------------------------------

static void put_char(FILE *out, unsigned char c)
{
    static const char escapes[] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
                                   ['\t'] = 't', ['"'] = '"',  ['\\'] = '\\'};
    if (c < sizeof escapes && escapes[c])
        fprintf(out, "\\%c", escapes[c]);
    else if (c < 0x20 || c == 0x7f)
        fprintf(out, "\\u%04x", c);
    else
        putc(c, out);
}

// Bytes that are not UTF-8 become U+FFFD.
static void put_slice(FILE *out, struct slice s)
{
    if (!s.data) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    for (const char *p = s.data, *end = s.data + s.len; p < end;) {
        gunichar c =
            (unsigned char)*p < 0x80 ? (unsigned char)*p : g_utf8_get_char_validated(p, end - p);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            fputs("\xEF\xBF\xBD", out);
            p++;
        } else if (c < 0x80) {
            put_char(out, (unsigned char)c);
            p++;
        } else {
            const char *next = g_utf8_next_char(p);
            fwrite(p, 1, (size_t)(next - p), out);
            p = next;
        }
    }
    putc('"', out);
}

static void put_text(FILE *out, const char *text)
{
    put_slice(out, slice_from(text));
}

static void put_double(FILE *out, double value)
{
    g_autofree char *text = isfinite(value) ? text_double(value) : NULL;
    fputs(text ? text : "null", out);
}

static void key(FILE *out, const char *name)
{
    fprintf(out, ",\"%s\":", name);
}

static void key_text(FILE *out, const char *name, const char *value)
{
    key(out, name);
    put_text(out, value);
}

static void key_slice(FILE *out, const char *name, struct slice value)
{
    key(out, name);
    put_slice(out, value);
}

// Only what is there.
static void key_slice_if(FILE *out, const char *name, struct slice value)
{
    if (value.data)
        key_slice(out, name, value);
}

static void key_text_if(FILE *out, const char *name, const char *value)
{
    if (value)
        key_text(out, name, value);
}

static void key_int(FILE *out, const char *name, bool there, int64_t value)
{
    key(out, name);
    if (there)
        fprintf(out, "%" PRId64, value);
    else
        fputs("null", out);
}

static void key_uint(FILE *out, const char *name, uint64_t value)
{
    key(out, name);
    fprintf(out, "%" PRIu64, value);
}

static void key_hex(FILE *out, const char *name, uint64_t value)
{
    key(out, name);
    fprintf(out, "\"%" PRIx64 "\"", value);
}

static void key_double(FILE *out, const char *name, double value)
{
    key(out, name);
    put_double(out, value);
}

static void key_bool(FILE *out, const char *name, bool value)
{
    key(out, name);
    fputs(value ? "true" : "false", out);
}

static void begin(FILE *out, const char *type)
{
    fputs("{\"type\":", out);
    put_text(out, type);
}

static bool finish(FILE *out, GError **error)
{
    fputs("}\n", out);
    return !ferror(out) || error_set(error, SPINFAULT_ERROR_IO, "cannot write the output");
}

// --- samples ---------------------------------------------------------------------------------

static void put_frame(FILE *out, const struct frame_fact *f)
{
    if (f->has_ip)
        fprintf(out, "[\"%" PRIx64 "\",", f->ip);
    else
        fputs("[null,", out);
    put_slice(out, f->symbol);
    if (f->has_offset)
        fprintf(out, ",%" PRIu64 ",", f->offset);
    else
        fputs(",null,", out);
    put_slice(out, f->dso);
    putc(',', out);
    if (f->srcline.data && f->inlined) {
        g_autofree char *file = slice_dup(f->srcline);
        g_autofree char *text = g_strconcat(file, " (inlined)", NULL);
        put_text(out, text);
    } else if (f->srcline.data) {
        put_slice(out, f->srcline);
    } else {
        put_text(out, f->truncated ? "truncated" : f->inlined ? "inlined" : NULL);
    }
    putc(']', out);
}

static void put_comm_hex(FILE *out, struct slice comm)
{
    key(out, "comm_hex");
    putc('"', out);
    for (size_t i = 0; i < comm.len; i++)
        fprintf(out, "%02x", (unsigned char)comm.data[i]);
    putc('"', out);
}

static void put_sample_extras(FILE *out, const struct sample_fact *s)
{
    if (s->fields & SAMPLE_ADDR)
        key_hex(out, "addr", s->addr);
    key_slice_if(out, "addr_sym", s->addr_symbol);
    if (s->fields & SAMPLE_ADDR_OFFSET)
        key_uint(out, "addr_off", s->addr_offset);
    key_slice_if(out, "addr_dso", s->addr_dso);
    key_slice_if(out, "payload", s->payload);
    key_slice_if(out, "misc", s->misc);
    key_slice_if(out, "tod", s->tod);
    if (s->fields & SAMPLE_MACHINE_PID)
        key_int(out, "machine_pid", true, s->machine_pid);
    if (s->fields & SAMPLE_VCPU)
        key_int(out, "vcpu", true, s->vcpu);
    if (s->fields & SAMPLE_DATA_SRC)
        key_hex(out, "data_src", s->data_src);
    if (s->fields & SAMPLE_MEM_WEIGHT)
        key_uint(out, "mem_weight", s->mem_weight);
    if (s->fields & SAMPLE_PHYS_ADDR) {
        key_hex(out, "phys", s->phys_addr);
        key_hex(out, "phys_addr", s->phys_addr);
    }
    key_slice_if(out, "brstack", s->brstack);
}

static bool print_sample(void *context, const struct sample_fact *s, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    bool utf8 = !s->comm.data || g_utf8_validate(s->comm.data, (gssize)s->comm.len, NULL);
    begin(out, "sample");
    key_slice(out, "comm", utf8 ? s->comm : SLICE_NULL);
    key_int(out, "pid", s->fields & SAMPLE_PID, s->pid);
    key_int(out, "tid", s->fields & SAMPLE_TID, s->tid);
    key_int(out, "cpu", s->fields & SAMPLE_CPU, s->cpu);
    key_int(out, "t", s->fields & SAMPLE_TIME, s->time_ns);
    if (s->fields & SAMPLE_PERIOD)
        key_uint(out, "period", s->period);
    else
        key_text(out, "period", NULL);
    key_slice(out, "event", s->event);
    fputs(",\"frames\":[", out);
    for (size_t i = 0; i < s->n_frames; i++) {
        if (i > 0)
            putc(',', out);
        put_frame(out, &s->frames[i]);
    }
    putc(']', out);
    key_uint(out, "weight", s->weight);
    if (!utf8)
        put_comm_hex(out, s->comm);
    put_sample_extras(out, s);
    return finish(out, error);
}

// --- records beside the samples --------------------------------------------------------------

static void put_ids(FILE *out, const struct side_fact *s)
{
    if (s->fields & SAMPLE_PID)
        key_int(out, "pid", true, s->pid);
    if (s->fields & SAMPLE_TID)
        key_int(out, "tid", true, s->tid);
}

static void put_mmap(FILE *out, const struct side_fact *s)
{
    put_ids(out, s);
    key_hex(out, "start", s->addr);
    key_hex(out, "len", s->len);
    key_slice(out, "prot", s->prot);
    key_slice(out, "file", s->filename);
    key_hex(out, "pgoff", s->pgoff);
    key_uint(out, "ino", s->ino);
}

static void put_comm(FILE *out, const struct side_fact *s)
{
    if (s->exec)
        key_bool(out, "exec", true);
    put_ids(out, s);
    key_slice(out, "comm", s->new_comm);
}

static void put_task(FILE *out, const struct side_fact *s)
{
    put_ids(out, s);
    key_int(out, "ppid", true, s->ppid);
    key_int(out, "ptid", true, s->ptid);
}

static void put_switch(FILE *out, const struct side_fact *s)
{
    key_text(out, "dir", s->switch_out ? "out" : "in");
    if (s->preempt)
        key_bool(out, "preempt", true);
    if (s->next_pid >= 0)
        key_int(out, "next_pid", true, s->next_pid);
    if (s->next_tid >= 0)
        key_int(out, "next_tid", true, s->next_tid);
    put_ids(out, s);
}

static void put_lost(FILE *out, const struct side_fact *s)
{
    key_uint(out, "n", s->lost);
}

static void put_cgroup(FILE *out, const struct side_fact *s)
{
    key_uint(out, "id", s->id);
    key_slice(out, "path", s->name);
}

static void put_ksymbol(FILE *out, const struct side_fact *s)
{
    key_slice(out, "name", s->name);
    key_hex(out, "addr", s->addr);
    key_uint(out, "len", s->len);
}

static const struct {
    const char *type;
    void (*put)(FILE *, const struct side_fact *);
} side_kinds[] = {
    {"mmap", put_mmap},     {"comm", put_comm}, {"fork", put_task},     {"exit", put_task},
    {"switch", put_switch}, {"lost", put_lost}, {"cgroup", put_cgroup}, {"ksymbol", put_ksymbol},
};

static bool print_side(void *context, const struct side_fact *s, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    size_t i = 0;
    begin(out, s->type);
    while (i < G_N_ELEMENTS(side_kinds) && strcmp(side_kinds[i].type, s->type) != 0)
        i++;
    if (i < G_N_ELEMENTS(side_kinds)) {
        side_kinds[i].put(out, s);
    } else {
        put_ids(out, s);
        key_slice(out, "text", s->text);
    }
    if (s->fields & SAMPLE_CPU)
        key_int(out, "cpu", true, s->cpu);
    if (s->fields & SAMPLE_TIME)
        key_int(out, "t", true, s->time_ns);
    return finish(out, error);
}

// --- runs ------------------------------------------------------------------------------------

// JSON is stricter about numbers than people are: no "+5", ".5", "007".
static bool is_json_number(const char *s)
{
    if (*s == '-')
        s++;
    if (!g_ascii_isdigit(*s) || (s[0] == '0' && g_ascii_isdigit(s[1])))
        return false;
    while (g_ascii_isdigit(*s))
        s++;
    if (*s == '.') {
        if (!g_ascii_isdigit(*++s))
            return false;
        while (g_ascii_isdigit(*s))
            s++;
    }
    return *s == '\0';
}

static void put_settings(FILE *out, const struct setting *settings, size_t n)
{
    key(out, "set");
    putc('{', out);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            putc(',', out);
        put_text(out, settings[i].key);
        putc(':', out);
        if (settings[i].is_number && settings[i].value && is_json_number(settings[i].value))
            fputs(settings[i].value, out);
        else
            put_text(out, settings[i].value);
    }
    putc('}', out);
}

static bool print_run(void *context, const struct run_fact *r, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    g_autofree char *started = r->started_ns == INT64_MIN ? NULL : text_from_time(r->started_ns);
    begin(out, "run");
    key_text(out, "benchmark", r->benchmark);
    key_text(out, "workload", r->workload);
    key_text(out, "started", started);
    put_settings(out, r->settings, r->n_settings);
    key_text(out, "status", run_status_name(r->status));
    key_text(out, "why", r->why);
    return finish(out, error);
}

static bool print_metric(void *context, const struct metric_fact *m, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "metric");
    key_text(out, "name", m->name);
    key_double(out, "value", m->value);
    key_text(out, "unit", m->unit);
    key_text(out, "better", better_name(m->better));
    key_text(out, "provenance", provenance_name(m->provenance));
    if (m->n > 0)
        key_uint(out, "n", m->n);
    else
        key_text(out, "n", NULL);
    key_double(out, "stddev", m->stddev);
    key_text_if(out, "source_unit", m->source_unit);
    key_text_if(out, "why", m->why);
    return finish(out, error);
}

static bool print_series(void *context, const struct series_fact *s, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "series");
    key_text(out, "name", s->name);
    key_double(out, "t", s->t);
    key_double(out, "value", s->value);
    if (s->epoch)
        key_bool(out, "epoch", true);
    return finish(out, error);
}

static bool print_wait(void *context, const struct wait_fact *w, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "wait");
    key_text(out, "backend_type", w->backend_type);
    key_text(out, "event_type", w->event_type);
    key_text(out, "event", w->event);
    key_text(out, "state", w->state);
    key_uint(out, "count", w->count);
    if (isfinite(w->t))
        key_double(out, "t", w->t);
    return finish(out, error);
}

static bool print_environment(void *context, const struct environment_fact *e, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "environment");
    key_text(out, "scope", e->scope);
    key_text(out, "source", e->source);
    key_text(out, "key", e->key);
    key_text(out, "value", e->value);
    key_text_if(out, "unit", e->unit);
    key_text_if(out, "phase", e->phase);
    return finish(out, error);
}

static bool print_skipped(void *context, const struct skipped_fact *s, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "skipped");
    key_uint(out, "line", s->line);
    key_text(out, "why", s->why);
    key_text_if(out, "text", s->text);
    return finish(out, error);
}

static bool print_source_end(void *context, const struct source_summary *s, bool ok, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    if (!ok)
        return true;
    begin(out, "summary");
    key_text(out, "format", s->format);
    key_uint(out, "bytes", s->bytes);
    key_uint(out, "records", s->records);
    key_uint(out, "skipped", s->skipped);
    key_double(out, "seconds", s->seconds);
    key_uint(out, "lost", s->lost);
    key_bool(out, "truncated", s->truncated);
    key_text(out, "sha256", s->sha256);
    return finish(out, error);
}

// --- scans -----------------------------------------------------------------------------------

static void put_access(FILE *out, const struct access_fact *a)
{
    fprintf(out, "{\"line\":%u", a->line);
    key_text(out, "object", a->object);
    key_text(out, "rw", a->write ? "write" : "read");
    key_text(out, "residency", residency_name(a->residency));
    key_text(out, "why", a->why == WHY_NONE ? NULL : fault_why_name(a->why));
    key_uint(out, "bytes", a->bytes);
    key_uint(out, "pages_4k", a->pages_4k);
    putc('}', out);
}

static bool print_section(void *context, const struct section_fact *s, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "section");
    key_text(out, "file", s->file);
    key_text(out, "function", s->function);
    key_uint(out, "acquire_line", s->acquire_line);
    fputs(",\"release_lines\":[", out);
    for (size_t i = 0; i < s->n_release_lines; i++)
        fprintf(out, "%s%u", i ? "," : "", s->release_lines[i]);
    putc(']', out);
    key_text(out, "api", s->api);
    key_text(out, "model", s->model);
    key_text(out, "lock", s->lock);
    key_text(out, "scope", lock_scope_name(s->scope));
    key_text(out, "mode", lock_mode_name(s->mode));
    key_bool(out, "entered_held", s->entered_held);
    key_bool(out, "left_held", s->left_held);
    key_uint(out, "cost", s->cost);
    fputs(",\"accesses\":[", out);
    for (size_t i = 0; i < s->n_accesses; i++) {
        if (i > 0)
            putc(',', out);
        put_access(out, &s->accesses[i]);
    }
    fputs("],\"calls\":[", out);
    for (size_t i = 0; i < s->n_calls; i++) {
        fprintf(out, "%s{\"line\":%u", i ? "," : "", s->calls[i].line);
        key_text(out, "name", s->calls[i].name);
        key_text(out, "effect", call_effect_name(s->calls[i].effect));
        putc('}', out);
    }
    putc(']', out);
    return finish(out, error);
}

static bool print_finding(void *context, const struct finding_fact *f, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "finding");
    key_text(out, "rule", f->rule);
    key_text(out, "severity", severity_name(f->severity));
    key_text(out, "confidence", confidence_name(f->confidence));
    key_text(out, "file", f->file);
    key_uint(out, "line", f->line);
    key_uint(out, "column", f->column);
    key_text(out, "function", f->function);
    key_text(out, "lock", f->lock);
    key_uint(out, "acquire_line", f->acquire_line);
    key_text(out, "object", f->object);
    key_text(out, "message", f->message);
    key_text(out, "suggestion", f->suggestion);
    key_text(out, "fingerprint", f->fingerprint);
    key_bool(out, "suppressed", f->suppressed);
    key_bool(out, "baseline", f->baseline);
    fputs(",\"path\":[", out);
    for (size_t i = 0; i < f->n_path; i++) {
        fputs(i ? ",{\"file\":" : "{\"file\":", out);
        put_text(out, f->path[i].file);
        key_uint(out, "line", f->path[i].line);
        key_text(out, "what", f->path[i].what);
        putc('}', out);
    }
    putc(']', out);
    return finish(out, error);
}

static bool print_file(void *context, const struct file_fact *f, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    begin(out, "file");
    key_text(out, "file", f->file);
    key_text(out, "status", file_status_name(f->status));
    key_text(out, "why", f->why);
    return finish(out, error);
}

static bool print_scan_end(void *context, const struct scan_summary *s, bool ok, GError **error)
{
    FILE *out = ((struct printer *)context)->out;
    if (!ok)
        return true;
    begin(out, "summary");
    key_uint(out, "files", s->files);
    key_uint(out, "parsed", s->parsed);
    key_uint(out, "cached", s->cached);
    key_uint(out, "failed", s->failed);
    key_uint(out, "sections", s->sections);
    fputs(",\"findings\":{", out);
    for (int i = SEVERITY_HIGH; i >= SEVERITY_LOW; i--)
        fprintf(out, "%s\"%s\":%u", i == SEVERITY_HIGH ? "" : ",", severity_name((enum severity)i),
                s->findings[i]);
    putc('}', out);
    key_double(out, "seconds", s->seconds);
    key_uint(out, "degraded", s->degraded);
    key_uint(out, "skipped", s->skipped);
    key_uint(out, "suppressed", s->suppressed);
    key_uint(out, "baseline", s->baseline);
    return finish(out, error);
}

const struct fact_sink *print_facts_new(FILE *out)
{
    struct printer *p = g_new0(struct printer, 1);
    p->out = out;
    p->sink = (struct fact_sink){
        .context = p,
        .section = print_section,
        .finding = print_finding,
        .file = print_file,
        .scan_end = print_scan_end,
        .sample = print_sample,
        .side = print_side,
        .run = print_run,
        .metric = print_metric,
        .series = print_series,
        .wait = print_wait,
        .environment = print_environment,
        .skipped = print_skipped,
        .source_end = print_source_end,
    };
    return &p->sink;
}

void print_facts_free(const struct fact_sink *sink)
{
    if (sink)
        g_free(sink->context);
}
