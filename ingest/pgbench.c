// pgbench's text: standard output, standard error, or both in one file, of one run or of many, with
// whatever a terminal, a logger or a mail program put before each line.
#include "pgbench.h"

#include "formats.h"

struct parser {
    struct ingest *in;
    struct run_builder *run;     // of the summary that is open or was read last
    struct run_builder *pending; // progress lines that wait for their summary
    struct pgbench_summary summary;
    bool have_run;     // `run` holds a summary
    bool in_block;     // its lines may still follow
    bool next_began;   // behind it something of another run was printed
    bool abort_before; // "Run was aborted" came first: standard output was buffered
    char *client_error;
    char *banner;
};

static void take_series(struct run_builder *to, struct run_builder *from)
{
    for (guint i = 0; i < from->series->len; i++) {
        struct series_fact *p = &g_array_index(from->series, struct series_fact, i);
        run_series(to, p->name, p->t, p->value);
    }
    run_builder_reset(from);
}

static bool deliver_run(struct parser *p, GError **error)
{
    if (!p->have_run)
        return true;
    p->have_run = p->in_block = false;
    return run_deliver(p->run, p->in, error);
}

// "pgbench (17.0, server 15.18 (Debian 15.18-0+deb12u1))"
static void set_versions(struct parser *p)
{
    if (!p->banner)
        return;
    char *text = p->banner + strlen("pgbench (");
    size_t len = strlen(text);
    if (g_str_has_prefix(text, "PostgreSQL) ")) { // --version: nothing of the server
        run_set(p->run, "pgbench_version", slice_from(text + strlen("PostgreSQL) ")));
        g_clear_pointer(&p->banner, g_free);
        return;
    }
    if (len > 0 && text[len - 1] == ')')
        text[len - 1] = '\0';
    char *server = strstr(text, ", server ");
    if (server) {
        *server = '\0';
        server += strlen(", server ");
    }
    run_set(p->run, "pgbench_version", slice_from(text));
    run_set(p->run, "server_version", slice_from(server ? server : text));
    g_clear_pointer(&p->banner, g_free);
}

static void set_aborted(struct parser *p)
{
    g_autofree char *why = p->client_error ? g_strdup_printf("run was aborted: %s", p->client_error)
                                           : g_strdup("run was aborted");
    p->run->why = NULL; // this says more than a judgement from the figures
    run_fail(p->run, why);
    g_clear_pointer(&p->client_error, g_free);
}

static void end_block(struct parser *p)
{
    if (!p->summary.open)
        return;
    pgbench_summary_end(&p->summary);
    if (p->abort_before)
        set_aborted(p);
    p->abort_before = false;
}

static bool begin_block(struct parser *p, size_t prefix, GError **error)
{
    end_block(p);
    if (!deliver_run(p, error))
        return false;
    p->have_run = p->in_block = true;
    p->next_began = false;
    set_versions(p);
    take_series(p->run, p->pending);
    pgbench_summary_begin(&p->summary, p->run, p->in->reader->line, prefix);
    return true;
}

// What pgbench says besides.
static bool is_chatter(struct slice line)
{
    static const char *const texts[] = {
        "starting vacuum",     "pghost:",  "pgbench: ", "vacuuming", "generating data", "creating ",
        "dropping old tables", "done in ", "end.",      "tables",    "NOTICE:"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (memmem(line.data, line.len, texts[i], strlen(texts[i])))
            return true;
    return slice_trim(line).len == 0;
}

// Errors of clients, and the sentence that says that the results are incomplete. On a terminal a
// summary stands before it; in a file it comes first, because standard output is buffered. What is
// printed at the start of a run tells which one it is.
static bool abort_line(struct parser *p, struct slice line)
{
    const char *client = memmem(line.data, line.len, "pgbench: error: client ", 23);
    if (!client)
        client = memmem(line.data, line.len, "pgbench: fatal: client ", 23);
    if (client && memmem(line.data, line.len, " aborted in ", 12)) {
        p->next_began = true;
        if (p->abort_before && p->have_run)
            end_block(p); // the error before was of that run
        if (!p->client_error) {
            struct slice text = {client + 16, (size_t)(line.data + line.len - client) - 16};
            p->client_error = text_printable(slice_trim(text));
        }
        return true;
    }
    if (!memmem(line.data, line.len, "Run was aborted", 15))
        return false;
    if (p->have_run && !p->next_began) {
        end_block(p);
        set_aborted(p);
    } else {
        end_block(p);
        p->abort_before = true;
    }
    return true;
}

// A last line without its end may be whole all the same, when it ends as lines of figures do.
static bool is_cut_off(struct parser *p, struct slice line)
{
    static const char *const ends[] = {")",        " ms",      ";",       " failed",
                                       " skipped", " retried", " retries"};
    static const char *const texts[] = {"transaction type: ", "SQL script ", "pgbench ("};
    if (!p->in->reader->cut || line.len == 0)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (memmem(line.data, line.len, texts[i], strlen(texts[i])))
            return true;
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        if (slice_ends(line, ends[i]))
            return false;
    return true;
}

// A line of the summary behind what other programs put before all of them. It may be missing from
// some: "starting vacuum...end." has no end of line when it stands before the first.
static bool summary_line(struct parser *p, struct slice line)
{
    size_t prefix = p->summary.prefix;
    if (line.len >= prefix) {
        struct slice text = {line.data + prefix, line.len - prefix};
        if (pgbench_summary_line(&p->summary, text))
            return true;
    }
    if (prefix == 0 || !pgbench_summary_line(&p->summary, line))
        return false;
    p->summary.prefix = 0;
    return true;
}

static bool any_line(struct parser *p, struct slice line, GError **error)
{
    if (is_cut_off(p, line)) {
        p->in->summary.truncated = true;
        return ingest_skip(p->in, p->in->reader->line, "cut off", line, error);
    }
    const char *type = line.len ? memmem(line.data, line.len, "transaction type: ", 18) : NULL;
    const char *banner = line.len ? memmem(line.data, line.len, "pgbench (", 9) : NULL;
    if (type && !begin_block(p, (size_t)(type - line.data), error))
        return false;
    if (banner && !type && (banner == line.data || banner[-1] == ' ')) {
        p->next_began = true;
        g_free(p->banner);
        p->banner = text_printable(
            slice_trim((struct slice){banner, (size_t)(line.data + line.len - banner)}));
        return true;
    }
    if (pgbench_progress_line(p->pending, line) || abort_line(p, line))
        return true;
    if (p->in_block && summary_line(p, line))
        return true;
    p->next_began |= line.len > 0 && memmem(line.data, line.len, "starting vacuum", 15);
    if (is_chatter(line))
        return true;
    return ingest_skip(p->in, p->in->reader->line, "no line of pgbench", line, error);
}

// Progress lines at the end belong to the run before them when it has none of its own: standard
// error was appended to standard output. Without a summary they are a run by themselves.
static bool finish(struct parser *p, GError **error)
{
    end_block(p);
    if (p->have_run && p->run->series->len == 0)
        take_series(p->run, p->pending);
    if (p->have_run && p->abort_before && p->pending->series->len == 0) {
        set_aborted(p); // standard error stands behind standard output
        p->abort_before = false;
    }
    if (!deliver_run(p, error))
        return false;
    if (p->pending->series->len > 0 || p->abort_before) {
        if (p->abort_before)
            run_fail(p->pending, p->client_error ? p->client_error : "run was aborted");
        run_missing(p->pending, "tps",
                    "only pgbench's standard error is here; its summary is on standard output");
        return run_deliver(p->pending, p->in, error);
    }
    if (p->in->runs == 0)
        return ingest_damaged(p->in, 0, error, "no summary and no progress line of pgbench in it");
    return true;
}

static bool parse_lines(struct parser *p, GError **error)
{
    struct slice line;
    GError *problem = NULL;
    while (reader_next(p->in->reader, &line, &problem)) {
        reader_release(p->in->reader);
        if (!any_line(p, line, error))
            return false;
    }
    if (problem) {
        g_propagate_error(error, problem);
        return false;
    }
    return finish(p, error);
}

static bool parse(struct ingest *in, GError **error)
{
    struct parser p = {.in = in,
                       .run = run_builder_new("pgbench"),
                       .pending = run_builder_new("pgbench")};
    bool ok = parse_lines(&p, error);
    run_builder_free(p.run);
    run_builder_free(p.pending);
    g_free(p.banner);
    g_free(p.client_error);
    return ok;
}

static int detect(struct slice head)
{
    g_autoptr(run_builder_t) scratch = run_builder_new("pgbench");
    struct slice rest = head, line;
    bool type = false, clients = false, progress = false, aborted = false;
    while (head_line(&rest, &line)) {
        type |= line.len > 18 && memmem(line.data, line.len, "transaction type: ", 18);
        clients |= line.len > 19 && memmem(line.data, line.len, "number of clients: ", 19);
        progress |= pgbench_progress_line(scratch, line);
        aborted |= line.len > 30 && memmem(line.data, line.len, "Run was aborted; the above", 26);
    }
    return type && clients ? 95 : progress ? 90 : type || aborted ? 60 : 0;
}

const struct ingest_format format_pgbench = {
    .name = "pgbench",
    .summary = "pgbench's summary and progress lines, together or apart",
    .detect = detect,
    .parse = parse,
};
