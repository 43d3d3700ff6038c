// The records beside the samples: PERF_RECORD_MMAP, COMM, FORK, LOST …
#include "perf_script.h"

static bool take_pair(struct slice word, char sep, int64_t *a, int64_t *b)
{
    const char *at = word.len ? memchr(word.data, sep, word.len) : NULL;
    return at && slice_to_i64(slice_from_to(word.data, at), a) &&
           slice_to_i64(slice_from_to(at + 1, word.data + word.len), b);
}

static void drop_end(struct slice *s, char c)
{
    if (s->len > 0 && s->data[s->len - 1] == c)
        s->len--;
}

// " 1/1: [0x7f6258e9d000(0x4000000) @ 0 00:01 93 235]: rw-s /dev/zero (deleted)"; with a build id,
// "<5a1b>" stands for device and inode.
static void parse_mmap(struct slice s, struct side_fact *side)
{
    struct slice ids = slice_word(&s);
    drop_end(&ids, ':');
    if (take_pair(ids, '/', &side->pid, &side->tid))
        side->fields |= SAMPLE_PID | SAMPLE_TID;
    struct slice range = slice_word(&s);
    const char *paren = range.len ? memchr(range.data, '(', range.len) : NULL;
    if (paren && range.data[0] == '[') {
        const char *end = range.data + range.len - (range.data[range.len - 1] == ')');
        slice_to_hex(slice_from_to(range.data + 1, paren), &side->addr);
        slice_to_hex(slice_from_to(paren + 1, end), &side->len);
    }
    slice_word(&s); // @
    const char *close = s.len ? memmem(s.data, s.len, "]:", 2) : NULL;
    if (!close)
        return;
    struct slice inside = slice_from_to(s.data, close);
    slice_to_hex(slice_word(&inside), &side->pgoff);
    struct slice device = slice_word(&inside);
    const char *colon = device.len ? memchr(device.data, ':', device.len) : NULL;
    uint64_t number;
    if (colon) {
        if (slice_to_hex(slice_from_to(device.data, colon), &number))
            side->maj = (uint32_t)number;
        if (slice_to_hex(slice_from_to(colon + 1, device.data + device.len), &number))
            side->min = (uint32_t)number;
        slice_to_u64(slice_word(&inside), &side->ino);
    }
    s = slice_from_to(close + 2, s.data + s.len);
    side->prot = slice_word(&s);
    side->filename = slice_drop_blanks(s);
}

// " exec: my prog:1/1"
static void parse_comm(struct slice s, struct side_fact *side)
{
    s = slice_trim(s);
    if (slice_starts(s, "exec")) {
        side->exec = true;
        s.data += 4;
        s.len -= 4;
    }
    if (slice_starts(s, ": ")) {
        s.data += 2;
        s.len -= 2;
    }
    const char *colon = s.len ? memrchr(s.data, ':', s.len) : NULL;
    if (!colon)
        return;
    side->new_comm = slice_from_to(s.data, colon);
    if (take_pair(slice_from_to(colon + 1, s.data + s.len), '/', &side->pid, &side->tid))
        side->fields |= SAMPLE_PID | SAMPLE_TID;
}

// "(1:2):(1:1)": the new or ending task, and its parent.
static void parse_task(struct slice s, struct side_fact *side)
{
    s = slice_trim(s);
    const char *middle = s.len ? memmem(s.data, s.len, "):(", 3) : NULL;
    if (!middle || s.data[0] != '(')
        return;
    struct slice parent = slice_from_to(middle + 3, s.data + s.len);
    drop_end(&parent, ')');
    if (take_pair(slice_from_to(s.data + 1, middle), ':', &side->pid, &side->tid))
        side->fields |= SAMPLE_PID | SAMPLE_TID;
    take_pair(parent, ':', &side->ppid, &side->ptid);
}

// " OUT preempt", " OUT          next pid/tid:     7/8"
static void parse_switch(struct slice s, struct side_fact *side)
{
    side->switch_out = slice_is(slice_word(&s), "OUT");
    for (struct slice word = slice_word(&s); word.len > 0; word = slice_word(&s)) {
        if (slice_is(word, "preempt"))
            side->preempt = true;
        else
            take_pair(word, '/', &side->next_pid, &side->next_tid);
    }
}

static void parse_lost(struct slice s, struct side_fact *side)
{
    if (slice_is(slice_word(&s), "lost"))
        slice_to_u64(slice_word(&s), &side->lost);
}

// " cgroup: 1 /path"
static void parse_cgroup(struct slice s, struct side_fact *side)
{
    slice_word(&s);
    slice_to_u64(slice_word(&s), &side->id);
    side->name = slice_drop_blanks(s);
}

// " addr ffffffffc0 len 64 type 1 flags 0x0 name bpf_prog_x"
static void parse_ksymbol(struct slice s, struct side_fact *side)
{
    while (s.len > 0) {
        struct slice key = slice_word(&s);
        if (slice_is(key, "name")) {
            side->name = slice_drop_blanks(s);
            return;
        }
        struct slice value = slice_word(&s);
        if (slice_is(key, "addr"))
            slice_to_hex(value, &side->addr);
        else if (slice_is(key, "len"))
            slice_to_u64(value, &side->len);
    }
}

static const struct {
    const char *record, *type;
    void (*parse)(struct slice, struct side_fact *);
} kinds[] = {
    {"MMAP", "mmap", parse_mmap},
    {"MMAP2", "mmap", parse_mmap},
    {"COMM", "comm", parse_comm},
    {"FORK", "fork", parse_task},
    {"EXIT", "exit", parse_task},
    {"SWITCH", "switch", parse_switch},
    {"SWITCH_CPU_WIDE", "switch", parse_switch},
    {"LOST", "lost", parse_lost},
    {"LOST_SAMPLES", "lost", parse_lost},
    {"CGROUP", "cgroup", parse_cgroup},
    {"KSYMBOL", "ksymbol", parse_ksymbol},
    {"FINISHED_ROUND", NULL, NULL},
    {"FINISHED_INIT", NULL, NULL},
};

bool perf_side_parse(struct slice text, const struct perf_head *head, struct side_fact *side,
                     char name[32])
{
    size_t prefix = strlen("PERF_RECORD_"), len = 0;
    struct slice record = {text.data + prefix, 0};
    while (prefix + record.len < text.len &&
           (g_ascii_isupper(record.data[record.len]) || g_ascii_isdigit(record.data[record.len]) ||
            record.data[record.len] == '_'))
        record.len++;
    struct slice after = slice_from_to(record.data + record.len, text.data + text.len);
    *side = (struct side_fact){.comm = slice_skip_blanks(head->comm),
                               .pid = head->pid,
                               .tid = head->tid,
                               .cpu = head->cpu,
                               .time_ns = head->time_ns,
                               .fields = head->fields,
                               .next_pid = -1,
                               .next_tid = -1,
                               .text = slice_trim(after)};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (!slice_is(record, kinds[i].record))
            continue;
        if (!kinds[i].type)
            return false;
        side->type = kinds[i].type;
        kinds[i].parse(after, side);
        return true;
    }
    for (; len < record.len && len < 31; len++)
        name[len] = g_ascii_tolower(record.data[len]);
    name[len] = '\0';
    side->type = name;
    return true;
}
