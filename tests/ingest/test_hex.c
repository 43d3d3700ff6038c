// Eight characters at a time against one at a time.
#include "hex.h"

static const char alphabet[] = "0123456789abcdef0123456789abcdef     gG/:@`\t\x80\xb0\xff";

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Blanks, then digits of which there is one at least.
static bool plain_column(const char *p, uint64_t *number)
{
    int i = 0;
    *number = 0;
    while (i < 15 && p[i] == ' ')
        i++;
    for (; i < 16; i++) {
        if (digit(p[i]) < 0)
            return false;
        *number = *number << 4 | (uint64_t)digit(p[i]);
    }
    return true;
}

static void columns(void)
{
    unsigned good = 0;
    for (int round = 0; round < 200000; round++) {
        char text[16];
        int blanks = g_test_rand_int_range(0, 17), odd = g_test_rand_int_range(-16, 16);
        for (int i = 0; i < 16; i++)
            text[i] = i < blanks ? ' ' : alphabet[g_test_rand_int_range(0, 16)];
        if (odd >= 0)
            text[odd] = alphabet[g_test_rand_int_range(0, sizeof alphabet - 1)];
        uint64_t expected, number;
        bool is_column = plain_column(text, &expected);
        g_assert_cmpint(hex_column(text, &number), ==, is_column);
        if (is_column)
            g_assert_cmphex(number, ==, expected);
        good += is_column;
    }
    g_assert_cmpuint(good, >, 50000);
}

static void ends(void)
{
    for (int round = 0; round < 200000; round++) {
        char text[8];
        for (int i = 0; i < 8; i++)
            text[i] = alphabet[g_test_rand_int_range(0, sizeof alphabet - 1)];
        unsigned n = 0;
        uint64_t expected = 0, number;
        for (; n < 8 && digit(text[7 - n]) >= 0; n++)
            expected |= (uint64_t)digit(text[7 - n]) << 4 * n;
        g_assert_cmpuint(hex_before(text + 8, &number), ==, n);
        g_assert_cmphex(number, ==, expected);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ingest/hex/columns", columns);
    g_test_add_func("/ingest/hex/ends", ends);
    return g_test_run();
}
