// Symbols, maps and states: what flow analysis is made of.
#include <string.h>

#include "flow_state.h"
#include "ir_build.h"
#include "residency.h"

struct world {
    struct symbol_table *table;
    struct build *b;
    const struct ir_variable *p, *q;
    const struct symbol *place_p, *star_p;
};

static void set_up(struct world *w)
{
    w->table = symbol_table_new();
    w->b = b_new();
    w->p = b_variable(w->b, "p", IR_BASE_PARAM);
    w->q = b_variable(w->b, "q", IR_BASE_LOCAL);
    w->place_p = symbol_variable(w->table, w->p);
    w->star_p =
        symbol_deref(w->table, symbol_make(w->table, SYMBOL_LOAD, w->place_p, NULL, 0, NULL));
}

static void tear_down(struct world *w)
{
    symbol_table_free(w->table);
    b_free(w->b);
}

static const struct symbol *field(struct world *w, const struct symbol *base, const char *name,
                                  uint64_t offset)
{
    const struct ir_step step = {
        .kind = IR_STEP_FIELD, .field = name, .offset = offset, .record_size = 4096, .size = 4};
    struct ir_step *kept = IR_NEW(w->b->unit, struct ir_step, 1);
    *kept = step;
    return symbol_field(w->table, base, kept);
}

static const struct symbol *element(struct world *w, const struct symbol *base,
                                    const struct symbol *index, uint64_t size, uint64_t count)
{
    struct ir_step *step = IR_NEW(w->b->unit, struct ir_step, 1);
    step->kind = IR_STEP_INDEX;
    step->size = size;
    step->count = count;
    return symbol_index(w->table, base, step, index);
}

static void assert_text(const struct symbol *symbol, const char *expected)
{
    g_autofree char *text = symbol_text(symbol);
    g_assert_cmpstr(text, ==, expected);
}

static void test_symbols_are_shared(void)
{
    struct world w;
    set_up(&w);
    const struct symbol *a = field(&w, w.star_p, "guard", 8);
    g_assert_true(a == field(&w, w.star_p, "guard", 8));
    g_assert_true(symbol_deref(w.table, symbol_address(w.table, a)) == a);
    const struct symbol *pointer = w.star_p->a;
    g_assert_true(symbol_address(w.table, w.star_p) == pointer);
    const struct symbol *zero = symbol_const(w.table, 0);
    g_assert_true(element(&w, w.star_p, zero, 64, 0) == w.star_p);
    assert_text(a, "p->guard");
    assert_text(field(&w, element(&w, w.star_p, pointer, 64, 0), "next", 4), "p[].next");
    g_autofree char *lock = symbol_lock_text(w.star_p);
    g_assert_cmpstr(lock, ==, "p");
    tear_down(&w);
}

static void test_symbols_have_a_depth(void)
{
    struct world w;
    set_up(&w);
    const struct symbol *place = w.star_p;
    for (int i = 0; i < 1000; i++)
        place =
            field(&w,
                  symbol_deref(w.table, symbol_make(w.table, SYMBOL_LOAD, place, NULL, 0, NULL)),
                  "next", 0);
    g_assert_cmpuint(place->depth, <, 100);
    tear_down(&w);
}

static void test_ranges(void)
{
    struct world w;
    set_up(&w);
    const struct symbol *inner = field(&w, field(&w, w.star_p, "a", 100), "b", 20);
    struct symbol_range range = symbol_range(inner, 8);
    g_assert_true(range.region == w.star_p && range.low == 120 && range.high == 128);
    g_assert_false(symbol_range_widen(&range));
    // a[i].x of 10 elements of 16 bytes at 200.
    const struct symbol *array = field(&w, w.star_p, "a", 200);
    const struct symbol *x = field(&w, element(&w, array, w.star_p->a, 16, 10), "x", 4);
    range = symbol_range(x, 4);
    g_assert_true(range.low == 4 && range.high == 8);
    g_assert_true(symbol_range_widen(&range));
    g_assert_true(range.region == w.star_p && range.bounded);
    g_assert_cmpint(range.low, ==, 204);
    g_assert_cmpint(range.high, ==, 200 + 9 * 16 + 8);
    // Without a bound it may be anywhere.
    const struct symbol *open = field(&w, w.star_p, "open", 600);
    range = symbol_range(element(&w, open, w.star_p->a, 16, 0), 4);
    g_assert_true(symbol_range_widen(&range) && !range.bounded);
    tear_down(&w);
}

static void test_map_is_copied_on_write(void)
{
    struct world w;
    set_up(&w);
    struct flow_map a = {NULL}, b;
    for (int i = 99; i >= 0; i--) {
        struct flow_entry entry = {.key = symbol_const(w.table, i), .detail = i % 3, .flags = 7};
        flow_map_set(&a, &entry);
    }
    flow_map_copy(&b, &a);
    g_assert_true(flow_map_equal(&a, &b));
    g_assert_true(flow_map_remove(&b, symbol_const(w.table, 50), 2));
    g_assert_false(flow_map_remove(&b, symbol_const(w.table, 50), 2));
    g_assert_cmpuint(flow_map_size(&a), ==, 100);
    g_assert_cmpuint(flow_map_size(&b), ==, 99);
    g_assert_nonnull(flow_map_find(&a, symbol_const(w.table, 50), 2));
    g_assert_null(flow_map_find(&b, symbol_const(w.table, 50), 2));
    for (unsigned i = 1; i < flow_map_size(&a); i++)
        g_assert_cmpuint(flow_map_at(&a, i - 1)->key->id, <, flow_map_at(&a, i)->key->id);
    flow_map_clear(&a);
    flow_map_clear(&b);
    tear_down(&w);
}

static void test_stores(void)
{
    struct world w;
    set_up(&w);
    struct flow_state state = {.n_locks = 0};
    const struct symbol *x = field(&w, w.star_p, "x", 0), *y = field(&w, w.star_p, "y", 4);
    const struct symbol *a = field(&w, w.star_p, "a", 64);
    const struct symbol *at_i = element(&w, a, w.star_p->a, 4, 8);
    const struct symbol *at_2 = element(&w, a, symbol_const(w.table, 2), 4, 8);
    flow_store(w.table, &state, x, symbol_const(w.table, 1));
    flow_store(w.table, &state, y, symbol_const(w.table, 2));
    flow_store(w.table, &state, at_2, symbol_const(w.table, 3));
    g_assert_cmpint(flow_load(w.table, &state, x)->number, ==, 1);
    // Another element may be that one; fields beside the array are not touched.
    flow_store(w.table, &state, at_i, symbol_const(w.table, 4));
    g_assert_true(flow_load(w.table, &state, at_2)->kind == SYMBOL_LOAD);
    g_assert_cmpint(flow_load(w.table, &state, y)->number, ==, 2);
    // A record that is assigned as a whole takes its fields along.
    const struct symbol *q = symbol_variable(w.table, w.q);
    flow_store(w.table, &state, q, symbol_make(w.table, SYMBOL_LOAD, w.star_p, NULL, 0, NULL));
    const struct symbol *part = flow_load(w.table, &state, field(&w, q, "x", 0));
    g_assert_true(part->kind == SYMBOL_LOAD && part->a == x);
    flow_state_clear(&state);
    tear_down(&w);
}

static void test_page_chance(void)
{
    g_assert_cmpfloat(residency_page_chance(-5), ==, 1);
    g_assert_cmpfloat(residency_page_chance(0), ==, 1);
    g_assert_cmpfloat(residency_page_chance(1024), ==, 0.75);
    g_assert_cmpfloat(residency_page_chance(4095), >, 0);
    g_assert_cmpfloat(residency_page_chance(4096), ==, 0);
}

static void test_touches(void)
{
    struct world w;
    set_up(&w);
    struct flow_state state = {.n_locks = 0};
    flow_touch(w.table, &state, field(&w, w.star_p, "x", 8), 4, false);
    const struct symbol *near = field(&w, w.star_p, "near", 900);
    const struct symbol *far = field(&w, w.star_p, "far", 3000);
    const struct symbol *off = field(&w, w.star_p, "off", 9000);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, near, 4, false), >, 0.75);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, far, 4, false), <, 0.75);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, far, 4, false), >, 0);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, off, 4, false), ==, 0);
    // A read is no write.
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, near, 4, true), ==, 0);
    flow_touch(w.table, &state, near, 4, true);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, near, 4, true), ==, 1);
    flow_touch_all(&state, w.star_p, TOUCH_READ | TOUCH_WRITE);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, off, 4, true), ==, 1);
    flow_state_clear(&state);
    tear_down(&w);
}

static void test_sweep_counts_after_its_loop(void)
{
    struct world w;
    set_up(&w);
    struct flow_state state = {.n_locks = 0};
    const struct symbol *at_i = element(&w, w.star_p, w.star_p->a, 64, 0);
    flow_touch_sweep(w.table, &state, w.star_p, 3, TOUCH_READ);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, at_i, 4, false), ==, 0);
    flow_end_sweeps(&state, 2);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, at_i, 4, false), ==, 0);
    flow_end_sweeps(&state, 3);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, at_i, 4, false), ==, 1);
    g_assert_cmpfloat(flow_touch_chance(w.table, &state, at_i, 4, true), ==, 0);
    flow_state_clear(&state);
    tear_down(&w);
}

static void test_locks_have_a_limit(void)
{
    struct world w;
    set_up(&w);
    struct flow_state state = {.n_locks = 0};
    struct flow_site site = {.kind = SITE_ACQUIRE};
    for (unsigned i = 0; i < LIMIT_LOCKS_HELD + 3; i++)
        flow_push_lock(&state, field(&w, w.star_p, "lock", (uint64_t)i * 8), &site);
    g_assert_cmpuint(state.n_locks, ==, LIMIT_LOCKS_HELD);
    g_assert_true(state.overflow);
    g_assert_cmpint(flow_find_lock(&state, field(&w, w.star_p, "other", 16)), ==, 2);
    flow_drop_lock(&state, 2);
    g_assert_cmpint(flow_find_lock(&state, field(&w, w.star_p, "lock", 16)), ==, -1);
    flow_state_clear(&state);
    tear_down(&w);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/flow-state/symbols-are-shared", test_symbols_are_shared);
    g_test_add_func("/flow-state/symbols-have-a-depth", test_symbols_have_a_depth);
    g_test_add_func("/flow-state/ranges", test_ranges);
    g_test_add_func("/flow-state/map", test_map_is_copied_on_write);
    g_test_add_func("/flow-state/stores", test_stores);
    g_test_add_func("/flow-state/page-chance", test_page_chance);
    g_test_add_func("/flow-state/touches", test_touches);
    g_test_add_func("/flow-state/sweep", test_sweep_counts_after_its_loop);
    g_test_add_func("/flow-state/lock-limit", test_locks_have_a_limit);
    return g_test_run();
}
