// Joins: how the states that reach a block become its states.
//
// A variable that has different values on the ways in gets a PHI of this block. What was known
// about the value on each way is carried over to the PHI, so that `buf` touched in both arms is
// touched after them, and a lock of `cur` stays that when `cur = next` closes the loop. What still
// mentions an older PHI of this block is about an earlier round and is dropped (a lock becomes
// stale). Sources with different locks are kept apart.
#include <string.h>

#include "flow_merge.h"

struct rename {
    const struct symbol *from, *to;
    int64_t offset; // of `from` in its region, when that is what is renamed
};

void flow_states_clear(struct flow_states *states)
{
    for (unsigned i = 0; i < states->n; i++) {
        flow_state_clear(states->states[i]);
        g_free(states->states[i]);
    }
    states->n = 0;
}

bool flow_states_equal(const struct flow_states *a, const struct flow_states *b)
{
    if (a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++) {
        if (!flow_state_equal(a->states[i], b->states[i]))
            return false;
    }
    return true;
}

static const struct symbol *phi_of(const struct flow_join *join, const struct symbol *place)
{
    return symbol_make(join->table, SYMBOL_PHI, place, NULL, 0, join->block);
}

static struct rename rename_for(const struct flow_join *join, const struct symbol *place,
                                const struct symbol *value)
{
    const struct symbol *phi = phi_of(join, place);
    if (value->kind == SYMBOL_ADDRESS)
        return (struct rename){value->a, symbol_deref(join->table, phi),
                               symbol_range(value->a, 1).low};
    return (struct rename){value, phi, 0};
}

static bool varies(const struct flow_join *join, const struct sources *sources,
                   const struct symbol *place)
{
    const struct symbol *first = flow_load(join->table, sources->list[0].state, place);
    for (unsigned i = 1; i < sources->n; i++) {
        if (flow_load(join->table, sources->list[i].state, place) != first)
            return true;
    }
    return false;
}

// Is it a variable of the function that moves on here, so that locks are named by it?
static bool is_mover(const struct flow_join *join, const struct sources *sources,
                     const struct flow_entry *entry)
{
    if (!symbol_is_place(entry->key) || entry->value->kind == SYMBOL_CONST ||
        symbol_mentions(entry->key, join->block))
        return false;
    return symbol_mentions(entry->value, join->block) ||
           (sources->loop && symbol_on_stack(entry->key) && varies(join, sources, entry->key));
}

// A lock that came into the loop with another value of the variable does not follow it: for all
// rounds it is the lock of what `device` was, and `d = device` in one of them changes nothing.
static bool came_without(const struct flow_join *join, const struct sources *sources,
                         const struct flow_lock *lock, const struct flow_entry *entry)
{
    for (unsigned i = 0; i < sources->n; i++) {
        const struct flow_source *source = &sources->list[i];
        if (source->back_edge || flow_load(join->table, source->state, entry->key) == entry->value)
            continue;
        for (unsigned k = 0; k < source->state->n_locks; k++) {
            const struct flow_lock *held = &source->state->locks[k];
            if (held->site == lock->site && !held->stale &&
                (symbol_same_place(held->place, lock->place) ||
                 (held->also && symbol_same_place(held->also, lock->place))))
                return true;
        }
    }
    return false;
}

// Names the lock by a variable that has a PHI here; false when it mentions an earlier round and
// there is no such variable.
static bool rename_lock(const struct flow_join *join, const struct sources *sources,
                        struct flow_state *state, struct flow_lock *lock)
{
    const struct symbol *blank = symbol_make(join->table, SYMBOL_TEXT, NULL, NULL, 0, "");
    bool old = symbol_mentions(lock->place, join->block);
    for (unsigned i = 0; i < flow_map_size(&state->bindings); i++) {
        const struct flow_entry *entry = flow_map_at(&state->bindings, i);
        if (!symbol_is_place(entry->key))
            continue;
        struct rename rename = rename_for(join, entry->key, entry->value);
        if (!symbol_contains(lock->place, rename.from) || !is_mover(join, sources, entry) ||
            (!old && came_without(join, sources, lock, entry)))
            continue;
        const struct symbol *rest = symbol_replace(join->table, lock->place, rename.from, blank);
        if (symbol_mentions(rest, join->block))
            continue;
        lock->also = old ? NULL : lock->place;
        lock->place = symbol_replace(join->table, lock->place, rename.from, rename.to);
        g_hash_table_add(join->forced, (gpointer)entry->key);
        return true;
    }
    return !old;
}

// A round that leaves a lock taken: the next one is about another object, so what moves on in the
// loop gets a name for any round. Else each round would name its lock by a longer way from the
// first: p->lock, p->next->lock, …
static void force_movers(const struct flow_join *join, const struct sources *sources,
                         const struct flow_source *source)
{
    if (!source->back_edge || source->state->n_locks == 0)
        return;
    const struct flow_map *bindings = &source->state->bindings;
    for (unsigned i = 0; i < flow_map_size(bindings); i++) {
        const struct flow_entry *entry = flow_map_at(bindings, i);
        if (symbol_is_place(entry->key) && symbol_on_stack(entry->key) &&
            entry->value->kind == SYMBOL_LOAD && !symbol_mentions(entry->key, join->block) &&
            varies(join, sources, entry->key))
            g_hash_table_add(join->forced, (gpointer)entry->key);
    }
}

static void rename_locks(const struct flow_join *join, const struct sources *sources,
                         struct flow_state *state)
{
    for (unsigned i = 0; i < state->n_locks; i++) {
        struct flow_lock *lock = &state->locks[i];
        if (lock->stale)
            continue;
        if (lock->also && symbol_mentions(lock->also, join->block))
            lock->also = NULL;
        if (sources->loop || symbol_mentions(lock->place, join->block))
            lock->stale = !rename_lock(join, sources, state, lock);
    }
    // Stale locks of one site cannot be told apart.
    for (unsigned i = 0; i < state->n_locks; i++) {
        for (unsigned k = state->n_locks - 1; k > i; k--) {
            if (state->locks[i].stale && state->locks[k].stale &&
                state->locks[i].site == state->locks[k].site)
                flow_drop_lock(state, k);
        }
    }
}

// A stale lock's old name is of no use and would only keep states apart.
// ---- Bindings.

static const struct symbol *value_in(const struct flow_join *join, const struct flow_state *state,
                                     const struct symbol *key)
{
    if (key->kind == SYMBOL_RESULT) {
        const struct flow_entry *entry = flow_map_find(&state->bindings, key, 0);
        return entry ? entry->value : key;
    }
    return flow_load(join->table, state, key);
}

// All places that some member binds, in order.
static GPtrArray *bound_places(const struct group *group)
{
    GPtrArray *places = g_ptr_array_new();
    unsigned *at = g_new0(unsigned, group->n);
    for (;;) {
        const struct symbol *least = NULL;
        for (unsigned i = 0; i < group->n; i++) {
            const struct flow_map *map = &group->members[i]->state->bindings;
            if (at[i] < flow_map_size(map) &&
                (!least || flow_map_at(map, at[i])->key->id < least->id))
                least = flow_map_at(map, at[i])->key;
        }
        if (!least)
            break;
        g_ptr_array_add(places, (gpointer)least);
        for (unsigned i = 0; i < group->n; i++) {
            const struct flow_map *map = &group->members[i]->state->bindings;
            while (at[i] < flow_map_size(map) && flow_map_at(map, at[i])->key == least)
                at[i]++;
        }
    }
    g_free(at);
    return places;
}

static bool needs_phi(const struct flow_join *join, const struct group *group,
                      const struct symbol *place)
{
    const struct symbol *phi = phi_of(join, place);
    const struct symbol *first = value_in(join, group->members[0]->state, place);
    bool same = true, older = g_hash_table_contains(join->forced, place);
    for (unsigned i = 0; i < group->n; i++) {
        const struct symbol *value = value_in(join, group->members[i]->state, place);
        same = same && value == first;
        older = older || (value != phi && symbol_mentions(value, join->block));
    }
    return !same || older ||
           (join->settle && group->n > 1 && g_hash_table_contains(join->sticky, place));
}

static void note_origin(const struct flow_join *join, const struct group *group,
                        const struct symbol *place, const struct symbol *phi)
{
    if (g_hash_table_contains(join->origins, phi))
        return;
    for (unsigned i = 0; i < group->n; i++) {
        if (group->members[i]->back_edge)
            continue;
        const struct symbol *value = value_in(join, group->members[i]->state, place);
        g_hash_table_insert(join->origins, (gpointer)phi, (gpointer)value);
        return;
    }
}

// Joins the bindings into `out`; the places that got a PHI are added to `phis`.
static void join_bindings(const struct flow_join *join, const struct group *group,
                          struct flow_state *out, GPtrArray *phis)
{
    g_autoptr(GPtrArray) places = bound_places(group);
    for (guint p = 0; p < places->len; p++) {
        const struct symbol *place = places->pdata[p];
        if (symbol_mentions(place, join->block))
            continue;
        struct flow_entry entry = {.key = place};
        if (!needs_phi(join, group, place)) {
            entry.value = value_in(join, group->members[0]->state, place);
        } else if (place->kind == SYMBOL_RESULT) {
            continue;
        } else {
            entry.value = phi_of(join, place);
            g_ptr_array_add(phis, (gpointer)place);
            g_hash_table_add(join->sticky, (gpointer)place);
            note_origin(join, group, place, entry.value);
        }
        flow_map_set(&out->bindings, &entry);
    }
}

// ---- Touches.

static void add_renamed(const struct flow_join *join, const struct flow_entry *entry,
                        const struct rename *rename, struct flow_map *out)
{
    struct flow_entry copy = *entry;
    if (symbol_contains(entry->key, rename->from)) {
        copy.key = symbol_replace(join->table, entry->key, rename->from, rename->to);
    } else if (rename->to->kind == SYMBOL_DEREF &&
               symbol_range(rename->from, 1).region == entry->key &&
               entry->key->kind != SYMBOL_SWEEP) {
        copy.key = rename->to;
        if (entry->detail > TOUCH_VALUE)
            copy.detail -= rename->offset / TOUCH_GRAIN;
    } else {
        return;
    }
    if (!flow_map_find(out, copy.key, copy.detail))
        flow_map_set(out, &copy);
}

static bool is_of_this_round(const struct flow_entry *entry, const void *block)
{
    return !symbol_mentions(entry->key, block);
}

// One member's touches in the names that hold after the join.
static void carry_touches(const struct flow_join *join, const struct flow_state *state,
                          const GPtrArray *phis, struct flow_map *out)
{
    flow_map_copy(out, &state->touched);
    flow_map_filter(out, is_of_this_round, join->block);
    for (guint k = 0; k < phis->len; k++) {
        const struct symbol *value = flow_load(join->table, state, phis->pdata[k]);
        if (value->kind == SYMBOL_CONST)
            continue;
        struct rename rename = rename_for(join, phis->pdata[k], value);
        for (unsigned i = 0; i < flow_map_size(&state->touched); i++)
            add_renamed(join, flow_map_at(&state->touched, i), &rename, out);
    }
}

static void join_touches(const struct flow_join *join, const struct group *group,
                         const GPtrArray *phis, struct flow_map *out)
{
    carry_touches(join, group->members[0]->state, phis, out);
    for (unsigned i = 1; i < group->n; i++) {
        struct flow_map carried = {NULL}, met = {NULL};
        carry_touches(join, group->members[i]->state, phis, &carried);
        if (carried.vector != out->vector) {
            flow_meet(out, &carried, join->block, &met);
            flow_map_clear(out);
            *out = met;
        }
        flow_map_clear(&carried);
    }
}

// ---- The rest.

static const struct flow_map *answers_of(const struct group *group, unsigned member, size_t offset)
{
    return G_STRUCT_MEMBER_P(group->members[member]->state, offset);
}

// Of `tests` or `given`, by where that is in a state.
static void join_answers(const struct group *group, size_t offset, struct flow_map *out)
{
    const struct flow_map *first = answers_of(group, 0, offset);
    for (unsigned i = 0; i < flow_map_size(first); i++) {
        const struct flow_entry *entry = flow_map_at(first, i);
        bool keep = true;
        for (unsigned k = 1; k < group->n && keep; k++) {
            const struct flow_entry *other =
                flow_map_find(answers_of(group, k, offset), entry->key, 0);
            keep = other && !((other->flags ^ entry->flags) & TEST_TRUE);
        }
        if (keep)
            flow_map_set(out, entry);
    }
}

// Is the answer that one member has to `test` about `value` the same for each member's own value?
static bool all_say(const struct flow_join *join, const struct group *group,
                    const struct symbol *place, const struct flow_entry *test,
                    const struct symbol *value)
{
    for (unsigned k = 0; k < group->n; k++) {
        const struct flow_state *state = group->members[k]->state;
        const struct symbol *ours = value_in(join, state, place);
        bool truth;
        if (!flow_known(state, symbol_replace(join->table, test->key, value, ours), &truth) ||
            truth != ((test->flags & TEST_TRUE) != 0))
            return false;
    }
    return true;
}

// What every member knows of the value it has is known of the PHI.
static void carry_tests(const struct flow_join *join, const struct group *group,
                        const GPtrArray *phis, struct flow_state *out)
{
    for (guint p = 0; p < phis->len && group->n > 1; p++) {
        const struct symbol *place = phis->pdata[p], *value = NULL;
        const struct flow_state *state = NULL;
        for (unsigned k = 0; k < group->n && (!value || value->kind == SYMBOL_CONST); k++) {
            state = group->members[k]->state;
            value = value_in(join, state, place);
        }
        if (value->kind == SYMBOL_CONST)
            continue;
        for (unsigned i = 0; i < flow_map_size(&state->tests); i++) {
            const struct flow_entry *test = flow_map_at(&state->tests, i);
            if (!symbol_contains(test->key, value) || !all_say(join, group, place, test, value))
                continue;
            const struct symbol *phi = phi_of(join, place);
            flow_assume(out, symbol_replace(join->table, test->key, value, phi),
                        (test->flags & TEST_TRUE) != 0, (unsigned)test->flags & ~TEST_TRUE);
        }
    }
}

// Answers that hold in the block: none about an earlier round, and at a loop's head none about
// memory, which may say something else in each round. A pinned one is about the lock itself. Where
// the states do not come to rest, only answers about locks are kept, and in the end none.
struct lasting {
    const struct ir_block *block;
    bool loop, settle, tired;
};

static bool lasts(const struct flow_entry *entry, const void *context)
{
    const struct lasting *lasting = context;
    if (symbol_mentions(entry->key, lasting->block))
        return false;
    if (lasting->tired || (lasting->settle && !(entry->flags & (TEST_PINNED | TEST_OF_LOCK))))
        return false;
    return !lasting->loop || (entry->flags & TEST_PINNED) || !symbol_reads_memory(entry->key);
}

static void drop_tests(const struct flow_join *join, const struct sources *sources)
{
    struct lasting lasting = {join->block, sources->loop, join->settle, join->tired};
    for (unsigned i = 0; i < sources->n; i++)
        flow_map_filter(&sources->list[i].state->tests, lasts, &lasting);
}

static uint64_t version_in(const struct flow_state *state, const struct symbol *root)
{
    const struct flow_entry *entry = flow_map_find(&state->versions, root, 0);
    return entry ? entry->flags : 0;
}

// The version that begins at a join: its block's address plus one, which no other tag has. Without
// it a loop that takes a lock would come round with another acquire's version each time.
static const void *version_of_join(const struct flow_join *join)
{
    return (const char *)join->block + 1;
}

static void join_versions(const struct flow_join *join, const struct group *group,
                          struct flow_state *out)
{
    const void *fresh = version_of_join(join);
    flow_forget(join->table, out, fresh);
    for (unsigned k = 0; k < group->n; k++) {
        const struct flow_map *map = &group->members[k]->state->versions;
        for (unsigned i = 0; i < flow_map_size(map); i++) {
            struct flow_entry entry = *flow_map_at(map, i);
            bool same = true;
            for (unsigned m = 0; m < group->n && same; m++)
                same = version_in(group->members[m]->state, entry.key) == entry.flags;
            if (!same)
                entry.flags = (uintptr_t)fresh;
            flow_map_set(&out->versions, &entry);
        }
    }
}

static void join_released(const struct group *group, struct flow_map *out)
{
    const struct flow_map *first = &group->members[0]->state->released;
    for (unsigned i = 0; i < flow_map_size(first); i++) {
        const struct flow_entry *entry = flow_map_at(first, i);
        bool keep = true;
        for (unsigned k = 1; k < group->n && keep; k++)
            keep = flow_map_find(&group->members[k]->state->released, entry->key, 0) != NULL;
        if (keep)
            flow_map_set(out, entry);
    }
}

static void join_locks(const struct group *group, struct flow_state *out)
{
    const struct flow_state *first = group->members[0]->state;
    memcpy(out->locks, first->locks, sizeof first->locks);
    out->n_locks = first->n_locks;
    for (unsigned k = 1; k < group->n && !group->mixed; k++) {
        for (unsigned i = 0; i < out->n_locks; i++) {
            if (out->locks[i].also != group->members[k]->state->locks[i].also)
                out->locks[i].also = NULL;
        }
    }
    for (unsigned k = 1; group->mixed && k < group->n; k++) {
        const struct flow_state *other = group->members[k]->state;
        for (unsigned i = 0; i < out->n_locks; i++) {
            int there = flow_find_lock(other, out->locks[i].place);
            out->locks[i].maybe |= there < 0;
            if (there >= 0 && other->locks[there].mode != out->locks[i].mode)
                out->locks[i].mode = HELD_BY_EITHER;
        }
        for (unsigned i = 0; i < other->n_locks && out->n_locks < LIMIT_LOCKS_HELD; i++) {
            if (flow_find_lock(out, other->locks[i].place) >= 0)
                continue;
            out->locks[out->n_locks] = other->locks[i];
            out->locks[out->n_locks++].maybe = true;
        }
    }
}

static struct flow_state *join_group(const struct flow_join *join, const struct group *group)
{
    struct flow_state *out = g_new0(struct flow_state, 1);
    g_autoptr(GPtrArray) phis = g_ptr_array_new();
    join_bindings(join, group, out, phis);
    join_touches(join, group, phis, &out->touched);
    join_answers(group, offsetof(struct flow_state, tests), &out->tests);
    join_answers(group, offsetof(struct flow_state, given), &out->given);
    carry_tests(join, group, phis, out);
    join_released(group, &out->released);
    join_locks(group, out);
    join_versions(join, group, out);
    for (unsigned i = 0; i < group->n; i++)
        out->overflow |= group->members[i]->state->overflow;
    out->blurred = group->blurred || group->mixed;
    for (unsigned i = 0; i < group->n; i++)
        out->blurred |= group->members[i]->state->blurred;
    return out;
}

void flow_join(struct flow_join *join, struct flow_source *sources, unsigned n,
               struct flow_states *out)
{
    g_autoptr(GHashTable) forced = g_hash_table_new(NULL, NULL);
    join->forced = forced;
    struct sources all = {sources, n, false};
    for (unsigned i = 0; i < n; i++)
        all.loop = all.loop || sources[i].back_edge;
    drop_tests(join, &all);
    for (unsigned i = 0; i < n; i++)
        rename_locks(join, &all, sources[i].state);
    for (unsigned i = 0; i < n; i++)
        force_movers(join, &all, &sources[i]);
    struct group groups[GROUPS_AT_ONCE + 2] = {{.sources = NULL}};
    unsigned n_groups = flow_group_sources(&all, groups);
    for (unsigned i = 0; i < n_groups; i++) {
        out->states[out->n++] = join_group(join, &groups[i]);
        flow_group_clear(&groups[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        flow_state_clear(sources[i].state);
        g_free(sources[i].state);
    }
}
