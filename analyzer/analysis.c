// What the functions of one unit share. See flow.h.
#include "flow.h"

#include "call_targets.h"
#include "entry_facts.h"
#include "foreign.h"
#include "spin_word.h"

static void index_functions(struct analysis *analysis)
{
    const GPtrArray *functions = analysis->unit->functions;
    for (guint i = 0; i < functions->len; i++) {
        struct ir_function *function = functions->pdata[i];
        if (function->usr)
            g_hash_table_insert(analysis->functions, (gpointer)function->usr, function);
        if (function->name && !g_hash_table_contains(analysis->functions, function->name))
            g_hash_table_insert(analysis->functions, (gpointer)function->name, function);
    }
}

// A global pointer that is set to an element or to whatever a caller gave is one of many objects,
// like PostgreSQL's MyProc; one that is set to what a function returned is taken for the only one.
static void find_moving(struct analysis *analysis, const struct ir_instruction *in)
{
    if (in->op != IR_ASSIGN || in->path.base != IR_BASE_GLOBAL || in->path.n_steps != 0 ||
        !in->path.variable || !in->path.variable->type.is_pointer)
        return;
    if (in->value.kind == IR_VALUE_CONST || in->value.kind == IR_VALUE_CALL)
        return;
    if (in->value.kind == IR_VALUE_LOAD && in->value.path.base == IR_BASE_LOCAL)
        return; // most often the result of a call, kept for a moment
    const struct ir_variable *variable = in->path.variable;
    g_hash_table_add(analysis->moving, (gpointer)(variable->usr ? variable->usr : variable->name));
}

static void destroy_summary(gpointer data)
{
    summary_free(data);
}

static void destroy_entry(gpointer data)
{
    entry_facts_free(data);
}

static void destroy_targets(gpointer data)
{
    call_targets_free(data);
}

struct analysis *analysis_new(const struct ir_unit *unit, const struct model_set *models)
{
    struct analysis *analysis = g_new0(struct analysis, 1);
    analysis->unit = unit;
    analysis->models = models;
    analysis->table = symbol_table_new();
    analysis->functions = g_hash_table_new(g_str_hash, g_str_equal);
    analysis->owned = g_ptr_array_new_with_free_func(destroy_summary);
    for (unsigned deep = 0; deep < 2; deep++) {
        analysis->summaries[deep] = g_hash_table_new(NULL, NULL);
        analysis->imported[deep] = g_hash_table_new(g_str_hash, g_str_equal);
    }
    analysis->locking = g_hash_table_new(NULL, NULL);
    analysis->may_lock = g_hash_table_new(g_str_hash, g_str_equal);
    analysis->entries = g_hash_table_new_full(NULL, NULL, NULL, destroy_entry);
    analysis->targets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, destroy_targets);
    index_functions(analysis);
    return analysis;
}

bool analysis_is_moving(struct analysis *analysis, const char *usr)
{
    if (!analysis->moving) {
        analysis->moving = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint i = 0; i < analysis->unit->functions->len; i++) {
            const struct ir_function *function = analysis->unit->functions->pdata[i];
            for (unsigned b = 0; b < function->n_blocks; b++) {
                for (unsigned k = 0; k < function->blocks[b]->n_instructions; k++)
                    find_moving(analysis, function->blocks[b]->instructions[k]);
            }
        }
    }
    return g_hash_table_contains(analysis->moving, usr);
}

void analysis_free(struct analysis *analysis)
{
    if (!analysis)
        return;
    for (unsigned deep = 0; deep < 2; deep++) {
        g_hash_table_unref(analysis->summaries[deep]);
        g_hash_table_unref(analysis->imported[deep]);
    }
    g_hash_table_unref(analysis->targets);
    g_hash_table_unref(analysis->entries);
    g_ptr_array_unref(analysis->owned);
    g_hash_table_unref(analysis->functions);
    g_hash_table_unref(analysis->locking);
    g_hash_table_unref(analysis->may_lock);
    g_clear_pointer(&analysis->moving, g_hash_table_unref);
    spin_words_free(analysis->words);
    symbol_table_free(analysis->table);
    g_free(analysis);
}

const struct ir_function *analysis_find(const struct analysis *analysis,
                                        const struct ir_instruction *call)
{
    if (call->indirect)
        return NULL;
    const struct ir_function *found = NULL;
    if (call->callee_usr)
        found = g_hash_table_lookup(analysis->functions, call->callee_usr);
    if (!found && call->callee)
        found = g_hash_table_lookup(analysis->functions, call->callee);
    return found;
}

enum reach { REACH_UNKNOWN, REACH_RUNNING, REACH_NO, REACH_YES };

// An atomic operation may be the loop of a lock that no model names, or its release.
static bool is_lock_operation(const struct ir_instruction *in)
{
    if (in->op == IR_ATOMIC)
        return in->atomic == IR_ATOMIC_TEST_AND_SET || in->atomic == IR_ATOMIC_EXCHANGE ||
               in->atomic == IR_ATOMIC_CAS || in->atomic == IR_ATOMIC_CLEAR;
    return in->op == IR_LOCK_OP || in->op == IR_DEBUG;
}

bool analysis_may_lock(struct analysis *analysis, const struct ir_instruction *call)
{
    if (!analysis->foreign || call->indirect || !call->callee)
        return false;
    enum reach known = GPOINTER_TO_UINT(g_hash_table_lookup(analysis->may_lock, call->callee));
    if (!known) {
        bool yes = foreign_may_lock(analysis->foreign, call->callee, analysis->log);
        known = yes ? REACH_YES : REACH_NO;
        g_hash_table_insert(analysis->may_lock, (gpointer)call->callee, GUINT_TO_POINTER(known));
    }
    return known == REACH_YES;
}

static bool call_reaches_lock(struct analysis *analysis, const struct ir_instruction *call)
{
    const struct ir_function *callee = analysis_find(analysis, call);
    return callee ? analysis_reaches_lock(analysis, callee) : analysis_may_lock(analysis, call);
}

bool analysis_reaches_lock(struct analysis *analysis, const struct ir_function *function)
{
    enum reach known = GPOINTER_TO_UINT(g_hash_table_lookup(analysis->locking, function));
    if (known)
        return known == REACH_YES;
    if (analysis->depth > FLOW_CALL_DEPTH)
        return false;
    g_hash_table_insert(analysis->locking, (gpointer)function, GUINT_TO_POINTER(REACH_RUNNING));
    bool yes = false;
    analysis->depth++;
    for (unsigned b = 0; b < function->n_blocks && !yes; b++) {
        const struct ir_block *block = function->blocks[b];
        for (unsigned k = 0; k < block->n_instructions && !yes; k++) {
            const struct ir_instruction *in = block->instructions[k];
            yes = is_lock_operation(in) || (in->op == IR_CALL && call_reaches_lock(analysis, in));
        }
    }
    analysis->depth--;
    g_hash_table_insert(analysis->locking, (gpointer)function,
                        GUINT_TO_POINTER(yes ? REACH_YES : REACH_NO));
    return yes;
}
