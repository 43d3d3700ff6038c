// Aligned and wrapped tables, with any border and any style of lines.
//
// Columns are where the rule below the header says, never at a '|', which values may hold.
#include "psql_rows.h"

struct aligned {
    const struct psql_text *text;
    const struct psql_rule *rule;
    struct psql_rows *rows;
    GArray *more;      // of enum psql_more, a column: how its value goes on below
    bool goes_on;      // one of them does
    bool first_filled; // the first column's piece was as wide as the column
};

static const struct psql_span *span_of(const struct aligned *a, size_t column)
{
    return &g_array_index(a->rule->spans, struct psql_span, column);
}

static enum psql_more mark_at(const struct aligned *a, const char *line, size_t column)
{
    return sign_more(screen_sign(line, span_of(a, column)->to));
}

// The separators of a line that goes on in the style "old-ascii": ':', ';' and blanks.
static bool is_old_continuation(const struct aligned *a, const char *line)
{
    bool any = false;
    size_t n = a->rows->columns;
    if (a->rule->border == 0 || n < 2 || !*line)
        return false;
    for (size_t i = 0; i + 1 < n; i++) {
        enum psql_sign sign = screen_sign(line, span_of(a, i)->to + 1);
        if (sign != SIGN_BAR && sign != SIGN_COLON && sign != SIGN_SEMICOLON &&
            sign != SIGN_BLANK && sign != SIGN_END)
            return false;
        any |= sign != SIGN_BAR;
    }
    return any && (a->rule->border < 2 || screen_sign(line, 0) == SIGN_BAR);
}

// How the piece of `line` in that column joins what is above it.
static enum psql_more old_joint(const struct aligned *a, const char *line, size_t column)
{
    if (column > 0) {
        enum psql_sign sign = screen_sign(line, span_of(a, column)->from - 2);
        return sign == SIGN_COLON ? MORE_NEWLINE : sign == SIGN_SEMICOLON ? MORE_WRAPPED : MORE_NOT;
    }
    // Nothing stands before the first column. A piece that fills it was wrapped.
    struct slice piece = screen_cut(line, span_of(a, 0)->from, span_of(a, 0)->to);
    return slice_trim(piece).len == 0 ? MORE_NOT : a->first_filled ? MORE_WRAPPED : MORE_NEWLINE;
}

// Of numbers, which stand at the right, what goes on is at the right, too.
static struct slice at_right(const struct aligned *a, size_t column, struct slice piece)
{
    struct slice trimmed = slice_trim(piece);
    const char *above = psql_rows_cell(a->rows, psql_rows_count(a->rows) - 1, column);
    bool number = *above && strspn(above, " 0123456789.,-") == strlen(above);
    return number && trimmed.len > 0 && strchr("0123456789.,", trimmed.data[0]) ? trimmed : piece;
}

static void take_line(struct aligned *a, const char *line, uint64_t number, bool old)
{
    bool continued = a->goes_on || old;
    size_t first_end = span_of(a, 0)->to;
    if (!continued)
        psql_rows_begin(a->rows, number);
    a->goes_on = false;
    for (size_t i = 0; i < a->rows->columns; i++) {
        const struct psql_span *span = span_of(a, i);
        enum psql_more *more = &g_array_index(a->more, enum psql_more, i);
        enum psql_more joint = old ? old_joint(a, line, i) : *more;
        struct slice piece = screen_cut(line, span->from, span->to);
        if (joint == MORE_WRAPPED)
            piece = at_right(a, i, piece);
        if (!continued || joint)
            psql_rows_append(a->rows, i, joint, piece);
        *more = mark_at(a, line, i);
        a->goes_on |= *more != MORE_NOT;
    }
    a->first_filled = screen_width(line) >= first_end &&
                      screen_sign(line, first_end > 0 ? first_end - 1 : 0) != SIGN_BLANK;
}

// A header of several lines is marked like a value, but in "old-ascii" by a '+' before what goes
// on.
static bool header_goes_on(const struct aligned *a, const char *above, const char *below)
{
    for (size_t i = 0; i < a->rows->columns; i++) {
        size_t from = span_of(a, i)->from;
        if (mark_at(a, above, i) == MORE_NEWLINE ||
            (from > 0 && screen_sign(below, from - 1) == SIGN_JOINT))
            return true;
    }
    return false;
}

static void take_header(struct aligned *a, size_t first, size_t rule)
{
    psql_rows_begin(a->rows, first + 1);
    for (size_t line = first; line < rule; line++) {
        for (size_t i = 0; i < a->rows->columns; i++) {
            const struct psql_span *span = span_of(a, i);
            struct slice piece = slice_trim(screen_cut(a->text->lines[line], span->from, span->to));
            if (line == first || piece.len > 0)
                psql_rows_append(a->rows, i, line == first ? MORE_NOT : MORE_NEWLINE, piece);
        }
    }
}

// An empty line ends a table, unless it is the only column of a row that is null, and lost its
// blank.
static bool is_null_row(const struct aligned *a, size_t line)
{
    return a->rows->columns == 1 && line + 1 < a->text->n &&
           psql_footer(a->text->lines[line + 1]) == (gint64)psql_rows_count(a->rows);
}

static size_t take_rows(struct aligned *a, size_t line)
{
    for (; line < a->text->n; line++) {
        const char *text = a->text->lines[line];
        bool old = !a->goes_on && psql_rows_count(a->rows) > 1 && is_old_continuation(a, text);
        if (psql_footer(text) >= 0 || (!*text && !is_null_row(a, line)))
            break;
        if (*text && !old && !psql_rule_fits(a->rule, text))
            break;
        take_line(a, text, line + 1, old);
    }
    if (a->goes_on)
        psql_rows_drop(a->rows);
    return line;
}

// One column without joints has no border that could be seen in its rule: with a border nothing
// stands in its first place.
static void settle_single(struct psql_rule *rule, const struct psql_text *text, size_t line)
{
    struct psql_span *span = &g_array_index(rule->spans, struct psql_span, 0);
    bool flush = text->lines[line - 1][0] != ' ';
    for (size_t i = line + 1; i < text->n && *text->lines[i]; i++)
        flush |= text->lines[i][0] != ' ' && psql_footer(text->lines[i]) < 0;
    if (rule->spans->len > 1 || rule->border != 1 || !flush)
        return;
    rule->border = 0;
    *span = (struct psql_span){0, screen_width(text->lines[line])};
}

// Rows with a frame and without a header (\pset tuples_only): only the rule below them tells.
static struct psql_rows *read_headless(struct aligned *a, size_t rule)
{
    size_t first = rule;
    while (first > 0 && (psql_rule_fits(a->rule, a->text->lines[first - 1]) ||
                         is_old_continuation(a, a->text->lines[first - 1])))
        first--;
    a->rows->headless = true;
    take_rows(a, first);
    return a->rows;
}

// Is the rule at `line` the last of a table that has no other?
static bool is_only_rule(const struct psql_text *text, const struct psql_rule *rule, size_t line)
{
    bool below = line + 1 < text->n && psql_rule_fits(rule, text->lines[line + 1]);
    size_t first = line;
    while (first > 0 && psql_rule_fits(rule, text->lines[first - 1]))
        first--;
    return rule->border == 2 && !below && (first == 0 || !psql_is_rule(text->lines[first - 1]));
}

static struct psql_rows *read_table(struct aligned *a, size_t *at)
{
    size_t line = *at, first = line - 1;
    while (first > 0 && psql_rule_fits(a->rule, a->text->lines[first - 1]) &&
           header_goes_on(a, a->text->lines[first - 1], a->text->lines[first]))
        first--;
    take_header(a, first, line);
    line = take_rows(a, line + 1);
    if (line < a->text->n && a->rule->border == 2 && psql_is_rule(a->text->lines[line]))
        line++;
    if (line < a->text->n && (a->rows->announced = psql_footer(a->text->lines[line])) >= 0)
        line++;
    *at = line;
    return a->rows;
}

// The rows and `more` are the caller's.
static struct aligned begin(const struct psql_text *text, const struct psql_rule *rule)
{
    size_t columns = rule->spans->len;
    struct aligned a = {.text = text,
                        .rule = rule,
                        .rows = psql_rows_new(columns),
                        .more = g_array_new(FALSE, TRUE, sizeof(enum psql_more))};
    g_array_set_size(a.more, columns);
    return a;
}

struct psql_rows *psql_read_aligned(const struct psql_text *text, size_t *at)
{
    g_autoptr(psql_rule_t) rule = *at > 0 ? psql_rule_new(text->lines[*at]) : NULL;
    if (!rule)
        return NULL;
    settle_single(rule, text, *at);
    if (!psql_rule_fits(rule, text->lines[*at - 1]))
        return NULL;
    struct aligned a = begin(text, rule);
    g_autoptr(GArray) more = a.more;
    if (!is_only_rule(text, rule, *at))
        return read_table(&a, at);
    (*at)++;
    return read_headless(&a, *at - 1);
}

// The bars that all the lines have, between blanks or marks: what a rule would say.
static struct psql_rule *common_bars(const struct psql_text *text, size_t from, size_t to)
{
    struct psql_rule *rule = g_new0(struct psql_rule, 1);
    struct psql_span span = {1, 0};
    size_t widest = 0;
    for (size_t i = from; i < to; i++)
        widest = MAX(widest, screen_width(text->lines[i]));
    rule->spans = g_array_new(FALSE, FALSE, sizeof(struct psql_span));
    rule->border = 1;
    for (size_t column = 1; column < widest; column++) {
        bool all = true;
        for (size_t i = from; all && i < to; i++) {
            enum psql_sign before = screen_sign(text->lines[i], column - 1);
            enum psql_sign behind = screen_sign(text->lines[i], column + 1);
            all = screen_sign(text->lines[i], column) == SIGN_BAR &&
                  (before == SIGN_BLANK || sign_more(before)) &&
                  (behind == SIGN_BLANK || behind == SIGN_END || sign_more(behind));
        }
        if (!all)
            continue;
        span.to = column - 1;
        g_array_append_val(rule->spans, span);
        span.from = column + 2;
    }
    span.to = MAX(widest, span.from);
    g_array_append_val(rule->spans, span);
    return rule;
}

struct psql_rows *psql_read_bare(const struct psql_text *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (text->lines[i][0] != ' ')
            return NULL;
    g_autoptr(psql_rule_t) rule = common_bars(text, from, to);
    if (rule->spans->len < 2)
        return NULL;
    struct aligned a = begin(text, rule);
    g_autoptr(GArray) more = a.more;
    a.rows->headless = true;
    for (size_t i = from; i < to; i++)
        take_line(&a, text->lines[i], i + 1, false);
    return a.rows;
}
