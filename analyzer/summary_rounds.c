// See summary_rounds.h.
#include "summary_rounds.h"

static bool holds(const struct flow_states *states, const struct flow_site *site)
{
    for (unsigned s = 0; s < states->n; s++) {
        for (unsigned k = 0; k < states->states[s]->n_locks; k++) {
            if (states->states[s]->locks[k].site == site)
                return true;
        }
    }
    return false;
}

static bool lacks(const struct flow_states *states, const struct flow_site *site)
{
    for (unsigned s = 0; s < states->n; s++) {
        bool held = false;
        for (unsigned k = 0; k < states->states[s]->n_locks; k++)
            held |= states->states[s]->locks[k].site == site;
        if (!held)
            return true;
    }
    return false;
}

static bool leads_to(const struct ir_block *block, const struct ir_block *head)
{
    for (unsigned i = 0; i < block->n_targets; i++) {
        if (block->targets[i] == head->number)
            return true;
    }
    return false;
}

// Does a round of the loop end with the lock held, or, of one that was held before, without it?
static bool changes_round(const struct flow *flow, const struct flow_loop *loop,
                          const struct flow_site *site)
{
    bool entry = site->kind == SITE_ENTRY, before = !entry, after = false;
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        const struct ir_block *block = flow->function->blocks[b];
        if (!leads_to(block, loop->head))
            continue;
        if (!flow_loop_holds(loop, block))
            before |= holds(&flow->out[b], site);
        else
            after |= entry ? lacks(&flow->out[b], site) : holds(&flow->out[b], site);
    }
    return before && after;
}

static bool is_of_rounds(const struct flow *flow, const struct flow_site *site)
{
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        bool here = site->kind == SITE_ENTRY ||
                    flow_loop_holds(loop, flow_block_of(flow, site->instruction));
        if (here && changes_round(flow, loop, site))
            return true;
    }
    return false;
}

static bool releases_something(const struct flow *flow)
{
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        for (unsigned s = 0; s < flow->out[b].n; s++) {
            if (flow_map_size(&flow->out[b].states[s]->released) > 0)
                return true;
        }
    }
    return false;
}

static bool is_for_all(const struct flow *flow)
{
    bool takes = false, drops = false;
    for (guint i = 0; i < flow->site_list->len; i++) {
        const struct flow_site *site = flow->site_list->pdata[i];
        if (!is_of_rounds(flow, site))
            return false;
        takes |= site->kind != SITE_ENTRY;
        drops |= site->kind == SITE_ENTRY;
    }
    return takes ? !drops && !releases_something(flow) : drops;
}

static bool changes_nothing(const struct summary_outcome *outcome)
{
    return outcome->taken->len == 0 && outcome->dropped->len == 0;
}

void summary_fold_rounds(struct summary *summary, const struct flow *flow)
{
    if (summary->n_outcomes != 2 || flow->loops->len == 0 || !is_for_all(flow))
        return;
    unsigned none = changes_nothing(&summary->outcomes[0]) ? 0 : 1;
    if (!changes_nothing(&summary->outcomes[none]))
        return;
    struct summary_outcome *all = &summary->outcomes[!none], *gone = &summary->outcomes[none];
    all->zero |= gone->zero;
    all->nonzero |= gone->nonzero;
    if (all->value != gone->value)
        all->value = NULL;
    all->when.n = 0;
    summary_outcome_clear(gone);
    summary->outcomes[0] = *all;
    summary->n_outcomes = 1;
}
