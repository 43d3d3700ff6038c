// What stands right of the time: PERIOD EVENT: FLAGS PAYLOAD ADDR DATA_SRC WEIGHT CGROUP IP, and
// behind an ip without a chain also what perf_tail.c knows.
#include "perf_script.h"

#define FLAG_COLUMNS 24 // of the kind of a branch

static size_t hex_len(struct slice s)
{
    size_t n = 0;
    while (n < s.len && g_ascii_isxdigit(s.data[n]) && !g_ascii_isupper(s.data[n]))
        n++;
    return n <= 16 && (n == s.len || perf_blank(s.data[n])) ? n : 0;
}

static bool begins_tail(struct slice s)
{
    static const char *const marks[] = {"ilen: ", "insn: ", "IPC: ", "ABI:", "0x"};
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
        if (slice_starts(s, marks[i]))
            return true;
    return false;
}

static bool only_tail(struct slice s)
{
    struct sample_fact ignored = {0};
    return perf_tail_take(s, TAIL_OWN_LINE, &ignored).len == 0;
}

bool perf_event_parse(struct slice rest, struct sample_fact *sample, struct slice *after)
{
    struct slice s = slice_skip_blanks(rest);
    size_t digits = 0;
    while (digits < s.len && s.data[digits] >= '0' && s.data[digits] <= '9')
        digits++;
    uint64_t period = 0;
    // A period has 10 columns; an ip that follows the time ends in the 18th.
    bool has_period = digits > 0 && (digits == s.len || perf_blank(s.data[digits])) &&
                      s.data + digits != rest.data + 18 &&
                      slice_to_u64((struct slice){s.data, digits}, &period);
    const char *before = has_period ? s.data + digits : rest.data;
    struct slice name = slice_skip_blanks(slice_from_to(before, s.data + s.len));
    size_t address = hex_len(name);
    *after = SLICE_NULL;
    // Without an event (-F -event) the ip follows, in columns, or what stands behind one.
    bool no_event =
        (address > 0 && (size_t)(name.data - before) + address >= 17) || begins_tail(name);
    // The event ends at the first colon that a blank or the end follows: names hold colons too.
    const char *end = name.data + name.len;
    for (const char *p = name.data; p < end && !no_event; p++) {
        p = memchr(p, ':', (size_t)(end - p));
        if (!p)
            break;
        if (p == name.data || (p + 1 < end && !perf_blank(p[1])))
            continue;
        sample->event = slice_from_to(name.data, p);
        *after = slice_drop_blanks(slice_skip_blanks(slice_from_to(p + 1, end)));
        if (has_period) {
            sample->period = period;
            sample->fields |= SAMPLE_PERIOD;
        }
        return true;
    }
    if (has_period && (name.len == 0 || address > 0 || only_tail(name))) {
        sample->period = period;
        sample->fields |= SAMPLE_PERIOD;
        *after = slice_drop_blanks(name);
    }
    return false;
}

// "sched:sched_switch", but not "cycles:uH": behind a hardware event's colon stand modifiers only.
// Nor "mem:0x7f:rw", "cpu/event=0xc2/:u": an address or a PMU's terms stand in no tracepoint's
// name.
static bool is_tracepoint(struct slice event)
{
    const char *colon = event.len ? memchr(event.data, ':', event.len) : NULL;
    if (!colon || slice_starts(event, "mem:0x") || memchr(event.data, '/', event.len))
        return false;
    const char *end = event.data + event.len;
    if (end - colon > 9)
        return true;
    for (const char *p = colon + 1; p < end; p++)
        if (!strchr("ukhGHIpPSDWebR", *p))
            return true;
    return false;
}

// Addresses are printed in 16 columns behind a blank. Returns where the next one behind `from`
// begins (its first digit), or NULL.
static const char *next_address(const char *from, const char *end)
{
    for (const char *p = from; p < end; p++) {
        if (!perf_blank(*p))
            continue;
        const char *blank = p;
        while (p < end && perf_blank(*p))
            p++;
        size_t n = hex_len(slice_from_to(p, end));
        if (n > 0 && (size_t)(p - blank) + n >= 17)
            return p;
        p--;
    }
    return NULL;
}

static struct slice until(const char *from, const char *next, const char *end)
{
    return slice_drop_blanks(slice_from_to(from, next ? next : end));
}

// What stands between an event and the end of its line. perf prints it in columns: a data address
// and a weight have 16, an ip one more.
struct after_event {
    const char *base; // where columns begin: behind the event's colon and a blank
    const char *end;
    bool chain;      // the ip is not here
    bool seen_chain; // others of the file have one: perhaps this one's is empty
};

static bool is_decimal(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!g_ascii_isdigit(s.data[i]))
            return false;
    return s.len > 0;
}

static bool set_address(struct slice group, struct sample_fact *sample)
{
    struct frame_fact at;
    if (!perf_frame_parse(group, &at))
        return false;
    sample->addr = at.ip;
    sample->addr_symbol = at.symbol;
    sample->addr_offset = at.offset;
    sample->addr_dso = at.dso;
    sample->fields |= SAMPLE_ADDR | (at.has_offset ? SAMPLE_ADDR_OFFSET : 0);
    return true;
}

static void push_ip(struct slice group, struct perf_chain *frames)
{
    struct frame_fact at;
    if (!perf_frame_parse(group, &at))
        return;
    at.inlined = false; // a remark in chains only, else a file of that name
    perf_chain_push(frames, &at);
}

// Whether what stands behind the digits of an address may be a symbol or a file: a number in
// columns may not.
static bool is_place(const char *behind, const char *end)
{
    if (end - behind < 2 || !perf_blank(behind[1]))
        return true;
    while (behind < end && perf_blank(*behind))
        behind++;
    return behind < end && *behind == '(';
}

// The last address in the columns of an ip: behind it stand only its symbol and file.
static const char *last_ip(const char *from, const char *end)
{
    const char *last = NULL;
    for (const char *p = next_address(from, end); p; p = next_address(p, end))
        if (is_place(p + hex_len(slice_from_to(p, end)), end))
            last = p;
    return last;
}

static struct slice take_numbers(struct slice left, struct sample_fact *sample)
{
    for (;;) {
        struct slice rest = left, word = slice_last_word(&rest), before = slice_drop_blanks(rest);
        if (!is_decimal(word) || before.len == 0 || word.len + rest.len - before.len < 16)
            return left;
        if (slice_to_u64(word, &sample->mem_weight))
            sample->fields |= SAMPLE_MEM_WEIGHT;
        left = before;
    }
}

// " /user.slice/a" behind a number or a file's parenthesis; it may hold blanks.
static struct slice drop_cgroup(struct slice left)
{
    const char *end = left.data + left.len;
    if (left.len == 0 || end[-1] == ')')
        return left;
    if (slice_ends(left, " unknown"))
        return slice_drop_blanks(slice_from_to(left.data, end - strlen(" unknown")));
    const char *from = memrchr(left.data, ')', left.len);
    for (const char *p = from ? from : left.data; p + 1 < end; p++) {
        struct slice before = slice_from_to(left.data, p), word = slice_last_word(&before);
        if (p[0] == ' ' && p[1] == '/' && word.len > 0 &&
            (word.data[word.len - 1] == ')' || hex_len(word) == word.len))
            return slice_drop_blanks(slice_from_to(left.data, p));
    }
    return left;
}

// Takes cgroup, latencies and weight off the right of `left`: what stands behind an address, or
// behind a data source.
static struct slice take_weights(struct slice left, struct sample_fact *sample)
{
    struct slice rest = take_numbers(left, sample);
    return rest.len < left.len ? rest : take_numbers(drop_cgroup(left), sample);
}

// Where the number begins that tells the source of the data: "1e05080021 |OP LOAD|LVL L1 hit|…".
static const char *find_data_source(const char *from, const char *end, struct sample_fact *sample)
{
    for (const char *bar = from; bar < end; bar++) {
        bar = memmem(bar, (size_t)(end - bar), " |", 2);
        if (!bar)
            return NULL;
        const char *start = bar;
        while (start > from && g_ascii_isxdigit(start[-1]))
            start--;
        if (start < bar && (start == from || perf_blank(start[-1])) && end - bar > 4 &&
            g_ascii_isupper(bar[2]) && slice_to_hex(slice_from_to(start, bar), &sample->data_src))
            return start;
    }
    return NULL;
}

// Where the words for the source end: behind the value of the last of its parts.
static const char *data_source_end(const char *from, const char *end)
{
    static const char *const keys[] = {"|OP ", "|LVL ", "|SNP ", "|TLB ", "|LCK ", "|BLK "};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *at = memmem(from, (size_t)(end - from), keys[i], strlen(keys[i]));
        if (at)
            from = at + strlen(keys[i]);
    }
    struct slice tail = slice_from_to(from, end), word;
    do {
        from = tail.data;
        word = slice_word(&tail);
    } while (word.len > 0 && hex_len(word) == 0 && *word.data != '/');
    // With the blanks that make a column.
    while (perf_blank(from[-1]))
        from--;
    return from;
}

// An address, the source of the data as a number and in words, and a weight; then the ip when
// there is no chain.
static bool parse_data_source(const struct after_event *a, const char *from,
                              struct sample_fact *sample, struct perf_chain *frames)
{
    const char *start = find_data_source(from, a->end, sample);
    if (!start)
        return false;
    sample->fields |= SAMPLE_DATA_SRC;
    struct slice address = slice_drop_blanks(slice_from_to(from, start));
    if (address.len > 0)
        set_address(address, sample);
    const char *tail = data_source_end(start, a->end);
    const char *ip = a->chain ? NULL : last_ip(tail, a->end);
    // A weight may be padded, too: without a name, a number of a few digits is one.
    if (ip && hex_len(slice_from_to(ip, a->end)) == (size_t)(a->end - ip) && a->end - ip < 6)
        ip = NULL;
    take_weights(slice_drop_blanks(slice_from_to(start, ip ? ip : a->end)), sample);
    if (!(sample->fields & SAMPLE_MEM_WEIGHT)) {
        // Hand-made or old: not in columns.
        struct slice rest = slice_from_to(tail, ip ? ip : a->end), word = slice_word(&rest);
        if (is_decimal(word) && slice_to_u64(word, &sample->mem_weight))
            sample->fields |= SAMPLE_MEM_WEIGHT;
    }
    if (ip)
        push_ip(slice_from_to(ip, a->end), frames);
    return true;
}

// Before an address in 16 columns, else the first: symbols may hold one, too.
static const char *find_arrow(struct slice after)
{
    const char *end = after.data + after.len, *first = NULL;
    for (const char *p = after.data; (p = memmem(p, (size_t)(end - p), "=> ", 3)); p++) {
        const char *q = p + 3;
        if (!first)
            first = p;
        while (q < end && perf_blank(*q))
            q++;
        size_t digits = hex_len(slice_from_to(q, end));
        if (digits > 0 && (size_t)(q - p) - 3 + digits == 16)
            return p;
    }
    return first;
}

bool perf_branch_target(struct slice line, struct sample_fact *sample)
{
    if (!slice_starts(line, " => "))
        return false;
    struct sample_fact found = *sample;
    const size_t arrow = strlen(" => ");
    struct slice target = {line.data + arrow, line.len - arrow};
    target = perf_tail_take(target, 0, &found);
    if (target.len == 0 || !set_address(target, &found))
        return false;
    *sample = found;
    return true;
}

// "tr strt jmp   0 [unknown] ([unknown]) =>   7f50 h+0x1 (/l)": a branch goes from an ip to an
// address. The words before it are its kind.
static bool parse_branch(const struct after_event *a, struct slice after,
                         struct sample_fact *sample, struct perf_chain *frames)
{
    const char *arrow = find_arrow(after);
    if (!arrow || !set_address(slice_skip_blanks(slice_from_to(arrow + 2, a->end)), sample))
        return false;
    struct slice left = slice_drop_blanks(slice_from_to(after.data, arrow)), s = left;
    while (s.len > 0 && hex_len(s) == 0)
        slice_word(&s);
    sample->payload = slice_drop_blanks(slice_from_to(left.data, s.data));
    if (sample->payload.len == 0)
        sample->payload = SLICE_NULL;
    push_ip(s, frames);
    return true;
}

// In text that is not in perf's columns: behind the file of an address.
static const char *loose_ip(const char *from, const char *end)
{
    for (const char *p = from; (p = memmem(p, (size_t)(end - p), ")  ", 3)); p++) {
        const char *q = p + 1;
        while (q < end && perf_blank(*q))
            q++;
        if (hex_len(slice_from_to(q, end)) > 0)
            return q;
    }
    return NULL;
}

// Addresses one behind the other. With a chain below, or more than one, the first is the data's.
static void parse_addresses(const struct after_event *a, const char *from,
                            struct sample_fact *sample, struct perf_chain *frames)
{
    size_t digits = hex_len(slice_from_to(from, a->end));
    const char *ip = a->chain ? NULL : last_ip(from + digits, a->end);
    // With neither ip nor chain printed, a lone number is told by its column; in text that is not
    // perf's own, by the chains of others.
    size_t column = (size_t)(from + digits - a->base);
    struct slice group = take_weights(until(from, ip, a->end), sample);
    if (!ip && !a->chain && (ip = loose_ip(from, group.data + group.len)))
        group = until(from, ip, a->end);
    bool bare = group.len == digits;
    bool lone = column == 16 ? bare || a->seen_chain : column != 17 && a->seen_chain;
    if (!ip && !a->chain && !lone) {
        push_ip(group, frames);
        return;
    }
    set_address(group, sample);
    if (ip)
        push_ip(slice_from_to(ip, a->end), frames);
}

// perf prints the data address in 16 columns right behind the payload, and an ip in one more.
static void take_payload_address(const struct after_event *a, struct sample_fact *sample,
                                 struct perf_chain *frames)
{
    struct slice left = sample->payload, word = slice_last_word(&left);
    if (word.len == 0)
        return;
    struct slice text = slice_drop_blanks(left);
    const char *from = text.len > 0 ? text.data + text.len : a->base;
    size_t columns = (size_t)(word.data + word.len - from);
    bool is_ip = columns == 17 && !a->chain;
    if (hex_len(word) != word.len || columns < 16 || (word.data - from < 2 && !is_ip))
        return;
    sample->payload = text;
    if (is_ip) {
        push_ip(word, frames);
        take_payload_address(a, sample, frames);
        return;
    }
    slice_to_hex(word, &sample->addr);
    sample->fields |= SAMPLE_ADDR;
}

// A payload may have the one ip behind it, on the same line.
static void parse_payload(const struct after_event *a, struct slice after,
                          struct sample_fact *sample, struct perf_chain *frames)
{
    const char *ip = a->chain ? NULL : last_ip(a->base, a->end);
    sample->payload = after;
    bool named = ip && hex_len(slice_from_to(ip, a->end)) < (size_t)(a->end - ip);
    if (named || (ip && ip == after.data)) {
        push_ip(slice_from_to(ip, a->end), frames);
        sample->payload = until(after.data, ip, ip);
    }
    take_payload_address(a, sample, frames);
    if (sample->payload.len == 0)
        sample->payload = SLICE_NULL;
}

// Behind an event that has no payload, only the kind of a branch is printed before an address.
static void parse_sampled(const struct after_event *a, struct slice after,
                          struct sample_fact *sample, struct perf_chain *frames)
{
    const char *from = after.data;
    if (hex_len(after) == 0) {
        from = next_address(after.data, a->end);
        sample->payload = until(after.data, from, a->end);
        if (!from)
            return;
    }
    if (!parse_data_source(a, from, sample, frames))
        parse_addresses(a, from, sample, frames);
}

// Without a chain, what perf prints behind it stands at the end of the line. There is none behind
// a payload that has no ip, and what looks like it is the payload's.
static struct slice take_tail(const char *base, struct slice after, bool traced,
                              struct sample_fact *sample)
{
    struct sample_fact found = *sample;
    struct slice left = perf_tail_take(after, TAIL_PHYSICAL, &found);
    if (left.len == after.len)
        return after;
    const char *end = left.data + left.len, *ip = last_ip(base, end);
    bool named = ip && hex_len(slice_from_to(ip, end)) < (size_t)(end - ip);
    if (traced && !named && ip != after.data)
        return after;
    // An address in the columns of data is a physical one only behind an ip, which may be a number
    // only when nothing stands before it.
    if ((found.fields & SAMPLE_PHYS_ADDR) && !named && ip != after.data) {
        found = *sample;
        left = perf_tail_take(after, 0, &found);
    }
    *sample = found;
    return left;
}

void perf_after_event(struct slice after, struct sample_fact *sample, bool seen_chain,
                      struct perf_chain *frames)
{
    if (after.len == 0)
        return;
    bool chain = frames->n > 0;
    bool traced = is_tracepoint(sample->event);
    struct after_event a = {.base = after.data,
                            .end = after.data + after.len,
                            .chain = chain,
                            .seen_chain = seen_chain};
    while (perf_blank(a.base[-1])) // a colon stands before them
        a.base--;
    if (a.base < after.data)
        a.base++;
    const char *first = hex_len(after) > 0 ? after.data : next_address(after.data, a.end);
    if (!traced && first && first - a.base > FLAG_COLUMNS)
        a.base += FLAG_COLUMNS;
    if (!chain)
        after = take_tail(a.base, after, traced, sample);
    a.end = after.data + after.len;
    bool is_branch = slice_starts(sample->event, "branches") ||
                     slice_starts(sample->event, "branch-instructions");
    if (after.len == 0 || (is_branch && parse_branch(&a, after, sample, frames)))
        return;
    if (traced)
        parse_payload(&a, after, sample, frames);
    else
        parse_sampled(&a, after, sample, frames);
}
