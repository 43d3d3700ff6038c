// Values, touches, questions and locks of one state. See flow_state.h.
#include "flow_state.h"

#include <string.h>

#include "residency.h"

void flow_state_copy(struct flow_state *to, const struct flow_state *from)
{
    *to = *from;
    flow_map_copy(&to->bindings, &from->bindings);
    flow_map_copy(&to->touched, &from->touched);
    flow_map_copy(&to->tests, &from->tests);
    flow_map_copy(&to->versions, &from->versions);
    flow_map_copy(&to->given, &from->given);
    flow_map_copy(&to->released, &from->released);
}

void flow_state_clear(struct flow_state *state)
{
    flow_map_clear(&state->bindings);
    flow_map_clear(&state->touched);
    flow_map_clear(&state->tests);
    flow_map_clear(&state->versions);
    flow_map_clear(&state->given);
    flow_map_clear(&state->released);
    state->n_locks = 0;
}

bool flow_state_equal(const struct flow_state *a, const struct flow_state *b)
{
    if (a->n_locks != b->n_locks || a->blurred != b->blurred)
        return false;
    for (unsigned i = 0; i < a->n_locks; i++) {
        const struct flow_lock *x = &a->locks[i], *y = &b->locks[i];
        if (x->place != y->place || x->also != y->also || x->site != y->site ||
            x->mode != y->mode || x->maybe != y->maybe || x->stale != y->stale)
            return false;
    }
    return flow_map_equal(&a->bindings, &b->bindings) && flow_map_equal(&a->touched, &b->touched) &&
           flow_map_equal(&a->tests, &b->tests) && flow_map_equal(&a->versions, &b->versions) &&
           flow_map_equal(&a->given, &b->given) && flow_map_equal(&a->released, &b->released);
}

// ---- Values.

// The acquire since which `place` is loaded, or NULL.
static const void *version_of(const struct flow_state *state, const struct symbol *place)
{
    if (flow_map_size(&state->versions) == 0)
        return NULL;
    const struct flow_entry *entry = flow_map_find(&state->versions, symbol_root(place), 0);
    return entry ? (const void *)(uintptr_t)entry->flags : NULL;
}

// A field of a record that was assigned as a whole is the field of what was assigned.
static const struct symbol *load_part(struct symbol_table *table, const struct flow_state *state,
                                      const struct symbol *place)
{
    if (place->kind != SYMBOL_FIELD && !(place->kind == SYMBOL_INDEX && !place->b))
        return NULL;
    const struct flow_entry *whole = flow_map_find(&state->bindings, place->a, 0);
    const struct symbol *source = NULL;
    if (whole && whole->value->kind == SYMBOL_LOAD)
        source = whole->value->a;
    else if (whole)
        return symbol_make(table, SYMBOL_OPAQUE, place, NULL, 0, whole->value->what);
    else {
        const struct symbol *outer = load_part(table, state, place->a);
        if (outer && outer->kind == SYMBOL_LOAD)
            source = outer->a;
    }
    if (!source)
        return NULL;
    const struct symbol *part = place->kind == SYMBOL_FIELD
                                    ? symbol_field(table, source, place->step)
                                    : symbol_index(table, source, place->step, NULL);
    return symbol_make(table, SYMBOL_LOAD, part, NULL, 0, version_of(state, part));
}

const struct symbol *flow_load(struct symbol_table *table, const struct flow_state *state,
                               const struct symbol *place)
{
    const struct flow_entry *entry = flow_map_find(&state->bindings, place, 0);
    if (entry)
        return entry->value;
    if (place->kind == SYMBOL_TEMPORARY) {
        const struct symbol *result = symbol_make(table, SYMBOL_RESULT, NULL, NULL, 0, place->what);
        entry = flow_map_find(&state->bindings, result, 0);
        return entry ? entry->value : result;
    }
    const struct symbol *part = load_part(table, state, place);
    if (part)
        return part;
    return symbol_make(table, SYMBOL_LOAD, place, NULL, 0, version_of(state, place));
}

struct written {
    const struct symbol *place, *root, *index; // `index`: at run time, or NULL
    struct symbol_range range;
};

#define BLURRED 3 // number of the OPAQUE value of an object that flow_blur() was told of

// Is `key` left alone when `written` is? Asked of all bindings at each store.
static bool outside(const struct flow_entry *entry, const void *context)
{
    const struct written *written = context;
    const struct symbol *key = entry->key;
    if (!symbol_is_place(key) || symbol_root(key) != written->root)
        return true;
    if (key == written->root && entry->value->kind == SYMBOL_OPAQUE &&
        entry->value->number == BLURRED)
        return key != written->place; // its other parts are still not known
    struct symbol_range range = symbol_range(key, 1);
    if (range.region == written->range.region)
        // Inside the other or containing it: by expression, for sizes are not always known.
        return range.low != written->range.low && !symbol_contains(key, written->place) &&
               !symbol_contains(written->place, key);
    // Any element of an array may be any other.
    const struct symbol *array = written->index ? written->index->a : symbol_runtime_index(key)->a;
    const struct symbol *other = written->index ? key : written->place;
    return !symbol_contains(other, array) && !symbol_contains(array, other);
}

void flow_store(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                const struct symbol *value)
{
    (void)table;
    struct written written = {place, symbol_root(place), symbol_runtime_index(place),
                              symbol_range(place, 1)};
    flow_map_filter(&state->bindings, outside, &written);
    struct flow_entry entry = {.key = place, .value = value};
    flow_map_set(&state->bindings, &entry);
}

static bool does_not_mention(const struct flow_entry *entry, const void *what)
{
    return !symbol_mentions(entry->key, what);
}

void flow_forget(struct symbol_table *table, struct flow_state *state, const void *what)
{
    flow_map_filter(&state->bindings, does_not_mention, what);
    flow_map_filter(&state->touched, does_not_mention, what);
    flow_map_filter(&state->tests, does_not_mention, what);
    flow_map_filter(&state->versions, does_not_mention, what);
    flow_map_filter(&state->released, does_not_mention, what);
    for (unsigned i = 0; i < flow_map_size(&state->bindings); i++) {
        struct flow_entry entry = *flow_map_at(&state->bindings, i);
        if (!symbol_mentions(entry.value, what))
            continue;
        entry.value = symbol_make(table, SYMBOL_OPAQUE, entry.key, NULL, 1, what);
        flow_map_set(&state->bindings, &entry);
    }
    for (unsigned i = 0; i < state->n_locks; i++) {
        struct flow_lock *lock = &state->locks[i];
        if (symbol_mentions(lock->also, what))
            lock->also = NULL;
        if (!symbol_mentions(lock->place, what))
            continue;
        lock->stale = lock->stale || !lock->also;
        lock->place = lock->also ? lock->also : lock->place;
        lock->also = NULL;
    }
}

struct escape {
    const struct symbol *root;
};

static bool other_root(const struct flow_entry *entry, const void *context)
{
    const struct escape *escape = context;
    return !symbol_is_place(entry->key) || symbol_root(entry->key) != escape->root;
}

void flow_escape(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                 const struct ir_instruction *call)
{
    const struct symbol *root = symbol_root(place);
    if (root->kind != SYMBOL_VARIABLE)
        return;
    struct escape escape = {root};
    flow_map_filter(&state->bindings, other_root, &escape);
    // The whole variable is something new; its fields are found through load_part().
    struct flow_entry entry = {.key = root,
                               .value = symbol_make(table, SYMBOL_OPAQUE, root, NULL, 0, call)};
    flow_map_set(&state->bindings, &entry);
}

void flow_blur(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
               const struct ir_instruction *store)
{
    struct escape escape = {symbol_root(place)};
    if (flow_map_size(&state->bindings) < BINDING_LIMIT)
        return;
    flow_map_filter(&state->bindings, other_root, &escape);
    struct flow_entry entry = {.key = escape.root,
                               .value = symbol_make(table, SYMBOL_OPAQUE, escape.root, NULL,
                                                    BLURRED, store)};
    flow_map_set(&state->bindings, &entry);
}

// ---- Touches.

static int64_t grain_of(int64_t offset)
{
    return offset >= 0 ? offset / TOUCH_GRAIN : -((-offset + TOUCH_GRAIN - 1) / TOUCH_GRAIN);
}

static void add_touch(struct flow_state *state, const struct symbol *key, int64_t detail,
                      unsigned flags)
{
    const struct flow_entry *old = flow_map_find(&state->touched, key, detail);
    struct flow_entry entry = {.key = key, .detail = detail, .flags = flags};
    if (old)
        entry.flags |= old->flags;
    else if (flow_map_size(&state->touched) >= TOUCH_LIMIT)
        return;
    flow_map_set(&state->touched, &entry);
}

void flow_touch(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                uint64_t bytes, bool write)
{
    (void)table;
    struct symbol_range range = symbol_range(place, bytes);
    unsigned flags = write ? TOUCH_READ | TOUCH_WRITE : TOUCH_READ;
    int64_t first = grain_of(range.low), last = grain_of(range.high - 1);
    last = MIN(last, first + TOUCH_MAX_GRAINS - 1);
    for (int64_t grain = first; grain <= last; grain++)
        add_touch(state, range.region, grain, flags);
}

void flow_touch_all(struct flow_state *state, const struct symbol *region, unsigned flags)
{
    add_touch(state, region, TOUCH_ALL, flags);
}

void flow_touch_sweep(struct symbol_table *table, struct flow_state *state,
                      const struct symbol *array, unsigned loop_head, unsigned flags)
{
    add_touch(state, symbol_make(table, SYMBOL_SWEEP, array, NULL, 0, NULL), loop_head, flags);
}

// By the touches of one region; `wide` ranges must lie near as a whole.
static double region_chance(const struct flow_state *state, const struct symbol_range *range,
                            unsigned need)
{
    double best = 0;
    unsigned n = flow_map_size(&state->touched);
    for (unsigned i = flow_map_lower(&state->touched, range->region); i < n; i++) {
        const struct flow_entry *entry = flow_map_at(&state->touched, i);
        if (entry->key != range->region)
            break;
        if (!(entry->flags & need) || entry->detail == TOUCH_VALUE)
            continue;
        if (entry->detail == TOUCH_ALL)
            return 1;
        if (!range->bounded)
            continue;
        int64_t low = entry->detail * TOUCH_GRAIN, high = low + TOUCH_GRAIN;
        int64_t distance = MAX(low - range->low, range->high - high);
        best = MAX(best, residency_page_chance(distance));
    }
    return best;
}

static bool sweep_covers(struct symbol_table *table, const struct flow_state *state,
                         const struct symbol *array, unsigned need)
{
    const struct symbol *key = symbol_make(table, SYMBOL_SWEEP, array, NULL, 0, NULL);
    const struct flow_entry *entry = flow_map_find(&state->touched, key, TOUCH_SWEPT);
    return entry && (entry->flags & need);
}

static bool is_not_swept_by(const struct flow_entry *entry, const void *context)
{
    return entry->key->kind != SYMBOL_SWEEP || entry->detail != *(const int64_t *)context;
}

void flow_end_sweeps(struct flow_state *state, unsigned loop_head)
{
    int64_t loop = loop_head;
    struct flow_map before = {0};
    flow_map_copy(&before, &state->touched);
    flow_map_filter(&state->touched, is_not_swept_by, &loop);
    for (unsigned i = 0; i < flow_map_size(&before); i++) {
        const struct flow_entry *entry = flow_map_at(&before, i);
        if (!is_not_swept_by(entry, &loop))
            add_touch(state, entry->key, TOUCH_SWEPT, (unsigned)entry->flags);
    }
    flow_map_clear(&before);
}

double flow_touch_chance(struct symbol_table *table, const struct flow_state *state,
                         const struct symbol *place, uint64_t bytes, bool need_write)
{
    unsigned need = need_write ? TOUCH_WRITE : TOUCH_READ;
    struct symbol_range range = symbol_range(place, bytes);
    double best = 0;
    do {
        best = MAX(best, region_chance(state, &range, need));
        if (range.region->kind == SYMBOL_INDEX && sweep_covers(table, state, range.region->a, need))
            return 1;
    } while (best < 1 && symbol_range_widen(&range));
    return best;
}

// ---- Questions.

void flow_assume(struct flow_state *state, const struct symbol *test, bool truth, unsigned weight)
{
    struct flow_entry entry = {.key = test, .flags = (truth ? TEST_TRUE : 0) | weight};
    flow_map_set(&state->tests, &entry);
}

bool flow_is_parameter(const struct symbol *value)
{
    while (value->kind == SYMBOL_BITS)
        value = value->a;
    return value->kind == SYMBOL_LOAD && value->a->kind == SYMBOL_VARIABLE &&
           ((const struct ir_variable *)value->a->what)->kind == IR_BASE_PARAM;
}

void flow_given(struct flow_state *state, const struct symbol *test, bool truth)
{
    bool left = flow_is_parameter(test->a), right = flow_is_parameter(test->b);
    if (test->roots || !(left || right) || !(left || test->a->kind == SYMBOL_CONST) ||
        !(right || test->b->kind == SYMBOL_CONST))
        return;
    struct flow_entry entry = {.key = test, .flags = truth ? TEST_TRUE : 0};
    flow_map_set(&state->given, &entry);
}

// What constants and addresses say without being asked.
static bool evident(const struct symbol *test, bool *truth)
{
    const struct symbol *a = test->a, *b = test->b;
    if (a->kind == SYMBOL_CONST && b->kind == SYMBOL_CONST) {
        *truth = test->number == IR_EQ   ? a->number == b->number
                 : test->number == IR_LT ? a->number < b->number
                                         : a->number <= b->number;
        return true;
    }
    if (a == b) {
        *truth = test->number != IR_LT;
        return true;
    }
    if (test->number == IR_EQ && a->kind == SYMBOL_ADDRESS && b->kind == SYMBOL_CONST &&
        b->number == 0) {
        *truth = false;
        return true;
    }
    return false;
}

bool flow_known(const struct flow_state *state, const struct symbol *test, bool *truth)
{
    if (evident(test, truth))
        return true;
    const struct flow_entry *entry = flow_map_find(&state->tests, test, 0);
    if (entry)
        *truth = (entry->flags & TEST_TRUE) != 0;
    return entry != NULL;
}

static bool same_but_for_version(const struct symbol *a, const struct symbol *b)
{
    if (a == b)
        return true;
    return a && b && a->kind == b->kind && a->number == b->number &&
           (a->what == b->what || a->kind == SYMBOL_LOAD) && same_but_for_version(a->a, b->a) &&
           same_but_for_version(a->b, b->b);
}

bool flow_known_of_lock(const struct flow_state *state, const struct symbol *test, bool *truth)
{
    if (flow_known(state, test, truth))
        return true;
    for (unsigned i = 0; i < flow_map_size(&state->tests); i++) {
        const struct flow_entry *entry = flow_map_at(&state->tests, i);
        if (!(entry->flags & (TEST_PINNED | TEST_OF_LOCK)) ||
            !same_but_for_version(entry->key, test))
            continue;
        *truth = (entry->flags & TEST_TRUE) != 0;
        return true;
    }
    return false;
}

// ---- Locks.

int flow_find_lock(const struct flow_state *state, const struct symbol *place)
{
    for (unsigned i = state->n_locks; i-- > 0;) {
        const struct flow_lock *lock = &state->locks[i];
        if (!lock->stale && (symbol_same_place(lock->place, place) ||
                             (lock->also && symbol_same_place(lock->also, place))))
            return (int)i;
    }
    return -1;
}

static enum flow_mode mode_taken(const struct flow_site *site)
{
    if (!site->op || site->kind == SITE_ENTRY)
        return HELD_BY_EITHER;
    return site->op->mode == MODE_SHARED ? HELD_BY_READER : HELD_BY_WRITER;
}

void flow_push_lock(struct flow_state *state, const struct symbol *place,
                    const struct flow_site *site)
{
    // Two stale locks of one site are one: how many there are is not known anyway.
    flow_map_remove(&state->released, place, 0);
    if (state->n_locks == LIMIT_LOCKS_HELD) {
        state->overflow = true;
        return;
    }
    state->locks[state->n_locks++] =
        (struct flow_lock){.place = place, .site = site, .mode = mode_taken(site)};
}

void flow_drop_lock(struct flow_state *state, unsigned i)
{
    memmove(&state->locks[i], &state->locks[i + 1],
            (state->n_locks - i - 1) * sizeof state->locks[0]);
    state->n_locks--;
}

// What decided over the lock is the same after it was taken.
static void keep_loaded(struct flow_state *state, const struct symbol *value,
                        const struct symbol *root)
{
    while (value->kind == SYMBOL_BITS)
        value = value->a;
    if (value->kind != SYMBOL_LOAD || symbol_root(value->a) != root)
        return;
    struct flow_entry entry = {.key = value->a, .value = value};
    flow_map_set(&state->bindings, &entry);
}

// Two tags an acquire has in turn, so that what was loaded in the round before keeps its name: its
// own address plus one or two, which no instruction has.
static const void *next_tag(const struct flow_state *state, const struct ir_instruction *acquire)
{
    const char *tag = (const char *)acquire + 1;
    for (unsigned i = 0; i < flow_map_size(&state->versions); i++) {
        if (flow_map_at(&state->versions, i)->flags == (uintptr_t)tag)
            return tag + 1;
    }
    return tag;
}

void flow_renew(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                const struct ir_instruction *acquire)
{
    const struct symbol *root = symbol_root(place);
    struct escape escape = {root};
    if (root->kind == SYMBOL_VARIABLE)
        return; // a static lock says nothing about which variables it guards
    const void *tag = next_tag(state, acquire);
    flow_forget(table, state, tag);
    flow_map_filter(&state->bindings, other_root, &escape);
    struct flow_entry entry = {.key = root, .flags = (uintptr_t)tag};
    flow_map_set(&state->versions, &entry);
    for (unsigned i = 0; i < flow_map_size(&state->tests); i++) {
        const struct flow_entry *test = flow_map_at(&state->tests, i);
        if (test->flags & TEST_PINNED) {
            keep_loaded(state, test->key->a, root);
            keep_loaded(state, test->key->b, root);
        }
    }
}
