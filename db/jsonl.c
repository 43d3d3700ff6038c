// JSON, written.
#include "jsonl.h"

#include <math.h>

void jsonl_next(GString *out)
{
    char last = out->len ? out->str[out->len - 1] : '{';
    if (last != '{' && last != '[')
        g_string_append_c(out, ',');
}

static void key_of(GString *out, const char *key)
{
    jsonl_next(out);
    text_append_json(out, slice_from(key));
    g_string_append_c(out, ':');
}

void jsonl_begin(GString *out, const char *type)
{
    g_string_append_c(out, '{');
    jsonl_text(out, "type", type);
}

void jsonl_end(GString *out)
{
    g_string_append(out, "}\n");
}

void jsonl_text(GString *out, const char *key, const char *text)
{
    jsonl_slice(out, key, slice_from(text));
}

void jsonl_slice(GString *out, const char *key, struct slice s)
{
    if (!s.data)
        return;
    key_of(out, key);
    if (g_utf8_validate_len(s.data, s.len, NULL)) {
        text_append_json(out, s);
        return;
    }
    g_string_append(out, "{\"hex\":\"");
    for (size_t i = 0; i < s.len; i++)
        g_string_append_printf(out, "%02x", (unsigned char)s.data[i]);
    g_string_append(out, "\"}");
}

void jsonl_int(GString *out, const char *key, int64_t value)
{
    key_of(out, key);
    g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

void jsonl_int_if(GString *out, const char *key, bool there, int64_t value)
{
    if (there)
        jsonl_int(out, key, value);
}

void jsonl_hex_if(GString *out, const char *key, bool there, uint64_t value)
{
    if (!there)
        return;
    key_of(out, key);
    g_string_append_printf(out, "\"%" G_GINT64_MODIFIER "x\"", value);
}

void jsonl_bool(GString *out, const char *key, bool value)
{
    key_of(out, key);
    g_string_append(out, value ? "true" : "false");
}

void jsonl_real(GString *out, const char *key, double value)
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

void jsonl_open(GString *out, const char *key, char bracket)
{
    key_of(out, key);
    g_string_append_c(out, bracket);
}

void jsonl_close(GString *out, char bracket)
{
    g_string_append_c(out, bracket);
}
