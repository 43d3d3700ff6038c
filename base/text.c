// Slices, numbers and display forms.
#include "spinfault/base/text.h"

#include <math.h>

struct slice slice_trim(struct slice s)
{
    while (s.len > 0 && strchr(" \t\r", s.data[0]) && s.data[0]) {
        s.data++;
        s.len--;
    }
    while (s.len > 0 && s.data[s.len - 1] && strchr(" \t\r", s.data[s.len - 1]))
        s.len--;
    return s;
}

char *slice_dup(struct slice s)
{
    return s.data ? g_strndup(s.data, s.len) : NULL;
}

bool slice_to_u64(struct slice s, uint64_t *value)
{
    uint64_t v = 0;
    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned char)s.data[i] - '0';
        if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

bool slice_to_i64(struct slice s, int64_t *value)
{
    bool negative = s.len > 0 && s.data[0] == '-';
    uint64_t v;
    if (negative) {
        s.data++;
        s.len--;
    }
    if (!slice_to_u64(s, &v) || v > (uint64_t)INT64_MAX)
        return false;
    *value = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

bool slice_to_hex(struct slice s, uint64_t *value)
{
    uint64_t v = 0;
    if (s.len > 2 && s.data[0] == '0' && (s.data[1] == 'x' || s.data[1] == 'X')) {
        s.data += 2;
        s.len -= 2;
    }
    if (s.len == 0 || s.len > 16)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        int digit = g_ascii_xdigit_value(s.data[i]);
        if (digit < 0)
            return false;
        v = v << 4 | (unsigned)digit;
    }
    *value = v;
    return true;
}

bool slice_to_double(struct slice s, double *value)
{
    char buf[64];
    if (s.len == 0 || s.len >= sizeof buf)
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (!g_ascii_isdigit(s.data[i]) && !strchr("+-.eE", s.data[i]))
            return false;
    memcpy(buf, s.data, s.len);
    buf[s.len] = '\0';
    char *end;
    double v = g_ascii_strtod(buf, &end);
    if (end != buf + s.len || !isfinite(v))
        return false;
    *value = v;
    return true;
}

bool text_to_bytes(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *unit;
        unsigned shift;
    } units[] = {
        {"", 0},     {"b", 0},  {"k", 10},  {"kb", 10},  {"kib", 10}, {"m", 20},  {"mb", 20},
        {"mib", 20}, {"g", 30}, {"gb", 30}, {"gib", 30}, {"t", 40},   {"tb", 40}, {"tib", 40},
    };
    char *end;
    double number = g_ascii_strtod(text, &end);
    if (end == text || !(number >= 0))
        return false;
    g_autofree char *lower = g_ascii_strdown(end, -1); // `text` stays as it is
    const char *unit = g_strstrip(lower);
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        if (strcmp(unit, units[i].unit) != 0)
            continue;
        double v = ldexp(number, (int)units[i].shift);
        if (v >= ldexp(1, 63))
            return false;
        *bytes = (uint64_t)v;
        return true;
    }
    return false;
}

char *text_with_commas(uint64_t value)
{
    char digits[24];
    int n = g_snprintf(digits, sizeof digits, "%" G_GUINT64_FORMAT, value);
    GString *out = g_string_new(NULL);
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            g_string_append_c(out, ',');
        g_string_append_c(out, digits[i]);
    }
    return g_string_free(out, FALSE);
}

static const char *const binary_units[] = {"", "K", "M", "G", "T", "P", "E"};

char *text_bytes(uint64_t bytes)
{
    double v = (double)bytes;
    size_t unit = 0;
    for (; v >= 1024 && unit + 1 < G_N_ELEMENTS(binary_units); unit++)
        v /= 1024;
    if (unit == 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT " B", bytes);
    return g_strdup_printf(v < 10 && v != floor(v) ? "%.1f %sB" : "%.0f %sB", v,
                           binary_units[unit]);
}

char *text_page_size(uint64_t bytes)
{
    size_t unit = 0;
    for (; bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < G_N_ELEMENTS(binary_units); unit++)
        bytes /= 1024;
    return g_strdup_printf("%" G_GUINT64_FORMAT "%s", bytes, binary_units[unit]);
}

char *text_double(double value)
{
    char buf[G_ASCII_DTOSTR_BUF_SIZE];
    if (value == floor(value) && fabs(value) < 1e15)
        return g_strdup_printf("%.0f", value);
    for (int digits = 1; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(buf, sizeof buf, format, value);
        if (g_ascii_strtod(buf, NULL) == value)
            break;
    }
    return g_strdup(buf);
}

char *text_printable(struct slice s)
{
    if (!s.data)
        return g_strdup("");
    GString *out = g_string_new(NULL);
    const char *p = s.data, *end = s.data + s.len;
    while (p < end) {
        // GLib takes a NUL for the end of the text.
        gunichar c = *p ? g_utf8_get_char_validated(p, end - p) : 0;
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append_unichar(out, 0xFFFD);
            p++;
            continue;
        }
        if (c == '\t')
            g_string_append(out, "\\t");
        else if (c == '\n')
            g_string_append(out, "\\n");
        else if (c == '\r')
            g_string_append(out, "\\r");
        else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
            g_string_append_printf(out, "\\x%02x", c);
        else
            g_string_append_unichar(out, c);
        p = c ? g_utf8_next_char(p) : p + 1;
    }
    return g_string_free(out, FALSE);
}

char *text_from_time(int64_t ns)
{
    int64_t seconds = ns / 1000000000 - (ns % 1000000000 < 0);
    g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(seconds);
    return t ? g_date_time_format(t, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}

bool text_to_time(const char *text, int64_t *ns)
{
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autofree char *full = strlen(text) == 10 ? g_strconcat(text, "T00:00:00Z", NULL) : NULL;
    g_autoptr(GDateTime) t = g_date_time_new_from_iso8601(full ? full : text, utc);
    if (!t)
        return false;
    // A year after 2262 is written like any other, but its nanoseconds have no place in 64 bits.
    int64_t whole, rest = (int64_t)g_date_time_get_microsecond(t) * 1000;
    if (__builtin_mul_overflow(g_date_time_to_unix(t), (int64_t)1000000000, &whole) ||
        __builtin_add_overflow(whole, rest, &whole))
        return false;
    *ns = whole;
    return true;
}
