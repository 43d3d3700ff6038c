// Decimal signs, column by column.
#include "number.h"

#include "metrics.h"

#include <math.h>

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
    char digits[64]; // a spacer is one blank
    size_t len;
    unsigned dots, commas, spaces, after, before;
    char last; // the last sign, or 0
    bool exponent, zero_first;
    struct slice unit; // null: there is none
};

static bool is_unit_start(const char *p, const char *end)
{
    return g_ascii_isalpha(*p) || *p == '%' || *p == '/' ||
           (end - p >= 2 && (memcmp(p, "\xC3\x97", 2) == 0 || memcmp(p, "\xC2\xB5", 2) == 0 ||
                             memcmp(p, "\xCE\xBC", 2) == 0));
}

static const char *take_minus(const char *p, const char *end, struct shape *s)
{
    if (end - p >= 3 && memcmp(p, "\xE2\x88\x92", 3) == 0) { // minus sign
        s->digits[s->len++] = '-';
        return p + 3;
    }
    if (p < end && (*p == '-' || *p == '+'))
        s->digits[s->len++] = *p++;
    return p;
}

// Digits with their signs and spacers; NULL when there are too many, or none.
static const char *take_digits(const char *p, const char *end, struct shape *s)
{
    bool any = false;
    s->zero_first = p < end && *p == '0';
    while (p < end) {
        size_t spacer = any ? spacer_len(p, end) : 0;
        if (s->len + 8 > sizeof s->digits)
            return NULL;
        if (g_ascii_isdigit(*p)) {
            any = true;
            s->digits[s->len++] = *p++;
            s->after += s->last != 0;
            s->before += s->last == 0;
        } else if (*p == '.' || *p == ',') {
            s->dots += *p == '.';
            s->commas += *p == ',';
            s->last = *p;
            s->after = 0;
            s->digits[s->len++] = *p++;
        } else if (spacer && p + spacer < end && g_ascii_isdigit(p[spacer])) {
            s->spaces++;
            s->digits[s->len++] = ' ';
            p += spacer;
        } else {
            break;
        }
    }
    return any ? p : NULL;
}

static const char *take_exponent(const char *p, const char *end, struct shape *s)
{
    const char *digit = p + 1 < end && (p[1] == '-' || p[1] == '+') ? p + 2 : p + 1;
    if (p == end || (*p != 'e' && *p != 'E') || digit >= end || !g_ascii_isdigit(*digit))
        return p;
    s->exponent = true;
    while (p < digit || (p < end && g_ascii_isdigit(*p))) {
        if (s->len + 2 > sizeof s->digits)
            return NULL;
        s->digits[s->len++] = *p++;
    }
    return p;
}

// The sign that is the decimal one for certain, or may be: 0 when all stand between thousands.
static char decimal_of(const struct shape *s)
{
    if (s->dots && s->commas)
        return s->last;
    return s->dots + s->commas == 1 ? s->last : 0;
}

// Thousands have three digits behind their sign (or two and three, as in India), and all the same
// sign; what stands behind the decimal sign has none. "28.04.2026" and "12 5" are no numbers.
static bool is_well_formed(const struct shape *s)
{
    char decimal = decimal_of(s), sign = 0;
    size_t digits = 0, i = 0;
    bool two = false;
    while (i < s->len && (s->digits[i] == '-' || s->digits[i] == '+'))
        i++;
    for (; i < s->len && s->digits[i] != decimal && s->digits[i] != 'e' && s->digits[i] != 'E';
         i++) {
        char c = s->digits[i];
        if (g_ascii_isdigit(c)) {
            digits++;
            continue;
        }
        if (digits == 0 || digits > 3 || (sign && (c != sign || digits < 2)))
            return false;
        two |= sign && digits == 2;
        sign = c;
        digits = 0;
    }
    if ((sign && digits != 3) || (two && sign != ','))
        return false;
    for (i++; decimal && i < s->len; i++)
        if (s->digits[i] == '.' || s->digits[i] == ',' || s->digits[i] == ' ')
            return false;
    return true;
}

static bool take_shape(struct slice cell, struct shape *s)
{
    struct slice t = slice_trim(cell);
    const char *end = t.data + t.len;
    *s = (struct shape){0};
    const char *p = take_digits(take_minus(t.data, end, s), end, s);
    if (!p || !(p = take_exponent(p, end, s)) || !is_well_formed(s))
        return false;
    while (p < end && spacer_len(p, end))
        p += spacer_len(p, end);
    if (p == end)
        return true;
    if (!is_unit_start(p, end))
        return false;
    s->unit = (struct slice){p, (size_t)(end - p)};
    for (; p < end; p++)
        if (*p == ' ' || g_ascii_isdigit(*p))
            return false; // "16 GB of RAM" is text
    return true;
}

// What one number tells about the decimal sign: '.', ',', 0 nothing, or '?' for "1.234".
static char evidence(const struct shape *s)
{
    if (s->dots && s->commas)
        return s->last;
    if (s->dots + s->commas == 0)
        return 0;
    if (s->dots + s->commas > 1)
        return s->last == '.' ? ',' : '.'; // thousands, twice: the other one would be decimal
    if (s->exponent || s->spaces || s->zero_first || s->after != 3 || s->before > 3 ||
        s->before == 0)
        return s->last;
    return '?';
}

struct column_numbers number_column(const struct table *t, size_t column, char hint)
{
    struct column_numbers c = {.kind = COLUMN_NUMBER};
    size_t numbers = 0, words = 0;
    bool maybe = false;
    for (size_t row = 0; row < t->rows; row++) {
        struct slice cell = table_cell(t, row, column);
        struct shape s;
        if (number_is_missing(cell))
            continue;
        if (!take_shape(cell, &s)) {
            words++;
            continue;
        }
        words += numbers++ > 0 && !slice_equal(s.unit, c.unit);
        c.unit = s.unit;
        char e = evidence(&s);
        bool other = e && e != '?' && c.decimal && e != c.decimal;
        if ((e == '?' && !c.conflict) || (other && !c.conflict)) {
            c.line = table_line(t, row);
            c.example = cell;
        }
        c.conflict |= other;
        maybe |= e == '?';
        if (e && e != '?')
            c.decimal = e;
    }
    c.open = maybe && !c.decimal;
    c.undecided = c.open && !hint;
    if (c.open)
        c.decimal = hint;
    if (words || c.conflict)
        c.kind = COLUMN_TEXT;
    else if (numbers == 0)
        c.kind = COLUMN_EMPTY;
    if (c.kind != COLUMN_NUMBER)
        c.unit = SLICE_NULL;
    return c;
}

bool number_parse_unit(struct slice cell, const struct column_numbers *column, double *value,
                       struct slice *unit)
{
    struct shape s;
    char plain[sizeof s.digits];
    size_t n = 0;
    if (number_is_missing(cell) || !take_shape(cell, &s))
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.digits[i];
        bool sign = c == '.' || c == ',';
        if ((c == '+' && i == 0) || c == ' ' || (sign && c != column->decimal))
            continue;
        plain[n++] = sign ? '.' : c;
    }
    if (unit)
        *unit = s.unit;
    return slice_to_double((struct slice){plain, n}, value);
}

bool number_parse(struct slice cell, const struct column_numbers *column, double *value)
{
    return number_parse_unit(cell, column, value, NULL);
}

// Every sign may stand between thousands: three digits are behind each.
static bool is_grouped(const struct shape *s)
{
    return !(s->dots && s->commas) && (s->dots + s->commas == 0 || evidence(s) != s->last);
}

bool number_count(struct slice cell, uint64_t *count)
{
    struct shape s;
    double value;
    if (number_is_missing(cell) || !take_shape(cell, &s) || s.unit.data || s.exponent)
        return false;
    struct column_numbers parts = {.decimal = is_grouped(&s) ? 0 : s.last};
    return number_parse(cell, &parts, &value) && value == floor(value) && count_from(value, count);
}
