// Samples and side records, told again. Chains are put together from the stack tree.
#include "replay.h"

#include "intern.h"
#include "query.h"
#include "stack_block.h"

struct teller {
    struct archive *from;
    int64_t source_id;
    const struct fact_sink *to;
    GArray *nodes;       // struct node_key
    GArray *frames;      // struct frame_fact by frame
    GHashTable *strings; // row of string -> struct slice*
    GStringChunk *text;
    GArray *chain; // struct frame_fact of the sample
};

static struct slice keep(struct teller *t, struct slice s)
{
    if (!s.data)
        return s;
    return (struct slice){g_string_chunk_insert_len(t->text, s.data, (gssize)s.len), s.len};
}

static bool read_frames(struct teller *t, GError **error)
{
    struct query q;
    query_begin(&q, t->from,
                "SELECT f.id, s.text, d.text, f.at, f.inlined, l.text FROM frame f "
                "LEFT JOIN string s ON s.id = f.symbol_id LEFT JOIN string d ON d.id = f.dso_id "
                "LEFT JOIN string l ON l.id = f.srcline_id WHERE f.source_id = ? ORDER BY f.id");
    query_int(&q, t->source_id);
    while (query_row(&q)) {
        struct frame_fact frame = {
            .symbol = keep(t, query_get_slice(&q, 1)),
            .dso = keep(t, query_get_slice(&q, 2)),
            .inlined = query_get_int(&q, 4) != 0,
            .srcline = keep(t, query_get_slice(&q, 5)),
        };
        bool has_at = !query_is_null(&q, 3);
        frame.has_offset = has_at && frame_is_named(&frame);
        frame.has_ip = has_at && !frame.has_offset;
        if (frame.has_offset)
            frame.offset = (uint64_t)query_get_int(&q, 3);
        if (frame.has_ip)
            frame.ip = (uint64_t)query_get_int(&q, 3);
        guint id = (guint)query_get_int(&q, 0);
        if (id >= t->frames->len)
            g_array_set_size(t->frames, id + 1);
        g_array_index(t->frames, struct frame_fact, id) = frame;
    }
    return query_end(&q, error);
}

static bool build_chain(struct teller *t, int64_t node, GError **error)
{
    g_array_set_size(t->chain, 0);
    if (node < 0 || node >= t->nodes->len)
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s: a sample of source %" G_GINT64_FORMAT " names stack %" G_GINT64_FORMAT
                         ", which is not there",
                         t->from->path, t->source_id, node);
    while (node) {
        const struct node_key *n = &g_array_index(t->nodes, struct node_key, node);
        if (n->frame >= t->frames->len)
            return error_set(error, SPINFAULT_ERROR_DAMAGED,
                             "%s: a stack of source %" G_GINT64_FORMAT
                             " names frame %u, which is not there",
                             t->from->path, t->source_id, n->frame);
        g_array_append_val(t->chain, g_array_index(t->frames, struct frame_fact, n->frame));
        node = n->parent;
    }
    return true;
}

static uint64_t field(const struct query *q, int column, struct sample_fact *s, unsigned flag)
{
    if (query_is_null(q, column))
        return 0;
    s->fields |= flag;
    return (uint64_t)query_get_int(q, column);
}

static bool tell_sample(struct teller *t, const struct query *q, GError **error)
{
    struct sample_fact s = {.fields = 0};
    s.event = query_get_slice(q, 0);
    s.pid = (int64_t)field(q, 1, &s, SAMPLE_PID);
    s.tid = (int64_t)field(q, 2, &s, SAMPLE_TID);
    s.comm = query_get_slice(q, 3);
    s.cpu = (int64_t)field(q, 5, &s, SAMPLE_CPU);
    s.time_ns = (int64_t)field(q, 6, &s, SAMPLE_TIME);
    s.weight = (uint64_t)query_get_int(q, 7);
    s.addr = field(q, 8, &s, SAMPLE_ADDR);
    s.misc = query_get_slice(q, 9);
    s.addr_symbol = query_get_slice(q, 10);
    s.addr_dso = query_get_slice(q, 11);
    s.addr_offset = field(q, 12, &s, SAMPLE_ADDR_OFFSET);
    s.data_src = field(q, 13, &s, SAMPLE_DATA_SRC);
    s.mem_weight = field(q, 14, &s, SAMPLE_MEM_WEIGHT);
    s.phys_addr = field(q, 15, &s, SAMPLE_PHYS_ADDR);
    s.machine_pid = (int64_t)field(q, 16, &s, SAMPLE_MACHINE_PID);
    s.vcpu = (int64_t)field(q, 17, &s, SAMPLE_VCPU);
    s.tod = query_get_slice(q, 18);
    s.payload = query_get_slice(q, 19);
    s.brstack = query_get_slice(q, 20);
    if (!build_chain(t, query_get_int(q, 4), error))
        return false;
    s.frames = (const void *)t->chain->data;
    s.n_frames = t->chain->len;
    return sink_sample(t->to, &s, error);
}

static bool tell_samples(struct teller *t, GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, t->from,
                "SELECT e.text, h.pid, h.tid, c.text, s.node, s.cpu, s.time_ns, s.weight, s.addr, "
                "m.text, y.text, d.text, x.addr_offset, x.data_src, x.mem_weight, x.phys_addr, "
                "x.machine_pid, x.vcpu, x.tod, x.payload, x.brstack FROM sample s "
                "JOIN profile p ON p.id = s.profile_id LEFT JOIN string e ON e.id = p.event_id "
                "JOIN thread h ON h.source_id = s.source_id AND h.id = s.thread "
                "LEFT JOIN string c ON c.id = h.comm_id "
                "LEFT JOIN sample_extra x ON x.source_id = s.source_id AND x.seq = s.seq "
                "LEFT JOIN string m ON m.id = x.misc_id "
                "LEFT JOIN string y ON y.id = x.addr_symbol_id "
                "LEFT JOIN string d ON d.id = x.addr_dso_id "
                "WHERE s.source_id = ? ORDER BY s.seq");
    query_int(&q, t->source_id);
    while (ok && query_row(&q))
        ok = tell_sample(t, &q, error);
    return query_end(&q, ok ? error : NULL) && ok;
}

bool replay_samples(struct archive *from, int64_t source_id, const struct fact_sink *to,
                    GError **error)
{
    struct teller t = {.from = from, .source_id = source_id, .to = to};
    t.nodes = stack_blocks_read(from, source_id, error);
    if (!t.nodes)
        return false;
    t.frames = g_array_new(false, true, sizeof(struct frame_fact));
    t.chain = g_array_new(false, false, sizeof(struct frame_fact));
    t.text = g_string_chunk_new(4096);
    bool ok = read_frames(&t, error) && tell_samples(&t, error);
    g_array_free(t.nodes, true);
    g_array_free(t.frames, true);
    g_array_free(t.chain, true);
    g_string_chunk_free(t.text);
    return ok;
}

bool archive_tell_samples(struct archive *archive, int64_t source_id, const struct fact_sink *to,
                          GError **error)
{
    return replay_samples(archive, source_id, to, error);
}

static bool tell_side(const struct query *q, const struct fact_sink *to, GError **error)
{
    struct sample_fact has = {.fields = 0}; // for its flags
    g_autofree char *type = query_get_text(q, 0);
    struct side_fact f = {.type = type};
    f.pid = (int64_t)field(q, 1, &has, SAMPLE_PID);
    f.tid = (int64_t)field(q, 2, &has, SAMPLE_TID);
    f.cpu = (int64_t)field(q, 3, &has, SAMPLE_CPU);
    f.time_ns = (int64_t)field(q, 4, &has, SAMPLE_TIME);
    f.fields = has.fields;
    f.comm = query_get_slice(q, 5);
    f.filename = query_get_slice(q, 6);
    f.new_comm = query_get_slice(q, 7);
    f.name = query_get_slice(q, 8);
    f.addr = (uint64_t)query_get_int(q, 9);
    f.len = (uint64_t)query_get_int(q, 10);
    f.pgoff = (uint64_t)query_get_int(q, 11);
    f.ino = (uint64_t)query_get_int(q, 12);
    f.maj = (uint32_t)query_get_int(q, 13);
    f.min = (uint32_t)query_get_int(q, 14);
    f.prot = query_get_slice(q, 15);
    f.exec = query_get_int(q, 16) != 0;
    f.ppid = query_get_int(q, 17);
    f.ptid = query_get_int(q, 18);
    f.lost = (uint64_t)query_get_int(q, 19);
    f.switch_out = query_get_int(q, 20) != 0;
    f.preempt = query_get_int(q, 21) != 0;
    f.next_pid = query_get_int_or(q, 22, -1);
    f.next_tid = query_get_int_or(q, 23, -1);
    f.id = (uint64_t)query_get_int(q, 24);
    f.text = query_get_slice(q, 25);
    return sink_side(to, &f, error);
}

bool replay_side(struct archive *from, int64_t source_id, const struct fact_sink *to,
                 GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from,
                "SELECT r.type, r.pid, r.tid, r.cpu, r.time_ns, c.text, f.text, w.text, n.text, "
                "r.addr, r.len, r.pgoff, r.ino, r.maj, r.min, r.prot, r.exec, r.ppid, r.ptid, "
                "r.lost, r.switch_out, r.preempt, r.next_pid, r.next_tid, r.cgroup, r.text "
                "FROM side_record r LEFT JOIN string c ON c.id = r.comm_id "
                "LEFT JOIN string f ON f.id = r.filename_id "
                "LEFT JOIN string w ON w.id = r.new_comm_id "
                "LEFT JOIN string n ON n.id = r.name_id WHERE r.source_id = ? ORDER BY r.seq");
    query_int(&q, source_id);
    while (ok && query_row(&q))
        ok = tell_side(&q, to, error);
    return query_end(&q, ok ? error : NULL) && ok;
}
