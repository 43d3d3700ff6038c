// What perf prints behind a chain, in the place of the blank line, or behind the one ip:
// REGISTERS BRANCHES LENGTH INSTRUCTION PHYSICAL-ADDRESS PAGE-SIZES IPC. None has a name of its own
// that a symbol could not have, but each has a shape, and they are taken off from the right.
#include "perf_script.h"

static struct slice without(struct slice text, const char *from)
{
    return slice_drop_blanks(slice_from_to(text.data, from));
}

// The last `key` of the text, with a blank before it.
static const char *last_key(struct slice text, const char *key)
{
    const char *found = NULL, *end = text.data + text.len;
    for (const char *p = text.data; p < end; p = found + 1) {
        p = memmem(p, (size_t)(end - p), key, strlen(key));
        if (!p)
            break;
        found = p;
    }
    return found && (found == text.data || perf_blank(found[-1])) ? found : NULL;
}

static bool all_of(struct slice s, const char *set)
{
    for (size_t i = 0; i < s.len; i++)
        if (!strchr(set, s.data[i]))
            return false;
    return s.len > 0;
}

// "IPC: 0.53 (53/100)"
static struct slice take_ipc(struct slice text)
{
    const char *at = last_key(text, "IPC: ");
    if (!at ||
        !all_of(slice_from_to(at + strlen("IPC: "), text.data + text.len), "0123456789./() "))
        return text;
    return without(text, at);
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

static struct slice take_sizes(struct slice text)
{
    for (int i = 0; i < 2; i++) {
        struct slice left = text, word = slice_last_word(&left);
        if (!is_size(word))
            break;
        text = slice_drop_blanks(left);
    }
    return text;
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
    return slice_starts(s, "ABI:") ||
           (slice_starts(value, "0x") &&
            all_of((struct slice){value.data + 2, value.len - 2}, "0123456789abcdef"));
}

// Sixteen columns, and one blank more behind registers and branches. `first` says that it is the
// first word of a line of its own, which has nothing else of that kind.
static struct slice take_physical(struct slice text, bool own_line, struct sample_fact *sample)
{
    struct slice left = text, word = slice_last_word(&left), before = slice_drop_blanks(left);
    uint64_t address;
    size_t columns = word.len + left.len - before.len;
    if (word.len == 0 || !all_of(word, "0123456789abcdef") || !slice_to_hex(word, &address))
        return text;
    struct slice copy = before, neighbour = slice_last_word(&copy);
    bool behind = is_register(neighbour) || is_branch(neighbour);
    if (!(own_line && before.len == 0) && columns != 16 && !(behind && columns == 17))
        return text;
    sample->phys_addr = address;
    sample->fields |= SAMPLE_PHYS_ADDR;
    return before;
}

// "ilen: 3 insn: 48 89 05", and what a disassembler makes of it behind two tabs.
static struct slice take_instruction(struct slice text)
{
    const char *end = text.data + text.len;
    const char *tabs = text.len ? memmem(text.data, text.len, "\t\t", 2) : NULL;
    if (tabs)
        text = without(text, tabs);
    end = text.data + text.len;
    const char *at = last_key(text, "insn: ");
    if (at && all_of(slice_from_to(at + strlen("insn: "), end), "0123456789abcdef "))
        text = without(text, at);
    end = text.data + text.len;
    at = last_key(text, "ilen: ");
    if (at && all_of(slice_from_to(at + strlen("ilen: "), end), "0123456789"))
        text = without(text, at);
    return text;
}

// Whether a branch begins here: "0x40/", "0x40(/opt/a)/", "0x40 (/opt/a)/".
static bool begins_branch(const char *p, const char *end)
{
    if (end - p < 4 || p[0] != '0' || p[1] != 'x' || !g_ascii_isxdigit(p[2]))
        return false;
    for (p += 2; p < end && g_ascii_isxdigit(*p);)
        p++;
    return p < end && (*p == '/' || *p == '(' || (*p == ' ' && p + 1 < end && p[1] == '('));
}

// Behind the file of "work+0x10 (/opt/a)": the only thing that tells where a symbol ends which may
// hold anything.
static const char *behind_file(struct slice text)
{
    const char *end = text.data + text.len;
    for (const char *p = text.data; (p = memmem(p, (size_t)(end - p), "+0x", 3)); p += 3) {
        const char *q = p + 3;
        int depth = 0;
        while (q < end && g_ascii_isxdigit(*q))
            q++;
        if (end - q < 3 || q[0] != ' ' || q[1] != '(')
            continue;
        for (q++; q < end; q++) {
            depth += (*q == '(') - (*q == ')');
            if (depth == 0)
                return q + 1;
        }
    }
    return NULL;
}

// Behind the registers that `from` begins with.
static const char *behind_registers(const char *from, const char *end)
{
    struct slice rest = slice_skip_blanks(slice_from_to(from, end));
    for (;;) {
        struct slice left = rest;
        if (!is_register(slice_word(&left)))
            return rest.data;
        rest = left;
    }
}

// Addresses tell where branches begin. Names do not, but nothing except registers stands before
// them, or the ip's file when there is no chain.
static struct slice take_branches(struct slice text, bool own_line, struct sample_fact *sample)
{
    struct slice copy = text;
    if (text.len == 0 || !is_branch(slice_last_word(&copy)))
        return text;
    const char *end = text.data + text.len, *from = NULL;
    for (const char *p = text.data; p < end && !from; p++)
        if ((p == text.data || perf_blank(p[-1])) && begins_branch(p, end))
            from = p;
    if (!from)
        from = own_line ? text.data : behind_file(text);
    if (!from)
        return text;
    from = behind_registers(from, end);
    sample->brstack = slice_from_to(from, end);
    return without(text, from);
}

static struct slice take_registers(struct slice text)
{
    for (;;) {
        struct slice left = text;
        if (!is_register(slice_last_word(&left)))
            return text;
        text = slice_drop_blanks(left);
    }
}

struct slice perf_tail_take(struct slice text, unsigned flags, struct sample_fact *sample)
{
    bool own_line = flags & TAIL_OWN_LINE;
    text = take_ipc(slice_drop_blanks(text));
    text = take_sizes(text);
    if (flags & TAIL_PHYSICAL)
        text = take_physical(text, own_line, sample);
    text = take_ipc(take_instruction(text)); // of a traced branch in this order
    text = take_branches(text, own_line, sample);
    return take_registers(text);
}

bool perf_post_chain(struct slice line, struct sample_fact *sample)
{
    struct sample_fact found = *sample;
    if (perf_tail_take(line, TAIL_OWN_LINE | TAIL_PHYSICAL, &found).len > 0)
        return false;
    // Nothing but the names of branches begins in the first column, and those have offsets.
    if (!perf_blank(line.data[0]) &&
        !(found.brstack.data &&
          (memmem(line.data, line.len, "+0x", 3) || memmem(line.data, line.len, "[unknown]", 9))))
        return false;
    *sample = found;
    return true;
}
