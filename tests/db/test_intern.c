// Numbers for things that repeat.
#include "intern.h"

static void texts(void)
{
    struct text_table t;
    text_table_init(&t);
    g_assert_cmpuint(text_table_add(&t, SLICE_NULL), ==, 0);
    g_assert_cmpuint(text_table_add(&t, SLICE("")), ==, 1);
    g_assert_cmpuint(text_table_add(&t, SLICE("a")), ==, 2);
    g_assert_cmpuint(text_table_add(&t, (struct slice){"a\0b", 3}), ==, 3);
    g_assert_cmpuint(text_table_add(&t, (struct slice){"a\0c", 3}), ==, 4);
    g_assert_cmpuint(text_table_add(&t, SLICE("a")), ==, 2);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 50000; i++) {
            char text[32];
            int n = g_snprintf(text, sizeof text, "symbol number %u", i);
            g_assert_cmpuint(text_table_add(&t, (struct slice){text, (size_t)n}), ==, i + 5);
        }
    g_assert_cmpuint(t.n, ==, 50004);
    g_assert_cmpstr(t.items[50004].data, ==, "symbol number 49999");
    text_table_clear(&t);
}

static void frames(void)
{
    struct frame_table t;
    frame_table_init(&t);
    const struct frame_key plain = {.symbol = 1, .dso = 2};
    struct frame_key keys[6] = {plain, plain, plain, plain, plain, plain};
    keys[1].has_at = true; // "+0x0" is not "no offset"
    keys[2].has_at = true;
    keys[2].at = 1;
    keys[3].inlined = true;
    keys[4].srcline = 7;
    keys[5].dso = 3;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < G_N_ELEMENTS(keys); i++)
            g_assert_cmpuint(frame_table_add(&t, &keys[i]), ==, i + 1);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 30000; i++) {
            const struct frame_key key = {.symbol = i + 100, .has_at = true, .at = i};
            g_assert_cmpuint(frame_table_add(&t, &key), ==, i + 7);
        }
    frame_table_clear(&t);
}

static void nodes(void)
{
    struct node_table t;
    node_table_init(&t);
    uint32_t parent = 0;
    for (uint32_t i = 1; i <= 100000; i++) {
        parent = node_table_add(&t, i % 10 ? parent : 0, i);
        g_assert_cmpuint(parent, ==, i);
    }
    for (uint32_t i = 1; i <= 100000; i++)
        g_assert_cmpuint(node_table_add(&t, t.items[i].parent, t.items[i].frame), ==, i);
    g_assert_cmpuint(t.n, ==, 100000);
    node_table_clear(&t);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/intern/texts", texts);
    g_test_add_func("/db/intern/frames", frames);
    g_test_add_func("/db/intern/nodes", nodes);
    return g_test_run();
}
