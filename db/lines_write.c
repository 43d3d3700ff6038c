// Facts as JSON lines. Frames, stacks, threads and events are written once, before the first sample
// that needs them, and samples refer to them by number: a profile of a million samples is some 60
// MB and not two gigabytes.
#include "lines.h"

#include "intern.h"
#include "jsonl.h"

#include <string.h>

struct lines_writer {
    FILE *out;
    struct fact_sink sink;
    GString *line;
    int64_t ingested_ns;
    struct text_table text;
    struct frame_table frames;
    struct node_table nodes;
    struct text_table threads; // by their bytes, as struct thread_bytes
    struct text_table events;  // "n" for the event without a name, else "e" and the name
    GString *event_key;
};

// A thread as bytes to intern: no padding, so that equal threads are equal bytes.
struct thread_bytes {
    int64_t pid, tid;
    uint32_t comm, has;
};

static bool put(struct lines_writer *w)
{
    jsonl_end(w->line);
    fwrite(w->line->str, 1, w->line->len, w->out);
    g_string_truncate(w->line, 0);
    return true;
}

static void put_settings(struct lines_writer *w, const struct setting *settings, size_t n)
{
    if (n == 0)
        return;
    jsonl_open(w->line, "set", '{');
    for (size_t i = 0; i < n; i++) {
        double number;
        struct slice value = slice_from(settings[i].value);
        // As a number only when it reads back as the same text.
        if (settings[i].is_number && slice_to_double(value, &number)) {
            jsonl_next(w->line);
            text_append_json(w->line, slice_from(settings[i].key));
            g_string_append_printf(w->line, ":{\"number\":");
            text_append_json(w->line, value);
            g_string_append_c(w->line, '}');
        } else {
            jsonl_slice(w->line, settings[i].key, value);
        }
    }
    jsonl_close(w->line, '}');
}

static bool source_begin(void *context, const struct source_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    text_table_clear(&w->text);
    text_table_clear(&w->threads);
    text_table_clear(&w->events);
    frame_table_clear(&w->frames);
    node_table_clear(&w->nodes);
    text_table_init(&w->text);
    text_table_init(&w->threads);
    text_table_init(&w->events);
    frame_table_init(&w->frames);
    node_table_init(&w->nodes);
    jsonl_begin(w->line, "source");
    jsonl_text(w->line, "path", f->path);
    jsonl_text(w->line, "format", f->format);
    jsonl_int_if(w->line, "ingested", w->ingested_ns != INT64_MIN, w->ingested_ns);
    put_settings(w, f->settings, f->n_settings);
    return put(w);
}

static bool run(void *context, const struct run_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "run");
    jsonl_text(w->line, "benchmark", f->benchmark);
    jsonl_text(w->line, "workload", f->workload);
    jsonl_int_if(w->line, "started", f->started_ns != INT64_MIN, f->started_ns);
    put_settings(w, f->settings, f->n_settings);
    jsonl_text(w->line, "status", run_status_name(f->status));
    jsonl_text(w->line, "why", f->why);
    return put(w);
}

static bool metric(void *context, const struct metric_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "metric");
    jsonl_text(w->line, "name", f->name);
    jsonl_real(w->line, "value", f->value);
    jsonl_text(w->line, "unit", f->unit);
    jsonl_text(w->line, "source_unit", f->source_unit);
    jsonl_text(w->line, "better", better_name(f->better));
    jsonl_text(w->line, "provenance", provenance_name(f->provenance));
    jsonl_int_if(w->line, "n", f->n != 0, (int64_t)f->n);
    jsonl_real(w->line, "stddev", f->stddev);
    jsonl_text(w->line, "why", f->why);
    return put(w);
}

static bool series(void *context, const struct series_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "series");
    jsonl_text(w->line, "name", f->name);
    jsonl_real(w->line, "t", f->t);
    if (f->epoch)
        jsonl_bool(w->line, "epoch", true);
    jsonl_real(w->line, "value", f->value);
    return put(w);
}

static bool wait_event(void *context, const struct wait_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "wait");
    jsonl_text(w->line, "backend_type", f->backend_type);
    jsonl_text(w->line, "event_type", f->event_type);
    jsonl_text(w->line, "event", f->event);
    jsonl_text(w->line, "state", f->state);
    jsonl_int(w->line, "count", (int64_t)f->count);
    jsonl_real(w->line, "t", f->t);
    return put(w);
}

static bool environment(void *context, const struct environment_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "environment");
    jsonl_text(w->line, "scope", f->scope);
    jsonl_text(w->line, "source", f->source);
    jsonl_text(w->line, "key", f->key);
    jsonl_text(w->line, "value", f->value);
    jsonl_text(w->line, "unit", f->unit);
    jsonl_text(w->line, "phase", f->phase);
    return put(w);
}

static bool skipped(void *context, const struct skipped_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "skipped");
    jsonl_int(w->line, "line", (int64_t)f->line);
    jsonl_text(w->line, "why", f->why);
    jsonl_text(w->line, "text", f->text);
    return put(w);
}

static bool source_end(void *context, const struct source_summary *f, bool ok, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    if (!ok)
        return true;
    jsonl_begin(w->line, "source_end");
    jsonl_text(w->line, "sha256", f->sha256);
    jsonl_int(w->line, "bytes", (int64_t)f->bytes);
    jsonl_int(w->line, "records", (int64_t)f->records);
    jsonl_int(w->line, "skipped", (int64_t)f->skipped);
    jsonl_int(w->line, "lost", (int64_t)f->lost);
    jsonl_bool(w->line, "truncated", f->truncated);
    return put(w);
}

static uint32_t frame_of(struct lines_writer *w, const struct frame_fact *f)
{
    struct frame_key key = {
        .symbol = text_table_add(&w->text, f->symbol),
        .dso = text_table_add(&w->text, f->dso),
        .srcline = text_table_add(&w->text, f->srcline),
        .inlined = f->inlined,
    };
    bool named = frame_is_named(f);
    key.has_at = named ? f->has_offset : f->has_ip;
    if (key.has_at)
        key.at = named ? f->offset : f->ip;
    uint32_t known = w->frames.n;
    uint32_t id = frame_table_add(&w->frames, &key);
    if (id <= known)
        return id;
    jsonl_begin(w->line, "frame");
    jsonl_slice(w->line, "symbol", f->symbol);
    jsonl_hex_if(w->line, "at", key.has_at, key.at);
    jsonl_slice(w->line, "dso", f->dso);
    if (f->inlined)
        jsonl_bool(w->line, "inlined", true);
    jsonl_slice(w->line, "srcline", f->srcline);
    put(w);
    return id;
}

static uint32_t node_of(struct lines_writer *w, const struct sample_fact *f)
{
    uint32_t node = 0;
    for (size_t i = f->n_frames; i-- > 0;) {
        uint32_t frame = frame_of(w, &f->frames[i]);
        uint32_t known = w->nodes.n, parent = node;
        node = node_table_add(&w->nodes, parent, frame);
        if (node <= known)
            continue;
        jsonl_begin(w->line, "node");
        jsonl_int(w->line, "parent", parent);
        jsonl_int(w->line, "frame", frame);
        put(w);
    }
    return node;
}

static uint32_t thread_of(struct lines_writer *w, const struct sample_fact *f)
{
    const struct thread_bytes key = {
        f->fields & SAMPLE_PID ? f->pid : 0,
        f->fields & SAMPLE_TID ? f->tid : 0,
        text_table_add(&w->text, f->comm),
        f->fields & (SAMPLE_PID | SAMPLE_TID),
    };
    uint32_t known = w->threads.n;
    uint32_t id = text_table_add(&w->threads, (struct slice){(const char *)&key, sizeof key});
    if (id <= known)
        return id;
    jsonl_begin(w->line, "thread");
    jsonl_int_if(w->line, "pid", f->fields & SAMPLE_PID, f->pid);
    jsonl_int_if(w->line, "tid", f->fields & SAMPLE_TID, f->tid);
    jsonl_slice(w->line, "comm", f->comm);
    put(w);
    return id;
}

static uint32_t event_of(struct lines_writer *w, struct slice event)
{
    g_string_assign(w->event_key, event.data ? "e" : "n");
    g_string_append_len(w->event_key, event.data, (gssize)event.len);
    uint32_t known = w->events.n;
    uint32_t id = text_table_add(&w->events, (struct slice){w->event_key->str, w->event_key->len});
    if (id <= known)
        return id;
    jsonl_begin(w->line, "event");
    jsonl_slice(w->line, "name", event);
    put(w);
    return id;
}

static bool sample(void *context, const struct sample_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    uint32_t event = event_of(w, f->event), thread = thread_of(w, f), node = node_of(w, f);
    unsigned has = f->fields;
    jsonl_begin(w->line, "sample");
    jsonl_int(w->line, "event", event);
    jsonl_int(w->line, "thread", thread);
    jsonl_int(w->line, "node", node);
    jsonl_int_if(w->line, "cpu", has & SAMPLE_CPU, f->cpu);
    jsonl_int_if(w->line, "t", has & SAMPLE_TIME, f->time_ns);
    jsonl_int(w->line, "weight", (int64_t)f->weight);
    jsonl_hex_if(w->line, "addr", has & SAMPLE_ADDR, f->addr);
    jsonl_slice(w->line, "addr_sym", f->addr_symbol);
    jsonl_hex_if(w->line, "addr_off", has & SAMPLE_ADDR_OFFSET, f->addr_offset);
    jsonl_slice(w->line, "addr_dso", f->addr_dso);
    jsonl_slice(w->line, "misc", f->misc);
    jsonl_slice(w->line, "tod", f->tod);
    jsonl_hex_if(w->line, "data_src", has & SAMPLE_DATA_SRC, f->data_src);
    jsonl_int_if(w->line, "mem_weight", has & SAMPLE_MEM_WEIGHT, (int64_t)f->mem_weight);
    jsonl_hex_if(w->line, "phys_addr", has & SAMPLE_PHYS_ADDR, f->phys_addr);
    jsonl_int_if(w->line, "machine_pid", has & SAMPLE_MACHINE_PID, f->machine_pid);
    jsonl_int_if(w->line, "vcpu", has & SAMPLE_VCPU, f->vcpu);
    jsonl_slice(w->line, "payload", f->payload);
    jsonl_slice(w->line, "brstack", f->brstack);
    return put(w);
}

static bool side(void *context, const struct side_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "side");
    jsonl_text(w->line, "record", f->type);
    jsonl_int_if(w->line, "pid", f->fields & SAMPLE_PID, f->pid);
    jsonl_int_if(w->line, "tid", f->fields & SAMPLE_TID, f->tid);
    jsonl_int_if(w->line, "cpu", f->fields & SAMPLE_CPU, f->cpu);
    jsonl_int_if(w->line, "t", f->fields & SAMPLE_TIME, f->time_ns);
    jsonl_slice(w->line, "comm", f->comm);
    jsonl_hex_if(w->line, "addr", f->addr, f->addr);
    jsonl_hex_if(w->line, "len", f->len, f->len);
    jsonl_hex_if(w->line, "pgoff", f->pgoff, f->pgoff);
    jsonl_hex_if(w->line, "ino", f->ino, f->ino);
    jsonl_int_if(w->line, "maj", f->maj, f->maj);
    jsonl_int_if(w->line, "min", f->min, f->min);
    jsonl_slice(w->line, "prot", f->prot);
    jsonl_slice(w->line, "filename", f->filename);
    jsonl_slice(w->line, "new_comm", f->new_comm);
    jsonl_int_if(w->line, "exec", f->exec, 1);
    jsonl_int_if(w->line, "ppid", f->ppid, f->ppid);
    jsonl_int_if(w->line, "ptid", f->ptid, f->ptid);
    jsonl_int_if(w->line, "lost", f->lost, (int64_t)f->lost);
    jsonl_int_if(w->line, "out", f->switch_out, 1);
    jsonl_int_if(w->line, "preempt", f->preempt, 1);
    jsonl_int_if(w->line, "next_pid", f->next_pid > 0, f->next_pid);
    jsonl_int_if(w->line, "next_tid", f->next_tid > 0, f->next_tid);
    jsonl_hex_if(w->line, "id", f->id, f->id);
    jsonl_slice(w->line, "name", f->name);
    jsonl_slice(w->line, "text", f->text);
    return put(w);
}

static bool scan_begin(void *context, const struct scan_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "scan");
    jsonl_text(w->line, "root", f->root);
    jsonl_text(w->line, "version", f->version);
    jsonl_text(w->line, "commit", f->commit);
    jsonl_int(w->line, "started", f->started_ns);
    return put(w);
}

static bool file(void *context, const struct file_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "file");
    jsonl_text(w->line, "file", f->file);
    jsonl_text(w->line, "status", file_status_name(f->status));
    jsonl_text(w->line, "why", f->why);
    return put(w);
}

static void put_accesses(GString *line, const struct section_fact *f)
{
    jsonl_open(line, "accesses", '[');
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct access_fact *a = &f->accesses[i];
        jsonl_next(line);
        g_string_append_c(line, '{');
        jsonl_int(line, "line", a->line);
        jsonl_text(line, "object", a->object);
        jsonl_text(line, "rw", a->write ? "write" : "read");
        jsonl_text(line, "residency", residency_name(a->residency));
        jsonl_text(line, "why", fault_why_name(a->why));
        jsonl_int_if(line, "bytes", a->bytes != 0, (int64_t)a->bytes);
        jsonl_int_if(line, "pages_4k", a->pages_4k != 0, (int64_t)a->pages_4k);
        jsonl_close(line, '}');
    }
    jsonl_close(line, ']');
    jsonl_open(line, "calls", '[');
    for (size_t i = 0; i < f->n_calls; i++) {
        jsonl_next(line);
        g_string_append_c(line, '{');
        jsonl_int(line, "line", f->calls[i].line);
        jsonl_text(line, "name", f->calls[i].name);
        jsonl_text(line, "effect", call_effect_name(f->calls[i].effect));
        jsonl_close(line, '}');
    }
    jsonl_close(line, ']');
}

static bool section(void *context, const struct section_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "section");
    jsonl_text(w->line, "file", f->file);
    jsonl_text(w->line, "function", f->function);
    jsonl_int(w->line, "acquire_line", f->acquire_line);
    jsonl_open(w->line, "release_lines", '[');
    for (size_t i = 0; i < f->n_release_lines; i++) {
        jsonl_next(w->line);
        g_string_append_printf(w->line, "%u", f->release_lines[i]);
    }
    jsonl_close(w->line, ']');
    jsonl_text(w->line, "api", f->api);
    jsonl_text(w->line, "model", f->model);
    jsonl_text(w->line, "lock", f->lock);
    jsonl_text(w->line, "scope", lock_scope_name(f->scope));
    jsonl_text(w->line, "mode", lock_mode_name(f->mode));
    jsonl_bool(w->line, "entered_held", f->entered_held);
    jsonl_bool(w->line, "left_held", f->left_held);
    jsonl_int(w->line, "cost", f->cost);
    put_accesses(w->line, f);
    jsonl_text(w->line, "excerpt", f->excerpt);
    jsonl_int_if(w->line, "excerpt_line", f->excerpt_line != 0, f->excerpt_line);
    return put(w);
}

static bool finding(void *context, const struct finding_fact *f, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    jsonl_begin(w->line, "finding");
    jsonl_text(w->line, "rule", f->rule);
    jsonl_text(w->line, "severity", severity_name(f->severity));
    jsonl_text(w->line, "confidence", confidence_name(f->confidence));
    jsonl_text(w->line, "file", f->file);
    jsonl_int(w->line, "line", f->line);
    jsonl_int(w->line, "column", f->column);
    jsonl_text(w->line, "function", f->function);
    jsonl_text(w->line, "lock", f->lock);
    jsonl_int(w->line, "acquire_line", f->acquire_line);
    jsonl_text(w->line, "object", f->object);
    jsonl_text(w->line, "message", f->message);
    jsonl_text(w->line, "suggestion", f->suggestion);
    jsonl_text(w->line, "fingerprint", f->fingerprint);
    jsonl_bool(w->line, "suppressed", f->suppressed);
    jsonl_bool(w->line, "baseline", f->baseline);
    jsonl_open(w->line, "path", '[');
    for (size_t i = 0; i < f->n_path; i++) {
        jsonl_next(w->line);
        g_string_append_c(w->line, '{');
        jsonl_text(w->line, "file", f->path[i].file);
        jsonl_int(w->line, "line", f->path[i].line);
        jsonl_text(w->line, "what", f->path[i].what);
        jsonl_close(w->line, '}');
    }
    jsonl_close(w->line, ']');
    return put(w);
}

static bool scan_end(void *context, const struct scan_summary *f, bool ok, GError **error)
{
    (void)error;
    struct lines_writer *w = context;
    if (!ok)
        return true;
    jsonl_begin(w->line, "scan_end");
    jsonl_int(w->line, "files", f->files);
    jsonl_int(w->line, "parsed", f->parsed);
    jsonl_int(w->line, "cached", f->cached);
    jsonl_int(w->line, "degraded", f->degraded);
    jsonl_int(w->line, "failed", f->failed);
    jsonl_int(w->line, "skipped", f->skipped);
    jsonl_int(w->line, "sections", f->sections);
    jsonl_open(w->line, "findings", '{');
    for (int i = SEVERITY_NONE; i <= SEVERITY_HIGH; i++)
        jsonl_int(w->line, severity_name((enum severity)i), f->findings[i]);
    jsonl_close(w->line, '}');
    jsonl_int(w->line, "suppressed", f->suppressed);
    jsonl_int(w->line, "baseline", f->baseline);
    jsonl_real(w->line, "seconds", f->seconds);
    return put(w);
}

struct lines_writer *lines_writer_new(FILE *out)
{
    struct lines_writer *w = g_new0(struct lines_writer, 1);
    w->out = out;
    w->line = g_string_new(NULL);
    w->event_key = g_string_new(NULL);
    w->ingested_ns = INT64_MIN;
    w->sink = (struct fact_sink){
        .context = w,
        .scan_begin = scan_begin,
        .section = section,
        .finding = finding,
        .file = file,
        .scan_end = scan_end,
        .source_begin = source_begin,
        .sample = sample,
        .side = side,
        .run = run,
        .metric = metric,
        .series = series,
        .wait = wait_event,
        .environment = environment,
        .skipped = skipped,
        .source_end = source_end,
    };
    return w;
}

const struct fact_sink *lines_writer_sink(struct lines_writer *w)
{
    return &w->sink;
}

void lines_writer_ingested(struct lines_writer *w, int64_t ingested_ns)
{
    w->ingested_ns = ingested_ns;
}

void lines_writer_free(struct lines_writer *w)
{
    if (!w)
        return;
    text_table_clear(&w->text);
    text_table_clear(&w->threads);
    text_table_clear(&w->events);
    frame_table_clear(&w->frames);
    node_table_clear(&w->nodes);
    g_string_free(w->line, true);
    g_string_free(w->event_key, true);
    g_free(w);
}
