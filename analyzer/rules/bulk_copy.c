// Many bytes are copied under the lock: time, cache misses, and a page after the other.
#include "rules.h"

#define COPY_NOTED 512u   // bytes copied in one section from which it is said at all
#define COPY_LONG  1024u  // from which it matters
#define COPY_HUGE  16384u // some pages

struct copies {
    uint64_t bytes;
    const struct section_access *first, *unknown;
    unsigned n;
};

static bool same_call(const struct section_access *a, const struct section_access *b)
{
    return a->instruction == b->instruction && a->inner == b->inner;
}

static bool same_copy(const struct section_access *a, const struct section_access *b)
{
    return same_call(a, b) || (a->location.line == b->location.line && a->bytes == b->bytes);
}

static struct copies measure(const struct section *section)
{
    struct copies copies = {0};
    const struct section_access *before = NULL;
    for (guint i = 0; i < section->accesses->len; i++) {
        const struct section_access *access =
            &g_array_index(section->accesses, struct section_access, i);
        // Of a function that was read with made-up types the sizes of objects are made up.
        if (!access->copy && (access->bytes < COPY_NOTED || section->function->degraded))
            continue;
        // Source and destination of one call are one copy; so are the read and the write of a
        // struct assignment, which follow each other.
        bool again = before && access->copy == before->copy && same_copy(before, access);
        before = access;
        // It is named by where it goes to.
        if (again && access->write) {
            copies.unknown =
                copies.unknown && same_copy(copies.unknown, access) ? access : copies.unknown;
            copies.first = copies.first && same_copy(copies.first, access) ? access : copies.first;
        }
        if (again)
            continue;
        if (!access->bytes) {
            copies.unknown = copies.unknown ? copies.unknown : access;
        } else {
            copies.bytes += access->bytes;
            copies.first = copies.first ? copies.first : access;
            copies.n++;
        }
    }
    return copies;
}

static void report(struct rule_context *context, const struct section *section,
                   const struct section_access *access, enum severity severity, const char *message)
{
    g_autofree char *call = NULL;
    struct rule_finding finding = {
        .section = section,
        .location = access->location,
        .object = access->object,
        .severity = severity,
        .confidence = access->bytes ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
        .message = message,
        .suggestion = "prepare the copy outside of the section and swap a pointer or an index"};
    rule_add_steps(&finding, access, "copies", &call);
    rule_report(context, &finding);
}

// A kernel's memory does not fault, so that a copy costs its time only.
static bool is_wired(const struct section *section)
{
    const struct model_lock_op *op = section->site->op;
    return op && op->guarded == GUARDED_WIRED;
}

static enum severity severity_of(const struct section *section, uint64_t bytes)
{
    if (is_wired(section))
        return bytes >= COPY_HUGE && !section->function->degraded ? SEVERITY_MEDIUM : SEVERITY_LOW;
    return bytes >= COPY_HUGE ? SEVERITY_HIGH : bytes >= COPY_LONG ? SEVERITY_MEDIUM : SEVERITY_LOW;
}

static void check(struct rule_context *context, const struct section *section)
{
    struct copies copies = measure(section);
    if (copies.unknown) {
        g_autofree char *message = g_strdup_printf(
            "a number of bytes that is known only at run time is copied while %s is held",
            section->lock);
        report(context, section, copies.unknown, is_wired(section) ? SEVERITY_LOW : SEVERITY_MEDIUM,
               message);
    }
    if (copies.bytes < COPY_NOTED)
        return;
    enum severity severity = severity_of(section, copies.bytes);
    g_autofree char *bytes = text_with_commas(copies.bytes);
    g_autofree char *message =
        copies.n > 1
            ? g_strdup_printf("up to %s bytes are copied at %u places while %s is held", bytes,
                              copies.n, section->lock)
            : g_strdup_printf("up to %s bytes are copied while %s is held", bytes, section->lock);
    report(context, section, copies.first, severity, message);
}

const struct rule rule_bulk_copy = {
    .name = "bulk-copy",
    .summary = "many bytes are copied while a spinlock is held",
    .help = rule_bulk_copy_page,
    .section = check,
};
