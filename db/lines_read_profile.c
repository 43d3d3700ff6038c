// JSON lines as facts: frames, stacks and samples.
#include "lines_read.h"

static struct slice keep(struct lines_reader *r, struct slice s)
{
    if (!s.data)
        return s;
    return (struct slice){g_string_chunk_insert_len(r->text, s.data, (gssize)s.len), s.len};
}

bool lines_on_frame(struct lines_reader *r, const json_t *o, GError **error)
{
    (void)error;
    bool has_at;
    uint64_t at = lines_hex(o, "at", &has_at);
    struct frame_fact f = {
        .symbol = keep(r, lines_slice(r, o, "symbol")),
        .dso = keep(r, lines_slice(r, o, "dso")),
        .srcline = keep(r, lines_slice(r, o, "srcline")),
        .inlined = lines_bool(o, "inlined"),
    };
    f.has_offset = has_at && frame_is_named(&f);
    f.has_ip = has_at && !f.has_offset;
    f.offset = f.has_offset ? at : 0;
    f.ip = f.has_ip ? at : 0;
    g_array_append_val(r->frames, f);
    return true;
}

bool lines_on_node(struct lines_reader *r, const json_t *o, GError **error)
{
    int64_t parent = lines_int(o, "parent"), frame = lines_int(o, "frame");
    if (parent < 0 || parent >= r->nodes->len || frame <= 0 || frame >= r->frames->len)
        return lines_damaged(r, "a stack of a frame that did not come", error);
    const struct node_key node = {(uint32_t)parent, (uint32_t)frame};
    g_array_append_val(r->nodes, node);
    return true;
}

static int64_t number(const json_t *o, const char *key, struct sample_fact *s, unsigned flag)
{
    const json_t *value = json_object_get(o, key);
    if (!value)
        return 0;
    s->fields |= flag;
    return json_integer_value(value);
}

static uint64_t hex(const json_t *o, const char *key, struct sample_fact *s, unsigned flag)
{
    bool there;
    uint64_t value = lines_hex(o, key, &there);
    if (there)
        s->fields |= flag;
    return value;
}

bool lines_on_thread(struct lines_reader *r, const json_t *o, GError **error)
{
    (void)error;
    struct sample_fact t = {.comm = keep(r, lines_slice(r, o, "comm"))};
    t.pid = number(o, "pid", &t, SAMPLE_PID);
    t.tid = number(o, "tid", &t, SAMPLE_TID);
    g_array_append_val(r->threads, t);
    return true;
}

bool lines_on_event(struct lines_reader *r, const json_t *o, GError **error)
{
    (void)error;
    const struct slice name = keep(r, lines_slice(r, o, "name"));
    g_array_append_val(r->events, name);
    return true;
}

bool lines_on_sample(struct lines_reader *r, const json_t *o, GError **error)
{
    int64_t event = lines_int(o, "event"), thread = lines_int(o, "thread");
    int64_t node = lines_int(o, "node");
    if (event <= 0 || event >= r->events->len || thread <= 0 || thread >= r->threads->len ||
        node < 0 || node >= r->nodes->len)
        return lines_damaged(r, "a sample of an event, thread or stack that did not come", error);
    g_array_set_size(r->chain, 0);
    while (node) {
        const struct node_key *n = &g_array_index(r->nodes, struct node_key, node);
        g_array_append_val(r->chain, g_array_index(r->frames, struct frame_fact, n->frame));
        node = n->parent;
    }
    struct sample_fact s = g_array_index(r->threads, struct sample_fact, thread);
    s.event = g_array_index(r->events, struct slice, event);
    s.cpu = number(o, "cpu", &s, SAMPLE_CPU);
    s.time_ns = number(o, "t", &s, SAMPLE_TIME);
    s.weight = (uint64_t)lines_int(o, "weight");
    s.addr = hex(o, "addr", &s, SAMPLE_ADDR);
    s.addr_symbol = lines_slice(r, o, "addr_sym");
    s.addr_offset = hex(o, "addr_off", &s, SAMPLE_ADDR_OFFSET);
    s.addr_dso = lines_slice(r, o, "addr_dso");
    s.misc = lines_slice(r, o, "misc");
    s.tod = lines_slice(r, o, "tod");
    s.data_src = hex(o, "data_src", &s, SAMPLE_DATA_SRC);
    s.mem_weight = (uint64_t)number(o, "mem_weight", &s, SAMPLE_MEM_WEIGHT);
    s.phys_addr = hex(o, "phys_addr", &s, SAMPLE_PHYS_ADDR);
    s.machine_pid = number(o, "machine_pid", &s, SAMPLE_MACHINE_PID);
    s.vcpu = number(o, "vcpu", &s, SAMPLE_VCPU);
    s.payload = lines_slice(r, o, "payload");
    s.brstack = lines_slice(r, o, "brstack");
    s.frames = (const void *)r->chain->data;
    s.n_frames = r->chain->len;
    s.line = r->line;
    return sink_sample(r->to->sink, &s, error);
}

bool lines_on_side(struct lines_reader *r, const json_t *o, GError **error)
{
    struct sample_fact has = {.fields = 0}; // for its flags
    struct side_fact f = {.type = lines_text(o, "record")};
    if (!f.type)
        return lines_damaged(r, "a side record without its kind", error);
    f.pid = number(o, "pid", &has, SAMPLE_PID);
    f.tid = number(o, "tid", &has, SAMPLE_TID);
    f.cpu = number(o, "cpu", &has, SAMPLE_CPU);
    f.time_ns = number(o, "t", &has, SAMPLE_TIME);
    f.fields = has.fields;
    f.comm = lines_slice(r, o, "comm");
    f.addr = lines_hex(o, "addr", NULL);
    f.len = lines_hex(o, "len", NULL);
    f.pgoff = lines_hex(o, "pgoff", NULL);
    f.ino = lines_hex(o, "ino", NULL);
    f.maj = (uint32_t)lines_int(o, "maj");
    f.min = (uint32_t)lines_int(o, "min");
    f.prot = lines_slice(r, o, "prot");
    f.filename = lines_slice(r, o, "filename");
    f.new_comm = lines_slice(r, o, "new_comm");
    f.exec = lines_int(o, "exec") != 0;
    f.ppid = lines_int(o, "ppid");
    f.ptid = lines_int(o, "ptid");
    f.lost = (uint64_t)lines_int(o, "lost");
    f.switch_out = lines_int(o, "out") != 0;
    f.preempt = lines_int(o, "preempt") != 0;
    f.next_pid = json_object_get(o, "next_pid") ? lines_int(o, "next_pid") : -1;
    f.next_tid = json_object_get(o, "next_tid") ? lines_int(o, "next_tid") : -1;
    f.id = lines_hex(o, "id", NULL);
    f.name = lines_slice(r, o, "name");
    f.text = lines_slice(r, o, "text");
    f.line = r->line;
    return sink_side(r->to->sink, &f, error);
}
