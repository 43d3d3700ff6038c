// What stands right of the time: PERIOD EVENT: FLAGS PAYLOAD ADDR DATA_SRC WEIGHT IP, and the line
// that takes the place of the blank one behind a chain.
#include "perf_script.h"

static size_t hex_len(struct slice s)
{
    size_t n = 0;
    while (n < s.len && g_ascii_isxdigit(s.data[n]) && !g_ascii_isupper(s.data[n]))
        n++;
    return n <= 16 && (n == s.len || perf_blank(s.data[n])) ? n : 0;
}

bool perf_event_parse(struct slice rest, struct sample_fact *sample, struct slice *after)
{
    struct slice s = slice_skip_blanks(rest);
    size_t digits = 0;
    while (digits < s.len && s.data[digits] >= '0' && s.data[digits] <= '9')
        digits++;
    uint64_t period = 0;
    bool has_period = digits > 0 && (digits == s.len || perf_blank(s.data[digits])) &&
                      slice_to_u64((struct slice){s.data, digits}, &period);
    struct slice name = s;
    if (has_period)
        name = slice_skip_blanks(slice_from_to(s.data + digits, s.data + s.len));
    *after = SLICE_NULL;
    // The event ends at the first colon that a blank or the end follows: names hold colons too.
    const char *end = name.data + name.len;
    for (const char *p = name.data; p < end; p++) {
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
    // Without an event (-F -event), an ip may follow at once.
    if (has_period && (name.len == 0 || hex_len(name) > 0)) {
        sample->period = period;
        sample->fields |= SAMPLE_PERIOD;
        *after = slice_drop_blanks(name);
    }
    return false;
}

// "sched:sched_switch", but not "cycles:uH": behind a hardware event's colon stand modifiers only.
static bool is_tracepoint(struct slice event)
{
    const char *colon = event.len ? memchr(event.data, ':', event.len) : NULL;
    if (!colon)
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
    if (perf_frame_parse(group, &at))
        perf_chain_push(frames, &at);
}

// "7f62 buf+0x8 (/anon)  1e05080021 |OP LOAD|LVL L1 hit|…|BLK  N/A  33": an address, the source of
// the data as a number and in words, and a weight; then the ip when there is no chain.
static bool parse_data_source(struct slice after, struct sample_fact *sample, bool chain,
                              struct perf_chain *frames)
{
    const char *end = after.data + after.len;
    const char *bar = after.len ? memmem(after.data, after.len, " |", 2) : NULL, *start = bar;
    while (start && start > after.data && g_ascii_isxdigit(start[-1]))
        start--;
    if (!bar || start == bar || (start > after.data && !perf_blank(start[-1])) ||
        !slice_to_hex(slice_from_to(start, bar), &sample->data_src))
        return false;
    sample->fields |= SAMPLE_DATA_SRC;
    struct slice address = slice_drop_blanks(slice_from_to(after.data, start));
    if (address.len > 0)
        set_address(address, sample);
    struct slice tail = slice_from_to(memrchr(after.data, '|', after.len), end), word;
    do
        word = slice_word(&tail);
    while (word.len > 0 && !slice_to_u64(word, &sample->mem_weight));
    tail.data = word.len > 0 ? word.data + word.len : NULL; // with the blanks that make a column
    if (word.len > 0)
        sample->fields |= SAMPLE_MEM_WEIGHT;
    // Behind the weight may stand latencies, which are decimal, and then the ip.
    const char *ip = next_address(tail.data ? tail.data : end, end), *last = NULL;
    for (; ip; ip = next_address(ip, end))
        last = ip;
    bool latency = last && hex_len(slice_from_to(last, end)) < 6 &&
                   hex_len(slice_from_to(last, end)) == (size_t)(end - last);
    if (last && !latency && (!chain || memchr(last, ' ', (size_t)(end - last))))
        push_ip(slice_from_to(last, end), frames);
    return true;
}

// "tr strt jmp   0 [unknown] ([unknown]) =>   7f50 h+0x1 (/l)": a branch goes from an ip to an
// address. The words before it are its kind.
static bool parse_branch(struct slice after, struct sample_fact *sample, struct perf_chain *frames)
{
    const char *end = after.data + after.len;
    const char *arrow = after.len ? memmem(after.data, after.len, "=> ", 3) : NULL;
    if (!arrow || !set_address(slice_skip_blanks(slice_from_to(arrow + 2, end)), sample))
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

// Addresses one behind the other. With a chain below, or more than one, the first is the data's.
static void parse_addresses(struct slice after, struct sample_fact *sample, bool chain,
                            struct perf_chain *frames)
{
    const char *end = after.data + after.len, *p = after.data;
    // With neither ip nor chain printed, a lone number is told by its column: an ip has one more
    // blank before it.
    const char *blanks = p;
    while (perf_blank(blanks[-1])) // a colon stands before them
        blanks--;
    bool lone = hex_len(after) == after.len && (size_t)(p - blanks) + after.len == 17;
    for (unsigned i = 0; p; i++) {
        const char *next = next_address(p + hex_len(slice_from_to(p, end)), end);
        struct slice group = until(p, next, end);
        if (i == 0 && (chain || next || lone)) {
            set_address(group, sample);
        } else if (chain && hex_len(group) == group.len) {
            if (slice_to_u64(group, &sample->mem_weight))
                sample->fields |= SAMPLE_MEM_WEIGHT;
        } else {
            push_ip(group, frames);
        }
        p = next;
    }
}

// perf prints the data address in 16 columns right behind the payload.
static void take_payload_address(struct sample_fact *sample)
{
    struct slice left = sample->payload, word = slice_last_word(&left);
    struct slice text = slice_drop_blanks(left);
    size_t columns = (size_t)(word.data + word.len - (text.data + text.len));
    if (hex_len(word) != word.len || word.len == 0 || columns < 16 || left.len - text.len < 2)
        return;
    slice_to_hex(word, &sample->addr);
    sample->fields |= SAMPLE_ADDR;
    sample->payload = text;
}

// A payload may have the one ip behind it, on the same line.
static void parse_payload(struct slice after, struct sample_fact *sample, bool chain,
                          struct perf_chain *frames)
{
    const char *end = after.data + after.len, *ip = NULL;
    sample->payload = after;
    for (const char *p = next_address(after.data, end); p && !chain; p = next_address(p, end))
        ip = p;
    if (ip && hex_len(slice_from_to(ip, end)) < (size_t)(end - ip)) {
        push_ip(slice_from_to(ip, end), frames);
        sample->payload = slice_drop_blanks(slice_from_to(after.data, ip));
    }
    take_payload_address(sample);
}

// "f+0x1 (/a) insn: 89 05": what stands behind a chain, else behind the one ip.
static struct slice drop_instruction(struct slice after)
{
    static const char *const marks[] = {") insn: ", ") ilen: "};
    for (size_t i = 0; after.len > 0 && i < G_N_ELEMENTS(marks); i++) {
        const char *at = memmem(after.data, after.len, marks[i], strlen(marks[i]));
        if (at)
            after = slice_from_to(after.data, at + 1);
    }
    return after;
}

void perf_after_event(struct slice after, struct sample_fact *sample, bool chain,
                      struct perf_chain *frames)
{
    after = drop_instruction(after);
    if (after.len == 0 || parse_branch(after, sample, frames) ||
        (hex_len(after) > 0 && parse_data_source(after, sample, chain, frames)))
        return;
    if (is_tracepoint(sample->event) || hex_len(after) == 0)
        parse_payload(after, sample, chain, frames);
    else
        parse_addresses(after, sample, chain, frames);
}

static bool is_size(struct slice s)
{
    if (slice_is(s, "N/A"))
        return true;
    for (size_t i = 0; i + 1 < s.len; i++)
        if (!g_ascii_isdigit(s.data[i]))
            return false;
    return s.len > 1 && strchr("BKMGT", s.data[s.len - 1]);
}

// "0x40/0x50/PN/-/-/11/COND/-": from, to, and four to six flags that may be empty.
static bool is_branch(struct slice s)
{
    unsigned slashes = 0;
    for (size_t i = 0; i < s.len; i++)
        slashes += s.data[i] == '/';
    if (slashes < 3)
        return false;
    return memmem(s.data, s.len, "/-", 2) || memmem(s.data, s.len, "/P/", 3) ||
           memmem(s.data, s.len, "/M/", 3) || memmem(s.data, s.len, "/N/", 3);
}

// "ABI:2", "AX:0x0"
static bool is_register(struct slice s)
{
    const char *colon = s.len ? memchr(s.data, ':', s.len) : NULL;
    if (!colon || colon == s.data)
        return false;
    struct slice value = slice_from_to(colon + 1, s.data + s.len);
    return slice_starts(s, "ABI:") || (slice_starts(value, "0x") &&
                                       hex_len((struct slice){value.data + 2, value.len - 2}) > 0);
}

bool perf_post_chain(struct slice line, struct sample_fact *sample)
{
    struct slice s = slice_skip_blanks(line);
    uint64_t address = 0;
    bool has_address = false;
    struct slice branches = SLICE_NULL;
    if (s.len == 0 || !perf_blank(line.data[0]))
        return false;
    if (slice_starts(s, "insn:") || slice_starts(s, "ilen:") || slice_starts(s, "IPC:") ||
        slice_starts(s, "BPF output:"))
        return true;
    if (slice_starts(s, "0x") && is_branch(s)) {
        sample->brstack = slice_drop_blanks(s);
        return true;
    }
    while (s.len > 0) {
        struct slice word = slice_word(&s);
        if (is_branch(word)) {
            if (!branches.data)
                branches.data = word.data;
            branches.len = (size_t)(word.data + word.len - branches.data);
        } else if (hex_len(word) == word.len && !has_address) {
            has_address = slice_to_hex(word, &address);
        } else if (!is_register(word) && !is_size(word)) {
            // brstacksym prints names, which may hold blanks
            if (!is_branch(line))
                return false;
            sample->brstack = slice_drop_blanks(slice_skip_blanks(line));
            return true;
        }
    }
    if (branches.data)
        sample->brstack = branches;
    if (has_address) {
        sample->phys_addr = address;
        sample->fields |= SAMPLE_PHYS_ADDR;
    }
    return true;
}
