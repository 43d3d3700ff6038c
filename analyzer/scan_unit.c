// See scan_unit.h.
#include "scan_unit.h"

#include <string.h>

#include "entry_facts.h"
#include "rule.h"
#include "scan_facts.h"
#include "section.h"

// What the case asked the analysis itself, as a finding for its runner and a note for people.
static void add_debug(struct scan_result *result, const struct function_sections *sections)
{
    for (guint i = 0; i < sections->debug->len; i++) {
        const struct debug_answer *answer = &g_array_index(sections->debug, struct debug_answer, i);
        const struct ir_location *location = &answer->instruction->location;
        // "held=a->guard|" where some ways hold it and some do not.
        g_ptr_array_add(answer->texts, NULL);
        g_autofree char *values = g_strjoinv("|", (char **)answer->texts->pdata);
        bool held = strcmp(answer->instruction->callee, "__spinfault_debug_held") == 0;
        g_autofree char *text = g_strconcat(held ? "held=" : "residency=", values, NULL);
        struct finding_fact *fact = SCAN_RESULT_NEW(result, struct finding_fact, 1);
        *fact =
            (struct finding_fact){.rule = "debug",
                                  .severity = SEVERITY_LOW,
                                  .confidence = CONFIDENCE_HIGH,
                                  .file = scan_result_text(result, location->file),
                                  .line = location->line,
                                  .column = location->column,
                                  .function = scan_result_text(result, sections->function->name),
                                  .lock = "",
                                  .object = "",
                                  .message = scan_result_text(result, text),
                                  .suggestion = "",
                                  .fingerprint = "0000000000000000"};
        g_ptr_array_add(result->findings, fact);
        g_autofree char *note = g_strdup_printf("%s:%u: %s", location->file, location->line, text);
        g_ptr_array_add(result->notes, (gpointer)scan_result_text(result, note));
    }
}

// The body of an operation is not a section: what it does is the operation.
static bool is_operation(const struct analysis *analysis, const struct ir_function *function)
{
    return analysis->models && function->name &&
           model_find_lock_op(analysis->models, function->name);
}

// Headers of the system are not ours to judge.
static bool is_foreign(const struct front *front, const struct ir_function *function)
{
    const char *file = function->from_header ? function->location.file : NULL;
    return file && (front ? !front_is_ours(front, file) : g_path_is_absolute(file));
}

static void add_status(struct scan_result *result, const struct ir_unit *unit)
{
    if (unit->status == FILE_PARSED)
        return;
    result->has_file = true;
    result->file = (struct file_fact){scan_result_text(result, unit->file), unit->status,
                                      scan_result_text(result, unit->why ? unit->why : "")};
}

static bool is_of_parameter(const struct symbol *place)
{
    const struct symbol *root = symbol_root(place);
    while (root->kind == SYMBOL_DEREF && root->a->kind == SYMBOL_LOAD)
        root = symbol_root(root->a->a);
    return root->kind == SYMBOL_VARIABLE &&
           ((const struct ir_variable *)root->what)->kind == IR_BASE_PARAM;
}

// Would it matter what the callers touched before, or which lock they give?
static bool depends_on_callers(const struct function_sections *sections)
{
    for (guint i = 0; i < sections->sections->len; i++) {
        const struct section *section = sections->sections->pdata[i];
        bool may_fault = false;
        for (guint k = 0; k < section->accesses->len && !may_fault; k++) {
            const struct section_access *access =
                &g_array_index(section->accesses, struct section_access, k);
            may_fault = access->residency.residency == RESIDENCY_MAY_FAULT &&
                        access->residency.risk > RISK_NONE;
        }
        if (!section->primitive && (may_fault || is_of_parameter(section->place)))
            return true;
    }
    return false;
}

static bool keeps_lock(const struct function_sections *sections)
{
    for (guint i = 0; i < sections->leaves->len; i++) {
        const struct function_leave *leave =
            &g_array_index(sections->leaves, struct function_leave, i);
        for (guint k = 0; k < leave->held->len; k++) {
            const struct section *section = leave->held->pdata[k];
            if (!section->stale && section->site->kind != SITE_ENTRY &&
                !symbol_on_stack(section->place))
                return true;
        }
    }
    return false;
}

static void note_locker(struct scan_result *result, const struct function_sections *sections)
{
    const struct ir_function *function = sections->function;
    if (function->is_static || function->from_header || strcmp(function->name, "main") == 0)
        return;
    if (sections->flow->entry_sites->len || keeps_lock(sections))
        g_ptr_array_add(result->lockers, (gpointer)scan_result_text(result, function->name));
}

struct scan_result *scan_unit(const struct ir_unit *unit, const struct model_set *models,
                              const GPtrArray *assumptions, const struct front *front,
                              struct foreign *foreign)
{
    struct scan_result *result = scan_result_new();
    struct analysis *analysis = analysis_new(unit, models);
    analysis->assumptions = assumptions;
    analysis->foreign = foreign;
    analysis->hops = FOREIGN_DEPTH;
    analysis->log = result->log;
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        if (is_operation(analysis, function) || is_foreign(front, function) ||
            !analysis_reaches_lock(analysis, function))
            continue;
        struct function_sections *sections = sections_collect(analysis, function);
        if (depends_on_callers(sections) && entry_facts_of(analysis, function)) {
            sections_free(sections);
            sections = sections_collect(analysis, function);
        }
        scan_facts_add(result, sections, front);
        rules_run(sections, result);
        add_debug(result, sections);
        note_locker(result, sections);
        sections_free(sections);
    }
    analysis_free(analysis);
    add_status(result, unit);
    return result;
}
