// Numbers for things that repeat.
#include "frame_index.h"

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

// Whole ways find the nodes of their beginnings, known to whatever depth.
static void paths(void)
{
    struct node_table t;
    node_table_init(&t);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t chain = 0; chain < 20000; chain++) {
            uint32_t frames[6], hashes[6];
            for (uint32_t depth = 0; depth < 6; depth++)
                frames[depth] = depth < 3 ? depth + 1 : chain * 7 + depth;
            uint32_t node = node_table_add_path(&t, frames, hashes, 6);
            g_assert_cmpuint(node, ==, 3 + 3 * (chain + 1));
            for (size_t n = 6; n > 0; n--) {
                g_assert_cmpuint(node_table_add_path(&t, frames, hashes, n), ==, node);
                g_assert_cmpuint(t.items[node].frame, ==, frames[n - 1]);
                node = t.items[node].parent;
            }
            g_assert_cmpuint(node, ==, 0);
        }
    g_assert_cmpuint(t.n, ==, 3 + 3 * 20000);
    node_table_clear(&t);
}

static uint32_t add_frame(struct frame_index *index, struct text_table *text,
                          const struct frame_fact *fact)
{
    struct frame_lookup lookup;
    frame_index_start(index, fact, &lookup);
    return frame_index_add(index, text, &lookup);
}

static void frame_places(void)
{
    struct frame_index index;
    struct text_table text;
    frame_index_init(&index);
    text_table_init(&text);
    const struct frame_fact plain = {.symbol = SLICE("f"),
                                     .dso = SLICE("/a"),
                                     .has_ip = true,
                                     .ip = 7};
    struct frame_fact facts[8];
    for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
        facts[i] = plain;
    facts[1].has_offset = true; // "+0x0" is not "no offset"
    facts[2].has_offset = true;
    facts[2].offset = 1;
    facts[3].inlined = true;
    facts[4].srcline = SLICE("f.c:7");
    facts[5].dso = SLICE("/b");
    facts[6].symbol = SLICE_NULL; // its address counts
    facts[7].symbol = SLICE_NULL;
    facts[7].ip = 8;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < G_N_ELEMENTS(facts); i++)
            g_assert_cmpuint(add_frame(&index, &text, &facts[i]), ==, i + 1);
    facts[0].ip = 99; // of a frame with a symbol it does not
    g_assert_cmpuint(add_frame(&index, &text, &facts[0]), ==, 1);
    g_assert_cmpuint(index.function[1], ==, index.function[4]);
    g_assert_cmpuint(index.function[1], !=, index.function[6]);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 30000; i++) {
            char name[32];
            struct frame_fact fact = {.has_offset = true, .offset = i % 3 + 5};
            int n = g_snprintf(name, sizeof name, "symbol number %u", i / 3);
            fact.symbol = (struct slice){name, (size_t)n};
            g_assert_cmpuint(add_frame(&index, &text, &fact), ==, i + 9);
        }
    frame_index_clear(&index);
    text_table_clear(&text);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/intern/texts", texts);
    g_test_add_func("/db/intern/frames", frames);
    g_test_add_func("/db/intern/nodes", nodes);
    g_test_add_func("/db/intern/paths", paths);
    g_test_add_func("/db/intern/frame-places", frame_places);
    return g_test_run();
}
