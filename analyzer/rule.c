// Findings, and the table of rules. See rule.h.
#include "rule.h"

#include <string.h>

#include "rules/rules.h"
#include "scan_tried.h"
#include "spinfault/analyzer.h"

static const struct rule *const rules[] = {
#define RULE(symbol) &symbol,
    RULES(RULE)
#undef RULE
};

const struct rule_info *analyzer_rules(size_t *n)
{
    static struct rule_info infos[G_N_ELEMENTS(rules)];
    static gsize ready;
    if (g_once_init_enter(&ready)) {
        for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
            infos[i] = (struct rule_info){rules[i]->name, rules[i]->summary, rules[i]->help};
        g_once_init_leave(&ready, 1);
    }
    *n = G_N_ELEMENTS(rules);
    return infos;
}

// Nobody runs here what this configuration does not compile.
static void lower_severities(struct scan_result *result, guint first)
{
    for (guint i = first; i < result->findings->len; i++) {
        struct finding_fact *fact = result->findings->pdata[i];
        fact->severity = MIN(fact->severity, SEVERITY_LOW);
    }
}

void rules_run(const struct function_sections *sections, struct scan_result *result)
{
    guint known = result->findings->len;
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        struct rule_context context = {rules[i], sections, result};
        for (guint k = 0; rules[i]->section && k < sections->sections->len; k++) {
            const struct section *section = sections->sections->pdata[k];
            if (!section->primitive)
                rules[i]->section(&context, section);
        }
        if (rules[i]->function)
            rules[i]->function(&context);
    }
    if (sections->function->switched_off)
        lower_severities(result, known);
}

enum severity rule_by_scope(const struct section *section, enum severity singleton,
                            enum severity other)
{
    return section->scope == SCOPE_SINGLETON ? singleton : other;
}

struct rule_finding rule_finding_of_call(const struct section *section,
                                         const struct section_call *call)
{
    return (struct rule_finding){.section = section,
                                 .location = call->instruction->location,
                                 .object = call->instruction->callee,
                                 .confidence = CONFIDENCE_HIGH};
}

void rule_add_steps(struct rule_finding *finding, const struct section_access *access,
                    const char *what, char **call)
{
    if (!access->inner) {
        finding->steps[finding->n_steps++] = (struct rule_step){access->location, what};
        return;
    }
    *call = g_strdup_printf("calls %s()", access->instruction->callee);
    finding->steps[finding->n_steps++] = (struct rule_step){access->location, *call};
    finding->steps[finding->n_steps++] = (struct rule_step){access->inner->location, what};
}

// Half of a SHA-256: rule, function, lock and object or cause, and no line, so that it survives
// edits.
static void fingerprint_of(const struct finding_fact *fact, const char *cause, char hex[33])
{
    struct digest *digest = digest_new();
    const char *const parts[] = {fact->rule, fact->file, fact->function, fact->lock,
                                 cause ? cause : fact->object};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        digest_update(digest, parts[i], strlen(parts[i]) + 1);
    char full[DIGEST_HEX_BYTES];
    digest_finish(digest, full);
    g_strlcpy(hex, full, 33);
}

static struct path_step step_of(struct scan_result *result, const struct ir_location *location,
                                const char *what)
{
    return (struct path_step){scan_result_text(result, location->file), location->line,
                              scan_result_text(result, what)};
}

static void fill_path(struct scan_result *result, const struct rule_finding *finding,
                      struct finding_fact *fact)
{
    const struct section *section = finding->section;
    unsigned releases = section ? section->releases->len : 0;
    struct path_step *steps =
        SCAN_RESULT_NEW(result, struct path_step, finding->n_steps + 2 * releases + 2);
    size_t n = 0;
    if (section) {
        struct ir_location acquired = section_acquire_location(section);
        steps[n++] = step_of(result, &acquired,
                             section->entered_held && !section->site->instruction
                                 ? "entered with the lock held"
                                 : "acquired");
        if (section->site->inner.line)
            steps[n++] = step_of(result, &section->site->inner, "takes the lock");
    }
    for (unsigned i = 0; i < finding->n_steps; i++)
        steps[n++] = step_of(result, &finding->steps[i].location, finding->steps[i].what);
    for (guint i = 0; section && i < releases; i++) {
        const struct section_release *release =
            &g_array_index(section->releases, struct section_release, i);
        steps[n++] = step_of(result, &release->instruction->location, "released");
        if (release->inner.line)
            steps[n++] = step_of(result, &release->inner, "lets go of the lock");
    }
    fact->path = steps;
    fact->n_path = n;
}

static bool same_finding(const struct finding_fact *a, const struct finding_fact *b)
{
    return a->line == b->line && a->column == b->column && strcmp(a->rule, b->rule) == 0 &&
           strcmp(a->file, b->file) == 0 && strcmp(a->object, b->object) == 0 &&
           strcmp(a->lock, b->lock) == 0;
}

// What takes long under a lock that is held to read keeps only writers waiting; and where things
// are made or unmade, it happens once.
static enum severity severity_of_time(const struct section *section, const char *function,
                                      enum severity severity)
{
    const struct model_lock_op *op = section->site->op;
    if (op && op->mode == MODE_SHARED && severity > SEVERITY_LOW)
        severity--;
    if (model_is_set_up(op, function) && severity > SEVERITY_LOW)
        severity--;
    return severity;
}

void rule_report(struct rule_context *context, const struct rule_finding *finding)
{
    struct scan_result *result = context->result;
    const struct section *section = finding->section;
    struct finding_fact *fact = SCAN_RESULT_NEW(result, struct finding_fact, 1);
    fact->rule = context->rule->name;
    fact->severity = finding->severity;
    fact->confidence = finding->confidence;
    if (section && (section->maybe || section->stale) && fact->confidence > CONFIDENCE_LOW)
        fact->confidence--;
    if (section && !tried_is_misuse(fact))
        fact->severity =
            severity_of_time(section, context->sections->function->name, fact->severity);
    // What an error or #if took from the function may be the answer.
    if (context->sections->function->degraded && fact->confidence > CONFIDENCE_MEDIUM)
        fact->confidence = CONFIDENCE_MEDIUM;
    fact->file = scan_result_text(result, finding->location.file);
    fact->line = finding->location.line;
    fact->column = finding->location.column;
    fact->function = scan_result_text(result, context->sections->function->name);
    fact->lock = scan_result_text(result, finding->lock ? finding->lock
                                          : section     ? section->lock
                                                        : "");
    fact->acquire_line = section ? section->acquire_line : 0;
    fact->object = scan_result_text(result, finding->object ? finding->object : "");
    fact->message = scan_result_text(result, finding->message);
    fact->suggestion = scan_result_text(result, finding->suggestion);
    char hex[33];
    fingerprint_of(fact, finding->cause, hex);
    fact->fingerprint = scan_result_text(result, hex);
    fill_path(result, finding, fact);
    for (guint i = 0; i < result->findings->len; i++) {
        // Two sections that hold the same lock at the same place: one finding.
        if (same_finding(result->findings->pdata[i], fact))
            return;
    }
    g_ptr_array_add(result->findings, fact);
}
