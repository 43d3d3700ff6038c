// HammerDB: "TEST RESULT : System achieved 12345 NOPM from 28456 PostgreSQL TPM", in either order.
// The name of the database may be two words.
#include "formats.h"
#include "lines.h"
#include "run_builder.h"

struct parser {
    struct ingest *in;
    struct run_builder *run;
    struct slice clients;
};

static bool any_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice result = line_after(line, "System achieved "), rest;
    double first, second;
    if (line_has(line, "Active Virtual Users configured")) {
        struct slice s = line_after(line, "Vuser ");
        struct slice number = line_after(s, ":");
        run_set(p->run, "clients", line_word(&number));
        return true;
    }
    if (!result.data)
        return slice_trim(line).len == 0 || line_has(line, "Vuser ") ||
               ingest_skip(p->in, p->in->reader->line, "no line of HammerDB", line, error);
    if (!line_number(result, &first, &rest))
        return ingest_skip(p->in, p->in->reader->line, "no figures", line, error);
    bool nopm_first = slice_starts(slice_trim(rest), "NOPM");
    struct slice other = nopm_first ? line_after(rest, "from ") : line_after(rest, " at ");
    struct slice database = {0};
    bool whole = line_has(other, nopm_first ? " TPM" : " NOPM"); // else the number may be cut off
    if (!other.data || !whole || !line_number(other, &second, &database))
        return ingest_skip(p->in, p->in->reader->line, "one figure of two", line, error);
    if (!nopm_first) {
        const char *tpm = memmem(rest.data, rest.len, " TPM", 4);
        database = (struct slice){rest.data, tpm ? (size_t)(tpm - rest.data) : 0};
    } else {
        const char *tpm = memmem(database.data, database.len, " TPM", 4);
        database.len = (size_t)(tpm - database.data);
    }
    run_set(p->run, "database", database);
    run_metric(p->run, "nopm", nopm_first ? first : second, "1/min")->better = BETTER_HIGHER;
    run_metric(p->run, "tpm", nopm_first ? second : first, "1/min")->better = BETTER_HIGHER;
    return run_deliver(p->run, p->in, error);
}

static bool parse(struct ingest *in, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("hammerdb");
    struct parser p = {.in = in, .run = run};
    if (!lines_each(in, any_line, &p, error))
        return false;
    return in->runs > 0 ||
           ingest_damaged(in, 0, error, "HammerDB printed no TEST RESULT; did the run end?");
}

static int detect(struct slice head)
{
    return line_has(head, "TEST RESULT : System achieved")     ? 95
           : line_has(head, "Active Virtual Users configured") ? 60
                                                               : 0;
}

const struct ingest_format format_hammerdb = {
    .name = "hammerdb",
    .summary = "HammerDB's test results (NOPM and TPM)",
    .detect = detect,
    .parse = parse,
};
