// JSON, written.
#include "json_out.h"

#include <math.h>

void json_next(GString *out)
{
    char last = out->len ? out->str[out->len - 1] : '{';
    if (last != '{' && last != '[')
        g_string_append_c(out, ',');
}

void json_string(GString *out, struct slice s)
{
    g_string_append_c(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c == '"' || c == '\\')
            g_string_append_printf(out, "\\%c", c);
        else if (c == '\n')
            g_string_append(out, "\\n");
        else if (c == '\t')
            g_string_append(out, "\\t");
        else if (c < 0x20)
            g_string_append_printf(out, "\\u%04x", c);
        else
            g_string_append_c(out, (char)c);
    }
    g_string_append_c(out, '"');
}

static void key_of(GString *out, const char *key)
{
    json_next(out);
    json_string(out, slice_from(key));
    g_string_append_c(out, ':');
}

void json_begin(GString *out, const char *type)
{
    g_string_append_c(out, '{');
    json_text(out, "type", type);
}

void json_end(GString *out)
{
    g_string_append(out, "}\n");
}

void json_text(GString *out, const char *key, const char *text)
{
    json_slice(out, key, slice_from(text));
}

void json_slice(GString *out, const char *key, struct slice s)
{
    if (!s.data)
        return;
    key_of(out, key);
    if (g_utf8_validate_len(s.data, s.len, NULL)) {
        json_string(out, s);
        return;
    }
    g_string_append(out, "{\"hex\":\"");
    for (size_t i = 0; i < s.len; i++)
        g_string_append_printf(out, "%02x", (unsigned char)s.data[i]);
    g_string_append(out, "\"}");
}

void json_int(GString *out, const char *key, int64_t value)
{
    key_of(out, key);
    g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

void json_int_if(GString *out, const char *key, bool there, int64_t value)
{
    if (there)
        json_int(out, key, value);
}

void json_hex_if(GString *out, const char *key, bool there, uint64_t value)
{
    if (!there)
        return;
    key_of(out, key);
    g_string_append_printf(out, "\"%" G_GINT64_MODIFIER "x\"", value);
}

void json_bool(GString *out, const char *key, bool value)
{
    key_of(out, key);
    g_string_append(out, value ? "true" : "false");
}

void json_real(GString *out, const char *key, double value)
{
    if (isnan(value))
        return;
    key_of(out, key);
    if (isinf(value)) {
        g_string_append(out, value > 0 ? "\"inf\"" : "\"-inf\"");
        return;
    }
    g_autofree char *text = text_double(value);
    g_string_append(out, text);
}

void json_open(GString *out, const char *key, char bracket)
{
    key_of(out, key);
    g_string_append_c(out, bracket);
}

void json_close(GString *out, char bracket)
{
    g_string_append_c(out, bracket);
}
