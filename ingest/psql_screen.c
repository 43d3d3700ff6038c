// Signs, rules, footers and titles of psql's tables.
#include "psql_screen.h"

// Box characters: the straight ones are dashes and bars, all others are joints.
static enum psql_sign box_sign(gunichar c)
{
    if (c == 0x2500 || c == 0x2550)
        return SIGN_DASH;
    if (c == 0x2502 || c == 0x2551)
        return SIGN_BAR;
    return c >= 0x2500 && c <= 0x257F ? SIGN_JOINT : SIGN_OTHER;
}

static enum psql_sign sign_of(gunichar c)
{
    switch (c) {
    case 0:
        return SIGN_END;
    case ' ':
        return SIGN_BLANK;
    case '-':
        return SIGN_DASH;
    case '+':
        return SIGN_JOINT;
    case '|':
        return SIGN_BAR;
    case '.':
    case 0x2026:
        return SIGN_WRAP;
    case 0x21B5:
        return SIGN_NEWLINE;
    case ':':
        return SIGN_COLON;
    case ';':
        return SIGN_SEMICOLON;
    default:
        return box_sign(c);
    }
}

// The next character and its width. What is not UTF-8 counts by the byte.
static const char *step(const char *p, gunichar *c, size_t *width)
{
    *c = (unsigned char)*p;
    *width = 1;
    if (*c < 0x80)
        return p + 1;
    *c = g_utf8_get_char_validated(p, -1);
    if (*c == (gunichar)-1 || *c == (gunichar)-2) {
        *c = 0xFFFD;
        return p + 1;
    }
    *width = g_unichar_iszerowidth(*c) ? 0 : g_unichar_iswide(*c) ? 2 : 1;
    return g_utf8_next_char(p);
}

size_t screen_width(const char *line)
{
    size_t all = 0, width;
    gunichar c;
    for (const char *p = line; *p; all += width)
        p = step(p, &c, &width);
    return all;
}

struct slice screen_cut(const char *line, size_t from, size_t to)
{
    size_t at = 0, width;
    gunichar c;
    const char *p = line, *start = NULL;
    while (*p) {
        const char *next = step(p, &c, &width);
        if (at + width > to)
            break;
        if (!start && at >= from && (width > 0 || at > from || from == 0))
            start = p;
        at += width;
        p = next;
    }
    return start ? (struct slice){start, (size_t)(p - start)} : SLICE("");
}

enum psql_sign screen_sign(const char *line, size_t column)
{
    size_t at = 0, width;
    gunichar c;
    for (const char *p = line; *p; at += width) {
        p = step(p, &c, &width);
        if (at == column && width > 0)
            return sign_of(c);
    }
    return SIGN_END;
}

enum psql_more sign_more(enum psql_sign sign)
{
    return sign == SIGN_WRAP                            ? MORE_WRAPPED
           : sign == SIGN_JOINT || sign == SIGN_NEWLINE ? MORE_NEWLINE
                                                        : MORE_NOT;
}

// --- rules -----------------------------------------------------------------------------------

bool psql_is_rule(const char *line)
{
    size_t dashes = 0, width;
    gunichar c;
    for (const char *p = line; *p;) {
        p = step(p, &c, &width);
        enum psql_sign sign = sign_of(c);
        dashes += sign == SIGN_DASH;
        if (sign != SIGN_DASH && sign != SIGN_JOINT && sign != SIGN_BLANK)
            return false;
    }
    return dashes > 0 && line[0] != ' ';
}

// From the first dash of a column to behind its last. With a border there is a dash more at each
// side of it than the text is wide.
static void add_span(struct psql_rule *rule, size_t from, size_t to)
{
    struct psql_span span = {from, to};
    if (rule->border > 0 && to - from >= 2)
        span = (struct psql_span){from + 1, to - 1};
    g_array_append_val(rule->spans, span);
}

struct psql_rule *psql_rule_new(const char *line)
{
    if (!psql_is_rule(line))
        return NULL;
    struct psql_rule *rule = g_new0(struct psql_rule, 1);
    size_t at = 0, from = 0, width;
    gunichar c;
    const char *end = line + strlen(line);
    while (end > line && end[-1] == ' ')
        end--;
    bool gaps = memchr(line, ' ', (size_t)(end - line)) != NULL;
    rule->spans = g_array_new(FALSE, FALSE, sizeof(struct psql_span));
    rule->border = screen_sign(line, 0) == SIGN_JOINT ? 2 : gaps ? 0 : 1;
    for (const char *p = line; p < end; at += width) {
        p = step(p, &c, &width);
        if (sign_of(c) == SIGN_DASH)
            continue;
        if (at > 0)
            add_span(rule, from, at);
        from = at + 1;
    }
    if (from < at)
        add_span(rule, from, at);
    return rule;
}

void psql_rule_free(struct psql_rule *rule)
{
    if (!rule)
        return;
    g_array_unref(rule->spans);
    g_free(rule);
}

bool psql_rule_fits(const struct psql_rule *rule, const char *line)
{
    const struct psql_span *spans = (const struct psql_span *)rule->spans->data;
    guint n = rule->spans->len;
    if (!*line || psql_is_rule(line) || screen_width(line) > spans[n - 1].to + 2)
        return false;
    if (rule->border == 2 &&
        (screen_sign(line, 0) != SIGN_BAR || screen_sign(line, spans[n - 1].to + 1) != SIGN_BAR))
        return false;
    for (guint i = 0; i + 1 < n; i++) {
        enum psql_sign sign = screen_sign(line, spans[i].to + (rule->border > 0));
        if (rule->border > 0 && sign != SIGN_BAR)
            return false;
        if (rule->border == 0 && sign != SIGN_BLANK && sign != SIGN_END && !sign_more(sign))
            return false;
    }
    return true;
}

// --- footers and titles ----------------------------------------------------------------------

gint64 psql_footer(const char *line)
{
    char *end;
    if (line[0] != '(' || !g_ascii_isdigit(line[1]))
        return -1;
    gint64 rows = g_ascii_strtoll(line + 1, &end, 10);
    size_t len = strlen(end);
    bool words = *end == ' ' || (unsigned char)*end >= 0x80;
    while (len > 0 && end[len - 1] == ' ')
        len--;
    return words && len > 1 && end[len - 1] == ')' && !strpbrk(end, ",;|\t") ? rows : -1;
}

// "13:27:07"
static bool take_clock(const char *word, int clock[3])
{
    char *end;
    for (int i = 0; i < 3; i++, word = end + 1) {
        if (!g_ascii_isdigit(word[0]))
            return false;
        clock[i] = (int)g_ascii_strtoull(word, &end, 10);
        if (end - word > 2 || *end != (i < 2 ? ':' : '\0'))
            return false;
    }
    return true;
}

static int month_of(const char *word)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    for (size_t i = 0; i < G_N_ELEMENTS(months); i++)
        if (strcmp(word, months[i]) == 0)
            return (int)i + 1;
    return 0;
}

// The order of the parts is the locale's; their forms tell which is which.
double psql_watch_time(const char *line)
{
    int year = 0, month = 0, day = 0, clock[3] = {-1, 0, 0};
    if (!strchr(line, ':') || strlen(line) > 400)
        return NAN;
    g_auto(GStrv) words = g_strsplit_set(line, " \t", -1);
    for (char **w = words; *w && **w != '('; w++) {
        size_t digits = strspn(*w, "0123456789");
        bool number = digits > 0 && !(*w)[digits];
        if (number && digits == 4)
            year = atoi(*w);
        else if (number && digits <= 2)
            day = atoi(*w);
        else if (month_of(*w))
            month = month_of(*w);
        else if (clock[0] >= 0 && (strcmp(*w, "PM") == 0 || strcmp(*w, "AM") == 0))
            clock[0] = clock[0] % 12 + (**w == 'P' ? 12 : 0);
        else if (digits > 0)
            take_clock(*w, clock);
    }
    if (!year || !month || !day || clock[0] < 0)
        return NAN;
    g_autoptr(GDateTime) t = g_date_time_new_utc(year, month, day, clock[0], clock[1], clock[2]);
    return t ? (double)g_date_time_to_unix(t) : NAN;
}

bool psql_is_record(const char *line)
{
    const char *at = strstr(line, "[ ");
    if (g_str_has_prefix(line, "* Record ") && g_ascii_isdigit(line[9]))
        return line[9 + strspn(line + 9, "0123456789 ")] == '\0';
    if (!at || at == line || !strstr(at, " ]") || !strpbrk(at, "0123456789"))
        return false;
    g_autofree char *before = g_strndup(line, (gsize)(at - line));
    return psql_is_rule(before);
}
