// A recording is written as text and, at the same time, as the facts that a reader must find in it.
// They go through the printer that prints what the reader finds, so that both can be compared.
#include "perf_composer.h"

#include "perf_values.h"

#include <inttypes.h>

#define FRAMES 6

// --- what stands left of the event -------------------------------------------------------------

// Fills the fields that samples and side records share.
static void put_name(struct composer *c, const char *name, bool chained, struct slice *comm)
{
    struct slice shown = keep(c, name, strlen(name));
    if (c->layout.latency) {
        put(c, "%8.8s ", name);
        shown.len = MIN(shown.len, 8);
    } else {
        put(c, chained ? "%s " : "%16s ", name);
    }
    // What stands before a newline is a line of its own, which nobody can read.
    for (const char *end; shown.len > 0 && (end = memchr(shown.data, '\n', shown.len));) {
        c->noise += end > shown.data;
        shown.len -= (size_t)(end + 1 - shown.data);
        shown.data = end + 1;
    }
    bool padded = c->layout.latency || !chained;
    while (padded && shown.len > 0 && *shown.data == ' ') {
        shown.data++;
        shown.len--;
    }
    *comm = shown;
}

static void put_ids(struct composer *c, gint64 pid, gint64 tid, struct sample_fact *s)
{
    int width = c->layout.wide ? 7 : 5;
    if (has(c, F_PID) && has(c, F_TID)) {
        put(c, "%*" PRId64 "/%-*" PRId64 " ", width, pid, width, tid);
        s->fields |= SAMPLE_PID | SAMPLE_TID;
    } else if (has(c, F_PID | F_TID)) {
        tid = has(c, F_TID) ? tid : pid; // a number alone is taken for the thread's
        put(c, "%*" PRId64 " ", width, tid);
        s->fields |= SAMPLE_TID;
    }
    s->pid = pid;
    s->tid = tid;
}

static void put_clock(struct composer *c, const char *misc, struct sample_fact *s)
{
    if (has(c, F_MISC)) {
        s->misc = *misc ? keep(c, misc, strlen(misc)) : SLICE_NULL;
        put(c, "%s%*s", misc, 6 - (int)strlen(misc), " ");
    }
    if (has(c, F_TOD)) {
        gsize from = c->text->len;
        put(c, "2026-11-30 13:23:%02u.%06u ", upto(c, 59), upto(c, 999999));
        s->tod = written(c, from);
    }
    if (!has(c, F_TIME))
        return;
    c->time_ns += number(c, 40) + 1;
    s->fields |= SAMPLE_TIME;
    s->time_ns = (gint64)c->time_ns;
    guint64 seconds = c->time_ns / 1000000000, rest = c->time_ns % 1000000000;
    if (c->layout.nanoseconds) {
        put(c, "%5" PRIu64 ".%09" PRIu64 ": ", seconds, rest);
        return;
    }
    g_autofree char *text = g_strdup_printf("%" PRIu64 ".%06" PRIu64, seconds, rest / 1000);
    put(c, "%12s: ", text);
    s->time_ns -= (gint64)(rest % 1000);
}

void composer_start(struct composer *c, bool chained, const char *misc, struct sample_fact *s)
{
    bool guest = has(c, F_GUEST) && layout_chance(c->rand, 50);
    unsigned thread = c->samples == 0 ? 0 : upto(c, COMPOSER_THREADS - 1);
    if (guest) {
        s->machine_pid = (gint64)number(c, 20);
        s->vcpu = (gint64)upto(c, 300);
        s->fields |= SAMPLE_MACHINE_PID | SAMPLE_VCPU;
        put(c, "VM:%5" PRId64 " VCPU:%03" PRId64 " ", s->machine_pid, s->vcpu);
    }
    c->name = c->names[thread];
    if (has(c, F_COMM))
        put_name(c, c->name, chained, &s->comm);
    if (has(c, F_COMM) && strchr(c->name, '\n')) // with what stands on the line before
        s->fields = 0;
    put_ids(c, c->ids[thread / 2 * 2], c->ids[thread], s);
    if (has(c, F_CPU)) {
        s->cpu = (gint64)(layout_chance(c->rand, 90) ? upto(c, 63) : upto(c, 8191));
        s->fields |= SAMPLE_CPU;
        put(c, c->layout.latency ? "%3" PRId64 " " : "[%03" PRId64 "] ", s->cpu);
    }
    put_clock(c, misc, s);
}

// --- what stands right of the event ------------------------------------------------------------

// " SYMBOL+0xOFFSET (FILE)" of an address, as far as they are printed.
static void put_place(struct composer *c, struct frame_fact *f, bool last)
{
    bool known = layout_chance(c->rand, 85);
    const char *symbol = known ? PICK(c->rand, hostile_symbols) : "[unknown]";
    const char *file = PICK(c->rand, hostile_files);
    if (has(c, F_SYM)) {
        // Without the file, a parenthesis at the symbol's end is one, and an instruction another's.
        if (!has(c, F_DSO) &&
            ((g_str_has_suffix(symbol, ")") && strstr(symbol, " (")) || strstr(symbol, "insn: ")))
            symbol = "work";
        if (c->layout.timeless && strstr(symbol, "1.0:")) // a time
            symbol = "work";
        // Without the offset, one at the symbol's end is one.
        if (!has(c, F_SYMOFF) && strstr(symbol, "+0x"))
            symbol = "work";
        f->symbol = slice_from(symbol);
        put(c, " %s", symbol);
    }
    if (has(c, F_SYMOFF) && known) {
        f->offset = number(c, 24);
        f->has_offset = true;
        put(c, "+0x%" PRIx64, f->offset);
    }
    if (!has(c, F_DSO))
        return;
    // A file of that name is told from the remark by the ip of the next frame.
    if (f->has_offset && layout_chance(c->rand, 10))
        file = PICK(c->rand, unbalanced_files);
    // The last frame has no next one to tell whether "(inlined)" is a remark.
    else if (last && strcmp(file, "inlined") == 0)
        file = "/opt/a";
    else if (layout_chance(c->rand, 8))
        file = "[unknown]";
    gsize from = c->text->len + 2;
    put(c, " (%s", file);
    if (has(c, F_DSOFF) && file[0] == '/')
        put(c, "+0x%" PRIx64, number(c, 24));
    f->dso = keep(c, c->text->str + from, c->text->len - from);
    put(c, ")");
}

static void put_address(struct composer *c, struct sample_fact *s, bool traced)
{
    struct frame_fact at = {0};
    // The address of a tracepoint has no symbol. One of 16 digits sticks to what stands before it.
    bool null = layout_chance(c->rand, 10);
    s->addr = null ? 0 : number(c, 47);
    s->fields |= SAMPLE_ADDR;
    put(c, "%16" PRIx64, s->addr);
    if (traced || null)
        return;
    put_place(c, &at, false);
    s->addr_symbol = at.symbol;
    s->addr_dso = at.dso;
    s->addr_offset = at.offset;
    s->fields |= at.has_offset ? SAMPLE_ADDR_OFFSET : 0;
}

static void put_data_source(struct composer *c, struct sample_fact *s)
{
    s->data_src = number(c, 40);
    s->fields |= SAMPLE_DATA_SRC;
    gsize from = c->text->len;
    put(c, "%16" PRIx64 " %s", s->data_src, PICK(c->rand, data_sources));
    c->source_width = MAX(c->source_width, (int)(c->text->len - from));
    put(c, "%*s", c->source_width - (int)(c->text->len - from), "");
}

// What stands between the event and the ip or the chain.
static void put_middle(struct composer *c, struct sample_fact *s, bool traced)
{
    if (has(c, F_FLAGS) && !traced) {
        const char *flags = layout_chance(c->rand, 80) ? PICK(c->rand, branch_kinds) : "";
        put(c, "  %-21s ", flags);
        if (*flags)
            s->payload = slice_from(flags);
    }
    if (has(c, F_TRACE) && traced) {
        struct slice payload = slice_trim(slice_from(PICK(c->rand, payloads)));
        put(c, "%.*s", (int)payload.len, payload.data);
        if (payload.len > 0)
            s->payload = payload;
    }
    if (has(c, F_ADDR))
        put_address(c, s, traced);
    if (has(c, F_DATA_SRC))
        put_data_source(c, s);
    if (has(c, F_WEIGHT)) {
        s->mem_weight = number(c, 16);
        s->fields |= SAMPLE_MEM_WEIGHT;
        put(c, "%16" PRIu64 "%16u", s->mem_weight, upto(c, 65535));
        if (c->layout.wide)
            put(c, "%16u", upto(c, 65535));
    }
    if (has(c, F_CGROUP))
        put(c, " %s", PICK(c->rand, cgroups));
}

// --- chains and what follows them --------------------------------------------------------------

static void put_source_line(struct composer *c, struct frame_fact *f)
{
    f->srcline = slice_from(PICK(c->rand, source_lines));
    put(c, "\n  %.*s", (int)f->srcline.len, f->srcline.data);
}

static void put_frame(struct composer *c, struct frame_fact *f, bool inlined, bool last)
{
    // No two of a chain are the same by chance: that is how inlined ones are told.
    if (!f->has_ip)
        f->ip = number(c, layout_chance(c->rand, 20) ? 60 : 40) * 8 + ++c->frames % 8;
    f->has_ip = true;
    put(c, "\t%16" PRIx64, f->ip);
    put_place(c, f, last);
    if (inlined) {
        // perf prints no file for it, but the remark, after the source line if there is one.
        g_string_truncate(c->text, f->dso.data ? c->text->len - f->dso.len - 3 : c->text->len);
        f->dso = SLICE_NULL;
        f->inlined = true;
    }
    bool unknown = !has(c, F_SYM) || slice_is(f->dso, "[unknown]");
    if (has(c, F_SRCLINE) && (inlined || (!unknown && layout_chance(c->rand, 80))))
        put_source_line(c, f);
    put(c, inlined ? " (inlined)\n" : "\n");
}

static size_t put_chain(struct composer *c, struct frame_fact *frames)
{
    // The first tells that there are chains. Without one, blanks before a name are padding.
    bool empty = layout_chance(c->rand, 6) && c->chained && !g_str_has_prefix(c->name, " ");
    size_t n = empty ? 0 : 1 + upto(c, FRAMES - 1);
    c->chained = true;
    put(c, "\n");
    for (size_t i = 0; i < n; i++) {
        // Inlined functions have a symbol, and lie in one that was called.
        bool inlined = has(c, F_SYM) && i + 1 < n && layout_chance(c->rand, 15);
        put_frame(c, &frames[i], inlined, i + 1 == n);
        if (inlined)
            frames[i + 1] = (struct frame_fact){.ip = frames[i].ip, .has_ip = true};
    }
    return n;
}

static void put_one_line_ip(struct composer *c, struct frame_fact *f)
{
    f->ip = number(c, layout_chance(c->rand, 20) ? 64 : 47);
    f->has_ip = true;
    put(c, " %16" PRIx64, f->ip);
    put_place(c, f, false);
    if (has(c, F_SRCLINE) && has(c, F_SYM) && layout_chance(c->rand, 80))
        put_source_line(c, f);
}

static void put_branches(struct composer *c, struct sample_fact *s, bool one_line)
{
    static const char *const kinds[] = {"/P/-/-/0 ", "/PN/-/-/11/COND/- ", "/M/X/A/3//- ",
                                        "/-/-/-/0/CALL/NON_SPEC_CORRECT_PATH "};
    static const char *const symbols[] = {"f", "std::g(int, char)", "[unknown]", "operator/"};
    gsize from = c->text->len;
    unsigned n = upto(c, 3);
    // Behind an ip only an offset and a file tell where the names of branches begin.
    bool names = has(c, F_BRSTACKSYM) && !one_line;
    const char *file = !has(c, F_DSO)            ? ""
                       : c->layout.wide || names ? " (/opt/my a)"
                                                 : "(/opt/my a)";
    for (unsigned i = 0; i < n; i++) {
        if (names)
            put(c, "%s+0x%x%s/%s+0x%x%s", PICK(c->rand, symbols), upto(c, 99), file,
                PICK(c->rand, symbols), upto(c, 99), file);
        else
            put(c, " 0x%" PRIx64 "%s/0x%" PRIx64 "%s", number(c, 47), file, number(c, 47), file);
        put(c, "%s", PICK(c->rand, kinds));
    }
    if (n > 0)
        s->brstack = written(c, from);
}

// The instructions between branches, behind what stands in the place of the blank line.
static void put_listing(struct composer *c)
{
    static const char *const symbols[] = {"main", "operator()(int) const", "feed"};
    for (unsigned i = 0, n = 1 + upto(c, 3); i < n; i++) {
        if (layout_chance(c->rand, 40))
            put(c, "\n\t%s+%u:", PICK(c->rand, symbols), upto(c, 99));
        put(c, "\n\t%016" PRIx64 "\tinsn: 48 89 05", number(c, 64));
        if (layout_chance(c->rand, 40))
            put(c, "\t# PRED 3 cycles [3]");
    }
    if (layout_chance(c->rand, 20))
        put(c, "\n\tmismatch of LBR data and executable");
    put(c, "\n");
}

// In the place of the blank line; without a chain, behind the ip.
static void put_post_chain(struct composer *c, struct sample_fact *s, bool one_line)
{
    if (has(c, F_REGS) && layout_chance(c->rand, 90))
        put(c, " ABI:2    AX:0x%" PRIx64 "    IP:0x7f1d   R10:0x0 ", number(c, 64));
    if (has(c, F_BRSTACK | F_BRSTACKSYM))
        put_branches(c, s, one_line);
    if (has(c, F_INSN)) {
        put(c, " ilen: %u", upto(c, 15));
        if (layout_chance(c->rand, 70))
            put(c, " insn: 48 %02x 05", upto(c, 255));
    }
    if (has(c, F_PHYS)) {
        s->phys_addr = layout_chance(c->rand, 20) ? 0 : number(c, 46);
        s->fields |= SAMPLE_PHYS_ADDR;
        put(c, "%16" PRIx64, s->phys_addr);
    }
    if (has(c, F_PAGES))
        put(c, " %s %s", PICK(c->rand, page_sizes), PICK(c->rand, page_sizes));
    if (has(c, F_IPC) && layout_chance(c->rand, 80))
        put(c, " \t IPC: 0.%02u (%u/%u) ", upto(c, 99), upto(c, 999), upto(c, 999));
    if (c->layout.listing && layout_chance(c->rand, 50))
        put_listing(c);
    put(c, "\n");
}

// --- records -----------------------------------------------------------------------------------

static void put_source_code(struct composer *c)
{
    for (unsigned i = 0, n = 1 + upto(c, 2); i < n; i++)
        put(c, "|%-8u %s\n", 1 + upto(c, 999), PICK(c->rand, source_texts));
    put(c, "\n");
}

// From an ip to an address, as hardware traces print it.
static void put_branch(struct composer *c, struct sample_fact *s, struct frame_fact *from)
{
    if (has(c, F_FLAGS)) {
        const char *flags = PICK(c->rand, branch_kinds);
        put(c, "  %-21s ", flags);
        s->payload = slice_from(flags);
    }
    from->ip = number(c, 47);
    from->has_ip = true;
    put(c, " %16" PRIx64, from->ip);
    put_place(c, from, false);
    put(c, " => ");
    put_address(c, s, false);
    if (has(c, F_IPC))
        put(c, " \t IPC: 0.%02u (%u/%u) ", upto(c, 99), upto(c, 999), upto(c, 999));
    if (has(c, F_INSN))
        put(c, " ilen: %u insn: 48 89", upto(c, 15));
    put(c, "\n");
}

void composer_sample(struct composer *c)
{
    static const char *const modes[] = {"K", "U", "H", "G", "g", ""};
    struct frame_fact frames[FRAMES + 1] = {0};
    struct sample_fact s = {.frames = frames, .weight = 1};
    unsigned e = upto(c, c->layout.n_events - 1);
    bool chained = c->layout.chained[e], traced = c->layout.traced[e];
    composer_start(c, chained, PICK(c->rand, modes), &s);
    c->samples++;
    if (has(c, F_PERIOD)) {
        s.period = s.weight = number(c, 40);
        s.fields |= SAMPLE_PERIOD;
        put(c, "%10" PRIu64 " ", s.period);
    }
    if (has(c, F_EVENT)) {
        s.event = slice_from(c->layout.event[e]);
        put(c, "%*s: ", c->layout.event_width, c->layout.event[e]);
    }
    bool branch = c->layout.branches[e];
    if (branch) {
        put_branch(c, &s, frames);
        s.n_frames = 1;
    } else {
        put_middle(c, &s, traced);
    }
    if (chained) {
        s.n_frames = put_chain(c, frames);
    } else if (has(c, F_IP) && !branch) {
        put_one_line_ip(c, frames);
        s.n_frames = 1;
    }
    if (!branch)
        put_post_chain(c, &s, !chained);
    composer_done(c);
    c->sink->sample(c->sink->context, &s, NULL);
    if (has(c, F_SRCCODE) && layout_chance(c->rand, 50))
        put_source_code(c);
}

void composer_metric(struct composer *c)
{
    struct sample_fact s = {0};
    composer_start(c, false, "U", &s);
    put(c, "\tmetric: ");
    gsize from = c->text->len;
    put(c, "%8.2f %s", upto(c, 9999) / 100.0, "insn per cycle");
    struct side_fact side = {.type = "metric",
                             .fields = s.fields,
                             .pid = s.pid,
                             .tid = s.tid,
                             .cpu = s.cpu,
                             .time_ns = s.time_ns,
                             .text = written(c, from)};
    put(c, "\n");
    composer_done(c);
    c->sink->side(c->sink->context, &side, NULL);
}
