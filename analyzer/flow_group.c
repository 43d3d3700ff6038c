// Which of the states that reach a block become one. See flow_merge.h.
#include "flow_merge.h"

#include <string.h>

static bool same_lock(const struct flow_lock *a, const struct flow_lock *b)
{
    return a->site == b->site && a->stale == b->stale && a->maybe == b->maybe &&
           a->mode == b->mode && (a->stale || symbol_same_place(a->place, b->place));
}

bool flow_same_locks(const struct flow_state *a, const struct flow_state *b)
{
    if (a->n_locks != b->n_locks)
        return false;
    for (unsigned i = 0; i < a->n_locks; i++) {
        if (!same_lock(&a->locks[i], &b->locks[i]))
            return false;
    }
    return true;
}

static bool contradict(const struct flow_map *a, const struct flow_map *b)
{
    unsigned n = flow_map_size(a), m = flow_map_size(b);
    if (a->vector == b->vector)
        return false;
    for (unsigned i = 0, k = 0; i < n && k < m;) {
        const struct flow_entry *x = flow_map_at(a, i), *y = flow_map_at(b, k);
        if (x->key == y->key && ((y->flags ^ x->flags) & TEST_TRUE))
            return true;
        i += x->key->id <= y->key->id;
        k += y->key->id <= x->key->id;
    }
    return false;
}

static bool fits(const struct group *group, const struct flow_state *state)
{
    for (unsigned i = 0; i < group->n; i++) {
        const struct flow_state *member = group->members[i]->state;
        if (!flow_same_locks(member, state) || contradict(&member->tests, &state->tests))
            return false;
    }
    return true;
}

// ---- Which sources become one state.
//
// Sources with the same locks and without contradicting answers are one state. When that makes too
// many, two states with the same locks become one, those first whose answers differ least: answers
// that decide over locks count more. Locks are mixed only when there are too many sets of them.

#define COST_OF_LOCK_ANSWER 16u

static void group_add(struct group *group, struct flow_source *source)
{
    if (!group->sources)
        group->sources = g_ptr_array_new();
    g_ptr_array_add(group->sources, source);
    group->members = (struct flow_source **)group->sources->pdata;
    group->n = group->sources->len;
}

void flow_group_clear(struct group *group)
{
    if (group->sources)
        g_ptr_array_unref(group->sources);
    *group = (struct group){.sources = NULL};
}

static unsigned worth(const struct flow_entry *answer)
{
    return (answer->flags & (TEST_PINNED | TEST_OF_LOCK)) ? COST_OF_LOCK_ANSWER : 1;
}

// What is forgotten of either when the two become one.
static unsigned lost_answers(const struct flow_map *a, const struct flow_map *b)
{
    unsigned lost = 0, i = 0, k = 0, n = flow_map_size(a), m = flow_map_size(b);
    if (a->vector == b->vector)
        return 0;
    while (i < n && k < m) {
        const struct flow_entry *x = flow_map_at(a, i), *y = flow_map_at(b, k);
        if (x->key != y->key || ((y->flags ^ x->flags) & TEST_TRUE)) {
            lost += x->key->id <= y->key->id ? worth(x) : 0;
            lost += y->key->id <= x->key->id ? worth(y) : 0;
        }
        i += x->key->id <= y->key->id;
        k += y->key->id <= x->key->id;
    }
    for (; i < n; i++)
        lost += worth(flow_map_at(a, i));
    for (; k < m; k++)
        lost += worth(flow_map_at(b, k));
    return lost;
}

// Members that stand for their group, evenly spread: with hundreds of sources (a big function of
// which much is unknown) all pairs of all groups take minutes.
#define COST_MEMBERS 8u

static unsigned stride(const struct group *group)
{
    return (group->n + COST_MEMBERS - 1) / COST_MEMBERS;
}

static unsigned cost_of_joining(const struct group *a, const struct group *b)
{
    unsigned most = 0;
    for (unsigned i = 0; i < a->n; i += stride(a)) {
        for (unsigned k = 0; k < b->n; k += stride(b)) {
            const struct flow_state *x = a->members[i]->state, *y = b->members[k]->state;
            if (!flow_same_locks(x, y))
                return UINT_MAX;
            most = MAX(most, lost_answers(&x->tests, &y->tests));
        }
    }
    return most;
}

// Makes one group less.
static void join_two_groups(struct group *groups, unsigned *n)
{
    unsigned first = *n - 2, second = *n - 1, least = UINT_MAX;
    for (unsigned i = 0; i < *n; i++) {
        for (unsigned k = i + 1; k < *n; k++) {
            unsigned cost = groups[i].mixed || groups[k].mixed
                                ? UINT_MAX
                                : cost_of_joining(&groups[i], &groups[k]);
            if (cost < least) {
                least = cost;
                first = i;
                second = k;
            }
        }
    }
    groups[first].mixed |= groups[second].mixed || least == UINT_MAX;
    groups[first].blurred |= groups[second].blurred || least >= COST_OF_LOCK_ANSWER;
    for (unsigned i = 0; i < groups[second].n; i++)
        group_add(&groups[first], groups[second].members[i]);
    flow_group_clear(&groups[second]);
    (*n)--;
    memmove(&groups[second], &groups[second + 1], (*n - second) * sizeof *groups);
    groups[*n] = (struct group){.sources = NULL};
}

unsigned flow_group_sources(const struct sources *all, struct group *groups)
{
    unsigned n = 0;
    for (unsigned i = 0; i < all->n; i++) {
        unsigned g = 0;
        while (g < n && (groups[g].mixed || !fits(&groups[g], all->list[i].state)))
            g++;
        group_add(&groups[g], &all->list[i]);
        n = MAX(n, g + 1);
        if (n > GROUPS_AT_ONCE)
            join_two_groups(groups, &n);
    }
    while (n > FLOW_STATES)
        join_two_groups(groups, &n);
    return n;
}
