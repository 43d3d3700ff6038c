// Folded stacks, as flame graph tools exchange them: "comm;outer;inner 12". The first name is that
// of the thread, the last that of the leaf. Annotations behind a name ("_[k]") stay where they are.
#include "formats.h"
#include "lines.h"

struct parser {
    struct ingest *in;
    GArray *frames; // of struct frame_fact, leaf first
};

// The stack and the count behind its last blank.
static bool split_count(struct slice line, struct slice *stack, uint64_t *count)
{
    struct slice s = slice_trim(line);
    const char *blank = s.len ? memrchr(s.data, ' ', s.len) : NULL;
    double value;
    if (!blank)
        return false;
    struct slice number = {blank + 1, (size_t)(s.data + s.len - blank) - 1};
    *stack = slice_trim((struct slice){s.data, (size_t)(blank - s.data)});
    if (slice_to_u64(number, count))
        return stack->len > 0;
    // Some tools write weights as decimals.
    if (!slice_to_double(number, &value) || value < 0 || value > 9e15)
        return false;
    *count = (uint64_t)(value + 0.5);
    return stack->len > 0;
}

static bool any_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice stack;
    uint64_t count;
    if (slice_trim(line).len == 0 || line.data[0] == '#')
        return true;
    if (!split_count(line, &stack, &count))
        return ingest_skip(p->in, p->in->reader->line, "no stack with a count", line, error);
    struct slice comm = line_field(&stack, ';');
    g_array_set_size(p->frames, 0);
    while (stack.len > 0) {
        const char *semicolon = memrchr(stack.data, ';', stack.len);
        const char *from = semicolon ? semicolon + 1 : stack.data;
        struct frame_fact f = {.symbol = {from, (size_t)(stack.data + stack.len - from)}};
        if (p->frames->len < LIMIT_FRAMES)
            g_array_append_val(p->frames, f);
        stack.len = semicolon ? (size_t)(semicolon - stack.data) : 0;
    }
    struct sample_fact sample = {.fields = SAMPLE_PERIOD,
                                 .comm = comm,
                                 .period = count,
                                 .weight = count,
                                 .frames = (struct frame_fact *)p->frames->data,
                                 .n_frames = p->frames->len,
                                 .line = p->in->reader->line};
    return ingest_sample(p->in, &sample, error);
}

static bool parse(struct ingest *in, GError **error)
{
    struct parser p = {.in = in, .frames = g_array_new(FALSE, FALSE, sizeof(struct frame_fact))};
    bool ok = lines_each(in, any_line, &p, error);
    g_array_unref(p.frames);
    return ok;
}

static int detect(struct slice head)
{
    struct slice rest = head, line, stack;
    uint64_t count;
    unsigned folded = 0, deep = 0, other = 0;
    while (head_line(&rest, &line)) {
        if (slice_trim(line).len == 0 || (rest.len == 0 && head.len == LIMIT_DETECT_BYTES))
            continue;
        bool is = split_count(line, &stack, &count) && !memchr(stack.data, '\t', stack.len);
        folded += is;
        other += !is;
        deep += is && memchr(stack.data, ';', stack.len);
    }
    return deep > 0 && deep * 2 >= folded && other * 10 <= folded ? 65 : 0;
}

const struct ingest_format format_folded = {
    .name = "folded",
    .summary = "folded stacks: names joined with semicolons, and a count",
    .detect = detect,
    .parse = parse,
};
