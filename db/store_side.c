// Records beside the samples: mmap, comm, fork, exit, lost, switch, …
#include "store.h"

#include "query.h"

#include <string.h>

// Numbers that are 0 in a record whose kind lacks them are NULL in the archive.
enum side_has { HAS_MAP = 1, HAS_RANGE = 2, HAS_PARENT = 4, HAS_SWITCH = 8, HAS_COMM = 16 };

static unsigned kind_has(const struct side_fact *f)
{
    static const struct {
        const char *type;
        unsigned has;
    } kinds[] = {
        {"mmap", HAS_MAP | HAS_RANGE},
        {"mmap2", HAS_MAP | HAS_RANGE},
        {"ksymbol", HAS_RANGE},
        {"fork", HAS_PARENT},
        {"exit", HAS_PARENT},
        {"switch", HAS_SWITCH},
        {"comm", HAS_COMM},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(f->type, kinds[i].type) == 0)
            return kinds[i].has;
    return 0;
}

static bool side(void *context, const struct side_fact *f, GError **error)
{
    struct store *s = context;
    const struct slice texts[] = {f->comm, f->filename, f->new_comm, f->name};
    int64_t ids[G_N_ELEMENTS(texts)];
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (!store_string(s, texts[i], &ids[i], error))
            return false;
    unsigned has = kind_has(f);
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO side_record (source_id, seq, type, pid, tid, cpu, time_ns, comm_id, "
                "filename_id, new_comm_id, name_id, addr, len, pgoff, ino, maj, min, prot, exec, "
                "ppid, ptid, lost, switch_out, preempt, next_pid, next_tid, cgroup, text) VALUES "
                "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                "?)");
    query_int(&q, s->source_id);
    query_int(&q, s->counts.side++);
    query_text(&q, f->type);
    query_int_if(&q, f->fields & SAMPLE_PID, f->pid);
    query_int_if(&q, f->fields & SAMPLE_TID, f->tid);
    query_int_if(&q, f->fields & SAMPLE_CPU, f->cpu);
    query_int_if(&q, f->fields & SAMPLE_TIME, f->time_ns);
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++)
        query_int_if(&q, ids[i] != 0, ids[i]);
    query_int_if(&q, f->addr || has & HAS_RANGE, (int64_t)f->addr);
    query_int_if(&q, f->len || has & HAS_RANGE, (int64_t)f->len);
    query_int_if(&q, f->pgoff || has & HAS_MAP, (int64_t)f->pgoff);
    query_int_if(&q, f->ino || has & HAS_MAP, (int64_t)f->ino);
    query_int_if(&q, f->maj || has & HAS_MAP, f->maj);
    query_int_if(&q, f->min || has & HAS_MAP, f->min);
    query_slice(&q, f->prot);
    query_int_if(&q, f->exec || has & HAS_COMM, f->exec);
    query_int_if(&q, f->ppid || has & HAS_PARENT, f->ppid);
    query_int_if(&q, f->ptid || has & HAS_PARENT, f->ptid);
    query_int_if(&q, f->lost, (int64_t)f->lost);
    query_int_if(&q, has & HAS_SWITCH, f->switch_out);
    query_int_if(&q, has & HAS_SWITCH, f->preempt);
    query_int_if(&q, has & HAS_SWITCH && f->next_pid >= 0, f->next_pid);
    query_int_if(&q, has & HAS_SWITCH && f->next_tid >= 0, f->next_tid);
    query_int_if(&q, f->id, (int64_t)f->id);
    query_slice(&q, f->text);
    return query_run(&q, error);
}

void store_side_callbacks(struct fact_sink *sink)
{
    sink->side = side;
}
