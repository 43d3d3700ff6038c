// Samples. A chain becomes one node of the source's stack tree (parent, frame); a sample is then
// nine small numbers. Samples wait in memory until there are STORE_SAMPLES of them or the source
// ends, and only then is the write lock needed; text, frames, threads and profiles get their rows
// at the same time, since samples refer to them.
#include "store.h"

#include "frame_index.h"
#include "query.h"
#include "stack_block.h"
#include "weights.h"

#include <string.h>

#define STORE_SAMPLES 65536u
#define STRETCH       32u

struct held_sample {
    uint32_t profile; // index into profiles
    uint32_t thread, node;
    unsigned fields;
    int64_t cpu, time_ns, weight;
    uint64_t addr;
};

// Of a sample that has more than most; `seq` says which.
struct held_extra {
    int64_t seq;
    unsigned fields;
    uint32_t misc, addr_symbol, addr_dso; // ids of text
    uint64_t addr_offset, data_src, mem_weight, phys_addr;
    int64_t machine_pid, vcpu;
    struct slice tod, payload, brstack; // copies
};

struct held_profile {
    uint32_t event; // id of text
    int64_t id;     // row; 0 not made yet
    int64_t samples, weight;
};

// The samples of a profile that end in one node.
struct leaf {
    int64_t samples, weight;
};

struct thread_key {
    int64_t pid, tid;
    uint32_t comm; // id of text
    uint32_t has;  // SAMPLE_PID | SAMPLE_TID
};

struct profile_store {
    struct frame_index frames;
    struct node_table nodes;
    uint32_t *way, *way_hashes; // frames of a chain, from the root
    size_t way_room;
    uint32_t frames_stored, nodes_stored;
    GArray *profiles;           // struct held_profile
    struct node_table leaf_ids; // (profile, node)
    GArray *leaves;             // struct leaf
    GHashTable *threads;        // struct thread_key -> index from 1
    GPtrArray *thread_list;
    guint threads_stored;
    struct held_sample *samples;
    uint32_t n_samples;
    int64_t seq; // of the first of `samples`
    GArray *extras;
    GStringChunk *extra_text;
    struct bulk sample_rows;
};

static guint thread_hash(gconstpointer p)
{
    const struct thread_key *k = p;
    return (guint)k->pid * 31u + (guint)k->tid * 0x9e3779b9u + k->comm;
}

static gboolean thread_equal(gconstpointer a, gconstpointer b)
{
    const struct thread_key *x = a, *y = b;
    return x->pid == y->pid && x->tid == y->tid && x->comm == y->comm && x->has == y->has;
}

static struct profile_store *profile_store(struct store *s)
{
    if (s->profile)
        return s->profile;
    struct profile_store *p = s->profile = g_new0(struct profile_store, 1);
    frame_index_init(&p->frames);
    node_table_init(&p->nodes);
    p->profiles = g_array_new(false, true, sizeof(struct held_profile));
    node_table_init(&p->leaf_ids);
    p->leaves = g_array_new(false, true, sizeof(struct leaf));
    p->threads = g_hash_table_new(thread_hash, thread_equal);
    p->thread_list = g_ptr_array_new_with_free_func(g_free);
    p->samples = g_new(struct held_sample, STORE_SAMPLES);
    p->extras = g_array_new(false, false, sizeof(struct held_extra));
    p->extra_text = g_string_chunk_new(4096);
    bulk_init(&p->sample_rows, s->archive,
              "INSERT INTO sample (source_id, seq, profile_id, node, thread, cpu, time_ns, weight, "
              "addr)",
              9);
    return p;
}

void store_samples_free(struct profile_store *p)
{
    if (!p)
        return;
    frame_index_clear(&p->frames);
    node_table_clear(&p->nodes);
    g_free(p->way);
    g_free(p->way_hashes);
    g_array_free(p->profiles, true);
    node_table_clear(&p->leaf_ids);
    g_array_free(p->leaves, true);
    g_hash_table_destroy(p->threads);
    g_ptr_array_free(p->thread_list, true);
    g_free(p->samples);
    g_array_free(p->extras, true);
    g_string_chunk_free(p->extra_text);
    bulk_clear(&p->sample_rows);
    g_free(p);
}

static uint32_t find_profile(struct store *s, struct profile_store *p, struct slice event)
{
    uint32_t id = text_table_add(&s->text, event);
    for (guint i = 0; i < p->profiles->len; i++)
        if (g_array_index(p->profiles, struct held_profile, i).event == id)
            return i;
    struct held_profile fresh = {.event = id};
    g_array_append_val(p->profiles, fresh);
    return p->profiles->len - 1;
}

static uint32_t find_thread(struct store *s, struct profile_store *p,
                            const struct sample_fact *fact)
{
    struct thread_key key = {
        .pid = fact->fields & SAMPLE_PID ? fact->pid : 0,
        .tid = fact->fields & SAMPLE_TID ? fact->tid : 0,
        .comm = text_table_add(&s->text, fact->comm),
        .has = fact->fields & (SAMPLE_PID | SAMPLE_TID),
    };
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(p->threads, &key));
    if (known)
        return known;
    struct thread_key *copy = g_memdup2(&key, sizeof key);
    g_ptr_array_add(p->thread_list, copy);
    g_hash_table_insert(p->threads, copy, GUINT_TO_POINTER(p->thread_list->len));
    return p->thread_list->len;
}

static void reserve_way(struct profile_store *p, size_t n)
{
    if (n <= p->way_room)
        return;
    p->way_room = MAX(2 * p->way_room, n);
    p->way = g_renew(uint32_t, p->way, p->way_room);
    p->way_hashes = g_renew(uint32_t, p->way_hashes, p->way_room);
}

// The node where the chain ends; 0, the root, for an empty one. The table of frames is larger than
// a processor's caches, so the first step is taken for a stretch of them before the second one is.
static uint32_t chain_of(struct store *s, struct profile_store *p, const struct sample_fact *fact)
{
    struct frame_lookup lookups[STRETCH];
    reserve_way(p, fact->n_frames);
    for (size_t done = 0; done < fact->n_frames;) {
        size_t n = MIN(fact->n_frames - done, STRETCH);
        for (size_t i = 0; i < n; i++)
            frame_index_start(&p->frames, &fact->frames[fact->n_frames - 1 - done - i],
                              &lookups[i]);
        for (size_t i = 0; i < n; i++)
            p->way[done + i] = frame_index_add(&p->frames, &s->text, &lookups[i]);
        done += n;
    }
    return node_table_add_path(&p->nodes, p->way, p->way_hashes, fact->n_frames);
}

// For many samples in a row: what is looked up for one is then awaited together with the next ones.
static void count_leaves(struct profile_store *p)
{
    for (uint32_t i = 0; i < p->n_samples; i++) {
        const struct held_sample *h = &p->samples[i];
        uint32_t id = node_table_add(&p->leaf_ids, h->profile, h->node);
        if (id >= p->leaves->len)
            g_array_set_size(p->leaves, id + 1);
        struct leaf *leaf = &g_array_index(p->leaves, struct leaf, id);
        leaf->samples++;
        leaf->weight += h->weight;
    }
}

static struct slice keep(struct profile_store *p, struct slice s)
{
    if (!s.data)
        return s;
    return (struct slice){g_string_chunk_insert_len(p->extra_text, s.data, (gssize)s.len), s.len};
}

static void hold_extra(struct store *s, struct profile_store *p, const struct sample_fact *fact)
{
    const unsigned rare = SAMPLE_ADDR_OFFSET | SAMPLE_DATA_SRC | SAMPLE_MEM_WEIGHT |
                          SAMPLE_PHYS_ADDR | SAMPLE_MACHINE_PID | SAMPLE_VCPU;
    if (!(fact->fields & rare) && !fact->misc.data && !fact->tod.data && !fact->payload.data &&
        !fact->addr_symbol.data && !fact->addr_dso.data && !fact->brstack.data)
        return;
    struct held_extra extra = {
        .seq = p->seq + p->n_samples,
        .fields = fact->fields,
        .misc = text_table_add(&s->text, fact->misc),
        .addr_symbol = text_table_add(&s->text, fact->addr_symbol),
        .addr_dso = text_table_add(&s->text, fact->addr_dso),
        .addr_offset = fact->addr_offset,
        .data_src = fact->data_src,
        .mem_weight = fact->mem_weight,
        .phys_addr = fact->phys_addr,
        .machine_pid = fact->machine_pid,
        .vcpu = fact->vcpu,
        .tod = keep(p, fact->tod),
        .payload = keep(p, fact->payload),
        .brstack = keep(p, fact->brstack),
    };
    g_array_append_val(p->extras, extra);
}

static bool store_profiles(struct store *s, struct profile_store *p, GError **error)
{
    for (guint i = 0; i < p->profiles->len; i++) {
        struct held_profile *profile = &g_array_index(p->profiles, struct held_profile, i);
        int64_t event;
        if (profile->id)
            continue;
        if (!store_string_of(s, profile->event, &event, error))
            return false;
        struct query q;
        query_begin(&q, s->archive,
                    "INSERT INTO profile (source_id, event_id, samples, weight) "
                    "VALUES (?, ?, 0, 0)");
        query_int(&q, s->source_id);
        query_int_if(&q, event != 0, event);
        if (!query_run(&q, error))
            return false;
        profile->id = sqlite3_last_insert_rowid(s->archive->db);
    }
    return true;
}

static bool store_threads(struct store *s, struct profile_store *p, GError **error)
{
    for (; p->threads_stored < p->thread_list->len; p->threads_stored++) {
        const struct thread_key *t = p->thread_list->pdata[p->threads_stored];
        int64_t comm;
        if (!store_string_of(s, t->comm, &comm, error))
            return false;
        struct query q;
        query_begin(&q, s->archive,
                    "INSERT INTO thread (source_id, id, pid, tid, comm_id) VALUES (?, ?, ?, ?, ?)");
        query_int(&q, s->source_id);
        query_int(&q, p->threads_stored + 1);
        query_int_if(&q, t->has & SAMPLE_PID, t->pid);
        query_int_if(&q, t->has & SAMPLE_TID, t->tid);
        query_int_if(&q, comm != 0, comm);
        if (!query_run(&q, error))
            return false;
    }
    return true;
}

static bool store_frames(struct store *s, struct profile_store *p, GError **error)
{
    struct bulk rows;
    bulk_init(&rows, s->archive,
              "INSERT INTO frame (source_id, id, symbol_id, dso_id, at, inlined, srcline_id)", 7);
    bool ok = true;
    while (ok && p->frames_stored < p->frames.n) {
        const struct frame_place *f = &p->frames.items[++p->frames_stored];
        const struct frame_kind *kind = &p->frames.kinds[f->kind];
        int64_t symbol = 0, dso = 0, srcline = 0;
        ok = store_string_of(s, kind->symbol_id, &symbol, error) &&
             store_string_of(s, kind->dso_id, &dso, error) &&
             store_string_of(s, kind->srcline_id, &srcline, error);
        const int64_t row[] = {s->source_id,   p->frames_stored, symbol, dso,
                               (int64_t)f->at, kind->inlined,    srcline};
        unsigned nulls = (unsigned)!symbol << 2 | (unsigned)!dso << 3 |
                         (unsigned)!kind->has_at << 4 | (unsigned)!srcline << 6;
        ok = ok && bulk_add(&rows, row, nulls, error);
    }
    ok = ok && bulk_flush(&rows, error);
    bulk_clear(&rows);
    return ok;
}

static bool store_nodes(struct store *s, struct profile_store *p, bool all, GError **error)
{
    while (p->nodes.n - p->nodes_stored >= (all ? 1 : STACK_BLOCK_NODES)) {
        uint32_t first = p->nodes_stored + 1;
        uint32_t n = MIN(p->nodes.n - p->nodes_stored, STACK_BLOCK_NODES);
        g_autoptr(GByteArray) data = stack_block_pack(&p->nodes, first, n);
        struct query q;
        query_begin(&q, s->archive,
                    "INSERT INTO stack_block (source_id, first_node, nodes, data) "
                    "VALUES (?, ?, ?, ?)");
        query_int(&q, s->source_id);
        query_int(&q, first);
        query_int(&q, n);
        query_blob(&q, data->data, data->len);
        if (!query_run(&q, error))
            return false;
        p->nodes_stored += n;
    }
    return true;
}

static bool store_extra(struct store *s, const struct held_extra *e, GError **error)
{
    int64_t misc, symbol, dso;
    if (!store_string_of(s, e->misc, &misc, error) ||
        !store_string_of(s, e->addr_symbol, &symbol, error) ||
        !store_string_of(s, e->addr_dso, &dso, error))
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO sample_extra (source_id, seq, misc_id, addr_symbol_id, addr_dso_id, "
                "addr_offset, data_src, mem_weight, phys_addr, machine_pid, vcpu, tod, payload, "
                "brstack) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    query_int(&q, s->source_id);
    query_int(&q, e->seq);
    query_int_if(&q, misc != 0, misc);
    query_int_if(&q, symbol != 0, symbol);
    query_int_if(&q, dso != 0, dso);
    query_int_if(&q, e->fields & SAMPLE_ADDR_OFFSET, (int64_t)e->addr_offset);
    query_int_if(&q, e->fields & SAMPLE_DATA_SRC, (int64_t)e->data_src);
    query_int_if(&q, e->fields & SAMPLE_MEM_WEIGHT, (int64_t)e->mem_weight);
    query_int_if(&q, e->fields & SAMPLE_PHYS_ADDR, (int64_t)e->phys_addr);
    query_int_if(&q, e->fields & SAMPLE_MACHINE_PID, e->machine_pid);
    query_int_if(&q, e->fields & SAMPLE_VCPU, e->vcpu);
    query_slice(&q, e->tod);
    query_slice(&q, e->payload);
    query_slice(&q, e->brstack);
    return query_run(&q, error);
}

static bool store_rows(struct store *s, struct profile_store *p, GError **error)
{
    for (uint32_t i = 0; i < p->n_samples; i++) {
        const struct held_sample *h = &p->samples[i];
        const int64_t row[] = {
            s->source_id,
            p->seq + i,
            g_array_index(p->profiles, struct held_profile, h->profile).id,
            h->node,
            h->thread,
            h->cpu,
            h->time_ns,
            h->weight,
            (int64_t)h->addr,
        };
        unsigned nulls = (unsigned)!(h->fields & SAMPLE_CPU) << 5 |
                         (unsigned)!(h->fields & SAMPLE_TIME) << 6 |
                         (unsigned)!(h->fields & SAMPLE_ADDR) << 8;
        if (!bulk_add(&p->sample_rows, row, nulls, error))
            return false;
    }
    return bulk_flush(&p->sample_rows, error);
}

// To look up the source, profile and thread of every row costs half as much again as writing it,
// and all of them were written a moment ago; `archive verify` looks all the same. It does not pay
// for few rows, since the statements are prepared anew.
static bool store_frames_and_samples(struct store *s, struct profile_store *p, GError **error)
{
    bool many = p->n_samples >= STORE_SAMPLES / 16;
    if (many)
        sqlite3_db_config(s->archive->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
    bool ok = store_frames(s, p, error) && store_rows(s, p, error);
    if (many)
        sqlite3_db_config(s->archive->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    return ok;
}

static bool flush(struct store *s, struct profile_store *p, bool all, GError **error)
{
    if (!store_open(s, error) || !store_profiles(s, p, error) || !store_threads(s, p, error) ||
        !store_nodes(s, p, all, error) || !store_frames_and_samples(s, p, error))
        return false;
    for (guint i = 0; i < p->extras->len; i++)
        if (!store_extra(s, &g_array_index(p->extras, struct held_extra, i), error))
            return false;
    g_array_set_size(p->extras, 0);
    g_string_chunk_clear(p->extra_text);
    count_leaves(p);
    p->seq += p->n_samples;
    p->n_samples = 0;
    return true;
}

static bool sample(void *context, const struct sample_fact *fact, GError **error)
{
    struct store *s = context;
    struct profile_store *p = profile_store(s);
    uint32_t index = find_profile(s, p, fact->event);
    struct held_profile *profile = &g_array_index(p->profiles, struct held_profile, index);
    profile->samples++;
    if (fact->weight > INT64_MAX ||
        __builtin_add_overflow(profile->weight, (int64_t)fact->weight, &profile->weight))
        return error_set(error, SPINFAULT_ERROR_LIMIT,
                         "%s:%" G_GUINT64_FORMAT ": the weights of the samples add up to more than "
                         "2^63",
                         s->path, fact->line);
    hold_extra(s, p, fact);
    p->samples[p->n_samples++] = (struct held_sample){
        .profile = index,
        .thread = find_thread(s, p, fact),
        .node = chain_of(s, p, fact),
        .fields = fact->fields,
        .cpu = fact->cpu,
        .time_ns = fact->time_ns,
        .weight = (int64_t)fact->weight,
        .addr = fact->addr,
    };
    s->counts.samples++;
    return p->n_samples < STORE_SAMPLES || flush(s, p, false, error);
}

// Weight and samples by function, from those of the nodes.
static bool store_functions(struct store *s, struct profile_store *p, uint32_t profile,
                            int64_t profile_id, GError **error)
{
    struct function_weights weights;
    weights_init(&weights);
    for (uint32_t i = 1; i <= p->leaf_ids.n; i++) {
        const struct leaf *leaf = &g_array_index(p->leaves, struct leaf, i);
        if (p->leaf_ids.items[i].parent == profile)
            weights_count(&weights, p->nodes.items, p->frames.function, p->leaf_ids.items[i].frame,
                          leaf->weight, leaf->samples);
    }
    bool ok = weights_store(&weights, &p->frames.functions, (const void *)s->text_ids->data,
                            s->archive, profile_id, error);
    weights_clear(&weights);
    return ok;
}

bool store_samples_finish(struct store *s, GError **error)
{
    struct profile_store *p = s->profile;
    if (!p)
        return true;
    if (!flush(s, p, true, error))
        return false;
    for (guint i = 0; i < p->profiles->len; i++) {
        const struct held_profile *profile = &g_array_index(p->profiles, struct held_profile, i);
        struct query q;
        query_begin(&q, s->archive, "UPDATE profile SET samples = ?, weight = ? WHERE id = ?");
        query_int(&q, profile->samples);
        query_int(&q, profile->weight);
        query_int(&q, profile->id);
        if (!query_run(&q, error) || !store_functions(s, p, i, profile->id, error))
            return false;
    }
    return true;
}

void store_samples_callbacks(struct fact_sink *sink)
{
    sink->sample = sample;
}
