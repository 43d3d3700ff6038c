// `perf script` text. perf prints fields without names, in an order that the user may change, next
// to a thread's name that may hold anything. So:
//  - a line is a header when it has a time with only numbers of the known kinds between it and a
//    name (perf_header.c); files printed without times are read by their shape;
//  - a record ends at a blank line, at the next header, or at a line of registers, branches or
//    physical addresses, which perf prints in the place of the blank one;
//  - a frame's parenthesis is matched from the right (perf_chain.c);
//  - what follows the event means a data address or an ip depending on whether frames follow, so it
//    is read at the end of the record (perf_rest.c);
//  - a line that is none of these is counted and reported. It never becomes a frame or a sample,
//    unless frames follow it: then the chain is kept.
#include "perf_script.h"

#include "formats.h"
#include "settings.h"

#define RECORD_BYTES ((size_t)LIMIT_LINE_BYTES * 4)

struct parser {
    struct ingest *in;
    struct reader *reader;
    struct perf_head head; // of the open record
    struct slice after;    // what follows its event
    struct slice srcline;  // of the ip in it
    struct sample_fact sample;
    struct perf_chain chain;
    bool open;
    bool tabbed;     // its frames begin with a tab
    bool seen_timed; // a header with a time was seen: others are not guessed any more
    bool seen_header;
    bool seen_chain; // frames on lines of their own were seen
    bool seen_dso;
    bool seen_comm, no_comm;
    size_t id_columns; // from a name to the end of a number that does not fill them
    bool after_blank;
    bool run_given;
    bool in_side;       // continuation lines of the record before
    unsigned dropped;   // frames beyond LIMIT_FRAMES, of the open record
    struct slice maybe; // a line that is a header if frames follow
    uint64_t maybe_line;
    char *workload;  // the command that was recorded, if the header tells it
    GPtrArray *host; // settings of the run, from the file's own header
};

static bool skip(struct parser *p, const char *why, struct slice text, GError **error)
{
    return ingest_skip(p->in, p->reader->line, why, text, error);
}

// The name as it was. perf right-aligns it in 16 columns (8 with -L, which is told by its cpu, if
// it has one) when there is no chain.
static struct slice resolve_comm(struct parser *p)
{
    struct slice comm = p->head.comm, bare = slice_skip_blanks(comm);
    size_t blanks = p->head.gap.len;
    if (!comm.data)
        return bare;
    bool padded =
        comm.len == 16 || comm.len == 8 || p->head.latency || p->chain.n == 0 || !p->tabbed;
    if (!p->head.gap.data)
        return padded ? bare : comm;
    size_t digits = 0;
    for (const char *q = p->head.gap.data + blanks; g_ascii_isdigit(q[digits]) || q[digits] == '-';)
        digits++;
    if (bare.len == 0) {
        // No name, or the field was not asked for: then only the padding of the process (to 5
        // columns, to 7 since perf 6.2) stands before the number.
        if (!p->seen_comm && (blanks <= 1 || blanks + digits == 7))
            p->no_comm = true;
        return p->no_comm ? SLICE_NULL : (struct slice){bare.data, 0};
    }
    p->seen_comm = true;
    if ((padded || comm.data[0] != ' ') && blanks > 1)
        p->id_columns = blanks + digits;
    if (padded || bare.len == comm.len)
        return bare;
    // A name that begins with a blank may end with some: what exceeds the padding of the number.
    size_t columns = p->id_columns ? p->id_columns : 5;
    size_t padding = columns > digits ? columns - digits : 1;
    if (blanks > padding)
        comm.len += blanks - padding;
    return comm;
}

// "  spinmap.c:28 (inlined)" below its frame
static bool give_srcline(struct parser *p, struct slice line)
{
    struct slice s = {line.data + 2, line.len - 2};
    struct frame_fact *f = &p->chain.frames[p->chain.n - 1];
    // Without a chain it has behind it what would stand below the chain.
    s = p->tabbed ? slice_drop_blanks(s) : perf_tail_take(s, TAIL_PHYSICAL, &p->sample);
    if (slice_ends(s, " (inlined)")) {
        // What looked like its file is the end of its name.
        if (f->symbol.data && f->dso.data && !f->has_offset)
            f->symbol = slice_from_to(f->symbol.data, f->dso.data + f->dso.len + 1);
        f->inlined = true;
        f->dso = SLICE_NULL;
        s.len -= strlen(" (inlined)");
    }
    f->srcline = s;
    return true;
}

static bool end_record(struct parser *p, GError **error)
{
    struct sample_fact *s = &p->sample;
    if (!p->open)
        return true;
    p->open = false;
    perf_chain_end(&p->chain);
    s->comm = resolve_comm(p);
    perf_after_event(p->after, s, p->seen_chain, &p->chain);
    if (p->srcline.data && p->chain.n == 1)
        give_srcline(p, p->srcline);
    s->frames = p->chain.frames;
    s->n_frames = p->chain.n;
    s->weight = s->fields & SAMPLE_PERIOD ? s->period : 1;
    if (p->dropped > 0) {
        g_autofree char *why =
            g_strdup_printf("%u frames beyond the limit of %u (LIMIT_FRAMES) were left out",
                            p->dropped, LIMIT_FRAMES);
        if (!ingest_skip(p->in, s->line, why, SLICE_NULL, error))
            return false;
    }
    return ingest_sample(p->in, s, error);
}

static void open_record(struct parser *p, const struct perf_head *head, uint64_t line)
{
    p->open = true;
    p->after_blank = false;
    p->tabbed = false;
    p->dropped = 0;
    p->chain.n = 0;
    p->head = *head;
    p->after = SLICE_NULL;
    p->srcline = SLICE_NULL;
    p->sample = (struct sample_fact){.fields = head->fields,
                                     .misc = head->misc,
                                     .tod = head->tod,
                                     .pid = head->pid,
                                     .tid = head->tid,
                                     .cpu = head->cpu,
                                     .time_ns = head->time_ns,
                                     .machine_pid = head->machine_pid,
                                     .vcpu = head->vcpu,
                                     .line = line};
}

// --- the file's own header -------------------------------------------------------------------

static const struct {
    const char *key, *setting;
} header_keys[] = {
    {"hostname", "host"},   {"os release", "kernel"}, {"arch", "arch"},  {"nrcpus online", "vcpus"},
    {"perf version", NULL}, {"captured on", NULL},    {"cpudesc", NULL}, {"cpuid", NULL},
    {"total memory", NULL}, {"cmdline", NULL},        {"event", NULL},
};

// "# hostname : vm". Other comments say nothing that we keep.
static bool header_line(struct parser *p, struct slice line, GError **error)
{
    struct slice s = slice_trim((struct slice){line.data + 1, line.len - 1});
    const char *colon = s.len ? memchr(s.data, ':', s.len) : NULL;
    if (!colon)
        return true;
    struct slice key = slice_trim(slice_from_to(s.data, colon));
    struct slice value = slice_trim(slice_from_to(colon + 1, s.data + s.len));
    for (size_t i = 0; value.len > 0 && i < G_N_ELEMENTS(header_keys); i++) {
        if (!slice_is(key, header_keys[i].key))
            continue;
        g_autofree char *text = text_printable(value);
        if (header_keys[i].setting)
            settings_set(p->host, header_keys[i].setting, text);
        const char *command =
            strcmp(header_keys[i].key, "cmdline") == 0 ? strstr(text, " -- ") : NULL;
        if (command && !p->workload)
            p->workload = g_strdup(command + strlen(" -- "));
        struct environment_fact fact = {.scope = "host",
                                        .source = "perf script header",
                                        .key = header_keys[i].key,
                                        .value = text};
        return ingest_environment(p->in, &fact, error);
    }
    return true;
}

// A profile belongs to a run when anything is known about it.
static bool give_run(struct parser *p, GError **error)
{
    if (p->run_given)
        return true;
    p->run_given = true;
    if (p->host->len == 0 && p->in->settings->len == 0)
        return true;
    g_autofree struct setting *settings = settings_flat(p->host);
    struct run_fact run = {.benchmark = "perf",
                           .workload = p->workload,
                           .started_ns = INT64_MIN,
                           .status = RUN_COMPLETE,
                           .settings = settings,
                           .n_settings = p->host->len};
    return ingest_run(p->in, &run, error);
}

// --- headers of records ----------------------------------------------------------------------

static bool give_side(struct parser *p, const struct perf_head *head, struct slice text,
                      GError **error)
{
    struct side_fact side;
    char name[32];
    p->in_side = true;
    if (!perf_side_parse(text, head, &side, name))
        return true;
    side.line = p->reader->line;
    return ingest_side(p->in, &side, error);
}

static bool give_metric(struct parser *p, const struct perf_head *head, struct slice text,
                        GError **error)
{
    struct side_fact side = {.type = "metric",
                             .comm = slice_skip_blanks(head->comm),
                             .pid = head->pid,
                             .tid = head->tid,
                             .cpu = head->cpu,
                             .time_ns = head->time_ns,
                             .fields = head->fields,
                             .text = slice_trim(slice_from_to(text.data + strlen("metric:"),
                                                              text.data + text.len)),
                             .line = p->reader->line};
    return ingest_side(p->in, &side, error);
}

// A cut last line may have lost the end of its event or half of its period.
static bool is_whole(struct parser *p, bool has_event)
{
    return !p->reader->cut || has_event;
}

// What stands after the time, or after the numbers of a line without one.
static bool give_head(struct parser *p, const struct perf_head *head, struct slice line,
                      GError **error)
{
    struct slice rest = slice_skip_blanks(head->rest);
    if (!end_record(p, error))
        return false;
    reader_release(p->reader);
    p->in_side = false;
    if (slice_starts(rest, "PERF_RECORD_"))
        return give_side(p, head, rest, error);
    if (slice_starts(rest, "metric:"))
        return give_metric(p, head, rest, error);
    if (!give_run(p, error))
        return false;
    open_record(p, head, p->reader->line);
    bool has_event = perf_event_parse(head->rest, &p->sample, &p->after);
    if (!is_whole(p, has_event)) {
        p->open = false;
        p->in->summary.truncated = true;
        return skip(p, "cut off", line, error);
    }
    if (!has_event && !(p->sample.fields & SAMPLE_PERIOD))
        p->after = slice_drop_blanks(rest);
    p->seen_header = true;
    return true;
}

// A side record printed without a time; "PERF_RECORD_FINISHED_ROUND" stands alone.
static bool try_untimed_side(struct parser *p, struct slice line, bool *done, GError **error)
{
    struct perf_head head = {0};
    const char *at = line.len > 12 ? memmem(line.data, line.len, "PERF_RECORD_", 12) : NULL;
    *done = at && (at == line.data || perf_left_parse(slice_from_to(line.data, at), &head));
    if (!*done)
        return true;
    if (!end_record(p, error))
        return false;
    return give_side(p, &head, slice_from_to(at, line.data + line.len), error);
}

static bool drop_maybe(struct parser *p, GError **error)
{
    struct slice text = p->maybe;
    if (!text.data)
        return true;
    p->maybe = SLICE_NULL;
    return ingest_skip(p->in, p->maybe_line, "no part of a record", text, error);
}

// --- chains ----------------------------------------------------------------------------------

static bool too_long(struct parser *p, GError **error)
{
    return ingest_damaged(p->in, p->sample.line, error,
                          "the record that begins here is longer than %zu bytes (four times "
                          "LIMIT_LINE_BYTES)",
                          RECORD_BYTES);
}

// Adds the frame that was read into the room of the chain.
static inline bool add_frame(struct parser *p, struct frame_fact *frame, struct slice line,
                             GError **error)
{
    p->tabbed = line.data[0] == '\t';
    p->seen_chain = true;
    p->after_blank = false;
    if (frame->dso.data)
        p->seen_dso = true;
    else if (p->reader->cut && p->seen_dso) {
        frame->truncated = true;
        p->in->summary.truncated = true;
    }
    perf_chain_add(&p->chain);
    return reader_held(p->reader) < RECORD_BYTES || too_long(p, error);
}

static bool give_frame(struct parser *p, const struct frame_fact *frame, struct slice line,
                       GError **error)
{
    struct frame_fact *room = perf_chain_room(&p->chain);
    if (!room) {
        p->dropped++;
        return reader_held(p->reader) < RECORD_BYTES || too_long(p, error);
    }
    *room = *frame;
    return add_frame(p, room, line, error);
}

// Frames that no header stands before: those of a line that was not understood, which is kept for
// them, or of a blank one when the file has no headers at all (-F ip,sym,dso).
static bool open_for_frame(struct parser *p, bool *done, GError **error)
{
    struct perf_head head = {0};
    *done = p->maybe.data || (p->after_blank && !p->seen_header);
    if (!*done)
        return true;
    if (!give_run(p, error))
        return false;
    struct slice text = p->maybe;
    open_record(p, &head, text.data ? p->maybe_line : p->reader->line);
    p->maybe = SLICE_NULL;
    if (!text.data || perf_event_parse(text, &p->sample, &p->after))
        return true;
    if (p->seen_header)
        return ingest_skip(p->in, p->sample.line,
                           "header not understood; its call chain is kept with weight 1", text,
                           error);
    p->head.comm = slice_drop_blanks(text);
    return true;
}

// --- lines -----------------------------------------------------------------------------------

// A record without frames stays open for one blank line: frames that follow it have no other
// header.
static bool blank_line(struct parser *p, GError **error)
{
    bool wait = p->open && p->chain.n == 0 && !p->after_blank;
    p->after_blank = true;
    p->in_side = false;
    return drop_maybe(p, error) && (wait || end_record(p, error));
}

// Whatever is not a header.
static bool other_line(struct parser *p, struct slice line, GError **error)
{
    struct frame_fact frame;
    bool done;
    bool below_ip =
        p->open && p->chain.n == 0 && p->after.len > 0 && !p->srcline.data && !p->reader->cut;
    // Half a name is no frame, which begin like the ones before, and nothing below a chain.
    bool cut_name = p->reader->cut && line.data[0] != '\t' && (p->tabbed || p->chain.n == 0);
    if (perf_is_listing(line))
        return end_record(p, error);
    if (p->open && !cut_name && p->chain.n == 0 && perf_is_physical(line) &&
        perf_post_chain(line, &p->sample))
        return end_record(p, error);
    struct sample_fact ignored = p->sample;
    if (below_ip && perf_is_srcline(line) &&
        perf_is_numbered(perf_tail_take(line, TAIL_PHYSICAL, &ignored))) {
        p->srcline = line;
        return true;
    }
    if (p->open && !cut_name && !(p->tabbed && line.data[0] == ' ') &&
        perf_frame_parse(line, &frame))
        return give_frame(p, &frame, line, error);
    if (p->open && perf_branch_target(line, &p->sample))
        return true;
    bool cut_below = cut_name && (p->chain.n == 0 || perf_is_physical(line));
    if (p->open && !cut_below && perf_post_chain(line, &p->sample))
        return end_record(p, error);
    if (p->open && p->chain.n > 0 && perf_is_srcline(line))
        return give_srcline(p, line);
    if (below_ip && perf_is_srcline(line)) {
        p->srcline = line;
        return true;
    }
    if (p->open && p->tabbed && !cut_name && perf_frame_parse(line, &frame))
        return give_frame(p, &frame, line, error);
    if (!p->open && perf_blank(line.data[0]) && perf_frame_parse(line, &frame)) {
        if (!open_for_frame(p, &done, error))
            return false;
        if (done)
            return give_frame(p, &frame, line, error);
        return skip(p, "frame without a header", line, error);
    }
    if (p->in_side && perf_blank(line.data[0]))
        return true;
    if (p->open && line.data[0] == '\t' && !p->reader->cut)
        return skip(p, "not a frame", line, error);
    if (line.data[0] == '|') // source code, by -F srccode
        return true;
    if (p->reader->cut && p->seen_header) {
        p->in->summary.truncated = true;
        return skip(p, "cut off", line, error);
    }
    if (slice_starts(line, " instruction trace error")) {
        struct side_fact side = {.type = "error",
                                 .text = slice_trim(line),
                                 .line = p->reader->line};
        return end_record(p, error) && ingest_side(p->in, &side, error);
    }
    if (!drop_maybe(p, error) || !end_record(p, error))
        return false;
    p->maybe = line;
    p->maybe_line = p->reader->line;
    return true;
}

static bool any_line(struct parser *p, struct slice line, GError **error)
{
    struct perf_head head = {0};
    bool done;
    struct slice bare = slice_skip_blanks(line);
    if (!p->open && !p->maybe.data)
        reader_release(p->reader);
    if (bare.len == 0)
        return blank_line(p, error);
    bool comment = line.data[0] == '#' && (line.len == 1 || perf_blank(line.data[1]));
    if (comment && !p->seen_header)
        return header_line(p, line, error);
    if (!perf_is_source_code(line) && perf_head_parse(line, &head)) {
        p->seen_timed = true;
        return drop_maybe(p, error) && give_head(p, &head, line, error);
    }
    if (!try_untimed_side(p, line, &done, error))
        return false;
    if (done)
        return true;
    if (!p->seen_timed && line.data[0] != '\t' && perf_untimed_parse(line, &head))
        return drop_maybe(p, error) && give_head(p, &head, line, error);
    if (comment)
        return true;
    return other_line(p, line, error);
}

static bool parse_lines(struct parser *p, GError **error)
{
    struct slice line;
    GError *problem = NULL;
    while (reader_next_here(p->reader, &line) || reader_next(p->reader, &line, &problem)) {
        // Nine lines of ten are frames of an open record.
        struct frame_fact *room =
            p->open && line.len > 0 && line.data[0] == '\t' ? perf_chain_room(&p->chain) : NULL;
        bool is_frame = room && perf_frame_parse(line, room);
        if (!(is_frame ? add_frame(p, room, line, error) : any_line(p, line, error)))
            return false;
    }
    if (problem) {
        g_propagate_error(error, problem);
        return false;
    }
    return drop_maybe(p, error) && end_record(p, error) && give_run(p, error);
}

static bool parse(struct ingest *in, GError **error)
{
    struct parser p = {.in = in, .reader = in->reader, .host = settings_new()};
    bool ok = parse_lines(&p, error);
    g_ptr_array_unref(p.host);
    g_free(p.workload);
    g_free(p.chain.frames);
    return ok;
}

// --- detection -------------------------------------------------------------------------------

// Two headers, or one with a frame below it, are enough; a single header may be a line of a log.
static int detect(struct slice head)
{
    struct slice rest = head, line;
    struct perf_head h = {0};
    struct frame_fact frame;
    struct sample_fact sample = {0};
    struct slice after;
    unsigned headers = 0, chained = 0, banner = 0, untimed = 0, frames = 0, events = 0, other = 0;
    bool header_before = false, untimed_before = false;
    while (head_line(&rest, &line)) {
        bool is_header = perf_head_parse(line, &h) && h.fields != SAMPLE_TIME;
        if (is_header && !slice_starts(slice_skip_blanks(h.rest), "PERF_RECORD_"))
            is_header =
                perf_event_parse(h.rest, &sample, &after) || (sample.fields & SAMPLE_PERIOD);
        // "    250000 cpu-clock: " could be a frame, too; but perf begins those with a tab.
        bool is_untimed = !is_header && line.len > 0 && line.data[0] != '#' &&
                          line.data[0] != '\t' && perf_untimed_parse(line, &h);
        bool is_frame = !is_header && !is_untimed && line.len > 0 &&
                        perf_frame_parse(line, &frame) && (frame.symbol.data || frame.dso.data);
        headers += is_header;
        frames += is_frame && line.data[0] == '\t';
        chained += header_before && is_frame;
        untimed += untimed_before && is_frame;
        banner += slice_starts(line, "# captured on") || slice_starts(line, "# ========");
        bool is_blank = slice_trim(line).len == 0;
        bool is_cut = rest.len == 0 && head.len == LIMIT_DETECT_BYTES;
        header_before = is_header;
        untimed_before = is_untimed;
        events += untimed_before;
        other += !untimed_before && !is_blank && !is_cut;
    }
    if (headers > 1 || chained > 0)
        return 95;
    if (headers > 0 || banner > 1)
        return 80;
    if (untimed > 0 || frames > 1)
        return 70;
    return events > 1 && other == 0 ? 45 : 0; // a list of events and nothing else
}

const struct ingest_format format_perf_script = {
    .name = "perf-script",
    .summary = "samples and side records, as printed by `perf script`",
    .detect = detect,
    .parse = parse,
};
