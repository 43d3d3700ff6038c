// SHA-256, the identity of every file in the archive.
#ifndef SPINFAULT_BASE_DIGEST_H
#define SPINFAULT_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_HEX_BYTES 65 // 64 hex digits and the NUL

struct digest;
struct digest *digest_new(void);
void digest_update(struct digest *d, const void *data, size_t len);
// Ends the digest and frees it; `hex` gets lower-case hex and a NUL.
void digest_finish(struct digest *d, char hex[DIGEST_HEX_BYTES]);
void digest_free(struct digest *d); // without a result; accepts NULL
// One call for data at hand.
void digest_bytes(const void *data, size_t len, char hex[DIGEST_HEX_BYTES]);

#endif
