// See entry_facts.h. A listener on the flows of all callers.
#include "entry_facts.h"

#include "foreign.h"
#include "summary.h"

struct collection {
    struct analysis *analysis;
    const struct ir_function *callee;
    struct entry_facts *facts; // NULL before the first call
};

void entry_facts_free(struct entry_facts *facts)
{
    if (!facts)
        return;
    flow_map_clear(&facts->touched);
    g_free(facts->arguments);
    g_free(facts);
}

// ---- Who calls.

static bool is_address(const struct ir_value *value, const char *usr)
{
    return value->kind == IR_VALUE_FUNCTION && g_strcmp0(value->function, usr) == 0;
}

static bool takes_address(const struct ir_instruction *in, const char *usr)
{
    if (is_address(&in->value, usr))
        return true;
    for (unsigned i = 0; i < in->n_arguments; i++) {
        if (is_address(&in->arguments[i], usr))
            return true;
    }
    return false;
}

static bool block_takes_address(const struct ir_block *block, const char *usr)
{
    for (unsigned k = 0; k < block->n_instructions; k++) {
        if (takes_address(block->instructions[k], usr))
            return true;
    }
    return is_address(&block->value, usr) || is_address(&block->condition.left, usr) ||
           is_address(&block->condition.right, usr);
}

static bool block_calls(const struct ir_block *block, const char *usr)
{
    for (unsigned k = 0; k < block->n_instructions; k++) {
        const struct ir_instruction *in = block->instructions[k];
        if (in->op == IR_CALL && g_strcmp0(in->callee_usr, usr) == 0)
            return true;
    }
    return false;
}

// The functions of the unit that call it; NULL when it may be called in other ways.
static GPtrArray *callers_in_unit(const struct ir_unit *unit, const char *usr)
{
    for (guint i = 0; i < unit->function_uses->len; i++) {
        const struct ir_function_use *use = unit->function_uses->pdata[i];
        if (g_strcmp0(use->function_usr, usr) == 0)
            return NULL;
    }
    g_autoptr(GPtrArray) callers = g_ptr_array_new();
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        bool calls = false;
        for (unsigned b = 0; b < function->n_blocks; b++) {
            if (block_takes_address(function->blocks[b], usr))
                return NULL;
            calls |= block_calls(function->blocks[b], usr);
        }
        if (calls)
            g_ptr_array_add(callers, (gpointer)function);
    }
    return g_steal_pointer(&callers);
}

// Does no other file know of it?
static bool is_of_this_file(struct analysis *analysis, const struct ir_function *function)
{
    if (function->from_header)
        return false;
    if (function->is_static)
        return true;
    if (!analysis->foreign)
        return false;
    unsigned n;
    const unsigned *files = foreign_mentions(analysis, function->name, &n);
    return n == 1 && foreign_is_file(analysis->foreign, files[0], analysis->unit->file);
}

// ---- What they have in common.

static const struct symbol *parameter(struct analysis *analysis, const struct ir_function *callee,
                                      unsigned i)
{
    const struct symbol *place = symbol_variable(analysis->table, callee->params[i]);
    return symbol_make(analysis->table, SYMBOL_LOAD, place, NULL, 0, NULL);
}

static bool mentions_other_stack(const struct symbol *symbol, const struct ir_function *callee)
{
    if (!symbol)
        return false;
    if (symbol->kind == SYMBOL_TEMPORARY || symbol->kind == SYMBOL_STRING)
        return true;
    if (symbol->kind != SYMBOL_VARIABLE)
        return mentions_other_stack(symbol->a, callee) || mentions_other_stack(symbol->b, callee);
    const struct ir_variable *variable = symbol->what;
    if (variable->kind == IR_BASE_PARAM)
        return variable->index >= callee->n_params || callee->params[variable->index] != variable;
    return variable->kind == IR_BASE_LOCAL;
}

// Means the same in the callee: nothing in it comes from what the caller did before.
static bool holds_there(const struct symbol *symbol, const struct ir_function *callee)
{
    return symbol->roots == 0 && !mentions_other_stack(symbol, callee);
}

static void add_touch(struct flow_map *map, const struct symbol *key, int64_t detail,
                      uint64_t flags, const struct ir_function *callee)
{
    if (!holds_there(key, callee))
        return;
    const struct flow_entry *old = flow_map_find(map, key, detail);
    struct flow_entry entry = {.key = key, .detail = detail, .flags = flags};
    if (old)
        entry.flags |= old->flags;
    flow_map_set(map, &entry);
}

// As the callee sees it through one of its parameters.
static void add_through(struct collection *all, struct flow_map *map,
                        const struct flow_entry *entry, const struct symbol *value, unsigned i)
{
    struct symbol_table *table = all->analysis->table;
    const struct symbol *given = parameter(all->analysis, all->callee, i);
    if (symbol_contains(entry->key, value)) {
        add_touch(map, symbol_replace(table, entry->key, value, given), entry->detail, entry->flags,
                  all->callee);
        return;
    }
    if (value->kind != SYMBOL_ADDRESS)
        return;
    // It points into a bigger object.
    struct symbol_range range = symbol_range(value->a, 1);
    if (range.region != entry->key || entry->detail == TOUCH_VALUE)
        return;
    int64_t detail = entry->detail == TOUCH_ALL || entry->detail == TOUCH_SWEPT
                         ? entry->detail
                         : entry->detail - range.low / TOUCH_GRAIN;
    add_touch(map, symbol_deref(table, given), detail, entry->flags, all->callee);
}

static struct flow_map touched_for(struct collection *all, const struct flow_state *state,
                                   const struct flow_call *call)
{
    struct flow_map map = {0};
    for (unsigned k = 0; k < flow_map_size(&state->touched); k++) {
        const struct flow_entry *entry = flow_map_at(&state->touched, k);
        add_touch(&map, entry->key, entry->detail, entry->flags, all->callee);
        for (unsigned i = 0; i < MIN(call->instruction->n_arguments, all->callee->n_params); i++) {
            const struct symbol *value = call->arguments[i];
            if (value->kind != SYMBOL_CONST)
                add_through(all, &map, entry, value, i);
        }
    }
    return map;
}

static const struct symbol *global_thing(const struct symbol *value)
{
    static const struct ir_function nobody = {0};
    bool points = value->kind == SYMBOL_ADDRESS || value->kind == SYMBOL_LOAD;
    return points && holds_there(value, &nobody) ? value : NULL;
}

static void on_call(void *context, const struct flow *flow, const struct flow_state *state,
                    const struct flow_call *call)
{
    struct collection *all = context;
    const struct ir_function *callee = all->callee;
    if (call->function != callee)
        return;
    struct flow_map touched = touched_for(all, state, call);
    bool first = !all->facts;
    if (first) {
        all->facts = g_new0(struct entry_facts, 1);
        all->facts->n_arguments = callee->n_params;
        all->facts->arguments = g_new0(const struct symbol *, MAX(callee->n_params, 1));
        all->facts->touched = touched;
    } else {
        flow_meet_touches(&all->facts->touched, &touched);
        flow_map_clear(&touched);
    }
    for (unsigned i = 0; i < callee->n_params; i++) {
        const struct symbol *value = i < call->instruction->n_arguments ? call->arguments[i] : NULL;
        // What its own callers all give it is what it gives.
        if (value)
            value = global_thing(entry_facts_apply(all->analysis, flow->function, value));
        const struct symbol **common = &all->facts->arguments[i];
        *common = first || *common == value ? value : NULL;
    }
}

// ---- The answer.

const struct entry_facts *entry_facts_known(const struct analysis *analysis,
                                            const struct ir_function *function)
{
    return g_hash_table_lookup(analysis->entries, function);
}

static struct entry_facts *collect(struct analysis *analysis, const struct ir_function *function)
{
    if (!function->usr || !is_of_this_file(analysis, function))
        return NULL;
    g_autoptr(GPtrArray) callers = callers_in_unit(analysis->unit, function->usr);
    struct collection all = {analysis, function, NULL};
    for (guint i = 0; callers && i < callers->len; i++) {
        const struct ir_function *caller = callers->pdata[i];
        if (caller == function) // recursion: what the first call was given need not hold later
            return NULL;
        if (analysis->entry_level + 1 < ENTRY_LEVELS) {
            analysis->entry_level++;
            entry_facts_of(analysis, caller);
            analysis->entry_level--;
        }
        struct flow *flow = summary_flow(analysis, caller);
        struct flow_listener listener = {.context = &all, .call = on_call};
        flow_replay(flow, &listener);
        flow_free(flow);
    }
    return all.facts;
}

const struct entry_facts *entry_facts_of(struct analysis *analysis,
                                         const struct ir_function *function)
{
    gpointer known;
    if (g_hash_table_lookup_extended(analysis->entries, function, NULL, &known))
        return known;
    g_hash_table_insert(analysis->entries, (gpointer)function, NULL); // recursion ends here
    struct entry_facts *facts = collect(analysis, function);
    g_hash_table_insert(analysis->entries, (gpointer)function, facts);
    return facts;
}

const struct symbol *entry_facts_apply(struct analysis *analysis,
                                       const struct ir_function *function,
                                       const struct symbol *symbol)
{
    const struct entry_facts *facts = entry_facts_known(analysis, function);
    for (unsigned i = 0; facts && i < facts->n_arguments; i++) {
        if (facts->arguments[i])
            symbol = symbol_replace(analysis->table, symbol, parameter(analysis, function, i),
                                    facts->arguments[i]);
    }
    return symbol;
}
