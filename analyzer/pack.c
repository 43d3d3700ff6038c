// See pack.h.
#include "pack.h"

#include <string.h>

#include "spinfault/base.h"

#define FIRST_TEXT  2u  // 0 is NULL, 1 a text that follows
#define CHECK_BYTES 16u // hex digits of SHA-256: enough to tell damage

void pack_init(struct pack *pack)
{
    pack->bytes = g_byte_array_new();
    g_byte_array_set_size(pack->bytes, CHECK_BYTES);
    pack->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void pack_number(struct pack *pack, uint64_t number)
{
    guint8 bytes[10];
    guint n = 0;
    do {
        bytes[n] = (guint8)((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
        number >>= 7;
        n++;
    } while (number);
    g_byte_array_append(pack->bytes, bytes, n);
}

void pack_text(struct pack *pack, const char *text)
{
    if (!text) {
        pack_number(pack, 0);
        return;
    }
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(pack->texts, text));
    if (known) {
        pack_number(pack, known);
        return;
    }
    size_t n = strlen(text);
    pack_number(pack, 1);
    pack_number(pack, n);
    g_byte_array_append(pack->bytes, (const guint8 *)text, (guint)n);
    g_hash_table_insert(pack->texts, g_strdup(text),
                        GUINT_TO_POINTER(FIRST_TEXT + g_hash_table_size(pack->texts)));
}

static void check_sum(const guint8 *data, size_t n, char sum[DIGEST_HEX_BYTES])
{
    digest_bytes(data + CHECK_BYTES, n - CHECK_BYTES, sum);
}

GBytes *pack_finish(struct pack *pack)
{
    char sum[DIGEST_HEX_BYTES];
    check_sum(pack->bytes->data, pack->bytes->len, sum);
    memcpy(pack->bytes->data, sum, CHECK_BYTES);
    g_clear_pointer(&pack->texts, g_hash_table_unref);
    return g_byte_array_free_to_bytes(g_steal_pointer(&pack->bytes));
}

bool unpack_init(struct unpack *unpack, GBytes *bytes)
{
    size_t n;
    char sum[DIGEST_HEX_BYTES];
    const guint8 *data = g_bytes_get_data(bytes, &n);
    if (n < CHECK_BYTES)
        return false;
    check_sum(data, n, sum);
    if (memcmp(data, sum, CHECK_BYTES) != 0)
        return false;
    *unpack = (struct unpack){.at = data + CHECK_BYTES,
                              .end = data + n,
                              .texts = g_ptr_array_new(),
                              .chunk = g_string_chunk_new(1024)};
    return true;
}

void unpack_clear(struct unpack *unpack)
{
    g_clear_pointer(&unpack->texts, g_ptr_array_unref);
    g_clear_pointer(&unpack->chunk, g_string_chunk_free);
}

uint64_t unpack_number(struct unpack *unpack)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && unpack->at < unpack->end; shift += 7) {
        unsigned char byte = *unpack->at++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return number;
    }
    unpack->bad = true;
    return 0;
}

unsigned unpack_up_to(struct unpack *unpack, unsigned most)
{
    uint64_t number = unpack_number(unpack);
    if (number <= most)
        return (unsigned)number;
    unpack->bad = true;
    return 0;
}

size_t unpack_count(struct unpack *unpack)
{
    uint64_t n = unpack_number(unpack);
    if (n <= (uint64_t)(unpack->end - unpack->at))
        return (size_t)n;
    unpack->bad = true;
    return 0;
}

const char *unpack_text(struct unpack *unpack)
{
    uint64_t number = unpack_number(unpack);
    if (number == 0)
        return NULL;
    if (number >= FIRST_TEXT && number - FIRST_TEXT < unpack->texts->len)
        return unpack->texts->pdata[number - FIRST_TEXT];
    size_t n = number == 1 ? unpack_count(unpack) : 0;
    if (number != 1 || unpack->bad || memchr(unpack->at, 0, n)) {
        unpack->bad = true;
        return NULL;
    }
    char *text = g_string_chunk_insert_len(unpack->chunk, (const char *)unpack->at, (gssize)n);
    unpack->at += n;
    g_ptr_array_add(unpack->texts, text);
    return text;
}

const char *unpack_required_text(struct unpack *unpack)
{
    const char *text = unpack_text(unpack);
    unpack->bad |= !text;
    return text ? text : "";
}
