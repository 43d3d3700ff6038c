// See section_debug.h.
#include "section_debug.h"

#include <string.h>

static void add_answer(struct function_sections *sections, const struct ir_instruction *instruction,
                       const char *text)
{
    struct debug_answer *answer = NULL;
    for (guint i = 0; i < sections->debug->len && !answer; i++) {
        struct debug_answer *old = &g_array_index(sections->debug, struct debug_answer, i);
        answer = old->instruction == instruction ? old : NULL;
    }
    if (!answer) {
        struct debug_answer added = {instruction, g_ptr_array_new_with_free_func(g_free)};
        g_array_append_val(sections->debug, added);
        answer = &g_array_index(sections->debug, struct debug_answer, sections->debug->len - 1);
    }
    if (!g_ptr_array_find_with_equal_func(answer->texts, text, g_str_equal, NULL))
        g_ptr_array_add(answer->texts, g_strdup(text));
}

void section_on_debug(void *context, const struct flow *flow, const struct flow_state *state,
                      const struct ir_instruction *instruction, const struct symbol *value)
{
    struct function_sections *sections = context;
    g_autoptr(GString) text = g_string_new(NULL);
    if (strcmp(instruction->callee, "__spinfault_debug_held") == 0) {
        for (unsigned i = 0; i < state->n_locks; i++) {
            g_autofree char *lock = symbol_lock_text(state->locks[i].place);
            g_string_append_printf(text, "%s%s%s", i ? "," : "", lock,
                                   state->locks[i].stale   ? "(earlier)"
                                   : state->locks[i].maybe ? "(maybe)"
                                                           : "");
        }
    } else if (value) {
        // `&x` asks about x, an expression about the place its value came from.
        const struct symbol *place = value->kind == SYMBOL_LOAD ? value->a
                                     : symbol_is_place(value)
                                         ? value
                                         : symbol_deref(flow->analysis->table, value);
        struct residency_query query = {.flow = flow, .state = state, .place = place, .bytes = 1};
        struct residency_answer answer = residency_of(&query);
        g_string_append(text, residency_name(answer.residency));
        if (answer.residency == RESIDENCY_MAY_FAULT)
            g_string_append_printf(text, ":%s", fault_why_name(answer.why));
    }
    add_answer(sections, instruction, text->str);
}

static int text_order(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void section_debug_sort(struct function_sections *sections)
{
    for (guint i = 0; i < sections->debug->len; i++)
        g_ptr_array_sort(g_array_index(sections->debug, struct debug_answer, i).texts, text_order);
}
