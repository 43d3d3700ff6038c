// UTF-16 to UTF-8, in pieces.
#include "utf16.h"

#include <glib.h>

static size_t put(char *out, uint32_t c)
{
    return (size_t)g_unichar_to_utf8(c, out);
}

static size_t put_unit(struct utf16 *u, uint32_t unit, char *out)
{
    size_t n = 0;
    bool low = unit >= 0xDC00 && unit < 0xE000;
    if (u->high && low) {
        n = put(out, 0x10000 + ((u->high - 0xD800) << 10) + (unit - 0xDC00));
        u->high = 0;
        return n;
    }
    if (u->high)
        n = put(out, 0xFFFD);
    u->high = unit >= 0xD800 && unit < 0xDC00 ? unit : 0;
    if (u->high)
        return n;
    return n + put(out + n, low ? 0xFFFD : unit);
}

size_t utf16_decode(struct utf16 *u, const unsigned char *data, size_t len, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        if (!u->has_byte) {
            u->byte = data[i];
            u->has_byte = true;
            continue;
        }
        u->has_byte = false;
        uint32_t unit =
            u->big_endian ? (uint32_t)u->byte << 8 | data[i] : (uint32_t)data[i] << 8 | u->byte;
        n += put_unit(u, unit, out + n);
    }
    return n;
}

size_t utf16_finish(struct utf16 *u, char *out)
{
    size_t n = 0;
    if (u->high)
        n += put(out, 0xFFFD);
    if (u->has_byte)
        n += put(out + n, 0xFFFD);
    u->high = 0;
    u->has_byte = false;
    return n;
}
