// Expanded tables: a line for each column of a record, "name | value".
//
// Above each record stands a line with its number, or with tuples_only a plain rule between two.
#include "psql_rows.h"

#define NAME_COLUMNS 64u // a name of PostgreSQL has at most 63 bytes

struct expanded {
    const struct psql_text *text;
    size_t first, end; // lines, with those between records
    size_t bar;        // the screen's column of the separator; of border 0, the blank in its place
    unsigned border;
    GPtrArray *names, *values; // of the record that is read
    enum psql_more name_more;
};

static bool is_between(const char *line)
{
    return psql_is_record(line) || psql_is_rule(line);
}

// Is there a bar of the value, or of what goes on, at that column of the line?
static bool is_separator(enum psql_sign sign)
{
    return sign == SIGN_BAR || sign == SIGN_COLON || sign == SIGN_SEMICOLON;
}

static bool all_have_bar(const struct expanded *x, size_t bar)
{
    for (size_t i = x->first; i < x->end; i++)
        if (!is_between(x->text->lines[i]) && !is_separator(screen_sign(x->text->lines[i], bar)))
            return false;
    return true;
}

// The first bar that all lines have: names are as wide as the widest, values are not.
static bool find_bar(struct expanded *x, const char *line)
{
    size_t width = screen_width(line);
    for (size_t bar = 1; bar < width; bar++)
        if (screen_sign(line, bar) == SIGN_BAR && all_have_bar(x, bar)) {
            x->bar = bar;
            return true;
        }
    return false;
}

// Without bars: a column of blanks behind which every value begins and to which one name reaches.
static bool is_gap(const struct expanded *x, size_t gap)
{
    bool reached = false, values = false;
    for (size_t i = x->first; i < x->end; i++) {
        const char *line = x->text->lines[i];
        size_t width = screen_width(line);
        if (is_between(line) || line[0] == ' ') // a value that goes on has its mark there
            continue;
        enum psql_sign at = screen_sign(line, gap), behind = screen_sign(line, gap + 1);
        if ((at != SIGN_BLANK && at != SIGN_END) || (behind == SIGN_BLANK && gap + 1 < width))
            return false;
        reached |= screen_sign(line, gap - 1) != SIGN_BLANK && width >= gap;
        values |= width > gap + 1;
    }
    return reached && values;
}

// No two names of the first record are the same.
static bool has_own_names(const struct expanded *x, size_t gap)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    size_t i = x->first;
    while (i < x->end && is_between(x->text->lines[i]))
        i++;
    for (; i < x->end && !is_between(x->text->lines[i]); i++)
        if (x->text->lines[i][0] != ' ' &&
            !g_hash_table_add(names, slice_dup(slice_trim(screen_cut(x->text->lines[i], 0, gap)))))
            return false;
    return true;
}

static bool find_gap(struct expanded *x)
{
    for (size_t gap = 1; gap <= NAME_COLUMNS; gap++)
        if (is_gap(x, gap) && has_own_names(x, gap)) {
            x->bar = gap;
            return true;
        }
    return false;
}

// The value's piece in `line`, and how it joins what is above.
static enum psql_more take_value(const struct expanded *x, const char *line, struct slice *value)
{
    size_t from = x->bar + (x->border > 0 ? 2 : 1), to = screen_width(line);
    enum psql_sign bar = screen_sign(line, x->bar), left = screen_sign(line, from - 1);
    if (x->border == 2 && to > 0)
        to--;
    *value = to > from ? screen_cut(line, from, to) : SLICE("");
    return bar == SIGN_SEMICOLON || left == SIGN_WRAP ? MORE_WRAPPED : MORE_NEWLINE;
}

// Takes the mark off a value that goes on below.
static void drop_mark(GString *value, enum psql_more joint)
{
    static const struct {
        const char *mark;
        enum psql_more joint;
    } marks[] = {{"+", MORE_NEWLINE},
                 {"\xE2\x86\xB5", MORE_NEWLINE},
                 {".", MORE_WRAPPED},
                 {"\xE2\x80\xA6", MORE_WRAPPED}};
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (marks[i].joint != joint || !g_str_has_suffix(value->str, marks[i].mark))
            continue;
        g_string_truncate(value, value->len - strlen(marks[i].mark));
        break;
    }
    if (joint == MORE_NEWLINE)
        g_strchomp(value->str);
    value->len = strlen(value->str);
}

static void free_string(gpointer s)
{
    g_string_free(s, TRUE);
}

static GString *last_of(GPtrArray *strings)
{
    return strings->pdata[strings->len - 1];
}

static void take_line(struct expanded *x, const char *line)
{
    size_t left = x->border == 2 ? 2 : 0;
    struct slice name = slice_trim(screen_cut(line, left, x->bar)), value;
    enum psql_more joint = take_value(x, line, &value);
    bool old =
        screen_sign(line, x->bar) == SIGN_COLON || screen_sign(line, x->bar) == SIGN_SEMICOLON;
    if (x->name_more && name.len > 0)
        g_string_append_printf(last_of(x->names), "\n%.*s", (int)name.len, name.data);
    bool continued = name.len == 0 || x->name_more;
    x->name_more = x->border > 0 ? sign_more(screen_sign(line, x->bar - 1)) : MORE_NOT;
    if (x->name_more && name.len > 0 && !continued)
        while (name.len > 0 && strchr("+ ", name.data[name.len - 1]))
            name.len--;
    if (!continued) {
        g_ptr_array_add(x->names, g_string_new_len(name.data, (gssize)name.len));
        g_ptr_array_add(x->values, g_string_new_len(value.data, (gssize)value.len));
    } else if (x->values->len > 0 && (name.len == 0 || slice_trim(value).len > 0)) {
        GString *above = last_of(x->values);
        if (!old)
            drop_mark(above, joint);
        else if (x->border == 2 && joint == MORE_WRAPPED && g_str_has_suffix(above->str, " "))
            g_string_truncate(above, above->len - 1); // where other styles have their mark
        if (joint == MORE_NEWLINE)
            g_string_append_c(above, '\n');
        g_string_append_len(above, value.data, (gssize)value.len);
    }
}

static void add_row(struct psql_rows *rows, const GPtrArray *strings, uint64_t line)
{
    psql_rows_begin(rows, line);
    for (guint i = 0; i < strings->len && i < rows->columns; i++) {
        const GString *s = strings->pdata[i];
        psql_rows_append(rows, i, MORE_NOT, (struct slice){s->str, s->len});
    }
}

// A record is over. One that has not as many columns as the first is not whole.
static void end_record(struct expanded *x, struct psql_rows **rows, uint64_t line)
{
    if (x->names->len > 0 && !*rows) {
        *rows = psql_rows_new(x->names->len);
        add_row(*rows, x->names, line);
    }
    if (*rows && x->names->len == (*rows)->columns)
        add_row(*rows, x->values, line);
    else if (*rows && x->names->len > 0)
        (*rows)->odd = line;
    g_ptr_array_set_size(x->names, 0);
    g_ptr_array_set_size(x->values, 0);
    x->name_more = MORE_NOT;
}

static struct psql_rows *read_records(struct expanded *x)
{
    struct psql_rows *rows = NULL;
    uint64_t start = x->first + 1;
    x->names = g_ptr_array_new_with_free_func(free_string);
    x->values = g_ptr_array_new_with_free_func(free_string);
    for (size_t i = x->first; i < x->end; i++) {
        if (is_between(x->text->lines[i])) {
            end_record(x, &rows, start);
            start = i + 2;
        } else {
            take_line(x, x->text->lines[i]);
        }
    }
    end_record(x, &rows, start);
    // Without the empty line at its end a record may lack columns, and only others could tell.
    if (rows && x->end == x->text->n && (x->text->cut || psql_rows_count(rows) == 2))
        psql_rows_drop(rows);
    g_ptr_array_unref(x->names);
    g_ptr_array_unref(x->values);
    return rows;
}

// Lines up to an empty one, a footer, or a record that begins to count anew.
static size_t find_end(const struct psql_text *text, size_t line)
{
    size_t first = line;
    for (; line < text->n && *text->lines[line] && psql_footer(text->lines[line]) < 0; line++) {
        const char *number = strpbrk(text->lines[line], "0123456789");
        if (line > first && psql_is_record(text->lines[line]) && number && atoi(number) == 1)
            break;
    }
    return line;
}

struct psql_rows *psql_read_expanded(const struct psql_text *text, size_t *at)
{
    struct expanded x = {.text = text, .first = *at, .end = find_end(text, *at)};
    size_t line = *at;
    while (line < x.end && is_between(text->lines[line]))
        line++;
    if (line == x.end)
        return NULL;
    bool found = find_bar(&x, text->lines[line]);
    x.border = !found ? 0 : screen_sign(text->lines[line], 0) == SIGN_BAR ? 2 : 1;
    if (!found && !find_gap(&x))
        return NULL;
    *at = x.end;
    return read_records(&x);
}
