// What a whole section is worth. See section_judge.h.
#include "section_judge.h"

static bool always_leaves(const struct function_sections *sections, const struct section *section)
{
    for (guint i = 0; i < sections->leaves->len; i++) {
        const struct function_leave *leave =
            &g_array_index(sections->leaves, struct function_leave, i);
        if (!g_ptr_array_find(leave->held, section, NULL))
            return false;
    }
    return true;
}

// Tries until it has it: the slow path of a spinlock.
static bool spins(const struct function_sections *sections, const struct section *section)
{
    const struct ir_block *home = flow_block_of(sections->flow, section->site->instruction);
    for (guint i = 0; i < sections->flow->loops->len; i++) {
        if (flow_loop_holds(sections->flow->loops->pdata[i], home))
            return section->site->kind == SITE_TRY ||
                   (section->site->op && g_strcmp0(section->site->op->family, "atomic") == 0);
    }
    return false;
}

// Of the section's calls, is there one that is not the release itself?
static bool calls_others(const struct section *section)
{
    for (guint i = 0; i < section->calls->len; i++) {
        const struct ir_instruction *call =
            g_array_index(section->calls, struct section_call, i).instruction;
        bool releases = false;
        for (guint k = 0; k < section->releases->len && !releases; k++)
            releases =
                g_array_index(section->releases, struct section_release, k).instruction == call;
        if (!releases)
            return true;
    }
    return false;
}

static bool touches_nothing(const struct section *section)
{
    for (guint i = 0; i < section->accesses->len; i++) {
        const struct section_access *access =
            &g_array_index(section->accesses, struct section_access, i);
        if (access->residency.risk != RISK_NONE ||
            (access->write && access->residency.residency != RESIDENCY_STACK))
            return false;
    }
    return !calls_others(section);
}

bool section_is_primitive(const struct function_sections *sections, const struct section *section)
{
    if (section->site->kind == SITE_ENTRY)
        return touches_nothing(section) && sections->function->n_blocks == 1;
    if (!section->left_held || section->releases->len || section->entered_held ||
        sections->flow->entry_sites->len || symbol_on_stack(section->place))
        return false;
    if (always_leaves(sections, section))
        return touches_nothing(section) || spins(sections, section);
    return section->site->kind == SITE_TRY && touches_nothing(section);
}

unsigned section_estimate(const struct section *section)
{
    uint64_t cost = 1;
    for (guint i = 0; i < section->accesses->len; i++) {
        const struct section_access *access =
            &g_array_index(section->accesses, struct section_access, i);
        uint64_t one = 1 + access->bytes / 64;
        // Of an array that is filled, only some elements are the first on their page.
        bool first =
            access->residency.why != WHY_FRESH_HEAP || access->residency.risk == RISK_CERTAIN;
        if (access->residency.risk >= RISK_REAL && first)
            one += 1000;
        cost += access->walk ? 10 * one : one;
    }
    static const unsigned costs[] = {
        [EFFECT_UNKNOWN] = 50,  [EFFECT_PURE] = 2,       [EFFECT_TOUCHES] = 5,
        [EFFECT_SYSCALL] = 500, [EFFECT_BLOCKS] = 10000, [EFFECT_ALLOCATES] = 300,
        [EFFECT_LOGS] = 2000,   [EFFECT_NO_RETURN] = 0};
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        cost += costs[call->effect];
        if (call->summary)
            cost += call->summary->cost;
    }
    return (unsigned)MIN(cost, 1000000);
}
