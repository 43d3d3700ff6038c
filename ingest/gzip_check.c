// CRC-32 and length of gzip content (RFC 1952, 2.3.1 and 8).
#include "gzip_check.h"

#include <glib.h>
#include <string.h>

static const uint32_t *crc_table(void)
{
    static uint32_t table[256];
    static gsize ready;
    if (g_once_init_enter(&ready)) {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int bit = 0; bit < 8; bit++)
                c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
            table[i] = c;
        }
        g_once_init_leave(&ready, 1);
    }
    return table;
}

void gzip_check_file(struct gzip_check *check, const void *data, size_t len)
{
    const uint8_t *p = data;
    uint32_t window = check->window;
    for (size_t i = 0; i < len; i++) {
        window = window << 8 | p[i];
        // Magic, method 8 (deflate), flags without the reserved bits.
        check->headers += window >> 8 == 0x1f8b08 && (window & 0xE0) == 0;
    }
    check->window = window;
    check->compressed += len;
    size_t n = MIN(len, sizeof check->tail);
    memmove(check->tail, check->tail + n, sizeof check->tail - n);
    if (n)
        memcpy(check->tail + sizeof check->tail - n, p + len - n, n);
}

void gzip_check_content(struct gzip_check *check, const void *data, size_t len)
{
    const uint32_t *table = crc_table();
    const uint8_t *p = data;
    uint32_t c = ~check->crc;
    for (size_t i = 0; i < len; i++)
        c = table[(c ^ p[i]) & 0xFF] ^ c >> 8;
    check->crc = ~c;
    check->size += (uint32_t)len; // modulo 2^32, as in the file
}

static uint32_t little_endian(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

bool gzip_check_passes(const struct gzip_check *check)
{
    static const uint8_t padding[sizeof check->tail]; // of a file that came from a tape
    if (check->headers != 1 || memcmp(check->tail, padding, sizeof padding) == 0)
        return true;
    return little_endian(check->tail) == check->crc &&
           little_endian(check->tail + 4) == check->size;
}
