// What stands left of the event. Nothing in the text names a field, and the name of a thread may
// hold anything, so the fields are taken off from the right, beginning at the time.
#include "perf_script.h"

#define PERIOD_COLUMNS 10

static bool is_digits(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] < '0' || s.data[i] > '9')
            return false;
    return s.len > 0;
}

// "2026-11-30 13:23:26.512077", the two words of which are taken off the end of `left`.
static bool take_tod(struct slice *left, struct perf_head *head)
{
    struct slice copy = *left, clock = slice_last_word(&copy);
    if (slice_is(clock, "disabled")) { // recorded without a clock of that kind
        *left = copy;
        return false;
    }
    struct slice date = slice_last_word(&copy);
    if (date.len != 10 || date.data[4] != '-' || date.data[7] != '-' || clock.len < 8 ||
        clock.data[2] != ':' || clock.data[5] != ':')
        return false;
    head->tod = slice_from_to(date.data, clock.data + clock.len);
    *left = copy;
    return true;
}

// "[003]". Of more than one bracketed number the last is the cpu: the other is the thread's name.
static bool take_cpu(struct slice *left, struct perf_head *head)
{
    struct slice copy = *left, word = slice_last_word(&copy);
    if (word.len < 3 || word.data[0] != '[' || word.data[word.len - 1] != ']')
        return false;
    struct slice number = {word.data + 1, word.len - 2};
    if (!slice_to_i64(number, &head->cpu))
        return false;
    head->fields |= SAMPLE_CPU;
    *left = copy;
    return true;
}

// The bits that -F misc prints: one to three letters, which only stand right of a number.
static bool take_misc(struct slice *left, struct perf_head *head)
{
    struct slice copy = *left, word = slice_last_word(&copy), before = copy;
    if (word.len == 0 || word.len > 3)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (!strchr("KUHGghMESpT", word.data[i]))
            return false;
    struct slice number = slice_last_word(&before);
    if (number.len == 0 ||
        !(g_ascii_isdigit(number.data[number.len - 1]) || number.data[number.len - 1] == ']'))
        return false;
    head->misc = word;
    *left = copy;
    return true;
}

static bool parse_ids(struct slice word, struct perf_head *head)
{
    const char *slash = word.len ? memchr(word.data, '/', word.len) : NULL;
    if (!slash) {
        if (!slice_to_i64(word, &head->tid))
            return false;
        head->fields |= SAMPLE_TID;
        return true;
    }
    const char *end = word.data + word.len;
    if (!slice_to_i64(slice_from_to(word.data, slash), &head->pid) ||
        !slice_to_i64(slice_from_to(slash + 1, end), &head->tid))
        return false;
    head->fields |= SAMPLE_PID | SAMPLE_TID;
    return true;
}

// "100/101", "100", "-1", "-1/-1"; a lone number is the thread, which is what perf prints unless it
// is asked for the process only.
static bool take_ids(struct slice *left, struct perf_head *head)
{
    struct slice copy = *left, word = slice_last_word(&copy);
    if (!parse_ids(word, head))
        return false;
    *left = copy;
    return true;
}

// Whether a number of `len` digits that ends at `end` is padded to 5 columns (7 since perf 6.2).
static bool in_columns(size_t from, size_t len, size_t end)
{
    return end == from + MAX(5, len) || end == from + MAX(7, len);
}

// `perf script -L` prints the cpu without brackets, and all in fixed columns: the name in 8, the
// thread in 5 (7 since perf 6.2) or more, the cpu in 3 or more. Only they tell "t 5 7" from a
// thread called "t 5".
static bool take_latency_cpu(struct slice *left, struct perf_head *head)
{
    struct slice copy = *left, cpu = slice_last_word(&copy), ids = copy;
    struct slice id = slice_last_word(&ids);
    struct perf_head ignored = {0};
    if (!is_digits(cpu) || cpu.len > 4 || !parse_ids(id, &ignored))
        return false;
    size_t id_end = (size_t)(id.data - left->data) + id.len;
    size_t cpu_end = (size_t)(cpu.data - left->data) + cpu.len;
    const char *slash = memchr(id.data, '/', id.len);
    if (!slash && (left->len < 18 || left->data[8] != ' ' || !in_columns(9, id.len, id_end) ||
                   cpu_end != id_end + 1 + MAX(3, cpu.len)))
        return false;
    // A thread called "1/2", and its number: then nothing stands before, or in other columns.
    if (slash && slice_skip_blanks(ids).len == 0 &&
        (!in_columns(9, (size_t)(slash - id.data), (size_t)(slash - left->data)) ||
         !in_columns((size_t)(slash + 1 - left->data), (size_t)(id.data + id.len - slash - 1),
                     cpu_end - 1 - MAX(3, cpu.len))))
        return false;
    if (!slice_to_i64(cpu, &head->cpu))
        return false;
    head->fields |= SAMPLE_CPU;
    head->latency = true;
    *left = copy;
    return true;
}

// "VM: 1234 " with one blank behind it: what follows is in columns.
static bool take_mark(struct slice *left, const char *mark, int64_t *value)
{
    struct slice copy = slice_skip_blanks(*left);
    if (!slice_starts(copy, mark))
        return false;
    copy.data += strlen(mark);
    copy.len -= strlen(mark);
    copy = slice_skip_blanks(copy);
    struct slice number = {copy.data, 0};
    while (number.len < copy.len && !perf_blank(number.data[number.len]))
        number.len++;
    if (!slice_to_i64(number, value))
        return false;
    size_t used = number.len + (number.len < copy.len);
    *left = (struct slice){copy.data + used, copy.len - used};
    return true;
}

// "VM: 1234 VCPU:002 " before everything else.
static void take_guest(struct slice *left, struct perf_head *head)
{
    if (take_mark(left, "VM:", &head->machine_pid))
        head->fields |= SAMPLE_MACHINE_PID;
    if (take_mark(left, "VCPU:", &head->vcpu))
        head->fields |= SAMPLE_VCPU;
}

static bool parse_left(struct slice left, bool guest, struct perf_head *head)
{
    head->fields = 0;
    head->latency = false;
    head->misc = head->tod = SLICE_NULL;
    if (guest)
        take_guest(&left, head);
    take_tod(&left, head);
    take_misc(&left, head);
    if (!take_cpu(&left, head))
        take_latency_cpu(&left, head);
    if (!take_ids(&left, head))
        return false;
    const char *end = left.data + left.len; // of the blanks before the numbers
    struct slice name = slice_drop_blanks(left);
    head->gap = slice_from_to(name.data + name.len, end);
    head->comm = name;
    return true;
}

bool perf_left_parse(struct slice left, struct perf_head *head)
{
    // A thread may be called "VM:" or "VCPU:003".
    bool found = parse_left(left, true, head);
    bool lone = found && (head->fields & (SAMPLE_MACHINE_PID | SAMPLE_VCPU)) == SAMPLE_VCPU;
    if (found && !(lone && slice_skip_blanks(head->comm).len == 0))
        return true;
    return parse_left(left, false, head);
}

// Seconds with 1 to 9 decimals (perf prints 6 or 9: `exact`), up to the colon at `colon`. Returns
// where they begin, or NULL.
static const char *time_before(const char *from, const char *colon, int64_t *ns, bool *exact)
{
    int64_t value = 0, scale = 1;
    const char *p = colon;
    unsigned decimals = 0;
    for (; p > from && p[-1] >= '0' && p[-1] <= '9' && decimals < 10; decimals++, scale *= 10)
        value += (*--p - '0') * scale;
    if (decimals == 0 || decimals > 9 || p == from || p[-1] != '.')
        return NULL;
    *exact = decimals == 6 || decimals == 9;
    p--;
    for (; decimals < 9; decimals++)
        value *= 10;
    const char *dot = p;
    uint64_t seconds;
    while (p > from && p[-1] >= '0' && p[-1] <= '9')
        p--;
    if ((p > from && !perf_blank(p[-1])) || !slice_to_u64(slice_from_to(p, dot), &seconds) ||
        seconds > 9000000000)
        return NULL;
    value += (int64_t)seconds * 1000000000;
    *ns = value;
    return p;
}

// "migration/0 [001]", "migration/0", "[001]": what -F -tid leaves.
static bool parse_threadless(struct slice left, struct perf_head *head)
{
    head->fields = 0;
    head->latency = false;
    head->misc = head->tod = head->gap = SLICE_NULL;
    take_guest(&left, head);
    take_tod(&left, head);
    take_cpu(&left, head);
    struct slice name = slice_drop_blanks(left);
    head->comm = slice_skip_blanks(name).len > 0 ? name : SLICE_NULL;
    return slice_skip_blanks(name).len <= COMM_BYTES;
}

bool perf_head_parse(struct slice line, struct perf_head *head)
{
    const char *end = line.data + line.len;
    bool found = false, named = false, found_exact = false, exact;
    for (const char *p = line.data; p < end; p++) {
        p = memchr(p, ':', (size_t)(end - p));
        if (!p)
            break;
        struct perf_head h = {0};
        const char *time;
        if ((p + 1 < end && !perf_blank(p[1])) ||
            !(time = time_before(line.data, p, &h.time_ns, &exact)))
            continue;
        struct slice left = slice_from_to(line.data, time);
        if (!perf_left_parse(left, &h)) {
            // Without a thread: only as a last resort, and only right after the name.
            if ((found && !(exact && !found_exact)) || !parse_threadless(left, &h))
                continue;
        } else {
            bool short_name = slice_skip_blanks(h.comm).len <= COMM_BYTES;
            if (named && !short_name)
                break; // further right it only gets longer
            if (found && !short_name)
                continue;
            named = short_name;
        }
        found = true;
        found_exact = exact;
        *head = h;
        head->fields |= SAMPLE_TIME;
        head->rest = slice_from_to(p + 1, end);
    }
    return found;
}

bool perf_untimed_parse(struct slice line, struct perf_head *head)
{
    const char *end = line.data + line.len;
    for (const char *p = line.data; p < end; p++) {
        p = memchr(p, ':', (size_t)(end - p));
        if (!p)
            return false;
        if (p + 1 < end && !perf_blank(p[1]))
            continue;
        struct slice left = slice_from_to(line.data, p);
        struct slice event = slice_last_word(&left), before = left;
        struct slice period = slice_last_word(&before), copy = before;
        if (event.len == 0)
            continue;
        // "java 19983 cycles:" has a thread and no period; "java 19983 250 cycles:" has both, and
        // "java 1/2 [003] 250 cycles:" says so.
        bool has_period = is_digits(period) && perf_left_parse(copy, head) &&
                          slice_skip_blanks(head->comm).len <= COMM_BYTES;
        // A period has ten columns, which a thread's number never fills.
        bool is_wide = is_digits(period) && (size_t)(period.data + period.len - line.data) -
                                                    slice_drop_blanks(copy).len >=
                                                PERIOD_COLUMNS;
        if (!has_period && is_wide)
            has_period = parse_threadless(copy, head);
        if (!has_period && !perf_left_parse(left, head))
            continue;
        head->rest = slice_from_to(has_period ? period.data : event.data, end);
        return true;
    }
    return false;
}
