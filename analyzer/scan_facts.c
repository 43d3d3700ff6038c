// See scan_facts.h.
#include "scan_facts.h"

#include <string.h>

#define EXCERPT_AROUND 2u  // lines before the acquire and after the last release
#define REGISTER_BYTES 16u // locals up to this size live in registers and are not listed

static bool is_register(const struct section_access *access)
{
    return access->residency.residency == RESIDENCY_STACK && access->bytes <= REGISTER_BYTES;
}

static void add_accesses(struct scan_result *result, const struct section *section,
                         struct section_fact *fact)
{
    struct access_fact *facts = SCAN_RESULT_NEW(result, struct access_fact, section->accesses->len);
    size_t n = 0;
    for (guint i = 0; i < section->accesses->len; i++) {
        const struct section_access *access =
            &g_array_index(section->accesses, struct section_access, i);
        if (is_register(access))
            continue;
        struct access_fact one = {.line = access->location.line,
                                  .object = scan_result_text(result, access->object),
                                  .write = access->write,
                                  .residency = access->residency.residency,
                                  .why = access->residency.residency == RESIDENCY_MAY_FAULT
                                             ? access->residency.why
                                             : WHY_NONE,
                                  .bytes = access->bytes,
                                  .pages_4k = access->residency.pages_4k};
        bool known = false;
        for (size_t k = 0; k < n && !known; k++)
            known = facts[k].line == one.line && facts[k].object == one.object &&
                    facts[k].write == one.write && facts[k].residency == one.residency;
        if (!known)
            facts[n++] = one;
    }
    fact->accesses = facts;
    fact->n_accesses = n;
}

static void add_calls(struct scan_result *result, const struct section *section,
                      struct section_fact *fact)
{
    struct call_fact *facts = SCAN_RESULT_NEW(result, struct call_fact, section->calls->len);
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        const char *name = call->instruction->callee ? call->instruction->callee : "?";
        facts[i] = (struct call_fact){call->instruction->location.line,
                                      scan_result_text(result, name), call->effect};
    }
    fact->calls = facts;
    fact->n_calls = section->calls->len;
}

static int line_order(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

static void add_releases(struct scan_result *result, const struct section *section,
                         struct section_fact *fact)
{
    unsigned *lines = SCAN_RESULT_NEW(result, unsigned, section->releases->len);
    size_t n = 0;
    for (guint i = 0; i < section->releases->len; i++) {
        const struct section_release *release =
            &g_array_index(section->releases, struct section_release, i);
        lines[n++] = release->instruction->location.line;
    }
    qsort(lines, n, sizeof *lines, line_order);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || lines[kept - 1] != lines[i])
            lines[kept++] = lines[i];
    }
    fact->release_lines = lines;
    fact->n_release_lines = kept;
}

static void add_excerpt(struct scan_result *result, const struct front *front,
                        struct section_fact *fact)
{
    unsigned last = fact->acquire_line;
    if (fact->n_release_lines)
        last = MAX(last, fact->release_lines[fact->n_release_lines - 1]);
    unsigned first = fact->acquire_line > EXCERPT_AROUND ? fact->acquire_line - EXCERPT_AROUND : 1;
    last = MIN(last + EXCERPT_AROUND, first + LIMIT_EXCERPT_LINES - 1);
    g_autofree char *text = front_source_lines(front, fact->file, first, last);
    fact->excerpt = scan_result_text(result, text);
    fact->excerpt_line = text ? first : 0;
}

static void name_entered(struct scan_result *result, const struct section *section,
                         struct section_fact *fact)
{
    // Nobody takes it here: it is called by what releases it.
    if (section->site->kind != SITE_ENTRY || section->releases->len == 0)
        return;
    const struct ir_instruction *release =
        g_array_index(section->releases, struct section_release, 0).instruction;
    if (release->lock_op) {
        fact->api = scan_result_text(result, release->lock_op->name);
        fact->model = scan_result_text(result, release->lock_op->model);
    } else {
        fact->api = scan_result_text(result, release->callee ? release->callee : "");
    }
}

void scan_facts_add(struct scan_result *result, const struct function_sections *sections,
                    const struct front *front)
{
    for (guint i = 0; i < sections->sections->len; i++) {
        const struct section *section = sections->sections->pdata[i];
        if (section->primitive)
            continue;
        struct ir_location location = section_acquire_location(section);
        struct section_fact *fact = SCAN_RESULT_NEW(result, struct section_fact, 1);
        *fact = (struct section_fact){.file = scan_result_text(result, location.file),
                                      .function = scan_result_text(result, section->function->name),
                                      .acquire_line = section->acquire_line,
                                      .api = scan_result_text(result, section->api),
                                      .model = scan_result_text(result, section->model),
                                      .lock = scan_result_text(result, section->lock),
                                      .scope = section->scope,
                                      .mode = section->mode,
                                      .entered_held = section->entered_held,
                                      .left_held = section->left_held,
                                      .cost = section->cost};
        name_entered(result, section, fact);
        add_releases(result, section, fact);
        add_accesses(result, section, fact);
        add_calls(result, section, fact);
        if (front)
            add_excerpt(result, front, fact);
        g_ptr_array_add(result->sections, fact);
    }
}
