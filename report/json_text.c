// JSON, written front to back.
#include "json_text.h"

#include <math.h>

#include "spinfault/base/text.h"

static void begin(GString *out, const char *key)
{
    char last = out->len ? out->str[out->len - 1] : '\n';
    if (last != '{' && last != '[' && last != '\n')
        g_string_append_c(out, ',');
    if (key) {
        text_append_json(out, slice_from(key));
        g_string_append_c(out, ':');
    }
}

void emit_open(GString *out, const char *key, char bracket)
{
    begin(out, key);
    g_string_append_c(out, bracket);
}

void emit_close(GString *out, char bracket)
{
    g_string_append_c(out, bracket);
}

void emit_text(GString *out, const char *key, const char *value)
{
    begin(out, key);
    if (value)
        text_append_json(out, slice_from(value));
    else
        g_string_append(out, "null");
}

void emit_number(GString *out, const char *key, double value)
{
    begin(out, key);
    g_autofree char *digits = isfinite(value) ? text_double(value) : g_strdup("null");
    g_string_append(out, digits);
}

void emit_int(GString *out, const char *key, int64_t value)
{
    begin(out, key);
    g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

void emit_bool(GString *out, const char *key, bool value)
{
    begin(out, key);
    g_string_append(out, value ? "true" : "false");
}
