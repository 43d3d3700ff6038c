// Tables as psql prints them, one or many in a file: aligned with any border, with box characters,
// wrapped, expanded, unaligned, and CSV. \watch repeats a table under a title with the time.
//
// Aligned columns are cut where the rule below the header has its '+', never at a '|', which values
// may hold. Footers are translated: "(2 rows)", "(2 Zeilen)".
#include "formats.h"
#include "lines.h"
#include "server_table.h"

// In characters; of what is not UTF-8, in bytes: the end of such a text may be half a character,
// which GLib would read beyond.
static size_t text_width(const char *text)
{
    return g_utf8_validate(text, -1, NULL) ? (size_t)g_utf8_strlen(text, -1) : strlen(text);
}

static const char *at_column(const char *text, size_t column)
{
    return g_utf8_validate(text, -1, NULL) ? g_utf8_offset_to_pointer(text, (glong)column)
                                           : text + column;
}

struct parser {
    struct ingest *in;
    char **lines; // of the whole text, without their ends
    size_t n;
    unsigned tables;
};

// --- lines -----------------------------------------------------------------------------------

static bool is_rule(const char *line)
{
    size_t dashes = strspn(line, "-+ ");
    return *line && !line[dashes] && strstr(line, "--");
}

static bool is_footer(const char *line)
{
    return line[0] == '(' && g_ascii_isdigit(line[1]) && g_str_has_suffix(line, ")");
}

// Box characters become those of a plain table. Each is three bytes of UTF-8.
static char *plain_line(const char *line)
{
    static const struct {
        const char *box, *plain;
    } map[] = {
        {"\xE2\x94\x82", "|"}, {"\xE2\x94\x80", "-"}, {"\xE2\x94\xBC", "+"}, {"\xE2\x94\xAC", "+"},
        {"\xE2\x94\xB4", "+"}, {"\xE2\x94\x9C", "+"}, {"\xE2\x94\xA4", "+"}, {"\xE2\x94\x8C", "+"},
        {"\xE2\x94\x90", "+"}, {"\xE2\x94\x94", "+"}, {"\xE2\x94\x98", "+"}, {"\xE2\x86\xB5", "+"},
        {"\xE2\x80\xA6", "."},
    };
    GString *out = g_string_new(NULL);
    for (const char *p = line; *p;) {
        size_t i = 0;
        while (i < G_N_ELEMENTS(map) && strncmp(p, map[i].box, 3) != 0)
            i++;
        g_string_append_len(out, i < G_N_ELEMENTS(map) ? map[i].plain : p, 1);
        p += i < G_N_ELEMENTS(map) ? 3 : 1;
    }
    return g_string_free(out, FALSE);
}

// "Mon Nov 30 13:27:07 2026 (every 1s)", with or without a title before it: epoch seconds, taking
// the server's clock for UTC, since the zone is not printed.
static double watch_time(const char *line)
{
    const char *every = strstr(line, " (every ");
    int64_t seconds;
    if (!every || every - line < 20)
        return NAN;
    return line_ctime((struct slice){every - 20, 20}, &seconds) ? (double)seconds : NAN;
}

// --- tables ----------------------------------------------------------------------------------

static struct table *table_new(void)
{
    struct table *t = g_new0(struct table, 1);
    t->cells = g_array_new(FALSE, FALSE, sizeof(struct slice));
    t->lines = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    t->delimiter = '|';
    return t;
}

// The columns of a rule: byte offsets would be wrong behind letters of several bytes, so these
// count characters.
static GArray *rule_columns(const char *rule)
{
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (size_t i = 0; rule[i]; i++)
        if (rule[i] == '+' && i > 0)
            g_array_append_val(ends, i);
    size_t len = strlen(rule);
    if (len > 0 && rule[len - 1] != '+')
        g_array_append_val(ends, len);
    return ends;
}

// Cuts a line at the columns. `more` says that a value goes on in the next line.
static void cut_line(const char *line, const GArray *ends, GPtrArray *cells, bool *more)
{
    size_t from = line[0] == '|' ? 1 : 0, length = text_width(line);
    *more = false;
    for (guint i = 0; i < ends->len; i++) {
        size_t to = g_array_index(ends, size_t, i);
        bool last = i + 1 == ends->len;
        const char *a = at_column(line, MIN(from, length));
        const char *b = at_column(line, MIN(last ? length : to, length));
        if (last && b > a && b[-1] == '|')
            b--;
        // psql marks a value that goes on in the column's last character.
        if (b > a + 1 && (b[-1] == '+' || b[-1] == '.') && to - from > 2 &&
            b - a >= (ptrdiff_t)(to - from)) {
            *more = true;
            b--;
        }
        struct slice s = slice_trim((struct slice){a, (size_t)(b > a ? b - a : 0)});
        g_ptr_array_add(cells, slice_dup(s.data ? s : SLICE("")));
        from = to + 1;
    }
}

static void add_row(struct table *t, GString *store, GPtrArray *cells, uint64_t line)
{
    for (guint i = 0; i < cells->len; i++) {
        struct slice s = {GSIZE_TO_POINTER(store->len), strlen(cells->pdata[i])};
        g_string_append(store, cells->pdata[i]);
        g_array_append_val(t->cells, s);
    }
    g_array_append_val(t->lines, line);
}

// The cells were offsets as long as the text moved.
static struct table *finish_table(struct table *t, GString *store, size_t columns)
{
    t->columns = columns;
    t->rows = t->lines->len > 0 ? t->lines->len - 1 : 0;
    t->text = g_string_free(store, FALSE);
    for (guint i = 0; i < t->cells->len; i++) {
        struct slice *s = &g_array_index(t->cells, struct slice, i);
        s->data = t->text + GPOINTER_TO_SIZE(s->data);
    }
    return t;
}

static void merge_cells(GPtrArray *row, GPtrArray *more)
{
    for (guint i = 0; i < row->len && i < more->len; i++) {
        char *joined = g_strconcat(row->pdata[i], more->pdata[i], NULL);
        g_free(row->pdata[i]);
        row->pdata[i] = joined;
    }
}

// A table whose header is at `*at`, with its rule below. Sets `*at` behind it.
static struct table *read_aligned(struct parser *p, size_t *at)
{
    size_t i = *at;
    g_autoptr(GArray) ends = rule_columns(p->lines[i + 1]);
    g_autoptr(GPtrArray) row = NULL;
    struct table *t = table_new();
    GString *store = g_string_new(NULL);
    uint64_t row_line = i + 1;
    bool goes_on = false;
    for (; i < p->n; i++) {
        const char *line = p->lines[i];
        bool more;
        if (is_rule(line))
            continue;
        if (!*line || is_footer(line))
            break;
        GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
        cut_line(line, ends, cells, &more);
        if (goes_on && row) {
            merge_cells(row, cells);
            g_ptr_array_unref(cells);
        } else {
            if (row) {
                add_row(t, store, row, row_line);
                g_ptr_array_unref(row);
            }
            row = cells;
            row_line = i + 1;
        }
        goes_on = more;
    }
    if (row)
        add_row(t, store, row, row_line);
    *at = i < p->n && is_footer(p->lines[i]) ? i + 1 : i;
    return finish_table(t, store, ends->len);
}

static const char *record_head(const char *line)
{
    const char *at = strstr(line, "[ ");
    return at && strstr(at, " ]") && strspn(line, "+-") == (size_t)(at - line) ? at : NULL;
}

// "-[ RECORD 1 ]---+----" and a line for each column below.
static struct table *read_expanded(struct parser *p, size_t *at)
{
    size_t i = *at, columns = 0;
    struct table *t = table_new();
    GString *store = g_string_new(NULL);
    while (i < p->n && record_head(p->lines[i])) {
        uint64_t line = ++i;
        g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
        for (; i < p->n && *p->lines[i] && !record_head(p->lines[i]) && !is_footer(p->lines[i]);
             i++) {
            const char *start = p->lines[i] + (p->lines[i][0] == '|');
            const char *bar = strchr(start, '|');
            if (!bar)
                continue;
            g_ptr_array_add(names, g_strstrip(g_strndup(start, (gsize)(bar - start))));
            char *value = g_strstrip(g_strdup(bar + 1));
            if (p->lines[i][0] == '|' && g_str_has_suffix(value, "|"))
                value[strlen(value) - 1] = '\0';
            g_ptr_array_add(values, g_strstrip(value));
        }
        if (columns == 0 && names->len > 0) {
            columns = names->len;
            add_row(t, store, names, line);
        }
        if (names->len == columns && columns > 0)
            add_row(t, store, values, line);
    }
    *at = i;
    return finish_table(t, store, columns);
}

static bool deliver(struct parser *p, struct table *t, double when, GError **error)
{
    g_autoptr(table_t) table = t;
    if (table->rows == 0 || table->columns == 0)
        return true;
    p->tables++;
    return server_table_deliver(p->in, table, when, error);
}

static bool is_record_start(struct parser *p, size_t i)
{
    return record_head(p->lines[i]) != NULL;
}

static bool parse_drawn(struct parser *p, GError **error)
{
    double when = NAN;
    for (size_t i = 0; i < p->n;) {
        double t = watch_time(p->lines[i]);
        if (isfinite(t)) {
            when = t;
            i++;
        } else if (is_record_start(p, i)) {
            if (!deliver(p, read_expanded(p, &i), when, error))
                return false;
        } else if (i + 1 < p->n && *p->lines[i] && !is_rule(p->lines[i]) &&
                   is_rule(p->lines[i + 1])) {
            if (!deliver(p, read_aligned(p, &i), when, error))
                return false;
        } else {
            i++;
        }
    }
    return true;
}

// --- unaligned, CSV --------------------------------------------------------------------------

// Rows without a header (psql -t): a wait table is told by its types of events, and gets one.
static char *invent_header(const char *first, char delimiter)
{
    g_autofree char *cut = g_strndup(&delimiter, 1);
    g_auto(GStrv) fields = g_strsplit(first, cut, -1);
    guint n = g_strv_length(fields), type = 0;
    while (type < n && !is_wait_event_type(slice_trim(slice_from(fields[type]))))
        type++;
    if (type == n || type + 2 >= n)
        return NULL;
    GString *header = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        const char *name = i == type       ? "wait_event_type"
                           : i == type + 1 ? "wait_event"
                           : i == n - 1    ? "count"
                           : i == type + 2 ? "state"
                           : i + 1 == type && g_ascii_isalpha(*g_strstrip(fields[i]))
                               ? "backend_type"
                           : i == 0 ? "ts"
                                    : "other";
        g_string_append_printf(header, "%s%s", i ? cut : "", name);
    }
    g_string_append_c(header, '\n');
    return g_string_free(header, FALSE);
}

static bool parse_separated(struct parser *p, GError **error)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < p->n; i++)
        if (!is_footer(p->lines[i]))
            g_string_append_printf(text, "%s\n", p->lines[i]);
    char delimiter = csv_delimiter((struct slice){text->str, text->len});
    // The first rows may lack what tells the type of an event.
    for (size_t i = 0; delimiter && i < p->n && i < 50; i++) {
        if (i == 0 && (strstr(p->lines[0], "wait_event") || strstr(p->lines[0], "setting")))
            break;
        g_autofree char *header = invent_header(p->lines[i], delimiter);
        if (header) {
            g_string_prepend(text, header);
            break;
        }
    }
    size_t len = text->len;
    struct table *t = table_from_csv(p->in, g_string_free(text, FALSE), len, error);
    return t && deliver(p, t, NAN, error);
}

static bool parse(struct ingest *in, GError **error)
{
    char *text;
    size_t len;
    if (!csv_text(in, &text, &len, error))
        return false;
    g_autofree char *owned = text;
    g_auto(GStrv) raw = g_strsplit(text, "\n", -1);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    bool drawn = false;
    for (char **line = raw; *line; line++) {
        g_ptr_array_add(lines, plain_line(g_strchomp(*line)));
        drawn |= is_rule(lines->pdata[lines->len - 1]) || record_head(lines->pdata[lines->len - 1]);
    }
    struct parser p = {.in = in, .lines = (char **)lines->pdata, .n = lines->len};
    if (p.n > 0 && !*p.lines[p.n - 1])
        p.n--;
    if (!(drawn ? parse_drawn(&p, error) : parse_separated(&p, error)))
        return false;
    return p.tables > 0 || ingest_damaged(in, 0, error, "no table of psql in it");
}

static int detect(struct slice head)
{
    struct slice rest = head, line;
    char delimiter = csv_delimiter(head);
    unsigned i = 0;
    int score = 0;
    g_autofree char *before = g_strdup("");
    for (; i < 400 && head_line(&rest, &line); i++) {
        g_autofree char *text = slice_dup(line);
        g_autofree char *plain = plain_line(text);
        bool named = strstr(plain, "wait_event_type") || g_str_has_prefix(plain, "name,setting") ||
                     g_str_has_prefix(plain, "name|setting");
        if (i == 0 && delimiter && named)
            score = 90;
        if (record_head(plain) && strstr(plain, "RECORD"))
            score = MAX(score, 85);
        if (isfinite(watch_time(plain)))
            score = MAX(score, 85);
        // A header with a rule of the same width below it.
        size_t width = text_width(before), rule = strlen(plain);
        if (is_rule(plain) && *before && width + 2 >= rule && rule + 2 >= width &&
            !strchr(before, '\t') && (before[0] == ' ' || before[0] == '|'))
            score = MAX(score, 80);
        if (i < 50 && delimiter && score == 0) {
            g_autofree char *header = invent_header(plain, delimiter);
            if (header)
                score = 70;
        }
        g_free(before);
        before = g_steal_pointer(&plain);
    }
    return score;
}

const struct ingest_format format_psql = {
    .name = "psql",
    .summary = "tables of psql in any layout: wait events (also \\watch), settings, values",
    .detect = detect,
    .parse = parse,
};
