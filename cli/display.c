// See display.h.
#include "display.h"

#include <string.h>

#include "spinfault/base.h"

enum { TAB = 8 };

unsigned display_char_width(gunichar c)
{
    if (g_unichar_iszerowidth(c))
        return 0;
    return g_unichar_iswide(c) ? 2 : 1;
}

unsigned display_width(const char *utf8)
{
    unsigned width = 0;
    for (const char *p = utf8; *p; p = g_utf8_next_char(p))
        width += display_char_width(g_utf8_get_char(p));
    return width;
}

// The longest beginning of `text` that is at most `width` wide.
static const char *end_within(const char *text, unsigned width)
{
    for (unsigned used = 0; *text; text = g_utf8_next_char(text)) {
        used += display_char_width(g_utf8_get_char(text));
        if (used > width)
            break;
    }
    return text;
}

// The longest ending that is.
static const char *start_within(const char *text, unsigned width)
{
    const char *at = text + strlen(text);
    for (unsigned used = 0; at > text;) {
        const char *before = g_utf8_prev_char(at);
        used += display_char_width(g_utf8_get_char(before));
        if (used > width)
            break;
        at = before;
    }
    return at;
}

char *display_fit(const char *text, unsigned width, bool keep_end)
{
    g_autofree char *printable = text_printable(slice_from(text));
    g_autoptr(GString) fit = g_string_new(printable);
    if (display_width(printable) > width && keep_end)
        g_string_printf(fit, "…%s", start_within(printable, width - 1));
    else if (display_width(printable) > width)
        g_string_printf(fit, "%.*s…", (int)(end_within(printable, width - 1) - printable),
                        printable);
    for (unsigned used = display_width(fit->str); used < width; used++)
        g_string_append_c(fit, ' ');
    return g_strdup(fit->str);
}

char *display_source(const char *line, unsigned column, unsigned width, int *caret)
{
    g_autoptr(GString) whole = g_string_new(NULL);
    unsigned at = 0; // display column
    *caret = -1;
    for (const char *p = line; *p;) {
        gunichar c = g_utf8_get_char_validated(p, -1);
        bool valid = c != (gunichar)-1 && c != (gunichar)-2;
        const char *next = valid ? g_utf8_next_char(p) : p + 1;
        if (column && p < line + column && next >= line + column)
            *caret = (int)at;
        if (*p == '\t') {
            do
                g_string_append_c(whole, ' ');
            while (++at % TAB);
        } else if (!valid || g_unichar_iscntrl(c)) {
            g_string_append_c(whole, '?');
            at++;
        } else {
            g_string_append_len(whole, p, next - p);
            at += display_char_width(c);
        }
        p = next;
    }
    if (at <= width)
        return g_strdup(whole->str);
    // Three quarters of what is shown stand before the caret when there is more.
    unsigned skipped = *caret > (int)(width * 3 / 4) ? (unsigned)*caret - width * 3 / 4 + 1 : 0;
    const char *start = end_within(whole->str, skipped);
    g_autofree char *before = g_strndup(whole->str, (gsize)(start - whole->str));
    unsigned shift = display_width(before);
    bool cut = display_width(start) > width - (shift > 0);
    const char *end = end_within(start, width - (shift > 0) - cut);
    if (*caret >= 0)
        *caret += (shift > 0) - (int)shift;
    return g_strdup_printf("%s%.*s%s", shift ? "…" : "", (int)(end - start), start, cut ? "…" : "");
}

char *display_wrap(const char *text, unsigned first, unsigned indent, unsigned width)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autoptr(GString) wrapped = g_string_new(NULL);
    if (!width)
        return g_strdup(text);
    unsigned at = first;
    for (guint i = 0; words[i]; i++) {
        g_autofree char *word = g_utf8_make_valid(words[i], -1);
        unsigned length = display_width(word);
        if (i && at + 1 + length > width) {
            g_string_append_printf(wrapped, "\n%*s", (int)indent, "");
            at = indent;
        } else if (i) {
            g_string_append_c(wrapped, ' ');
            at++;
        }
        g_string_append(wrapped, word);
        at += length;
    }
    return g_strdup(wrapped->str);
}
