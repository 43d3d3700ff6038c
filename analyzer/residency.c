// See residency.h. The order of the questions is the order of how sure the answer is.
#include "residency.h"

#include "residency_memory.h"

#include <string.h>

double residency_page_chance(int64_t distance)
{
    if (distance <= 0)
        return 1;
    return distance >= RESIDENCY_PAGE ? 0 : 1 - (double)distance / RESIDENCY_PAGE;
}

// ---- The page of the lock word.

static const struct symbol *common_region(const struct symbol *place, uint64_t bytes,
                                          const struct symbol *lock, struct symbol_range *ours,
                                          struct symbol_range *theirs)
{
    *theirs = symbol_range(lock, 1);
    do {
        *ours = symbol_range(place, bytes);
        do {
            if (ours->region == theirs->region)
                return ours->region;
        } while (symbol_range_widen(ours));
    } while (symbol_range_widen(theirs));
    return NULL;
}

// Both in one naturally aligned block of the object's alignment: then on one page wherever it lies.
static bool one_block(const struct symbol *place, const struct symbol_range *ours,
                      const struct symbol_range *theirs)
{
    int64_t align = (int64_t)MIN(symbol_region_align(place, ours->region), RESIDENCY_PAGE);
    if (align < 2 || ours->low < 0 || theirs->low < 0 || !ours->bounded || !theirs->bounded)
        return false;
    return ours->low / align == theirs->low / align &&
           (ours->high - 1) / align == ours->low / align;
}

struct near_lock {
    double chance;  // on the lock's page
    bool same_root; // in the lock's own object
};

static struct near_lock near_lock(const struct symbol *place, uint64_t bytes,
                                  const struct symbol *lock)
{
    struct symbol_range ours, theirs;
    struct near_lock near = {0, symbol_root(place) == symbol_root(lock)};
    if (!common_region(place, bytes, lock, &ours, &theirs))
        return near;
    near.same_root = true;
    if (one_block(place, &ours, &theirs)) {
        near.chance = 1;
    } else if (ours.bounded && theirs.bounded) {
        // The farthest byte of each; distances within a word are none.
        int64_t distance = MAX(ours.high - 8 - theirs.low, theirs.high - 8 - ours.low);
        near.chance = residency_page_chance(distance);
    }
    return near;
}

// ---- Arrays.

static bool mentions_name(const char *text, const char *stem)
{
    g_autofree char *lower = text ? g_ascii_strdown(text, -1) : NULL;
    return lower && strstr(lower, stem) != NULL;
}

// `NBuffers` speaks of arrays and element types with "buffer" in their names.
static char *assumption_stem(const char *name)
{
    static const char *const prefixes[] = {"num_", "max_", "num", "max", "n_", "n"};
    g_autofree char *lower = g_ascii_strdown(name, -1);
    const char *start = lower;
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(lower, prefixes[i])) {
            start = lower + strlen(prefixes[i]);
            break;
        }
    }
    size_t length = strlen(start);
    if (length > 3 && start[length - 1] == 's')
        length--;
    return length >= 3 ? g_strndup(start, length) : g_strdup(lower);
}

static uint64_t assumed_count(const struct analysis *analysis, const struct symbol *index)
{
    if (!analysis->assumptions)
        return 0;
    g_autofree char *array = symbol_text(index->a);
    const char *type = index->step ? index->step->type_name : NULL;
    for (guint i = 0; i < analysis->assumptions->len; i++) {
        const struct assumption *assumption = analysis->assumptions->pdata[i];
        g_autofree char *stem = assumption_stem(assumption->name);
        if (mentions_name(array, stem) || mentions_name(type, stem))
            return assumption->value;
    }
    return 0;
}

uint64_t residency_array_pages(const struct analysis *analysis, const struct symbol *index)
{
    uint64_t size = (uint64_t)(uintptr_t)index->what;
    uint64_t count =
        index->step && index->step->count ? index->step->count : assumed_count(analysis, index);
    uint64_t bytes;
    if (!size || !count || __builtin_mul_overflow(size, count, &bytes))
        return 0;
    return (bytes + RESIDENCY_PAGE - 1) / RESIDENCY_PAGE;
}

// ---- Pointers.

static bool is_variable_of(const struct symbol *place, enum ir_base_kind kind)
{
    return place->kind == SYMBOL_VARIABLE &&
           ((const struct ir_variable *)place->what)->kind == kind;
}

static bool is_global(const struct symbol *place)
{
    return is_variable_of(place, IR_BASE_GLOBAL) || is_variable_of(place, IR_BASE_STATIC_LOCAL);
}

static bool known_before_lock(const struct flow_state *state, const struct symbol *pointer)
{
    return flow_map_find(&state->touched, pointer, TOUCH_VALUE) != NULL;
}

// What a pointer says about the object behind it.
static void judge_pointer(const struct residency_query *query, const struct symbol *pointer,
                          unsigned depth, struct residency_answer *answer)
{
    answer->why = WHY_POINTER;
    answer->risk = RISK_SLIGHT;
    switch (residency_memory(query->flow->analysis, pointer, query->write)) {
    case MEMORY_FRESH_HEAP:
        answer->why = WHY_FRESH_HEAP;
        answer->risk = RISK_CERTAIN;
        return;
    case MEMORY_MAPPING:
    case MEMORY_SHARED:
        answer->why = WHY_FRESH_MAPPING;
        answer->risk = RISK_CERTAIN;
        return;
    case MEMORY_RESIDENT:
        answer->residency = RESIDENCY_MODEL;
        answer->why = WHY_NONE;
        answer->risk = RISK_NONE;
        return;
    case MEMORY_NONE:
        break;
    }
    if (pointer->kind == SYMBOL_LOAD) {
        if (is_variable_of(pointer->a, IR_BASE_PARAM)) {
            answer->risk = RISK_NONE;
        } else if (!symbol_on_stack(pointer->a) && !is_global(pointer->a)) {
            answer->chased = !known_before_lock(query->state, pointer);
            answer->risk = answer->chased ? RISK_REAL : RISK_SLIGHT;
        } else if (is_global(pointer->a)) {
            // Set anew under the lock from what the lock protects: a list without a header.
            answer->chased = pointer->what != NULL;
            answer->risk = RISK_SLIGHT;
        }
        return;
    }
    if (pointer->kind == SYMBOL_PHI && depth < 4) {
        const struct symbol *origin = g_hash_table_lookup(query->flow->origins, pointer);
        if (origin && origin->kind == SYMBOL_ADDRESS)
            return;
        if (origin && origin->kind != SYMBOL_CONST)
            judge_pointer(query, origin, depth + 1, answer);
    }
}

// ---- Scope.

enum lock_scope residency_scope(struct analysis *analysis, const struct symbol *lock)
{
    unsigned hops = 0;
    for (const struct symbol *place = lock;; hops++) {
        if (symbol_runtime_index(place))
            return SCOPE_INSTANCE;
        const struct symbol *root = symbol_root(place);
        if (is_global(root)) {
            const struct ir_variable *variable = root->what;
            const char *name = variable->usr ? variable->usr : variable->name;
            if (hops && analysis_is_moving(analysis, name))
                return SCOPE_INSTANCE;
            return hops <= 2 ? SCOPE_SINGLETON : SCOPE_INSTANCE;
        }
        if (root->kind != SYMBOL_DEREF)
            return root->kind == SYMBOL_VARIABLE ? SCOPE_INSTANCE : SCOPE_UNKNOWN;
        if (root->a->kind == SYMBOL_LOAD) {
            place = root->a->a;
            if (is_variable_of(place, IR_BASE_PARAM) || is_variable_of(place, IR_BASE_LOCAL))
                return SCOPE_INSTANCE;
            continue;
        }
        if (root->a->kind == SYMBOL_CONST)
            return SCOPE_SINGLETON;
        return root->a->kind == SYMBOL_OPAQUE ? SCOPE_UNKNOWN : SCOPE_INSTANCE;
    }
}

// ---- The answer.

static struct residency_answer resident(enum residency how)
{
    return (struct residency_answer){.residency = how};
}

static void judge_array(const struct residency_query *query, const struct symbol *index,
                        bool in_lock_object, struct residency_answer *answer)
{
    const struct symbol *root = symbol_root(query->place);
    enum model_memory memory =
        residency_memory(query->flow->analysis, root->kind == SYMBOL_DEREF ? root->a : root,
                         query->write);
    answer->pages_4k = residency_array_pages(query->flow->analysis, index);
    uint64_t size = (uint64_t)(uintptr_t)index->what;
    bool known = index->step && index->step->count && size;
    if (known && answer->pages_4k <= 1 && root->kind == SYMBOL_VARIABLE) {
        answer->residency = RESIDENCY_UNKNOWN; // a small table that is used all the time
        answer->risk = RISK_NONE;
        return;
    }
    answer->why = WHY_RUN_TIME_INDEX;
    answer->risk = RISK_REAL;
    if (in_lock_object && !known && size && size < RESIDENCY_SMALL) {
        answer->why = WHY_OTHER_PAGE; // a short tail of the lock's own object, most likely
        answer->risk = RISK_SLIGHT;
    } else if (root->kind == SYMBOL_DEREF && root->a->kind == SYMBOL_LOAD &&
               is_variable_of(root->a->a, IR_BASE_PARAM) && size && size < RESIDENCY_SMALL) {
        answer->risk = RISK_SLIGHT; // the caller's own array, a few elements to a cache line
    } else if (memory == MEMORY_FRESH_HEAP) {
        answer->why = WHY_FRESH_HEAP;
    } else if (memory == MEMORY_RESIDENT) {
        answer->residency = RESIDENCY_MODEL;
        answer->why = WHY_NONE;
        answer->risk = RISK_NONE;
    }
}

// By how many bytes a pointer moves on in its loop: `*p++`. 0 when it goes from object to object.
static uint64_t stride_of(const struct flow *flow, const struct symbol *pointer)
{
    if (pointer->kind != SYMBOL_PHI || pointer->a->kind != SYMBOL_VARIABLE)
        return 0;
    const struct flow_loop *loop = NULL;
    for (guint i = 0; i < flow->loops->len && !loop; i++) {
        const struct flow_loop *one = flow->loops->pdata[i];
        loop = flow_loop_holds(one, pointer->what) ? one : NULL;
    }
    uint64_t stride = 0;
    for (unsigned b = 0; loop && b < flow->function->n_blocks; b++) {
        const struct ir_block *block = flow->function->blocks[b];
        for (unsigned k = 0; flow_loop_holds(loop, block) && k < block->n_instructions; k++) {
            const struct ir_instruction *in = block->instructions[k];
            if (in->op != IR_ASSIGN || in->path.n_steps || in->path.variable != pointer->a->what)
                continue;
            const struct ir_path *to = &in->value.path;
            if (in->value.kind != IR_VALUE_ADDRESS || to->variable != pointer->a->what ||
                to->n_steps != 2 || to->steps[1].kind != IR_STEP_INDEX)
                return 0;
            stride = MAX(stride, to->steps[1].size);
        }
    }
    return stride;
}

// A byte that is no field of anything belongs to a string, and is no object.
static bool is_of_string(const struct symbol *place, uint64_t bytes)
{
    while (place->kind == SYMBOL_INDEX)
        place = place->a;
    return bytes == 1 && place->kind == SYMBOL_DEREF;
}

static bool is_small_step(const struct flow *flow, const struct symbol *place, uint64_t bytes,
                          const struct symbol *index)
{
    const struct symbol *root = symbol_root(place);
    if (is_of_string(place, bytes))
        return true;
    uint64_t step = index                        ? (uint64_t)(uintptr_t)index->what
                    : root->kind == SYMBOL_DEREF ? stride_of(flow, root->a)
                                                 : 0;
    return step && step < RESIDENCY_SMALL;
}

static void judge_walk(const struct residency_query *query, const struct symbol *index,
                       struct residency_answer *answer)
{
    if (is_small_step(query->flow, query->place, query->bytes, index))
        return; // many steps to a page: the array as such is the finding
    if (answer->risk == RISK_NONE || answer->residency != RESIDENCY_MAY_FAULT)
        return;
    answer->why = WHY_WALK;
    answer->risk = RISK_CERTAIN;
}

// `(T *)((char *)p - tag)`: some bytes off, and then a record. That is no array.
static const struct symbol *array_index(const struct symbol *place)
{
    const struct symbol *index = symbol_runtime_index(place);
    return index && index != place && (uintptr_t)index->what == 1 ? NULL : index;
}

bool residency_moves_on(const struct flow *flow, const struct symbol *place, uint64_t bytes)
{
    return is_small_step(flow, place, bytes, array_index(place));
}

static struct residency_answer judge(const struct residency_query *query,
                                     const struct near_lock *near)
{
    const struct symbol *root = symbol_root(query->place);
    const struct symbol *index = array_index(query->place);
    struct residency_answer answer = {.residency = RESIDENCY_MAY_FAULT, .chance = 1 - near->chance};
    if (near->same_root && (!index || near->chance > 0)) {
        answer.why = WHY_OTHER_PAGE;
        answer.risk = near->chance > 0 ? RISK_SLIGHT : RISK_REAL;
        return answer;
    }
    if (index) {
        judge_array(query, index, near->same_root, &answer);
    } else if (root->kind == SYMBOL_VARIABLE) {
        const struct ir_variable *variable = root->what;
        if (variable->type.size <= RESIDENCY_PAGE)
            return resident(RESIDENCY_UNKNOWN);
        answer.why = WHY_GLOBAL;
        answer.risk = RISK_SLIGHT;
        answer.pages_4k = variable->type.size / RESIDENCY_PAGE;
    } else if (root->kind == SYMBOL_DEREF) {
        judge_pointer(query, root->a, 0, &answer);
    } else {
        return resident(RESIDENCY_UNKNOWN);
    }
    // A parameter that the loop moves on is a walk whatever it points to.
    if (query->walk && root->kind == SYMBOL_DEREF && root->a->kind == SYMBOL_PHI && !index)
        answer.risk = MAX(answer.risk, RISK_SLIGHT);
    if (query->walk)
        judge_walk(query, index, &answer);
    return answer;
}

// A lock of the caller guards what those guard that the function itself operates on.
static enum model_guarded guarded_by_entry(const struct ir_function *function)
{
    bool any = false;
    enum model_guarded least = GUARDED_WIRED;
    for (unsigned b = 0; b < function->n_blocks; b++) {
        const struct ir_block *block = function->blocks[b];
        for (unsigned k = 0; k < block->n_instructions; k++) {
            const struct ir_instruction *in = block->instructions[k];
            if (in->op != IR_LOCK_OP || !in->lock_op)
                continue;
            any = true;
            least = MIN(least, in->lock_op->guarded);
        }
    }
    return any ? least : GUARDED_ANY;
}

// What all locks that are held say about the memory they guard: the least that one of them says.
static enum model_guarded guarded_by(const struct flow *flow, const struct flow_state *state)
{
    enum model_guarded least = state->n_locks ? GUARDED_WIRED : GUARDED_ANY;
    for (unsigned i = 0; i < state->n_locks; i++) {
        const struct flow_site *site = state->locks[i].site;
        if (site->op)
            least = MIN(least, site->op->guarded);
        else
            least = MIN(least,
                        site->kind == SITE_ENTRY ? guarded_by_entry(flow->function) : GUARDED_ANY);
    }
    return least;
}

// In one process an object is mapped since it was made, whichever thread made it.
static bool made_by_process(const struct residency_answer *answer)
{
    switch (answer->why) {
    case WHY_POINTER:
    case WHY_WALK:
    case WHY_OTHER_PAGE:
    case WHY_GLOBAL:
        return true;
    default:
        return false;
    }
}

// Another process writes it, or a guest: that it was written says nothing about who mapped it.
static bool is_shared_type(const struct residency_query *query)
{
    const struct model_set *models = query->flow->analysis->models;
    const struct symbol *place = query->place;
    for (; models && (place->kind == SYMBOL_FIELD || place->kind == SYMBOL_INDEX);
         place = place->a) {
        const struct ir_step *step = place->step;
        if (!step)
            continue;
        const char *type = place->kind == SYMBOL_FIELD ? step->record : step->type_name;
        if (type && model_global_is_shared(models, type))
            return true;
    }
    return false;
}

static bool is_small_thread_local(const struct symbol *root)
{
    return is_variable_of(root, IR_BASE_THREAD_LOCAL) &&
           ((const struct ir_variable *)root->what)->type.size <= RESIDENCY_PAGE;
}

// The first time that a thread goes so deep.
static struct residency_answer deep_stack(const struct symbol *root, double near)
{
    return (struct residency_answer){.residency = RESIDENCY_MAY_FAULT,
                                     .why = WHY_GLOBAL,
                                     .risk = RISK_SLIGHT,
                                     .chance = 1 - near,
                                     .pages_4k =
                                         ((const struct ir_variable *)root->what)->type.size /
                                         RESIDENCY_PAGE};
}

struct residency_answer residency_of(const struct residency_query *query)
{
    const struct symbol *root = symbol_root(query->place);
    bool deep = residency_is_deep_stack(root);
    if ((symbol_on_stack(root) && !deep) || is_small_thread_local(root))
        return resident(RESIDENCY_STACK);
    if (root->kind == SYMBOL_STRING)
        return resident(RESIDENCY_UNKNOWN);
    enum model_guarded guarded = guarded_by(query->flow, query->state);
    if (guarded == GUARDED_WIRED)
        return resident(RESIDENCY_MODEL);
    struct near_lock near = {0, false};
    for (unsigned i = 0; i < query->state->n_locks; i++) {
        const struct flow_lock *lock = &query->state->locks[i];
        if (lock->stale || lock->maybe)
            continue;
        struct near_lock one = near_lock(query->place, query->bytes, lock->place);
        near.chance = MAX(near.chance, one.chance);
        near.same_root |= one.same_root;
    }
    if (near.chance >= RESIDENCY_NEAR)
        return resident(RESIDENCY_SAME_PAGE);
    bool need_write = query->write && residency_write_faults(query->flow->analysis, root);
    if (residency_is_locked(query->flow->analysis, query->state, root, query->write))
        return resident(RESIDENCY_MODEL);
    double touched = flow_touch_chance(query->flow->analysis->table, query->state, query->place,
                                       query->bytes, need_write);
    if (touched >= RESIDENCY_NEAR)
        return resident(RESIDENCY_TOUCHED_BEFORE);
    near.chance = MAX(near.chance, touched);
    if (deep)
        return deep_stack(root, near.chance);
    struct residency_answer answer = judge(query, &near);
    if (guarded == GUARDED_PROCESS && is_shared_type(query))
        return answer;
    if (guarded == GUARDED_PROCESS && made_by_process(&answer))
        return resident(RESIDENCY_UNKNOWN);
    // An element that is read was written before, in this process; a write may be the first.
    bool is_element = answer.why == WHY_RUN_TIME_INDEX;
    if (guarded == GUARDED_PROCESS && is_element && !query->write)
        return resident(RESIDENCY_UNKNOWN);
    if (guarded == GUARDED_PROCESS && is_element)
        answer.risk = MIN(answer.risk, RISK_SLIGHT);
    return answer;
}
