// Tables as psql prints them, one or many in a file: aligned with any border and style of lines,
// wrapped, expanded, unaligned, and CSV. \watch repeats a table under a title with the time.
// psql_aligned.c, psql_expanded.c and psql_separated.c read a table each.
//
// Footers are translated, "(2 rows)", "(2 Zeilen)"; what they count is checked.
#include "csv.h"
#include "formats.h"
#include "psql_rows.h"
#include "server_table.h"

struct parser {
    struct ingest *in;
    struct psql_text text;
    double when; // of the next table, by \watch; NAN
    unsigned tables;
};

static bool deliver(struct parser *p, struct psql_rows *table, uint64_t line, GError **error)
{
    g_autoptr(psql_rows_t) rows = table;
    double when = p->when;
    p->when = NAN;
    if (rows->headless && !psql_rows_invent_header(rows))
        return ingest_damaged(p->in, line, error,
                              "rows without a header; print them with \\pset tuples_only off");
    gint64 count = MAX((gint64)psql_rows_count(rows) - 1, 0);
    if (rows->announced >= 0 && rows->announced != count && p->in->summary.skipped == 0)
        return ingest_damaged(p->in, line, error,
                              "%" G_GINT64_FORMAT " rows are announced and %" G_GINT64_FORMAT
                              " are here; print the table with psql --csv",
                              rows->announced, count);
    p->tables++;
    if (rows->odd && !ingest_skip(p->in, rows->odd, "a row that is not whole", SLICE_NULL, error))
        return false;
    if (count == 0)
        return true;
    g_autoptr(table_t) t = psql_rows_finish(g_steal_pointer(&rows));
    return server_table_deliver(p->in, t, when, error);
}

// --- drawn -----------------------------------------------------------------------------------

// Where the lines that hang together end.
static size_t group_end(const struct psql_text *text, size_t line)
{
    while (line < text->n && *text->lines[line] && psql_footer(text->lines[line]) < 0)
        line++;
    return line;
}

// Expanded without the lines that number the records: of two columns, and with more rules, or more
// lines above the first, than an aligned table of two columns has.
static bool is_bare_expanded(const struct psql_text *text, size_t line)
{
    size_t end = group_end(text, line), rules = 0, above = 0;
    g_autoptr(psql_rule_t) rule = NULL;
    for (size_t i = line; i < end; i++) {
        g_autoptr(psql_rule_t) here = psql_rule_new(text->lines[i]);
        rules += here != NULL;
        if (here && !rule)
            rule = g_steal_pointer(&here);
        above += !here && rules == (psql_is_rule(text->lines[line]) ? 1 : 0);
    }
    if (!rule || rule->spans->len != 2 || rule->border == 0)
        return false;
    for (size_t i = line; i < end; i++)
        if (!psql_is_rule(text->lines[i]) && !psql_rule_fits(rule, text->lines[i]))
            return false;
    bool framed = rule->border == 2;
    if (framed != psql_is_rule(text->lines[line]))
        return false;
    return framed ? rules == 2 || rules > 3 || (rules == 3 && above > 1) : rules > 1 || above > 1;
}

static bool parse_drawn(struct parser *p, GError **error)
{
    bool begins = true; // a group of lines begins here
    for (size_t i = 0; i < p->text.n;) {
        size_t at = i;
        const char *line = p->text.lines[i];
        double t = psql_watch_time(line);
        struct psql_rows *rows = NULL;
        if (psql_is_record(line) || (begins && is_bare_expanded(&p->text, i)))
            rows = psql_read_expanded(&p->text, &at);
        else if (psql_is_rule(line))
            rows = psql_read_aligned(&p->text, &at);
        else if (isfinite(t))
            p->when = t;
        if (psql_is_record(line) && !rows)
            return ingest_damaged(p->in, i + 1, error,
                                  "where the names of the columns end cannot be told; print it "
                                  "with \\pset border 1");
        if (rows && !deliver(p, rows, i + 1, error))
            return false;
        begins = !*line || rows || psql_footer(line) >= 0;
        i = rows ? at : i + 1;
    }
    return true;
}

// --- not drawn -------------------------------------------------------------------------------

// Does the line name columns that are known?
static bool is_header(const char *line)
{
    g_auto(GStrv) names = g_strsplit_set(line, ",;|\t", -1);
    for (char **name = names; names[0] && names[1] && *name; name++) {
        struct slice s = slice_trim(slice_from(*name));
        if (server_column_is_known(s) || csv_known_name(s))
            return true;
    }
    return false;
}

// Where the table that begins at `from` ends: at its footer, at a title of \watch, or where its
// header comes again.
static size_t table_end(const struct parser *p, size_t from)
{
    size_t i = from, header = from;
    while (header < p->text.n && !*p->text.lines[header])
        header++;
    for (i = header; i < p->text.n; i++) {
        const char *line = p->text.lines[i];
        if (psql_footer(line) >= 0 || isfinite(psql_watch_time(line)))
            return i;
        if (i > header && strcmp(line, p->text.lines[header]) == 0 && is_header(line))
            return i;
    }
    return i;
}

static bool parse_separated(struct parser *p, GError **error)
{
    for (size_t i = 0; i < p->text.n;) {
        const char *line = p->text.lines[i];
        double t = psql_watch_time(line);
        if (!*line || isfinite(t)) {
            p->when = isfinite(t) ? t : p->when;
            i++;
            continue;
        }
        size_t end = table_end(p, i);
        gint64 announced = end < p->text.n ? psql_footer(p->text.lines[end]) : -1;
        struct psql_rows *rows = psql_read_separated(p->in, &p->text, i, end, announced, error);
        if (!rows || !deliver(p, rows, i + 1, error))
            return false;
        i = end + (announced >= 0);
    }
    return true;
}

// Drawn are tables with a rule below their header, and records with their number. A bar of box
// characters may also stand in rows without either.
static bool is_drawn(struct psql_text *text)
{
    for (size_t i = 0; i < text->n; i++) {
        size_t at = i;
        if (psql_is_record(text->lines[i]))
            return true;
        if (!psql_is_rule(text->lines[i]))
            continue;
        g_autoptr(psql_rows_t) rows = psql_read_aligned(text, &at);
        if (rows)
            return true;
    }
    return false;
}

// psql ends every line. The last line without an end is taken for cut off, but a footer is whole.
static void text_init(struct psql_text *text, const char *all)
{
    text->lines = g_strsplit(all, "\n", -1);
    text->n = g_strv_length(text->lines);
    for (size_t i = 0; i < text->n; i++) {
        size_t len = strlen(text->lines[i]);
        if (len > 0 && text->lines[i][len - 1] == '\r')
            text->lines[i][len - 1] = '\0';
    }
    text->cut =
        text->n > 0 && *text->lines[text->n - 1] && psql_footer(text->lines[text->n - 1]) < 0;
    if (text->n > 0 && (text->cut || !*text->lines[text->n - 1]))
        text->n--;
}

static bool skip_cut(struct parser *p, GError **error)
{
    p->in->summary.truncated = true;
    return ingest_skip(p->in, p->text.n + 1, "cut off", slice_from(p->text.lines[p->text.n]),
                       error);
}

static bool parse(struct ingest *in, GError **error)
{
    char *all;
    size_t len;
    if (!csv_text(in, &all, &len, error))
        return false;
    struct parser p = {.in = in, .when = NAN};
    text_init(&p.text, all);
    g_free(all);
    bool ok = !p.text.cut || skip_cut(&p, error);
    ok = ok && (is_drawn(&p.text) ? parse_drawn(&p, error) : parse_separated(&p, error));
    g_strfreev(p.text.lines);
    return ok && (p.tables > 0 || ingest_damaged(in, 0, error, "no table of psql in it"));
}

// --- detection -------------------------------------------------------------------------------

// How sure an aligned table at the rule in `line` is one of psql.
static int score_aligned(const struct psql_text *text, size_t line)
{
    size_t at = line;
    g_autoptr(psql_rule_t) rule = psql_rule_new(text->lines[line]);
    g_autoptr(psql_rows_t) rows = psql_read_aligned(text, &at);
    if (!rows)
        return 0;
    if (rows->headless)
        return psql_rows_has_waits(rows) ? 80 : 60;
    bool blank_first = text->lines[line - 1][0] == ' ', cells = rows->columns > 1;
    if (cells && rule->border > 0)
        return 80;
    if (rule->border == 2 || (rule->border == 1 && blank_first) || rows->announced >= 0)
        return 78;
    return cells ? 70 : 0;
}

// Is there a type of wait events in the line, between others?
static bool is_wait_row(const char *line, char delimiter)
{
    const char cut[] = {delimiter, '\0'};
    g_auto(GStrv) fields = g_strsplit(line, cut, -1);
    for (char **field = fields; fields[0] && fields[1] && fields[2] && *field; field++)
        if (is_wait_event_type(slice_trim(slice_from(*field))))
            return true;
    return false;
}

static int score_separated(const struct psql_text *text)
{
    size_t end = group_end(text, 0);
    g_autoptr(psql_rows_t) bare = psql_read_bare(text, 0, MIN(end, 50));
    int score = !bare ? 0 : psql_rows_has_waits(bare) ? 75 : 30;
    size_t record = MIN(text->n, 2); // behind a title, which may have an empty line below
    while (record < text->n && *text->lines[record])
        record++;
    g_autoptr(psql_rows_t) vertical = psql_read_vertical(text, 0, record);
    if (vertical)
        return 75;
    char delimiter = 0;
    psql_skip_titles(text, 0, text->n, &delimiter);
    for (size_t i = 0; i < MIN(text->n, 50); i++) {
        const char *line = text->lines[i];
        bool settings =
            g_str_has_prefix(line, "name,setting") || g_str_has_prefix(line, "name|setting") ||
            g_str_has_prefix(line, "name;setting") || g_str_has_prefix(line, "name\tsetting");
        if (delimiter && (strstr(line, "wait_event_type") || settings))
            return 90;
        if (delimiter && is_wait_row(line, delimiter))
            score = MAX(score, 70);
        gint64 rows = psql_footer(line); // a header, and perhaps a title, are no rows
        if (i > 1 && (rows == (gint64)i - 1 || rows == (gint64)i - 2))
            score = MAX(score, 60);
    }
    return score;
}

static int score_line(const struct psql_text *text, size_t i)
{
    const char *line = text->lines[i];
    if (psql_is_record(line) && (strstr(line, "RECORD") || *line == '*'))
        return 85;
    if (isfinite(psql_watch_time(line)) && strstr(line, " (every "))
        return 85;
    return psql_is_rule(line) ? score_aligned(text, i) : 0;
}

static int detect(struct slice head)
{
    g_autofree char *all = g_strndup(head.data, head.len); // up to a zero byte
    struct psql_text text;
    int score = 0;
    text_init(&text, all);
    for (size_t i = 0; i < MIN(text.n, 400); i++)
        score = MAX(score, score_line(&text, i));
    if (score == 0 && text.n > 0)
        score = score_separated(&text);
    g_strfreev(text.lines);
    return score;
}

const struct ingest_format format_psql = {
    .name = "psql",
    .summary = "tables of psql in any layout: wait events (also \\watch), settings, values",
    .detect = detect,
    .parse = parse,
};
