// See call_targets.h.
#include "call_targets.h"

#include <string.h>

#include "foreign.h"

#define FUNCTION_USR "c:@F@" // and the name: a function that has linkage

// Where the pointer is read from: a field of a kind of struct, or a variable.
struct slot {
    const char *record, *field; // or NULL
    const char *variable_usr;   // or NULL
    const char *word;           // what files that fill it mention
    bool is_static;             // only this file can
};

struct target {
    const char *usr, *name;
    int file; // that has it, for one that is static there; -1: this unit
    struct ir_location location;
};

struct search {
    struct analysis *analysis;
    const struct slot *slot;
    GArray *found; // struct target
    bool open;     // something else is stored there as well
};

void call_targets_free(struct call_targets *targets)
{
    if (!targets)
        return;
    g_ptr_array_unref(targets->names);
    g_free(targets);
}

// ---- The place.

static bool slot_of(const struct symbol *value, struct slot *slot)
{
    if (value->kind != SYMBOL_LOAD)
        return false;
    const struct symbol *place = value->a;
    while (place->kind == SYMBOL_INDEX)
        place = place->a;
    if (place->kind == SYMBOL_FIELD && place->step && place->step->field && *place->step->field) {
        *slot = (struct slot){.record = place->step->record,
                              .field = place->step->field,
                              .word = place->step->field};
        return true;
    }
    if (place->kind != SYMBOL_VARIABLE || symbol_on_stack(place))
        return false;
    const struct ir_variable *variable = place->what;
    *slot = (struct slot){.variable_usr = variable->usr,
                          .word = variable->name,
                          .is_static = variable->usr && !g_str_has_prefix(variable->usr, "c:@")};
    return variable->usr && variable->name;
}

static bool same_record(const char *a, const char *b)
{
    return !a || !b || !*a || !*b || strcmp(a, b) == 0;
}

static bool fills(const struct slot *slot, const struct ir_function_use *use)
{
    if (slot->field)
        return g_strcmp0(use->field, slot->field) == 0 && same_record(use->record, slot->record);
    return !use->field && g_strcmp0(use->variable_usr, slot->variable_usr) == 0;
}

// ---- What is stored there.

static void add_target(struct search *search, struct target target)
{
    for (guint i = 0; i < search->found->len; i++) {
        const struct target *old = &g_array_index(search->found, struct target, i);
        bool external = g_str_has_prefix(target.usr, FUNCTION_USR);
        if (strcmp(old->usr, target.usr) == 0 && (external || old->file == target.file))
            return;
    }
    g_array_append_val(search->found, target);
}

static bool is_slot(const struct slot *slot, const struct ir_path *path)
{
    const struct ir_step *last = path->n_steps ? &path->steps[path->n_steps - 1] : NULL;
    for (unsigned i = path->n_steps; i-- > 0 && last->kind == IR_STEP_INDEX;)
        last = i ? &path->steps[i - 1] : NULL;
    if (slot->field)
        return last && last->kind == IR_STEP_FIELD && g_strcmp0(last->field, slot->field) == 0 &&
               same_record(last->record, slot->record);
    return !last && path->variable && g_strcmp0(path->variable->usr, slot->variable_usr) == 0;
}

// `pool->callback = callback`: whatever that is.
static bool stores_other(const struct slot *slot, const struct ir_instruction *in)
{
    return in->op == IR_ASSIGN && in->value.kind != IR_VALUE_FUNCTION &&
           in->value.kind != IR_VALUE_CONST && is_slot(slot, &in->path);
}

static void search_unit(struct search *search, const struct ir_unit *unit, int file)
{
    for (guint i = 0; i < unit->function_uses->len; i++) {
        const struct ir_function_use *use = unit->function_uses->pdata[i];
        if (!use->function_usr || !use->function_name || !fills(search->slot, use))
            continue;
        struct target target = {g_intern_string(use->function_usr),
                                g_intern_string(use->function_name), file, use->location};
        target.location.file = g_intern_string(use->location.file);
        add_target(search, target);
    }
    for (guint f = 0; f < unit->functions->len && !search->open; f++) {
        const struct ir_function *function = unit->functions->pdata[f];
        for (unsigned b = 0; b < function->n_blocks; b++) {
            const struct ir_block *block = function->blocks[b];
            for (unsigned k = 0; k < block->n_instructions; k++)
                search->open |= stores_other(search->slot, block->instructions[k]);
        }
    }
}

// Files that mention the place; of too many, those that the scan looks at anyway.
static void search_files(struct search *search)
{
    struct foreign *foreign = search->analysis->foreign;
    unsigned n, looked_at = 0;
    const unsigned *files = foreign_mentions(search->analysis, search->slot->word, &n);
    bool many = n > TARGET_FILES;
    for (unsigned i = 0; i < n && looked_at < TARGET_FILES; i++) {
        if (foreign_is_file(foreign, files[i], search->analysis->unit->file) ||
            (many && !foreign_is_candidate(foreign, files[i])))
            continue;
        looked_at++;
        search_unit(search, foreign_take_unit(foreign, files[i]), (int)files[i]);
        foreign_give_unit(foreign, files[i]);
    }
    search->open |= many;
}

// ---- What they do.

static const struct summary *summary_of_target(struct analysis *analysis,
                                               const struct target *target)
{
    const struct ir_function *own = target->file < 0 || g_str_has_prefix(target->usr, FUNCTION_USR)
                                        ? g_hash_table_lookup(analysis->functions, target->usr)
                                        : NULL;
    if (own) {
        bool deep = analysis->deep;
        analysis->deep = true;
        const struct summary *summary = summary_of(analysis, own);
        analysis->deep = deep;
        return summary;
    }
    if (!analysis->foreign)
        return NULL;
    if (g_str_has_prefix(target->usr, FUNCTION_USR))
        return foreign_summary(analysis, target->usr + strlen(FUNCTION_USR), true);
    return target->file >= 0 ? foreign_static_summary(analysis, (unsigned)target->file, target->usr)
                             : NULL;
}

static unsigned effects_of_target(const struct analysis *analysis, const struct target *target)
{
    const struct model_function *model =
        analysis->models ? model_find_function(analysis->models, target->name) : NULL;
    return model ? model_call_effects(model, NULL) & ~(unsigned)(MODEL_PURE | MODEL_NO_RETURN) : 0;
}

// What one of them does, as far as a model or its body says.
static GArray *deeds_of_target(struct analysis *analysis, const struct target *target,
                               const struct summary *summary)
{
    GArray *deeds = g_array_new(FALSE, FALSE, sizeof(struct summary_deed));
    unsigned effects = effects_of_target(analysis, target);
    for (; effects; effects &= effects - 1) {
        struct summary_deed deed = {.effect = effects & -effects,
                                    .witness = target->name,
                                    .at = target->location};
        g_array_append_val(deeds, deed);
    }
    if (summary)
        g_array_append_vals(deeds, summary->deeds->data, summary->deeds->len);
    return deeds;
}

static bool has_effect(const GArray *deeds, unsigned effect)
{
    for (guint i = 0; i < deeds->len; i++) {
        if (g_array_index(deeds, struct summary_deed, i).effect == effect)
            return true;
    }
    return false;
}

static bool all_have_effect(const GPtrArray *each, unsigned effect)
{
    for (guint i = 0; i < each->len; i++) {
        if (!has_effect(each->pdata[i], effect))
            return false;
    }
    return true;
}

// What one does is certain when all do it, and it can be no other. Of locks that is not asked.
static void add_deeds(struct summary *all, const struct search *search, const GPtrArray *each,
                      guint i, const char *pointer)
{
    const struct target *target = &g_array_index(search->found, struct target, i);
    const GArray *deeds = each->pdata[i];
    for (guint k = 0; k < deeds->len; k++) {
        struct summary_deed deed = g_array_index(deeds, struct summary_deed, k);
        bool common = deed.effect && all_have_effect(each, deed.effect);
        deed.if_told |= search->found->len > 1; // it need not be this one
        if (!common || search->open) {
            deed.not_all |= !common;
            deed.candidate = deed.pointer ? deed.candidate : target->name;
            deed.pointer = deed.pointer ? deed.pointer : pointer;
        }
        all->effects |= deed.effect;
        summary_add_deed(all->deeds, &deed);
    }
}

// Nothing that matters under a lock, and all of it was seen.
static bool does_nothing(const struct summary *summary)
{
    return summary && !summary->unknown && !summary->indirect && summary->deeds->len == 0;
}

// Several, or one that only a model knows: what each of them may do, and no more.
static const struct summary *worst_of(const struct search *search,
                                      const struct ir_instruction *call, bool only)
{
    struct analysis *analysis = search->analysis;
    struct summary *all = g_new0(struct summary, 1);
    all->accesses = g_array_new(FALSE, FALSE, sizeof(struct summary_access));
    all->deeds = g_array_new(FALSE, FALSE, sizeof(struct summary_deed));
    all->returns = true;
    g_ptr_array_add(analysis->owned, all);
    g_autoptr(GPtrArray) each = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    bool harmless = !search->open;
    for (guint i = 0; i < search->found->len; i++) {
        const struct target *target = &g_array_index(search->found, struct target, i);
        const struct summary *summary = summary_of_target(analysis, target);
        all->cost = MAX(all->cost, summary ? summary->cost : 0);
        harmless &= does_nothing(summary);
        g_ptr_array_add(each, deeds_of_target(analysis, target, summary));
    }
    for (guint i = 0; i < search->found->len; i++)
        add_deeds(all, search, each, i, call->callee);
    all->indirect = only || harmless ? NULL : call->callee;
    return all;
}

static struct call_targets *targets_from(struct search *search, const struct ir_instruction *call)
{
    struct analysis *analysis = search->analysis;
    struct call_targets *targets = g_new0(struct call_targets, 1);
    targets->names = g_ptr_array_new();
    targets->complete = !search->open && search->found->len > 0;
    for (guint i = 0; i < search->found->len; i++)
        g_ptr_array_add(targets->names,
                        (gpointer)g_array_index(search->found, struct target, i).name);
    if (!search->found->len)
        return targets;
    const struct target *first = &g_array_index(search->found, struct target, 0);
    bool only = targets->complete && search->found->len == 1;
    bool modelled = effects_of_target(analysis, first) != 0;
    if (only && !modelled)
        targets->summary = summary_of_target(analysis, first);
    else
        targets->summary = worst_of(search, call, only);
    if (only && !targets->summary)
        targets->complete = false;
    return targets;
}

static char *key_of(const struct symbol *value, const struct slot *slot)
{
    if (value->kind == SYMBOL_TEXT)
        return g_strdup(value->what);
    return slot->field ? g_strdup_printf("%s.%s", slot->record ? slot->record : "", slot->field)
                       : g_strdup(slot->variable_usr);
}

const struct call_targets *call_targets_of(struct flow *flow, const struct flow_state *state,
                                           const struct ir_instruction *call)
{
    struct analysis *analysis = flow->analysis;
    if (!state->n_locks) {
        analysis->deepens = true;
        if (!analysis->deep)
            return NULL;
    }
    const struct symbol *value = flow_value(flow, state, &call->target, call);
    struct slot slot = {0};
    bool known = value->kind == SYMBOL_TEXT && g_str_has_prefix(value->what, "c:");
    if (!known && !slot_of(value, &slot))
        return NULL;
    g_autofree char *key = key_of(value, &slot);
    struct call_targets *targets = g_hash_table_lookup(analysis->targets, key);
    if (targets)
        return targets;
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct target));
    struct search search = {analysis, &slot, found, false};
    if (known) {
        const char *mark = strrchr(value->what, '@');
        struct target target = {value->what, mark + 1, -1, call->location};
        g_array_append_val(found, target);
    } else {
        search_unit(&search, analysis->unit, -1);
        if (analysis->foreign && !slot.is_static)
            search_files(&search);
    }
    targets = targets_from(&search, call);
    g_hash_table_insert(analysis->targets, g_steal_pointer(&key), targets);
    return targets;
}
