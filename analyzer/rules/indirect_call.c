// A call through a pointer under a lock: what runs is decided elsewhere.
#include <string.h>

#include "call_targets.h"
#include "rules.h"

#define CANDIDATES_SHOWN 4u

static char *candidates(const struct call_targets *targets)
{
    GString *names = g_string_new(NULL);
    guint n = targets ? targets->names->len : 0;
    for (guint i = 0; i < MIN(n, CANDIDATES_SHOWN); i++) {
        const char *between = i == 0 ? "" : i + 1 == n ? " or " : ", ";
        g_string_append_printf(names, "%s%s()", between, (const char *)targets->names->pdata[i]);
    }
    if (n > CANDIDATES_SHOWN)
        g_string_append(names, ", …");
    return g_string_free(names, FALSE);
}

// There is but one function that it can be, and what that does is reported as of any other; or all
// that it can be was seen to do nothing that matters under a lock.
static bool is_known(const struct section_call *call)
{
    if (!call->targets || !call->targets->complete)
        return false;
    return call->targets->names->len == 1 || (call->summary && !call->summary->indirect);
}

// The worst that some of the candidates do and others don't.
static const struct summary_deed *worst_of(const struct section_call *call, const char **what)
{
    static const struct {
        unsigned effect;
        const char *what;
    } order[] = {{MODEL_BLOCKS, "may sleep"},
                 {MODEL_SYSCALL, "makes a system call"},
                 {MODEL_ALLOCATES, "allocates memory"}};
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
        const struct summary_deed *deed = call->deeds[g_bit_nth_lsf(order[i].effect, -1)];
        if (deed && summary_deed_doubt(deed) == 2) {
            *what = order[i].what;
            return deed;
        }
    }
    return NULL;
}

static char *message_of(const struct section *section, const struct section_call *call,
                        const char *name)
{
    const char *what = NULL;
    const struct summary_deed *worst = worst_of(call, &what);
    bool direct = !call->instruction->indirect || is_known(call);
    g_autofree char *known = direct ? g_strdup("") : candidates(call->targets);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "call through the pointer %s while %s is held", name, section->lock);
    if (*known)
        g_string_append_printf(text, "; it may be %s", known);
    if (worst)
        g_string_append_printf(text, *known ? ", and %s() %s" : "; it may be %s(), which %s",
                               worst->candidate, what);
    if (worst && strcmp(worst->witness, worst->candidate) != 0)
        g_string_append_printf(text, " through %s()", worst->witness);
    return g_string_free(text, FALSE);
}

static void check(struct rule_context *context, const struct section *section)
{
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        const char *what = NULL;
        bool direct = !call->instruction->indirect || is_known(call);
        const struct summary_deed *worst = worst_of(call, &what);
        const char *inner = worst ? worst->pointer : call->summary ? call->summary->indirect : NULL;
        if (direct && !inner)
            continue;
        struct rule_finding finding = rule_finding_of_call(section, call);
        const char *name = direct ? inner : call->instruction->callee;
        g_autofree char *message = message_of(section, call, name);
        finding.object = name;
        finding.severity = rule_by_scope(section, SEVERITY_MEDIUM, SEVERITY_LOW);
        finding.confidence =
            call->targets && call->targets->names->len ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
        finding.message = message;
        finding.suggestion = "call back after releasing the lock, with a copy of what it needs";
        finding.steps[finding.n_steps++] =
            (struct rule_step){finding.location, "calls through a pointer"};
        if (worst && worst->at.line)
            finding.steps[finding.n_steps++] = (struct rule_step){worst->at, "what it may do"};
        rule_report(context, &finding);
    }
}

const struct rule rule_indirect_call = {
    .name = "indirect-call",
    .summary = "a call through a function pointer while a spinlock is held",
    .help = rule_indirect_call_page,
    .section = check,
};
