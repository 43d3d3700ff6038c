// Decimal signs, column by column.
#include "number.h"

bool number_is_missing(struct slice cell)
{
    static const char *const markers[] = {
        "",  "-", "--",  "n/a", "na",           "nan",          "null",  "none",
        "?", "x", "inf", "\\n", "\xE2\x80\x93", "\xE2\x80\x94", "(null)"};
    struct slice s = slice_trim(cell);
    if (s.len > 1 && s.data[0] == '<' && s.data[s.len - 1] == '>') // <not counted>
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(markers); i++)
        if (s.len == strlen(markers[i]) && g_ascii_strncasecmp(s.data, markers[i], s.len) == 0)
            return true;
    return false;
}

// Thousands separators that can be nothing else.
static size_t spacer_len(const char *p, const char *end)
{
    static const char *const spacers[] = {
        " ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99", "_"};
    for (size_t i = 0; i < G_N_ELEMENTS(spacers); i++) {
        size_t n = strlen(spacers[i]);
        if ((size_t)(end - p) >= n && memcmp(p, spacers[i], n) == 0)
            return n;
    }
    return 0;
}

// A number cut into its signs. `dots` and `commas` count them; `after` is the number of digits
// behind the last one, `before` those in front of the first.
struct shape {
    char digits[64]; // without spacers
    size_t len;
    unsigned dots, commas, after, before;
    char last; // the last sign, or 0
    bool spaced, exponent, zero_first;
    struct slice unit;
};

static bool is_unit_start(const char *p, const char *end)
{
    return g_ascii_isalpha(*p) || *p == '%' || *p == '/' ||
           (end - p >= 2 && (memcmp(p, "\xC3\x97", 2) == 0 || memcmp(p, "\xC2\xB5", 2) == 0));
}

static bool take_shape(struct slice cell, struct shape *s)
{
    struct slice t = slice_trim(cell);
    const char *p = t.data, *end = t.data + t.len;
    *s = (struct shape){0};
    if (end - p >= 3 && memcmp(p, "\xE2\x88\x92", 3) == 0) { // minus sign
        s->digits[s->len++] = '-';
        p += 3;
    } else if (p < end && (*p == '-' || *p == '+')) {
        s->digits[s->len++] = *p++;
    }
    bool any = false;
    s->zero_first = p < end && *p == '0';
    while (p < end) {
        size_t spacer = any ? spacer_len(p, end) : 0;
        if (s->len + 8 > sizeof s->digits)
            return false;
        if (g_ascii_isdigit(*p)) {
            any = true;
            s->digits[s->len++] = *p;
            if (s->last)
                s->after++;
            else
                s->before++;
            p++;
        } else if (*p == '.' || *p == ',') {
            s->dots += *p == '.';
            s->commas += *p == ',';
            s->last = *p;
            s->after = 0;
            s->digits[s->len++] = *p++;
        } else if (spacer && p + spacer < end && g_ascii_isdigit(p[spacer])) {
            s->spaced = true;
            p += spacer;
        } else {
            break;
        }
    }
    if (any && p + 1 < end && (*p == 'e' || *p == 'E') &&
        (g_ascii_isdigit(p[1]) || ((p[1] == '-' || p[1] == '+') && p + 2 < end))) {
        s->exponent = true;
        do {
            if (s->len + 2 > sizeof s->digits)
                return false;
            s->digits[s->len++] = *p++;
        } while (p < end && (g_ascii_isdigit(*p) ||
                             ((*p == '-' || *p == '+') && (p[-1] == 'e' || p[-1] == 'E'))));
    }
    while (p < end && spacer_len(p, end))
        p += spacer_len(p, end);
    if (p < end && !is_unit_start(p, end))
        return false;
    if (p < end)
        s->unit = (struct slice){p, (size_t)(end - p)};
    for (; s->unit.len > 0 && p < end; p++)
        if (*p == ' ' || g_ascii_isdigit(*p))
            return false; // "16 GB of RAM" is text
    return any;
}

// What one number tells about the decimal sign: '.', ',', 0 nothing, or '?' for "1.234".
static char evidence(const struct shape *s)
{
    if (s->dots && s->commas)
        return s->last;
    if (s->dots + s->commas == 0)
        return 0;
    char other = s->last == '.' ? ',' : '.';
    if (s->dots + s->commas > 1)
        return other; // thousands, twice: the other one would be the decimal sign
    if (s->exponent || s->spaced || s->zero_first || s->after != 3 || s->before > 3 ||
        s->before == 0)
        return s->last;
    return '?';
}

struct column_numbers number_column(const struct table *t, size_t column, char hint)
{
    struct column_numbers c = {.kind = COLUMN_TEXT};
    char found = 0, sign = 0;
    size_t numbers = 0;
    bool conflict = false;
    for (size_t row = 0; row < t->rows; row++) {
        struct slice cell = table_cell(t, row, column);
        struct shape s;
        if (number_is_missing(cell))
            continue;
        if (!take_shape(cell, &s) || (s.commas > 1 && s.dots > 1))
            return c;
        if (numbers++ > 0 && !slice_equal(s.unit, c.unit))
            return c;
        c.unit = s.unit;
        char e = evidence(&s);
        if (e == '?') {
            sign = s.last;
            c.line = table_line(t, row);
            c.example = cell;
        } else if (e) {
            conflict |= found && found != e;
            found = e;
        }
    }
    if (numbers == 0)
        c.kind = COLUMN_EMPTY;
    if (numbers == 0 || conflict)
        return c;
    c.kind = COLUMN_NUMBER;
    c.decimal = found;
    if (!found && sign) {
        c.open = true;
        c.decimal = hint;
        if (!hint)
            c.kind = COLUMN_AMBIGUOUS;
    }
    return c;
}

bool number_parse(struct slice cell, const struct column_numbers *column, double *value)
{
    struct shape s;
    char plain[sizeof s.digits];
    size_t n = 0;
    if (number_is_missing(cell) || !take_shape(cell, &s))
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char ch = s.digits[i];
        if (ch == '+' && i == 0)
            continue;
        if ((ch == '.' || ch == ',') && ch != column->decimal)
            continue;
        plain[n++] = ch == column->decimal && (ch == ',' || ch == '.') ? '.' : ch;
    }
    return slice_to_double((struct slice){plain, n}, value);
}
