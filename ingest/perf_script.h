// The parts of the perf script parser. perf_script.c tells how they work together.
#ifndef SPINFAULT_INGEST_PERF_SCRIPT_H
#define SPINFAULT_INGEST_PERF_SCRIPT_H

#include "context.h"

#define COMM_BYTES 15 // of a thread's name at most: TASK_COMM_LEN without the NUL

// What stands left of an event: COMM PID/TID [CPU] MISC TOD TIME.
struct perf_head {
    unsigned fields;   // enum sample_field
    struct slice comm; // with the blanks before it; null when there is nothing before the numbers
    struct slice gap;  // the blanks between comm and the numbers
    bool latency;      // the columns of `perf script -L`
    int64_t pid, tid, cpu, time_ns, machine_pid, vcpu;
    struct slice misc, tod;
    struct slice rest; // after the time
};

// perf_header.c
// A line with a time. Of several times in it, that one is taken which has only numbers of the kinds
// above between itself and a name of at most 15 bytes; the last if several have.
bool perf_head_parse(struct slice line, struct perf_head *head);
// The same fields without a time, taken off the end of `left`; `rest` is not set.
bool perf_left_parse(struct slice left, struct perf_head *head);
// A line without a time: … [CPU] PERIOD EVENT: REST. `rest` begins with the period or the event.
bool perf_untimed_parse(struct slice line, struct perf_head *head);

// perf_chain.c
// "\t   7f10 symbol+0x10 (/dso)". A dso called "inlined" may be a remark: see perf_chain_push().
bool perf_frame_parse(struct slice line, struct frame_fact *frame);
struct perf_chain {
    struct frame_fact *frames;
    size_t n, size;
};
// Where the next frame goes, to be added when it is complete; NULL at LIMIT_FRAMES.
struct frame_fact *perf_chain_room(struct perf_chain *chain);
void perf_chain_add(struct perf_chain *chain);
// Both at once. False at LIMIT_FRAMES.
bool perf_chain_push(struct perf_chain *chain, const struct frame_fact *frame);
// The last frame has no outer one to tell what "(inlined)" is.
void perf_chain_end(struct perf_chain *chain);

// perf_rest.c
// "2500 cycles:u: …" into period, event and what follows; false when there is no event.
bool perf_event_parse(struct slice rest, struct sample_fact *sample, struct slice *after);
// What follows the event: flags, payload, data address, data source, weight, one ip. When there are
// `frames`, which followed on lines of their own, an address here is a data address. `seen_chain`
// says that other records of the file have some.
void perf_after_event(struct slice after, struct sample_fact *sample, bool seen_chain,
                      struct perf_chain *frames);
// " =>     7f60 g+0x0 (/l)" below the chain of a branch.
bool perf_branch_target(struct slice line, struct sample_fact *sample);

// perf_tail.c
// Takes registers, branches, physical address … off the right of `text`, and returns what is left.
enum {
    TAIL_OWN_LINE = 1, // nothing else can stand in it
    TAIL_PHYSICAL = 2, // it may have a physical address, which looks like any other
};
struct slice perf_tail_take(struct slice text, unsigned flags, struct sample_fact *sample);
// The line of these that takes the place of the blank one.
bool perf_post_chain(struct slice line, struct sample_fact *sample);

// perf_shapes.c
// "  file.c:12" below its frame; with a number at the end it can be nothing else.
bool perf_is_srcline(struct slice line);
bool perf_is_numbered(struct slice line);
bool perf_is_physical(struct slice line);
bool perf_is_source_code(struct slice line);
bool perf_is_listing(struct slice line);

// perf_side.c
// `text` begins with "PERF_RECORD_". False when there is nothing to deliver. `name` holds the type.
bool perf_side_parse(struct slice text, const struct perf_head *head, struct side_fact *side,
                     char name[32]);

// Small scanner over a slice.
static inline bool perf_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline struct slice slice_from_to(const char *from, const char *to)
{
    return (struct slice){from, (size_t)(to - from)};
}

static inline struct slice slice_skip_blanks(struct slice s)
{
    while (s.len > 0 && perf_blank(*s.data)) {
        s.data++;
        s.len--;
    }
    return s;
}

static inline struct slice slice_drop_blanks(struct slice s)
{
    while (s.len > 0 && perf_blank(s.data[s.len - 1]))
        s.len--;
    return s;
}

// Takes the first word off `s`, with the blanks around it.
static inline struct slice slice_word(struct slice *s)
{
    if (s->len == 0)
        return SLICE_NULL;
    *s = slice_skip_blanks(*s);
    struct slice word = {s->data, 0};
    while (word.len < s->len && !perf_blank(word.data[word.len]))
        word.len++;
    s->data += word.len;
    s->len -= word.len;
    *s = slice_skip_blanks(*s);
    return word;
}

// Takes the last word off `s`, with the blanks around it.
static inline struct slice slice_last_word(struct slice *s)
{
    if (s->len == 0)
        return SLICE_NULL;
    *s = slice_drop_blanks(*s);
    size_t from = s->len;
    while (from > 0 && !perf_blank(s->data[from - 1]))
        from--;
    struct slice word = {s->data + from, s->len - from};
    s->len = from;
    return word;
}

#endif
