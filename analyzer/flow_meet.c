// What is touched on two ways to a join. See flow_merge.h.
#include "flow_merge.h"

static bool is_sweep_of(const struct flow_entry *entry, const struct ir_block *block)
{
    return block && entry->key->kind == SYMBOL_SWEEP && entry->detail == (int64_t)block->number;
}

// The entries of one key, in a map that is walked from its start.
struct run {
    const struct flow_map *map;
    unsigned at, end;
};

static const struct symbol *run_key(const struct run *run)
{
    return run->at < flow_map_size(run->map) ? flow_map_at(run->map, run->at)->key : NULL;
}

static void run_take(struct run *run, const struct symbol *key)
{
    run->end = run->at;
    while (run->end < flow_map_size(run->map) && flow_map_at(run->map, run->end)->key == key)
        run->end++;
}

static const struct flow_entry *run_first(const struct run *run)
{
    return run->at < run->end ? flow_map_at(run->map, run->at) : NULL;
}

// The touch of the whole region comes first.
static const struct flow_entry *run_all(const struct run *run)
{
    const struct flow_entry *first = run_first(run);
    return first && first->detail == TOUCH_ALL ? first : NULL;
}

static void keep(struct flow_map *out, const struct flow_entry *entry, uint64_t flags)
{
    struct flow_entry copy = *entry;
    copy.flags &= flags;
    if (copy.flags)
        flow_map_append(out, &copy);
}

// What is touched on both ways, of one region.
static void meet_runs(struct run *a, struct run *b, const struct ir_block *block,
                      struct flow_map *out)
{
    const struct flow_entry *all_a = run_all(a), *all_b = run_all(b);
    while (a->at < a->end || b->at < b->end) {
        const struct flow_entry *x = run_first(a), *y = run_first(b);
        if (x && y && x->detail == y->detail) {
            keep(out, x, y->flags);
            a->at++;
            b->at++;
            continue;
        }
        bool ours = x && (!y || x->detail < y->detail);
        const struct flow_entry *entry = ours ? x : y, *all = ours ? all_b : all_a;
        // A loop over an array that runs no times has nothing to touch.
        if (all || is_sweep_of(entry, block))
            keep(out, entry, all ? all->flags : UINT64_MAX);
        if (ours)
            a->at++;
        else
            b->at++;
    }
}

void flow_meet(const struct flow_map *x, const struct flow_map *y, const struct ir_block *block,
               struct flow_map *out)
{
    struct run a = {x, 0, 0}, b = {y, 0, 0};
    for (;;) {
        const struct symbol *k = run_key(&a), *l = run_key(&b);
        const struct symbol *key = !k || (l && l->id < k->id) ? l : k;
        if (!key)
            return;
        run_take(&a, key);
        run_take(&b, key);
        meet_runs(&a, &b, block, out);
    }
}

void flow_meet_touches(struct flow_map *touched, const struct flow_map *other)
{
    struct flow_map met = {NULL};
    flow_meet(touched, other, NULL, &met);
    flow_map_clear(touched);
    *touched = met;
}
