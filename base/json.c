// JSON strings (RFC 8259), for everyone who writes JSON piece by piece.
#include "spinfault/base/text.h"

static void append_ascii(GString *out, unsigned char c)
{
    static const char escapes[] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
                                   ['\t'] = 't', ['"'] = '"',  ['\\'] = '\\'};
    if (c < sizeof escapes && escapes[c]) {
        g_string_append_c(out, '\\');
        g_string_append_c(out, escapes[c]);
    } else if (c < 0x20 || c == 0x7f) {
        g_string_append_printf(out, "\\u%04x", c);
    } else {
        g_string_append_c(out, (char)c);
    }
}

void text_append_json(GString *out, struct slice s)
{
    g_string_append_c(out, '"');
    const char *end = s.len ? s.data + s.len : s.data;
    for (const char *p = s.data; p < end;) {
        if ((unsigned char)*p < 0x80) {
            append_ascii(out, (unsigned char)*p++);
            continue;
        }
        gunichar c = g_utf8_get_char_validated(p, end - p);
        bool valid = c != (gunichar)-1 && c != (gunichar)-2;
        g_string_append_unichar(out, valid ? c : 0xFFFD);
        p = valid ? g_utf8_next_char(p) : p + 1;
    }
    g_string_append_c(out, '"');
}
