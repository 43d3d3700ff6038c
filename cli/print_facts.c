// Facts as JSON lines. Keys keep the order of the documentation, so that output can be compared.
#include "print_facts.h"

#include "json_lines.h"
#include "print_scan.h"

#include <inttypes.h>

// --- samples ---------------------------------------------------------------------------------

static void put_frame(FILE *out, const struct frame_fact *f)
{
    if (f->has_ip)
        fprintf(out, "[\"%" PRIx64 "\",", f->ip);
    else
        fputs("[null,", out);
    json_put_slice(out, f->symbol);
    if (f->has_offset)
        fprintf(out, ",%" PRIu64 ",", f->offset);
    else
        fputs(",null,", out);
    json_put_slice(out, f->dso);
    putc(',', out);
    if (f->srcline.data && f->inlined) {
        g_autofree char *file = slice_dup(f->srcline);
        g_autofree char *text = g_strconcat(file, " (inlined)", NULL);
        json_put_text(out, text);
    } else if (f->srcline.data) {
        json_put_slice(out, f->srcline);
    } else {
        json_put_text(out, f->truncated ? "truncated" : f->inlined ? "inlined" : NULL);
    }
    putc(']', out);
}

static void put_comm_hex(FILE *out, struct slice comm)
{
    json_key(out, "comm_hex");
    putc('"', out);
    for (size_t i = 0; i < comm.len; i++)
        fprintf(out, "%02x", (unsigned char)comm.data[i]);
    putc('"', out);
}

// "args" of a tracepoint's payload, and the event's name without PMU and modifiers if that differs.
static void put_event_parts(FILE *out, const struct sample_fact *s)
{
    struct slice name = event_base_name(s->event);
    if (s->event.data && !slice_equal(name, s->event))
        json_key_slice(out, "event_name", name);
    if (!s->payload.data)
        return;
    g_autoptr(GArray) pairs = payload_pairs(s->payload);
    for (guint i = 0; i < pairs->len; i++) {
        const struct payload_pair *p = &g_array_index(pairs, struct payload_pair, i);
        if (i == 0)
            json_key(out, "args");
        fputs(i == 0 ? "{" : ",", out);
        json_put_slice(out, p->key);
        putc(':', out);
        json_put_slice(out, p->value);
    }
    if (pairs->len > 0)
        putc('}', out);
}

static void put_sample_extras(FILE *out, const struct sample_fact *s)
{
    if (s->fields & SAMPLE_ADDR)
        json_key_hex(out, "addr", s->addr);
    json_key_slice_if(out, "addr_sym", s->addr_symbol);
    if (s->fields & SAMPLE_ADDR_OFFSET)
        json_key_uint(out, "addr_off", s->addr_offset);
    json_key_slice_if(out, "addr_dso", s->addr_dso);
    json_key_slice_if(out, "payload", s->payload);
    json_key_slice_if(out, "misc", s->misc);
    json_key_slice_if(out, "tod", s->tod);
    if (s->fields & SAMPLE_MACHINE_PID)
        json_key_int(out, "machine_pid", true, s->machine_pid);
    if (s->fields & SAMPLE_VCPU)
        json_key_int(out, "vcpu", true, s->vcpu);
    if (s->fields & SAMPLE_DATA_SRC)
        json_key_hex(out, "data_src", s->data_src);
    if (s->fields & SAMPLE_MEM_WEIGHT)
        json_key_uint(out, "mem_weight", s->mem_weight);
    if (s->fields & SAMPLE_PHYS_ADDR) {
        json_key_hex(out, "phys", s->phys_addr);
        json_key_hex(out, "phys_addr", s->phys_addr);
    }
    json_key_slice_if(out, "brstack", s->brstack);
    put_event_parts(out, s);
}

static bool print_sample(void *context, const struct sample_fact *s, GError **error)
{
    FILE *out = context;
    bool utf8 = !s->comm.data || g_utf8_validate(s->comm.data, (gssize)s->comm.len, NULL);
    json_begin(out, "sample");
    json_key_slice(out, "comm", utf8 ? s->comm : SLICE_NULL);
    json_key_int(out, "pid", s->fields & SAMPLE_PID, s->pid);
    json_key_int(out, "tid", s->fields & SAMPLE_TID, s->tid);
    json_key_int(out, "cpu", s->fields & SAMPLE_CPU, s->cpu);
    json_key_int(out, "t", s->fields & SAMPLE_TIME, s->time_ns);
    if (s->fields & SAMPLE_PERIOD)
        json_key_uint(out, "period", s->period);
    else
        json_key_text(out, "period", NULL);
    json_key_slice(out, "event", s->event);
    fputs(",\"frames\":[", out);
    for (size_t i = 0; i < s->n_frames; i++) {
        if (i > 0)
            putc(',', out);
        put_frame(out, &s->frames[i]);
    }
    putc(']', out);
    json_key_uint(out, "weight", s->weight);
    if (!utf8)
        put_comm_hex(out, s->comm);
    put_sample_extras(out, s);
    return json_finish(out, error);
}

// --- records beside the samples --------------------------------------------------------------

static void put_ids(FILE *out, const struct side_fact *s)
{
    if (s->fields & SAMPLE_PID)
        json_key_int(out, "pid", true, s->pid);
    if (s->fields & SAMPLE_TID)
        json_key_int(out, "tid", true, s->tid);
}

static void put_mmap(FILE *out, const struct side_fact *s)
{
    put_ids(out, s);
    json_key_hex(out, "start", s->addr);
    json_key_hex(out, "len", s->len);
    json_key_slice(out, "prot", s->prot);
    json_key_slice(out, "file", s->filename);
    json_key_hex(out, "pgoff", s->pgoff);
    json_key_uint(out, "ino", s->ino);
}

static void put_comm(FILE *out, const struct side_fact *s)
{
    if (s->exec)
        json_key_bool(out, "exec", true);
    put_ids(out, s);
    json_key_slice(out, "comm", s->new_comm);
}

static void put_task(FILE *out, const struct side_fact *s)
{
    put_ids(out, s);
    json_key_int(out, "ppid", true, s->ppid);
    json_key_int(out, "ptid", true, s->ptid);
}

static void put_switch(FILE *out, const struct side_fact *s)
{
    json_key_text(out, "dir", s->switch_out ? "out" : "in");
    if (s->preempt)
        json_key_bool(out, "preempt", true);
    if (s->next_pid >= 0)
        json_key_int(out, "next_pid", true, s->next_pid);
    if (s->next_tid >= 0)
        json_key_int(out, "next_tid", true, s->next_tid);
    put_ids(out, s);
}

static void put_lost(FILE *out, const struct side_fact *s)
{
    json_key_uint(out, "n", s->lost);
}

static void put_cgroup(FILE *out, const struct side_fact *s)
{
    json_key_uint(out, "id", s->id);
    json_key_slice(out, "path", s->name);
}

static void put_ksymbol(FILE *out, const struct side_fact *s)
{
    json_key_slice(out, "name", s->name);
    json_key_hex(out, "addr", s->addr);
    json_key_uint(out, "len", s->len);
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
    FILE *out = context;
    size_t i = 0;
    json_begin(out, s->type);
    while (i < G_N_ELEMENTS(side_kinds) && strcmp(side_kinds[i].type, s->type) != 0)
        i++;
    if (i < G_N_ELEMENTS(side_kinds)) {
        side_kinds[i].put(out, s);
    } else {
        put_ids(out, s);
        json_key_slice(out, "text", s->text);
    }
    if (s->fields & SAMPLE_CPU)
        json_key_int(out, "cpu", true, s->cpu);
    if (s->fields & SAMPLE_TIME)
        json_key_int(out, "t", true, s->time_ns);
    return json_finish(out, error);
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
    json_key(out, "set");
    putc('{', out);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            putc(',', out);
        json_put_text(out, settings[i].key);
        putc(':', out);
        if (settings[i].is_number && settings[i].value && is_json_number(settings[i].value))
            fputs(settings[i].value, out);
        else
            json_put_text(out, settings[i].value);
    }
    putc('}', out);
}

static bool print_run(void *context, const struct run_fact *r, GError **error)
{
    FILE *out = context;
    g_autofree char *started = r->started_ns == INT64_MIN ? NULL : text_from_time(r->started_ns);
    json_begin(out, "run");
    json_key_text(out, "benchmark", r->benchmark);
    json_key_text(out, "workload", r->workload);
    json_key_text(out, "started", started);
    put_settings(out, r->settings, r->n_settings);
    json_key_text(out, "status", run_status_name(r->status));
    json_key_text(out, "why", r->why);
    return json_finish(out, error);
}

static bool print_metric(void *context, const struct metric_fact *m, GError **error)
{
    FILE *out = context;
    json_begin(out, "metric");
    json_key_text(out, "name", m->name);
    json_key_double(out, "value", m->value);
    json_key_text(out, "unit", m->unit);
    json_key_text(out, "better", better_name(m->better));
    json_key_text(out, "provenance", provenance_name(m->provenance));
    if (m->n > 0)
        json_key_uint(out, "n", m->n);
    else
        json_key_text(out, "n", NULL);
    json_key_double(out, "stddev", m->stddev);
    json_key_text_if(out, "source_unit", m->source_unit);
    json_key_text_if(out, "why", m->why);
    return json_finish(out, error);
}

static bool print_series(void *context, const struct series_fact *s, GError **error)
{
    FILE *out = context;
    json_begin(out, "series");
    json_key_text(out, "name", s->name);
    json_key_double(out, "t", s->t);
    json_key_double(out, "value", s->value);
    if (s->epoch)
        json_key_bool(out, "epoch", true);
    return json_finish(out, error);
}

static bool print_wait(void *context, const struct wait_fact *w, GError **error)
{
    FILE *out = context;
    json_begin(out, "wait");
    json_key_text(out, "backend_type", w->backend_type);
    json_key_text(out, "event_type", w->event_type);
    json_key_text(out, "event", w->event);
    json_key_text(out, "state", w->state);
    json_key_uint(out, "count", w->count);
    if (isfinite(w->t))
        json_key_double(out, "t", w->t);
    return json_finish(out, error);
}

static bool print_environment(void *context, const struct environment_fact *e, GError **error)
{
    FILE *out = context;
    json_begin(out, "environment");
    json_key_text(out, "scope", e->scope);
    json_key_text(out, "source", e->source);
    json_key_text(out, "key", e->key);
    json_key_text(out, "value", e->value);
    json_key_text_if(out, "unit", e->unit);
    json_key_text_if(out, "phase", e->phase);
    return json_finish(out, error);
}

static bool print_skipped(void *context, const struct skipped_fact *s, GError **error)
{
    FILE *out = context;
    json_begin(out, "skipped");
    json_key_uint(out, "line", s->line);
    json_key_text(out, "why", s->why);
    json_key_text_if(out, "text", s->text);
    return json_finish(out, error);
}

static bool print_source_end(void *context, const struct source_summary *s, bool ok, GError **error)
{
    FILE *out = context;
    if (!ok)
        return true;
    json_begin(out, "summary");
    json_key_text(out, "format", s->format);
    json_key_uint(out, "bytes", s->bytes);
    json_key_uint(out, "records", s->records);
    json_key_uint(out, "skipped", s->skipped);
    json_key_double(out, "seconds", s->seconds);
    json_key_uint(out, "lost", s->lost);
    json_key_bool(out, "truncated", s->truncated);
    json_key_text(out, "sha256", s->sha256);
    return json_finish(out, error);
}

const struct fact_sink *print_facts_new(FILE *out)
{
    struct fact_sink *sink = g_new0(struct fact_sink, 1);
    *sink = (struct fact_sink){
        .context = out,
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
    return sink;
}

void print_facts_free(const struct fact_sink *sink)
{
    g_free((struct fact_sink *)sink);
}
