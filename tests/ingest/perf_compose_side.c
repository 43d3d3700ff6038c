// The records beside the samples, and the recording.
#include "perf_composer.h"
#include "perf_values.h"

#include "print_facts.h"

#include <inttypes.h>

static void put_mmap(struct composer *c, struct side_fact *side)
{
    static const char *const protections[] = {"r-xp", "rw-s", "---p"};
    bool build_id = layout_chance(c->rand, 30);
    side->type = "mmap";
    side->addr = number(c, 47);
    side->len = number(c, 30);
    side->pgoff = number(c, 20);
    side->prot = slice_from(PICK(c->rand, protections));
    side->filename = slice_from(PICK(c->rand, hostile_files));
    side->ino = build_id ? 0 : number(c, 30);
    put(c, "PERF_RECORD_MMAP2 %" PRId64 "/%" PRId64 ": [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 " ",
        side->pid, side->tid, side->addr, side->len, side->pgoff);
    if (build_id)
        put(c, "<%08x%08x>", g_rand_int(c->rand), g_rand_int(c->rand));
    else
        put(c, "fe:01 %" PRIu64 " %u", side->ino, g_rand_int(c->rand));
    put(c, "]: %s %s", side->prot.data, side->filename.data);
}

static void put_comm(struct composer *c, struct side_fact *side)
{
    const char *name = PICK(c->rand, hostile_names);
    if (strpbrk(name, "\n") || *name == ' ' || g_str_has_suffix(name, " "))
        name = "x:1/1"; // a newline cuts the record; blanks at the ends are not kept here
    side->type = "comm";
    side->new_comm = slice_from(name);
    side->exec = layout_chance(c->rand, 50);
    put(c, "PERF_RECORD_COMM%s: %s:%" PRId64 "/%" PRId64, side->exec ? " exec" : "", name,
        side->pid, side->tid);
}

static void put_task(struct composer *c, struct side_fact *side)
{
    bool exits = layout_chance(c->rand, 50);
    side->type = exits ? "exit" : "fork";
    side->ppid = (gint64)number(c, 20);
    side->ptid = (gint64)number(c, 20);
    put(c, "PERF_RECORD_%s(%" PRId64 ":%" PRId64 "):(%" PRId64 ":%" PRId64 ")",
        exits ? "EXIT" : "FORK", side->pid, side->tid, side->ppid, side->ptid);
}

static void put_lost(struct composer *c, struct side_fact *side)
{
    side->type = "lost";
    side->lost = number(c, 30);
    put(c, "PERF_RECORD_LOST lost %" PRIu64, side->lost);
}

static void put_switch(struct composer *c, struct side_fact *side)
{
    side->type = "switch";
    side->switch_out = layout_chance(c->rand, 60);
    side->preempt = side->switch_out && layout_chance(c->rand, 50);
    const char *how = !side->switch_out ? "IN         "
                      : side->preempt   ? "OUT preempt"
                                        : "OUT        ";
    bool wide = layout_chance(c->rand, 50);
    put(c, "PERF_RECORD_SWITCH%s %s", wide ? "_CPU_WIDE" : "", how);
    if (!wide)
        return;
    side->next_pid = (gint64)number(c, 20);
    side->next_tid = (gint64)number(c, 20);
    put(c, "  %s pid/tid: %5" PRId64 "/%-5" PRId64, side->switch_out ? "next" : "prev",
        side->next_pid, side->next_tid);
}

static void put_cgroup(struct composer *c, struct side_fact *side)
{
    side->type = "cgroup";
    side->id = number(c, 40);
    side->name = slice_from(PICK(c->rand, cgroups));
    put(c, "PERF_RECORD_CGROUP cgroup: %" PRIu64 " %s", side->id, side->name.data);
}

static void put_ksymbol(struct composer *c, struct side_fact *side)
{
    side->type = "ksymbol";
    side->addr = number(c, 64);
    side->len = number(c, 12);
    side->name = SLICE("bpf_prog_6deef7357e7b4530_x");
    put(c, "PERF_RECORD_KSYMBOL addr %" PRIx64 " len %" PRIu64 " type 1 flags 0x0 name %s",
        side->addr, side->len, side->name.data);
}

// Those of several lines, and those that only have a text.
static void put_other(struct composer *c, struct side_fact *side)
{
    static const struct {
        const char *type, *name, *text, *more;
    } others[] = {
        {"namespaces", "NAMESPACES", " 1/1 - nr_namespaces: 7",
         "\n\t\t[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: "
         "4/0xeffffffc, "
         "\n\t\t 4/user: 4/0xeffffffd, 5/mnt: 4/0xeffffff8, 6/cgroup: 4/0xeffffffb]"},
        {"text_poke", "TEXT_POKE", " ffffffff81000010 f+0x1 old len 5 new len 5",
         "\n            Old bytes: 0f 1f 44 00 00\n            New bytes: e8 0b ad ca fe"},
        {"bpf_event", "BPF_EVENT", " type 1, flags 0, id 6", ""},
        {"aux", "AUX", " offset: 0 size: 0x10 flags: 0x1 [T]", ""},
        {"itrace_start", "ITRACE_START", " pid: 1 tid: 1", ""},
        {"throttle", "THROTTLE", "", ""},
    };
    size_t i = upto(c, G_N_ELEMENTS(others) - 1);
    side->type = others[i].type;
    side->text = slice_trim(slice_from(others[i].text));
    put(c, "PERF_RECORD_%s%s%s", others[i].name, others[i].text, others[i].more);
}

void composer_side(struct composer *c)
{
    static void (*const kinds[])(struct composer *, struct side_fact *) = {
        put_mmap, put_comm, put_task, put_lost, put_switch, put_cgroup, put_ksymbol, put_other,
    };
    static const char *const modes[] = {"K", "U", "", "UM", "UE", "KSp"};
    struct sample_fact s = {0};
    composer_start(c, c->layout.chained[0], PICK(c->rand, modes), &s);
    struct side_fact side = {.fields = s.fields,
                             .pid = s.pid,
                             .tid = s.tid,
                             .cpu = s.cpu,
                             .time_ns = s.time_ns,
                             .next_pid = -1,
                             .next_tid = -1};
    unsigned kind = upto(c, G_N_ELEMENTS(kinds) - 1);
    // The first three name their own task.
    if (kind < 3) {
        side.pid = (gint64)number(c, 22);
        side.tid = (gint64)number(c, 22);
        side.fields |= SAMPLE_PID | SAMPLE_TID;
    }
    kinds[kind](c, &side);
    put(c, "\n");
    composer_done(c);
    c->sink->side(c->sink->context, &side, NULL);
}

// --- the recording -----------------------------------------------------------------------------

static void compose_threads(struct composer *c)
{
    for (unsigned i = 0; i < COMPOSER_THREADS; i++) {
        const char *name = "w";
        do
            name = c->layout.timeless ? PICK(c->rand, tame_names) : PICK(c->rand, hostile_names);
        while (!layout_tells_name(&c->layout, name) || (i == 0 && strchr(" #", *name)));
        c->names[i] = name;
        c->ids[i] = layout_chance(c->rand, 5) ? -1 : (gint64)number(c, 22);
    }
    // A short number tells how wide numbers are, and so what before it is a name's; one that fills
    // its columns, that there are no names.
    c->ids[0] = has(c, F_COMM) ? (gint64)upto(c, 999) : 1000000 + (gint64)upto(c, 3000000);
}

static void compose_records(struct composer *c)
{
    unsigned n = 3 + upto(c, 9);
    for (unsigned i = 0; i < n; i++) {
        if (c->samples > 0 && c->layout.noise && layout_chance(c->rand, 20)) {
            put(c, "%s\n", PICK(c->rand, noise_lines));
            c->noise++;
        }
        if (c->samples > 0 && c->layout.side && layout_chance(c->rand, 30))
            composer_side(c);
        else
            composer_sample(c);
        if (has(c, F_METRIC) && has(c, F_TIME) && layout_chance(c->rand, 30))
            composer_metric(c);
    }
}

struct composition *composition_new(guint32 layout_seed, guint32 seed)
{
    char *facts = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&facts, &size);
    struct composition *result = g_new0(struct composition, 1);
    struct composer c = {.rand = g_rand_new_with_seed(layout_seed),
                         .text = g_string_new(NULL),
                         .strings = g_string_chunk_new(4096),
                         .sink = print_facts_new(out),
                         .ends = g_array_new(FALSE, FALSE, sizeof(gsize))};
    layout_compose(&c.layout, c.rand);
    g_rand_set_seed(c.rand, seed);
    compose_threads(&c);
    c.time_ns = number(&c, 45);
    compose_records(&c);
    print_facts_free(c.sink);
    fclose(out);
    result->text = c.text;
    result->ends = c.ends;
    result->noise = c.noise;
    result->layout = g_string_new(NULL);
    layout_describe(&c.layout, result->layout);
    result->facts = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) lines = g_strsplit(facts, "\n", -1);
    for (char **line = lines; *line && **line; line++)
        g_ptr_array_add(result->facts, g_strdup(*line));
    free(facts);
    g_string_chunk_free(c.strings);
    g_rand_free(c.rand);
    return result;
}

void composition_free(struct composition *c)
{
    g_string_free(c->text, TRUE);
    g_string_free(c->layout, TRUE);
    g_ptr_array_unref(c->facts);
    g_array_unref(c->ends);
    g_free(c);
}
