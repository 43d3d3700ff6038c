// SHA-256 (FIPS 180-4) by the processor's own instructions, where it has them. Only digest.c uses
// this.
#ifndef SPINFAULT_BASE_SHA256_H
#define SPINFAULT_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK 64

struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[SHA256_BLOCK]; // the first bytes % SHA256_BLOCK wait for the rest
};

bool sha256_available(void); // does this processor have the instructions?
void sha256_init(struct sha256 *s);
void sha256_update(struct sha256 *s, const unsigned char *data, size_t len);
void sha256_finish(struct sha256 *s, unsigned char digest[32]);

#endif
