// CSV into a table: delimiter, quotes, comments, pipes at the edges.
#include "table.h"

// One record's fields, as slices of the text.
struct cursor {
    char *p, *end;
    char delimiter;
    uint64_t line; // of the next character
    bool edges;    // a pipe stands at both ends of every line, too
};

static const char delimiters[] = {',', ';', '\t', '|'};

// The quote that ends a field which begins behind `p`, or NULL. What stands behind it up to the
// delimiter may only be blank: else the quotes are part of the text.
static const char *closing_quote(const struct cursor *c, const char *p, bool *ends)
{
    *ends = false;
    for (; p < c->end; p++) {
        if (*p != '"')
            continue;
        if (p + 1 < c->end && p[1] == '"') {
            p++;
            continue;
        }
        *ends = true;
        const char *behind = p + 1;
        while (behind < c->end &&
               (*behind == ' ' || *behind == '\r' || (*behind == '\t' && c->delimiter != '\t')))
            behind++;
        return behind == c->end || *behind == c->delimiter || *behind == '\n' ? p : NULL;
    }
    return NULL;
}

static struct slice take_quoted(struct cursor *c, char *p, const char *close)
{
    char *out = p;
    struct slice field = {p, 0};
    for (; p < close; p++) {
        p += *p == '"';
        c->line += *p == '\n';
        *out++ = *p;
    }
    field.len = (size_t)(out - field.data);
    for (p++; p < c->end && *p != c->delimiter && *p != '\n';)
        p++;
    c->p = p;
    return field;
}

// The field at the cursor; quotes are taken off in place. False when a quote never ends.
static bool take_field(struct cursor *c, struct slice *field)
{
    char *p = c->p;
    while (p < c->end && (*p == ' ' || (*p == '\t' && c->delimiter != '\t')))
        p++;
    if (p < c->end && *p == '"') {
        bool ends;
        const char *close = closing_quote(c, p + 1, &ends);
        if (!ends)
            return false;
        if (close) {
            *field = take_quoted(c, p + 1, close);
            return true;
        }
    }
    *field = (struct slice){p, 0};
    while (p < c->end && *p != c->delimiter && *p != '\n')
        p++;
    field->len = (size_t)(p - field->data);
    *field = slice_trim(*field);
    c->p = p;
    return true;
}

// All fields of the record at the cursor, into `fields`.
static bool take_record(struct cursor *c, GArray *fields)
{
    g_array_set_size(fields, 0);
    if (c->edges) {
        char *p = c->p;
        while (p < c->end && *p == ' ')
            p++;
        if (p < c->end && *p == '|')
            c->p = p + 1;
    }
    for (;;) {
        struct slice field;
        if (!take_field(c, &field))
            return false;
        g_array_append_val(fields, field);
        if (c->p == c->end || *c->p == '\n')
            break;
        c->p++;
    }
    if (c->edges && fields->len > 1 &&
        g_array_index(fields, struct slice, fields->len - 1).len == 0)
        g_array_set_size(fields, fields->len - 1);
    if (c->p < c->end) {
        c->p++;
        c->line++;
    }
    return true;
}

// Lines that are no data: empty, "sep=;", comments, rules of a drawn table.
static bool is_noise(struct slice line)
{
    struct slice s = slice_trim(line);
    if (s.len == 0 || s.data[0] == '#' || slice_starts(s, "sep="))
        return true;
    for (size_t i = 0; i < s.len; i++)
        if (!strchr("|-+: =", s.data[i]))
            return false;
    return s.len > 2;
}

static void skip_noise(struct cursor *c)
{
    while (c->p < c->end) {
        char *nl = memchr(c->p, '\n', (size_t)(c->end - c->p));
        char *stop = nl ? nl : c->end;
        if (!is_noise((struct slice){c->p, (size_t)(stop - c->p)}))
            return;
        c->line += nl != NULL;
        c->p = nl ? nl + 1 : c->end;
    }
}

// A table drawn with pipes has one at each end of its lines; its header tells.
static struct cursor cursor_at_header(char *text, size_t len, char delimiter)
{
    struct cursor c = {.p = text, .end = text + len, .delimiter = delimiter, .line = 1};
    skip_noise(&c);
    const char *p = c.p;
    while (p < c.end && *p == ' ')
        p++;
    c.edges = delimiter == '|' && p < c.end && *p == '|';
    return c;
}

// How well a delimiter cuts: columns of the header if at least nine rows in ten have as many.
static unsigned judge(struct slice text, char delimiter)
{
    g_autofree char *copy = g_strndup(text.data, text.len);
    struct cursor c = cursor_at_header(copy, text.len, delimiter);
    g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(struct slice));
    unsigned columns = 0, rows = 0, same = 0;
    while (rows < 200) {
        skip_noise(&c);
        if (c.p == c.end)
            break;
        if (!take_record(&c, fields)) { // a quote never ends: said when it is really read
            rows++;
            same++;
            break;
        }
        if (c.p == c.end && rows > 1)
            break; // the head may end in this row
        if (rows == 0)
            columns = fields->len;
        else
            same += fields->len == columns;
        rows++;
    }
    if (rows < 2 || columns < 2 || same * 10 < (rows - 1) * 9)
        return 0;
    return columns;
}

char csv_delimiter(struct slice text)
{
    struct slice rest = text;
    const char *sep = text.len > 5 && slice_starts(text, "sep=") ? text.data + 4 : NULL;
    if (sep && memchr(delimiters, *sep, sizeof delimiters))
        return *sep;
    char best = 0;
    unsigned most = 0;
    for (size_t i = 0; i < sizeof delimiters; i++) {
        unsigned columns = judge(rest, delimiters[i]);
        if (columns > most) {
            most = columns;
            best = delimiters[i];
        }
    }
    return best;
}

static bool read_rows(struct ingest *in, struct table *t, struct cursor *c, bool loose,
                      GError **error)
{
    g_autoptr(GArray) fields = g_array_new(FALSE, TRUE, sizeof(struct slice));
    for (skip_noise(c); c->p < c->end; skip_noise(c)) {
        uint64_t line = c->line;
        char *start = c->p;
        if (!take_record(c, fields))
            return ingest_damaged(in, line, error, "a quoted field begins here and never ends");
        if (t->columns == 0) {
            if (fields->len > LIMIT_CSV_COLUMNS)
                return error_set(error, SPINFAULT_ERROR_LIMIT,
                                 "%s: more than %u columns (LIMIT_CSV_COLUMNS)", in->name,
                                 LIMIT_CSV_COLUMNS);
            t->columns = fields->len;
        } else if (loose && fields->len < t->columns) {
            g_array_set_size(fields, (guint)t->columns);
            t->rows++;
        } else if (fields->len != t->columns) {
            g_autofree char *why =
                g_strdup_printf("%u fields where the header has %zu", fields->len, t->columns);
            char *end = c->p > start && c->p[-1] == '\n' ? c->p - 1 : c->p;
            if (!ingest_skip(in, line, why, (struct slice){start, (size_t)(end - start)}, error))
                return false;
            continue;
        } else {
            t->rows++;
        }
        g_array_append_vals(t->cells, fields->data, fields->len);
        g_array_append_val(t->lines, line);
    }
    return true;
}

static bool fill_table(struct ingest *in, struct table *t, size_t len, bool loose, GError **error)
{
    if (!t->delimiter)
        return ingest_damaged(
            in, 0, error,
            "no table: no delimiter (comma, semicolon, tab, pipe) gives every row "
            "the columns of the first");
    struct cursor c = cursor_at_header(t->text, len, t->delimiter);
    if (!read_rows(in, t, &c, loose, error))
        return false;
    return t->rows > 0 || ingest_damaged(in, 0, error, "a table without rows");
}

static struct table *from_csv(struct ingest *in, char *text, size_t len, char delimiter, bool loose,
                              GError **error)
{
    struct table *t = g_new0(struct table, 1);
    t->text = text;
    t->cells = g_array_new(FALSE, FALSE, sizeof(struct slice));
    t->lines = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    t->delimiter = delimiter;
    if (!fill_table(in, t, len, loose, error)) {
        table_free(t);
        return NULL;
    }
    return t;
}

struct table *table_from_csv(struct ingest *in, char *text, size_t len, GError **error)
{
    return from_csv(in, text, len, csv_delimiter((struct slice){text, len}), false, error);
}

struct table *table_from_csv_loose(struct ingest *in, char *text, size_t len, char delimiter,
                                   GError **error)
{
    return from_csv(in, text, len, delimiter, true, error);
}

int table_find(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->columns; i++) {
        struct slice s = table_name(t, i);
        if (s.len == strlen(name) && g_ascii_strncasecmp(s.data, name, s.len) == 0)
            return (int)i;
    }
    return -1;
}

void table_free(struct table *t)
{
    if (!t)
        return;
    g_free(t->text);
    if (t->cells)
        g_array_unref(t->cells);
    if (t->lines)
        g_array_unref(t->lines);
    g_free(t);
}

// Are all lines quoted, as in a mail?
static bool is_quoted(const char *text)
{
    bool any = false;
    for (const char *p = text; *p; p++) {
        if (*p != '\n' && *p != '\r') {
            if (*p != '>')
                return false;
            any = true;
        }
        p += strcspn(p, "\n");
        if (!*p)
            break;
    }
    return any;
}

static void unquote(char *text)
{
    char *out = text;
    for (char *p = text; *p;) {
        while (*p == '>' || *p == ' ')
            p++;
        size_t n = strcspn(p, "\n");
        n += p[n] == '\n';
        memmove(out, p, n);
        out += n;
        p += n;
    }
    *out = '\0';
}

bool csv_text(struct ingest *in, char **text, size_t *len, GError **error)
{
    struct slice rest;
    if (!reader_rest(in->reader, &rest, error))
        return false;
    if (memchr(rest.data, '\0', rest.len))
        return ingest_damaged(in, 0, error, "zero bytes in it; this is no text");
    if (g_utf8_validate(rest.data, (gssize)rest.len, NULL)) {
        *text = g_strndup(rest.data, rest.len);
    } else {
        *text = g_convert_with_fallback(rest.data, (gssize)rest.len, "UTF-8", "WINDOWS-1252", "?",
                                        NULL, NULL, NULL);
        if (!*text)
            return ingest_damaged(in, 0, error, "neither UTF-8 nor Windows-1252; convert it");
    }
    if (is_quoted(*text))
        unquote(*text);
    *len = strlen(*text);
    return true;
}
