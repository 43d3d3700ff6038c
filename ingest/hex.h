// Lower-case hexadecimal numbers, eight characters at a time. A frame holds two, of any length, and
// a loop over digits ends with a branch that no processor foresees.
#ifndef SPINFAULT_INGEST_HEX_H
#define SPINFAULT_INGEST_HEX_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HEX_EACH(byte) (0x0101010101010101u * (byte))
#define HEX_TOP        HEX_EACH(0x80)

// Eight characters, the first one lowest.
static inline uint64_t hex_load(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return GUINT64_FROM_LE(word);
}

// The top bit of each character that is no digit. Sums of seven bits carry into the eighth and no
// further.
static inline uint64_t hex_others(uint64_t word)
{
    uint64_t low = word & ~HEX_TOP;
    uint64_t digit = (low + HEX_EACH(0x80 - '0')) & ~(low + HEX_EACH(0x80 - '9' - 1));
    uint64_t letter = (low + HEX_EACH(0x80 - 'a')) & ~(low + HEX_EACH(0x80 - 'f' - 1));
    return (~(digit | letter) | word) & HEX_TOP;
}

// The number that eight digits are; blanks and zero bytes count as the digit 0.
static inline uint64_t hex_value(uint64_t word)
{
    word = (word & HEX_EACH(0x0f)) + 9 * (word >> 6 & HEX_EACH(1));
    word = GUINT64_SWAP_LE_BE(word);
    word = (word | word >> 4) & 0x00ff00ff00ff00ffu;
    word = (word | word >> 8) & 0x0000ffff0000ffffu;
    return (word | word >> 16) & 0xffffffffu;
}

// Blanks and then digits, sixteen characters together, as "%16x" prints them.
static inline bool hex_column(const char *p, uint64_t *number)
{
    uint64_t high = hex_load(p), low = hex_load(p + 8);
    uint64_t no_high = hex_others(high), no_low = hex_others(low);
    // All the bits of a character that is no digit: where blanks come first, one less than a power
    // of 2.
    uint64_t blank_high = (no_high >> 7) * 0xff, blank_low = (no_low >> 7) * 0xff;
    bool is_column = no_low >> 63 == 0 && (blank_low & (blank_low + 1)) == 0 &&
                     (blank_high & (blank_high + 1)) == 0 && (no_low == 0 || no_high == HEX_TOP) &&
                     ((high ^ HEX_EACH(' ')) & blank_high) == 0 &&
                     ((low ^ HEX_EACH(' ')) & blank_low) == 0;
    *number = hex_value(high) << 32 | hex_value(low);
    return is_column;
}

// The digits right before `end`, of which eight characters can be read: how many (8: or more), and
// their number.
static inline unsigned hex_before(const char *end, uint64_t *number)
{
    uint64_t word = hex_load(end - 8), others = hex_others(word);
    unsigned n = others ? (unsigned)__builtin_clzll(others) / 8 : 8;
    *number = n > 0 ? hex_value(word >> (64 - 8 * n) << (64 - 8 * n)) : 0;
    return n;
}

#endif
