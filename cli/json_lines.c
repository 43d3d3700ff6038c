// JSON objects, a line each, written piece by piece.
#include "json_lines.h"

#include <inttypes.h>

void json_put_slice(FILE *out, struct slice s)
{
    if (!s.data) {
        fputs("null", out);
        return;
    }
    g_autoptr(GString) text = g_string_sized_new(s.len + 2);
    text_append_json(text, s);
    fwrite(text->str, 1, text->len, out);
}

void json_put_text(FILE *out, const char *text)
{
    json_put_slice(out, slice_from(text));
}

void json_put_double(FILE *out, double value)
{
    g_autofree char *text = isfinite(value) ? text_double(value) : NULL;
    fputs(text ? text : "null", out);
}

void json_key(FILE *out, const char *name)
{
    fprintf(out, ",\"%s\":", name);
}

void json_key_text(FILE *out, const char *name, const char *value)
{
    json_key(out, name);
    json_put_text(out, value);
}

void json_key_slice(FILE *out, const char *name, struct slice value)
{
    json_key(out, name);
    json_put_slice(out, value);
}

// Only what is there.
void json_key_slice_if(FILE *out, const char *name, struct slice value)
{
    if (value.data)
        json_key_slice(out, name, value);
}

void json_key_text_if(FILE *out, const char *name, const char *value)
{
    if (value)
        json_key_text(out, name, value);
}

void json_key_int(FILE *out, const char *name, bool there, int64_t value)
{
    json_key(out, name);
    if (there)
        fprintf(out, "%" PRId64, value);
    else
        fputs("null", out);
}

void json_key_uint(FILE *out, const char *name, uint64_t value)
{
    json_key(out, name);
    fprintf(out, "%" PRIu64, value);
}

void json_key_hex(FILE *out, const char *name, uint64_t value)
{
    json_key(out, name);
    fprintf(out, "\"%" PRIx64 "\"", value);
}

void json_key_double(FILE *out, const char *name, double value)
{
    json_key(out, name);
    json_put_double(out, value);
}

void json_key_bool(FILE *out, const char *name, bool value)
{
    json_key(out, name);
    fputs(value ? "true" : "false", out);
}

void json_begin(FILE *out, const char *type)
{
    fputs("{\"type\":", out);
    json_put_text(out, type);
}

bool json_finish(FILE *out, GError **error)
{
    fputs("}\n", out);
    return !ferror(out) || error_set(error, SPINFAULT_ERROR_IO, "cannot write the output");
}
