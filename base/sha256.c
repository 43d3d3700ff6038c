// SHA-256 with the x86 SHA extensions. Two state registers hold the words in the order that
// SHA256RNDS2 wants (A B E F and C D G H); the message schedule is made four words at a time.
#include "sha256.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

bool sha256_available(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3))
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

__attribute__((target("sha,sse4.1,ssse3"))) static void compress(uint32_t state[8],
                                                                 const unsigned char *data,
                                                                 size_t blocks)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i dcba = _mm_loadu_si128((const __m128i *)state);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; blocks > 0; blocks--, data += SHA256_BLOCK) {
        __m128i w[4], old_abef = abef, old_cdgh = cdgh;
        for (int i = 0; i < 4; i++)
            w[i] =
                _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * (size_t)i)), swap);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            const __m128i *k = (const __m128i *)(round_constants + 4 * (size_t)i);
            __m128i sum = _mm_add_epi32(w[i & 3], _mm_loadu_si128(k));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            if (i >= 12)
                continue;
            __m128i last = w[(i + 3) & 3];
            __m128i next = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
            next = _mm_add_epi32(next, _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
            w[i & 3] = _mm_sha256msg2_epu32(next, last);
        }
        abef = _mm_add_epi32(abef, old_abef);
        cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool sha256_available(void)
{
    return false;
}

static void compress(uint32_t state[8], const unsigned char *data, size_t blocks)
{
    (void)state;
    (void)data;
    (void)blocks;
}

#endif

void sha256_init(struct sha256 *s)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->state, initial, sizeof initial);
    s->bytes = 0;
}

void sha256_update(struct sha256 *s, const unsigned char *data, size_t len)
{
    size_t have = s->bytes % SHA256_BLOCK;
    s->bytes += len;
    if (have > 0) {
        size_t n = len < SHA256_BLOCK - have ? len : SHA256_BLOCK - have;
        memcpy(s->block + have, data, n);
        data += n;
        len -= n;
        if (have + n < SHA256_BLOCK)
            return;
        compress(s->state, s->block, 1);
    }
    compress(s->state, data, len / SHA256_BLOCK);
    memcpy(s->block, data + len / SHA256_BLOCK * SHA256_BLOCK, len % SHA256_BLOCK);
}

void sha256_finish(struct sha256 *s, unsigned char digest[32])
{
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    uint64_t bits = s->bytes * 8;
    size_t have = s->bytes % SHA256_BLOCK;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_update(s, padding, have < 56 ? 56 - have : 120 - have);
    sha256_update(s, length, sizeof length);
    for (int i = 0; i < 32; i++)
        digest[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}
