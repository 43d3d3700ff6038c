// SHA-256 through GLib.
#include "spinfault/base/digest.h"

#include <glib.h>
#include <string.h>

struct digest {
    GChecksum *sum;
};

struct digest *digest_new(void)
{
    struct digest *d = g_new0(struct digest, 1);
    d->sum = g_checksum_new(G_CHECKSUM_SHA256);
    return d;
}

void digest_update(struct digest *d, const void *data, size_t len)
{
    g_checksum_update(d->sum, data, (gssize)len);
}

void digest_finish(struct digest *d, char hex[DIGEST_HEX_BYTES])
{
    memcpy(hex, g_checksum_get_string(d->sum), DIGEST_HEX_BYTES);
    digest_free(d);
}

void digest_free(struct digest *d)
{
    if (!d)
        return;
    g_checksum_free(d->sum);
    g_free(d);
}

void digest_bytes(const void *data, size_t len, char hex[DIGEST_HEX_BYTES])
{
    struct digest *d = digest_new();
    digest_update(d, data, len);
    digest_finish(d, hex);
}
