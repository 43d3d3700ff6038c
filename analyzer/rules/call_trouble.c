// What is wrong with a call under a lock, shared by the rules about calls.
#include "rules.h"

static struct call_witness witness_of(const struct section_call *call, unsigned bit)
{
    const struct summary_deed *deed = call->deeds[g_bit_nth_lsf(bit, -1)];
    return deed ? (struct call_witness){deed->witness, deed->at, deed->pointer != NULL}
                : (struct call_witness){0};
}

enum call_trouble call_trouble(const struct section_call *call, struct call_witness *witness)
{
    static const struct {
        unsigned bit;
        enum call_trouble trouble;
    } order[] = {
        {MODEL_BLOCKS, CALL_BLOCKS},       {MODEL_SYSCALL, CALL_SYSCALL},
        {MODEL_ALLOCATES, CALL_ALLOCATES}, {MODEL_LOGS, CALL_LOGS},
        {MODEL_MAY_ERROR, CALL_MAY_ERROR}, {MODEL_EXITS, CALL_MAY_ERROR},
        {MODEL_FREES, CALL_FREES},         {MODEL_COMPLAINS, CALL_COMPLAINS},
    };
    *witness = (struct call_witness){0};
    if (call->crashes)
        return CALL_CRASHES;
    if (call->no_return)
        return CALL_NO_RETURN;
    unsigned effects = section_call_effects(call);
    // Logging does all of the below, and is what it is about.
    if (call->model && (effects & MODEL_LOGS))
        return CALL_LOGS;
    if (call->model && (effects & MODEL_COMPLAINS))
        return CALL_COMPLAINS;
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
        if (effects & order[i].bit) {
            *witness = witness_of(call, order[i].bit);
            return order[i].trouble;
        }
    }
    return CALL_FINE;
}

// A lock in the process's own memory ends with it, when all that happens is that it exits.
static bool ends_with_process(const struct section *section, const struct section_call *call)
{
    const struct model_lock_op *op = section->site->op;
    bool own = symbol_root(section->place)->kind == SYMBOL_VARIABLE ||
               (op && op->guarded == GUARDED_PROCESS);
    unsigned effects = section_call_effects(call);
    return own && (effects & MODEL_EXITS) && !(effects & MODEL_MAY_ERROR);
}

enum call_trouble call_trouble_in(const struct section *section, const struct section_call *call,
                                  struct call_witness *witness)
{
    enum call_trouble trouble = call_trouble(call, witness);
    if ((trouble != CALL_NO_RETURN && trouble != CALL_MAY_ERROR) ||
        !ends_with_process(section, call))
        return trouble;
    return trouble == CALL_NO_RETURN ? CALL_CRASHES : CALL_FINE;
}

void report_calls(struct rule_context *context, const struct section *section,
                  enum call_trouble trouble, enum severity severity, const char *what,
                  const char *suggestion)
{
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        struct call_witness witness;
        if (call_trouble_in(section, call, &witness) != trouble)
            continue;
        struct rule_finding finding = rule_finding_of_call(section, call);
        const char *name = call->instruction->callee;
        g_autofree char *message =
            witness.name ? g_strdup_printf("%s() %s, through %s(), while %s is held", name, what,
                                           witness.name, section->lock)
                         : g_strdup_printf("%s() %s while %s is held", name, what, section->lock);
        g_autofree char *step = g_strdup_printf("calls %s(), which %s", name, what);
        finding.severity = witness.perhaps ? MIN(severity, SEVERITY_MEDIUM) : severity;
        finding.confidence = witness.perhaps ? CONFIDENCE_LOW
                             : witness.name  ? CONFIDENCE_MEDIUM
                                             : CONFIDENCE_HIGH;
        finding.cause = witness.name ? witness.name : name;
        finding.message = message;
        finding.suggestion = suggestion;
        finding.steps[finding.n_steps++] = (struct rule_step){finding.location, step};
        g_autofree char *inner = witness.name ? g_strdup_printf("calls %s()", witness.name) : NULL;
        if (inner && witness.at.line)
            finding.steps[finding.n_steps++] = (struct rule_step){witness.at, inner};
        rule_report(context, &finding);
    }
}
