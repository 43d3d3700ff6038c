// Lines and their parts.
#include "lines.h"

bool lines_each(struct ingest *in, line_callback each, void *parser, GError **error)
{
    struct slice line;
    GError *problem = NULL;
    while (reader_next(in->reader, &line, &problem)) {
        reader_release(in->reader);
        if (!each(parser, line, error))
            return false;
    }
    if (problem)
        g_propagate_error(error, problem);
    return !problem;
}

struct slice line_after(struct slice line, const char *key)
{
    const char *at = line.len ? memmem(line.data, line.len, key, strlen(key)) : NULL;
    if (!at)
        return SLICE_NULL;
    at += strlen(key);
    return (struct slice){at, (size_t)(line.data + line.len - at)};
}

bool line_has(struct slice line, const char *text)
{
    return line_after(line, text).data != NULL;
}

bool line_number(struct slice s, double *value, struct slice *rest)
{
    if (!s.data)
        return false;
    s = slice_trim(s);
    size_t n = 0;
    while (n < s.len && (g_ascii_isdigit(s.data[n]) || strchr("+-.", s.data[n]) ||
                         ((s.data[n] == 'e' || s.data[n] == 'E') && n > 0 && n + 1 < s.len &&
                          (g_ascii_isdigit(s.data[n + 1]) || strchr("+-", s.data[n + 1])))))
        n++;
    if (!slice_to_double((struct slice){s.data, n}, value))
        return false;
    if (rest)
        *rest = (struct slice){s.data + n, s.len - n};
    return true;
}

struct slice line_field(struct slice *s, char separator)
{
    if (!s->data)
        return *s;
    const char *at = s->len ? memchr(s->data, separator, s->len) : NULL;
    struct slice field = {s->data, at ? (size_t)(at - s->data) : s->len};
    size_t used = field.len + (at != NULL);
    s->data += used;
    s->len -= used;
    return field;
}

struct slice line_word(struct slice *s)
{
    if (!s->data)
        return *s;
    *s = slice_trim(*s);
    size_t n = 0;
    while (n < s->len && s->data[n] != ' ' && s->data[n] != '\t')
        n++;
    struct slice word = {s->data, n};
    s->data += n;
    s->len -= n;
    return word;
}

static bool take_int(struct slice *s, char separator, int *value)
{
    uint64_t v;
    struct slice field = separator == ' ' ? line_word(s) : line_field(s, separator);
    if (!slice_to_u64(slice_trim(field), &v) || v > 9999)
        return false;
    *value = (int)v;
    return true;
}

bool line_ctime(struct slice s, int64_t *seconds)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int day, hour, minute, second, year;
    struct slice month = line_word(&s);
    const char *at = NULL;
    for (int tries = 0; tries < 2 && !at; tries++) {
        at = month.len == 3 ? memmem(months, sizeof months - 1, month.data, 3) : NULL;
        if (!at)
            month = line_word(&s);
    }
    if (!at || !take_int(&s, ' ', &day))
        return false;
    struct slice clock = line_word(&s);
    if (!take_int(&clock, ':', &hour) || !take_int(&clock, ':', &minute) ||
        !take_int(&clock, ' ', &second) || !take_int(&s, ' ', &year))
        return false;
    g_autoptr(GDateTime) t =
        g_date_time_new_utc(year, (int)(at - months) / 3 + 1, day, hour, minute, second);
    if (t)
        *seconds = g_date_time_to_unix(t);
    return t != NULL;
}
