// A loop without a small constant bound runs under the lock.
#include <string.h>

#include "rules.h"

#define LOOP_SMALL 64u // rounds that are no matter

// A loop that retries a swap, or waits for another lock, ends by itself.
static bool is_retry(const struct flow *flow, const struct flow_loop *loop)
{
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        const struct ir_block *block = flow->function->blocks[b];
        if (!flow_loop_holds(loop, block))
            continue;
        for (unsigned k = 0; k < block->n_instructions; k++) {
            const struct ir_instruction *in = block->instructions[k];
            if ((in->op == IR_ATOMIC && in->atomic != IR_ATOMIC_LOAD) ||
                (in->op == IR_LOCK_OP && in->action == IR_LOCK_TRY) ||
                (in->op == IR_CALL && in->callee && strstr(in->callee, "compare_exchange")))
                return true;
        }
    }
    return false;
}

// Runs under this lock: some access or call of the section is in it.
static const struct ir_instruction *first_in(const struct section *section, const struct flow *flow,
                                             const struct flow_loop *loop)
{
    for (guint i = 0; i < section->accesses->len; i++) {
        const struct ir_instruction *in =
            g_array_index(section->accesses, struct section_access, i).instruction;
        if (flow_loop_holds(loop, flow_block_of(flow, in)))
            return in;
    }
    for (guint i = 0; i < section->calls->len; i++) {
        const struct ir_instruction *in =
            g_array_index(section->calls, struct section_call, i).instruction;
        if (flow_loop_holds(loop, flow_block_of(flow, in)))
            return in;
    }
    return NULL;
}

// Hand over hand: each round lets go of one lock and takes another.
static bool releases_in(const struct section *section, const struct flow *flow,
                        const struct flow_loop *loop)
{
    for (guint i = 0; i < section->releases->len; i++) {
        const struct ir_instruction *in =
            g_array_index(section->releases, struct section_release, i).instruction;
        if (flow_loop_holds(loop, flow_block_of(flow, in)))
            return true;
    }
    return false;
}

static struct ir_location location_of(const struct flow_loop *loop,
                                      const struct ir_instruction *inside)
{
    const struct ir_block *head = loop->head;
    if (head->n_instructions && head->instructions[0]->location.line)
        return head->instructions[0]->location;
    return head->location.line ? head->location : inside->location;
}

// `scoped_guard(spinlock, &lock)` is a loop of one round that takes the lock in its head: where one
// macro is both, the loop is none of the programmer's.
static bool is_of_acquire(const struct section *section, const struct flow_loop *loop,
                          const struct ir_instruction *inside)
{
    struct ir_location loops = location_of(loop, inside);
    struct ir_location acquires = section_acquire_location(section);
    return loops.line == acquires.line && loops.column == acquires.column;
}

static void check(struct rule_context *context, const struct section *section)
{
    const struct flow *flow = context->sections->flow;
    for (guint i = 0; i < section->loops->len; i++) {
        const struct flow_loop *loop = g_array_index(section->loops, struct flow_loop *, i);
        if (loop->head->loop_constant_bound && loop->head->loop_bound <= LOOP_SMALL)
            continue;
        const struct ir_instruction *inside = first_in(section, flow, loop);
        if (!inside || is_retry(flow, loop) || releases_in(section, flow, loop) ||
            is_of_acquire(section, loop, inside))
            continue;
        g_autofree char *message =
            g_strdup_printf("a loop without a small bound runs while %s is held", section->lock);
        struct rule_finding finding = {.section = section,
                                       .location = location_of(loop, inside),
                                       .object = section->lock,
                                       .severity =
                                           rule_by_scope(section, SEVERITY_MEDIUM, SEVERITY_LOW),
                                       .confidence = CONFIDENCE_MEDIUM,
                                       .message = message,
                                       .suggestion =
                                           "bound the work done at once, or do it on a copy"};
        finding.steps[finding.n_steps++] = (struct rule_step){finding.location, "loops"};
        rule_report(context, &finding);
    }
}

const struct rule rule_loop = {
    .name = "loop",
    .summary = "a loop without a small bound runs while a spinlock is held",
    .help = rule_loop_page,
    .section = check,
};
