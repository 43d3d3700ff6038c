// Numbers as people read them.
#include "spinfault/format.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "spinfault/base/text.h"

static char *with_decimals(double value, int decimals)
{
    char format[8], digits[64];
    g_snprintf(format, sizeof format, "%%.%df", decimals);
    g_ascii_formatd(digits, sizeof digits, format, value);
    return g_strdup(digits);
}

// Commas into the whole part of a decimal number.
static char *group(const char *digits)
{
    const char *start = digits + (*digits == '-');
    size_t whole = strcspn(start, ".");
    GString *out = g_string_new_len(digits, start - digits);
    for (size_t i = 0; i < whole; i++) {
        g_string_append_c(out, start[i]);
        if ((whole - i - 1) % 3 == 0 && i + 1 < whole)
            g_string_append_c(out, ',');
    }
    g_string_append(out, start + whole);
    return g_string_free(out, FALSE);
}

char *format_ratio(double ratio)
{
    if (isnan(ratio))
        return g_strdup("–");
    int decimals = ratio >= 100 ? 0 : ratio >= 10 ? 1 : ratio >= 0.1 ? 2 : 3;
    g_autofree char *digits = with_decimals(ratio, decimals);
    g_autofree char *grouped = group(digits);
    return g_strconcat(grouped, "×", NULL);
}

char *format_percent(double share)
{
    if (isnan(share))
        return g_strdup("–");
    double percent = share * 100;
    if (percent == 0 || percent == 100)
        return g_strdup(percent == 0 ? "0 %" : "100 %");
    g_autofree char *digits = with_decimals(percent, percent < 1 && percent > 0 ? 2 : 1);
    return g_strconcat(digits, " %", NULL);
}

char *format_value(double value)
{
    if (isnan(value))
        return g_strdup("–");
    double size = fabs(value);
    int decimals = size >= 100 || value == round(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    if (size > 0 && size < 0.01) {
        char digits[G_ASCII_DTOSTR_BUF_SIZE];
        return g_strdup(g_ascii_formatd(digits, sizeof digits, "%.3g", value));
    }
    g_autofree char *digits = with_decimals(value, decimals);
    return group(digits);
}

char *format_with_unit(double value, const char *unit)
{
    if (isnan(value))
        return g_strdup("–");
    if (g_strcmp0(unit, "s") == 0 && value != 0 && fabs(value) < 1) {
        static const char *const small[] = {"ms", "µs", "ns"};
        size_t i = fabs(value) >= 1e-3 ? 0 : fabs(value) >= 1e-6 ? 1 : 2;
        g_autofree char *scaled = format_value(value * pow(1000, (double)i + 1));
        return g_strconcat(scaled, " ", small[i], NULL);
    }
    if (g_strcmp0(unit, "B") == 0 && value >= 0 && value < 1e18)
        return text_bytes((uint64_t)value);
    g_autofree char *number = format_value(value);
    if (!unit || !*unit || strcmp(unit, "1") == 0)
        return g_steal_pointer(&number);
    return g_strconcat(number, " ", unit, NULL);
}

char *format_p(double p)
{
    if (isnan(p))
        return g_strdup("–");
    if (p == 0)
        return g_strdup("0");
    if (p >= 0.001) {
        char digits[G_ASCII_DTOSTR_BUF_SIZE];
        return g_strdup(g_ascii_formatd(digits, sizeof digits, "%.2g", p));
    }
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int power = (int)floor(log10(p));
    g_autofree char *lead = with_decimals(p / pow(10, power), 1);
    GString *out = g_string_new(lead);
    g_string_append(out, "×10⁻");
    g_autofree char *digits = g_strdup_printf("%d", -power);
    for (const char *d = digits; *d; d++)
        g_string_append(out, raised[*d - '0']);
    return g_string_free(out, FALSE);
}

char *format_axis(double value)
{
    static const struct {
        double size;
        const char *unit;
    } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (fabs(value) >= units[i].size) {
            g_autofree char *digits = g_strdup_printf("%g", value / units[i].size);
            return g_strconcat(digits, " ", units[i].unit, NULL);
        }
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(digits, sizeof digits, "%.4g", value));
}

char *format_exact(double value)
{
    if (isnan(value))
        return g_strdup("–");
    g_autofree char *digits = text_double(value);
    if (strchr(digits, 'e'))
        return g_steal_pointer(&digits);
    return group(digits);
}
