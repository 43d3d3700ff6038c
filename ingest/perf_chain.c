// Frames: "\t%16x SYMBOL+0xOFFSET (DSO)", any of the three missing.
#include "perf_script.h"

#include "hex.h"

#define D(c, v) [c] = (v) + 1
// Value + 1, so that what is not named here is 0.
static const signed char digits[256] = {
    D('0', 0), D('1', 1), D('2', 2),  D('3', 3),  D('4', 4),  D('5', 5),  D('6', 6),  D('7', 7),
    D('8', 8), D('9', 9), D('a', 10), D('b', 11), D('c', 12), D('d', 13), D('e', 14), D('f', 15),
};
#undef D

// The dso's parenthesis is matched from the right, since both symbols and file names hold some. It
// is a dso only when a blank stands before it: "f(int)" is a symbol.
static const char *find_dso(const char *from, const char *end)
{
    unsigned depth = 0;
    const char *open = memrchr(from, '(', (size_t)(end - from));
    if (!open)
        return NULL;
    if (!memchr(open, ')', (size_t)(end - 1 - open))) // nothing nested, as nearly always
        return open == from || open[-1] == ' ' ? open : NULL;
    for (const char *p = end; p-- > from;) {
        if (*p == ')') {
            depth++;
        } else if (*p == '(' && --depth == 0) {
            return p == from || p[-1] == ' ' ? p : NULL;
        }
    }
    return NULL;
}

// "+0x1f (" stands before a file; one whose own parentheses do not balance is told by that only.
static G_NO_INLINE const char *dso_behind_offset(const char *from, const char *end)
{
    for (const char *p = from; (p = memchr(p, '+', (size_t)(end - p))); p++) {
        const char *q = p + 3;
        if (end - p < 7 || p[1] != '0' || p[2] != 'x')
            continue;
        while (q < end && digits[(unsigned char)*q])
            q++;
        if (q > p + 3 && end - q > 2 && q[0] == ' ' && q[1] == '(')
            return q + 1;
    }
    return NULL;
}

static inline bool more_parentheses(const char *from, const char *dso, const char *end)
{
    const char *first = memchr(from, '(', (size_t)(end - from));
    return first != dso || (dso && memchr(dso + 1, '(', (size_t)(end - dso - 1)));
}

// The digits right before `end`, none of them before `from`: how many, and their number.
static size_t digits_before(const char *from, const char *end, uint64_t *number)
{
    size_t n = end - from > 8 ? hex_before(end, number) : 8;
    if (n < 8)
        return n;
    for (n = 0, *number = 0; end > from && digits[(unsigned char)end[-1]]; n++, end--)
        if (n < 16)
            *number |= (uint64_t)(digits[(unsigned char)end[-1]] - 1) << 4 * n;
    return n;
}

// Only a final +0x with digits is an offset. `from` may hold any number of '+' of its own.
static inline const char *find_offset(const char *from, const char *end, uint64_t *offset)
{
    uint64_t number;
    size_t n = digits_before(from, end, &number);
    if (n == 0 || n > 16 || (size_t)(end - from) < n + 3 || memcmp(end - n - 3, "+0x", 3) != 0)
        return NULL;
    *offset = number;
    return end - n - 3;
}

// The end of the address; NULL if `line` does not begin with one.
static const char *read_address(struct slice line, struct frame_fact *frame)
{
    const char *p = line.data, *end = line.data + line.len;
    uint64_t ip = 0;
    // 16 columns behind a tab; 24 in some versions of perf
    if (line.len > 25 && perf_blank(p[25]) && hex_load(p + 1) == HEX_EACH(' '))
        p += 8;
    if (end - p > 17 && perf_blank(*p) && perf_blank(p[17]) && hex_column(p + 1, &ip)) {
        *frame = (struct frame_fact){.ip = ip, .has_ip = true};
        return p + 17;
    }
    while (p < end && perf_blank(*p))
        p++;
    const char *start = p;
    for (ip = 0; p < end && digits[(unsigned char)*p]; p++)
        ip = ip << 4 | (uint64_t)(digits[(unsigned char)*p] - 1);
    if (p == start || (p < end && !perf_blank(*p)))
        return NULL;
    // More digits than an address has: some tool's bug, and no reason to lose the frame.
    bool has_ip = p - start <= 16;
    *frame = (struct frame_fact){.ip = has_ip ? ip : 0, .has_ip = has_ip};
    return p;
}

bool perf_frame_parse(struct slice line, struct frame_fact *frame)
{
    const char *p = read_address(line, frame), *end = line.data + line.len;
    if (!p)
        return false;
    if (p < end && *p == '\t' && *line.data == '\t') // an instruction: see perf_is_listing()
        return false;
    while (end > p && perf_blank(end[-1]))
        end--;
    if (p == end)
        return true;
    p++;
    const char *dso = end[-1] == ')' ? find_dso(p, end) : NULL;
    const char *symbol_end = dso ? MAX(dso - 1, p) : end;
    const char *plus = find_offset(p, symbol_end, &frame->offset);
    // With another parenthesis beside it and no offset, this may be the wrong one.
    if (!plus && end[-1] == ')' && more_parentheses(p, dso, end)) {
        const char *behind = dso_behind_offset(p, end);
        if (behind) {
            dso = behind;
            symbol_end = behind - 1;
            plus = find_offset(p, symbol_end, &frame->offset);
        }
    }
    if (dso) {
        frame->dso = slice_from_to(dso + 1, end - 1);
        frame->inlined = slice_is(frame->dso, "inlined");
        if (dso == p)
            return true;
    }
    frame->has_offset = plus != NULL;
    frame->symbol = slice_from_to(p, plus ? plus : symbol_end);
    return true;
}

// "(inlined)" is a remark on a frame whose code lies in the next outer one, at the same ip; without
// one it is a file of that name.
static void settle_inlined(struct frame_fact *frame, bool same_ip)
{
    if (same_ip)
        frame->dso = SLICE_NULL;
    else
        frame->inlined = false;
}

struct frame_fact *perf_chain_room(struct perf_chain *chain)
{
    if (chain->n >= LIMIT_FRAMES)
        return NULL;
    if (chain->n == chain->size) {
        chain->size = chain->size ? 2 * chain->size : 128;
        chain->frames = g_renew(struct frame_fact, chain->frames, chain->size);
    }
    return &chain->frames[chain->n];
}

void perf_chain_add(struct perf_chain *chain)
{
    struct frame_fact *frame = &chain->frames[chain->n++];
    if (chain->n > 1 && frame[-1].inlined && frame[-1].dso.data)
        settle_inlined(&frame[-1], frame[-1].ip == frame->ip);
}

bool perf_chain_push(struct perf_chain *chain, const struct frame_fact *frame)
{
    struct frame_fact *room = perf_chain_room(chain);
    if (!room)
        return false;
    *room = *frame;
    perf_chain_add(chain);
    return true;
}

void perf_chain_end(struct perf_chain *chain)
{
    if (chain->n > 0 && chain->frames[chain->n - 1].inlined && chain->frames[chain->n - 1].dso.data)
        settle_inlined(&chain->frames[chain->n - 1], true);
}
