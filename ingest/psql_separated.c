// What psql prints without drawing: unaligned with any separator, and CSV. Also aligned rows that
// tuples_only left without a rule, and either of them expanded.
#include "psql_rows.h"

#include "csv.h"
#include "server_table.h"

static char *join_lines(const struct psql_text *text, size_t from, size_t to)
{
    GString *all = g_string_new(NULL);
    for (size_t i = from; i < to; i++)
        g_string_append_printf(all, "%s\n", text->lines[i]);
    return g_string_free(all, FALSE);
}

static const char delimiters[] = {',', ';', '\t', '|'};

static bool is_known(const char *name)
{
    struct slice s = slice_trim(slice_from(name));
    return server_column_is_known(s) || csv_known_name(s);
}

// What cuts the header into the most names that are known; else what cuts all rows alike.
static char delimiter_of(const struct psql_text *text, size_t from, size_t to)
{
    char best = 0;
    unsigned most = 1;
    for (size_t i = 0; i < sizeof delimiters; i++) {
        const char cut[] = {delimiters[i], '\0'};
        g_auto(GStrv) names = g_strsplit(text->lines[from], cut, -1);
        unsigned known = 0;
        for (char **name = names; *name; name++)
            known += is_known(*name);
        if (known > most) {
            most = known;
            best = delimiters[i];
        }
    }
    g_autofree char *all = join_lines(text, from, MIN(to, from + 200));
    return best ? best : csv_delimiter(slice_from(all));
}

size_t psql_skip_titles(const struct psql_text *text, size_t from, size_t to, char *delimiter)
{
    for (size_t i = from; i < to && i < from + 3; i++)
        if (*text->lines[i] && (*delimiter = delimiter_of(text, i, to)))
            return i;
    *delimiter = 0;
    while (from < to && !*text->lines[from])
        from++;
    return from;
}

// Unaligned: nothing is quoted, and every line is a row.
static struct psql_rows *read_unaligned(struct ingest *in, const struct psql_text *text,
                                        size_t from, size_t to, char delimiter, GError **error)
{
    g_autoptr(psql_rows_t) rows = NULL;
    const char cut[] = {delimiter, '\0'};
    for (size_t line = from; line < to; line++) {
        if (!*text->lines[line])
            continue;
        g_auto(GStrv) fields = g_strsplit(text->lines[line], cut, -1);
        guint n = g_strv_length(fields);
        if (!rows)
            rows = psql_rows_new(n);
        if (n != rows->columns) {
            g_autofree char *why =
                g_strdup_printf("%u fields where the header has %zu", n, rows->columns);
            if (!ingest_skip(in, line + 1, why, slice_from(text->lines[line]), error))
                return NULL;
            continue;
        }
        psql_rows_begin(rows, line + 1);
        for (guint i = 0; i < n; i++)
            psql_rows_append(rows, i, MORE_NOT, slice_from(fields[i]));
    }
    return g_steal_pointer(&rows);
}

// The lines before it are kept empty, so that messages tell the lines of the file.
static struct psql_rows *read_csv(struct ingest *in, const struct psql_text *text, size_t from,
                                  size_t to, GError **error)
{
    g_autofree char *block = join_lines(text, from, to);
    GString *all = g_string_new(NULL);
    for (size_t i = 0; i < from; i++)
        g_string_append_c(all, '\n');
    g_string_append(all, block);
    size_t len = all->len;
    g_autoptr(table_t) t = table_from_csv(in, g_string_free(all, FALSE), len, error);
    if (!t)
        return NULL;
    struct psql_rows *rows = psql_rows_new(t->columns);
    for (size_t row = 0; row <= t->rows; row++) {
        psql_rows_begin(rows, g_array_index(t->lines, uint64_t, row));
        for (size_t i = 0; i < t->columns; i++)
            psql_rows_append(rows, i, MORE_NOT,
                             g_array_index(t->cells, struct slice, row * t->columns + i));
    }
    return rows;
}

// One column has no separator; its footer says what it is.
static struct psql_rows *single_column(const struct psql_text *text, size_t from, size_t to)
{
    struct psql_rows *rows = psql_rows_new(1);
    for (size_t i = from; i < to; i++) {
        psql_rows_begin(rows, i + 1);
        psql_rows_append(rows, 0, MORE_NOT, slice_from(text->lines[i]));
    }
    return rows;
}

static bool holds_name(const char *text, const char *separator)
{
    g_auto(GStrv) parts = g_strsplit(text, separator, -1);
    for (char **part = parts; *part; part++)
        if (is_known(*part))
            return true;
    return false;
}

// How many rows make a record of an expanded table, "name|value" a row; 0 when it is none. Names
// come again in each record, and the first value is none.
static size_t record_length(const struct psql_rows *rows, const char *separator)
{
    size_t n = psql_rows_count(rows), length = 1, known = 0, more = 0;
    if (n == 0 || holds_name(psql_rows_cell(rows, 0, 1), separator))
        return 0;
    while (length < n && strcmp(psql_rows_cell(rows, length, 0), psql_rows_cell(rows, 0, 0)) != 0)
        length++;
    for (size_t i = 0; i < n; i++) {
        known += i < length && is_known(psql_rows_cell(rows, i, 0));
        more += strstr(psql_rows_cell(rows, i, 1), separator) != NULL;
        if (strcmp(psql_rows_cell(rows, i, 0), psql_rows_cell(rows, i % length, 0)) != 0)
            return 0;
    }
    return known >= 2 && n % length == 0 && more * 2 < n ? length : 0;
}

static struct psql_rows *turn(const struct psql_rows *flat, size_t length)
{
    struct psql_rows *rows = psql_rows_new(length);
    for (size_t row = 0; row <= psql_rows_count(flat) / length; row++) {
        size_t first = row > 0 ? (row - 1) * length : 0;
        psql_rows_begin(rows, g_array_index(flat->lines, uint64_t, first));
        for (size_t i = 0; i < length; i++)
            psql_rows_append(rows, i, MORE_NOT,
                             slice_from(psql_rows_cell(flat, first + i, row > 0)));
    }
    return rows;
}

// A field of CSV, without its quotes.
static struct slice unquoted(struct slice s)
{
    s = slice_trim(s);
    return s.len > 1 && s.data[0] == '"' && s.data[s.len - 1] == '"'
               ? (struct slice){s.data + 1, s.len - 2}
               : s;
}

// Expanded: only the first separator of a line is one. NULL when the lines are none.
static struct psql_rows *read_vertical(const struct psql_text *text, size_t from, size_t to,
                                       const char *separator)
{
    g_autoptr(psql_rows_t) flat = psql_rows_new(2);
    for (size_t line = from; line < to; line++) {
        const char *start = text->lines[line], *at = strstr(start, separator);
        if (!*start)
            continue;
        if (!at)
            return NULL;
        struct slice name = {start, (size_t)(at - start)},
                     value = slice_from(at + strlen(separator));
        psql_rows_begin(flat, line + 1);
        psql_rows_append(flat, 0, MORE_NOT, slice_trim(name));
        psql_rows_append(flat, 1, MORE_NOT, *separator == ',' ? unquoted(value) : value);
    }
    size_t length = record_length(flat, separator);
    return length > 0 ? turn(flat, length) : NULL;
}

struct psql_rows *psql_read_vertical(const struct psql_text *text, size_t from, size_t to)
{
    static const char *const separators[] = {",", ";", "\t", "|", "\xE2\x94\x82", "\xE2\x95\x91"};
    for (size_t i = 0; i < G_N_ELEMENTS(separators); i++) {
        size_t first = from; // behind a title
        while (first < to && first < from + 3 && !strstr(text->lines[first], separators[i]))
            first++;
        struct psql_rows *rows = read_vertical(text, first, to, separators[i]);
        if (rows)
            return rows;
    }
    return NULL;
}

static bool has_header(const struct psql_rows *rows)
{
    for (size_t i = 0; psql_rows_count(rows) > 0 && i < rows->columns; i++)
        if (server_column_is_known(slice_trim(slice_from(psql_rows_cell(rows, 0, i)))))
            return true;
    return false;
}

struct psql_rows *psql_read_separated(struct ingest *in, const struct psql_text *text, size_t from,
                                      size_t to, gint64 announced, GError **error)
{
    char delimiter;
    struct psql_rows *vertical = psql_read_vertical(text, from, to);
    if (vertical)
        return vertical;
    while (to > from && !*text->lines[to - 1])
        to--;
    struct psql_rows *bare = announced < 0 ? psql_read_bare(text, from, to) : NULL;
    if (bare)
        return bare;
    from = psql_skip_titles(text, from, to, &delimiter);
    if (!delimiter && announced < 0) {
        ingest_damaged(in, from + 1, error, "no table of psql begins here");
        return NULL;
    }
    g_autoptr(psql_rows_t) rows = !delimiter ? single_column(text, from, to)
                                  : announced >= 0 || delimiter == '|'
                                      ? read_unaligned(in, text, from, to, delimiter, error)
                                      : read_csv(in, text, from, to, error);
    if (!rows)
        return NULL;
    rows->announced = announced;
    rows->headless = !has_header(rows) && psql_rows_has_waits(rows);
    return g_steal_pointer(&rows);
}
