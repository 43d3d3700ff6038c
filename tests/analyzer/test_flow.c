// Flow, summaries and sections on IR that is built by hand.
#include <string.h>

#include "ir_build.h"
#include "section.h"

static const struct model_lock_op ACQUIRE = {.name = "take",
                                             .family = "t",
                                             .model = "test",
                                             .action = MODEL_ACQUIRE};
static const struct model_lock_op RELEASE = {.name = "give",
                                             .family = "t",
                                             .model = "test",
                                             .action = MODEL_RELEASE};
static const struct model_lock_op TRY = {.name = "try",
                                         .family = "t",
                                         .model = "test",
                                         .action = MODEL_TRY,
                                         .acquired = ACQUIRED_WHEN_ZERO};

static struct function_sections *collect(struct build *b, struct analysis **analysis)
{
    *analysis = analysis_new(b->unit, NULL);
    return sections_collect(*analysis, b->unit->functions->pdata[b->unit->functions->len - 1]);
}

static struct section *only_section(const struct function_sections *sections)
{
    g_assert_cmpuint(sections->sections->len, ==, 1);
    return sections->sections->pdata[0];
}

static enum residency residency_at(const struct section *section, unsigned line)
{
    for (guint i = 0; i < section->accesses->len; i++) {
        const struct section_access *access =
            &g_array_index(section->accesses, struct section_access, i);
        if (access->location.line == line)
            return access->residency.residency;
    }
    g_assert_not_reached();
}

static void finish(struct build *b, struct analysis *analysis, struct function_sections *sections)
{
    sections_free(sections);
    analysis_free(analysis);
    b_free(b);
}

static void test_straight_line(void)
{
    struct build *b = b_new();
    b_function(b, "f");
    struct ir_variable *p = b_variable(b, "p", IR_BASE_PARAM);
    struct ir_path guard = b_arrow(b, p, "guard", 0);
    b_in(b, b_block(b));
    unsigned acquire = b_lock(b, &ACQUIRE, guard)->location.line;
    unsigned near = b_access(b, b_arrow(b, p, "near", 8), true);
    unsigned far = b_access(b, b_arrow(b, p, "far", 8192), true);
    unsigned release = b_lock(b, &RELEASE, guard)->location.line;
    b_access(b, b_arrow(b, p, "after", 16), true);
    b_return(b);
    b_end(b);
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    struct section *section = only_section(sections);
    g_assert_cmpuint(section->acquire_line, ==, acquire);
    g_assert_cmpstr(section->lock, ==, "p->guard");
    g_assert_cmpint(section->scope, ==, SCOPE_INSTANCE);
    g_assert_cmpuint(section->accesses->len, ==, 2);
    g_assert_cmpint(residency_at(section, near), ==, RESIDENCY_SAME_PAGE);
    g_assert_cmpint(residency_at(section, far), ==, RESIDENCY_MAY_FAULT);
    g_assert_cmpuint(section->releases->len, ==, 1);
    g_assert_cmpuint(
        g_array_index(section->releases, struct section_release, 0).instruction->location.line, ==,
        release);
    g_assert_false(section->left_held);
    finish(b, analysis, sections);
}

// if (flag) take; access; if (flag) give
static void build_correlated(struct build *b, const struct ir_variable *again)
{
    struct ir_variable *p = b_variable(b, "p", IR_BASE_PARAM);
    struct ir_path guard = b_arrow(b, p, "guard", 0);
    struct ir_block *entry = b_block(b), *take = b_block(b), *work = b_block(b), *give = b_block(b),
                    *end = b_block(b);
    struct ir_variable *flag = b_variable(b, "flag", IR_BASE_PARAM);
    b_in(b, entry);
    b_branch(b, b_load(b_path(flag)), take, work);
    b_in(b, take);
    b_lock(b, &ACQUIRE, guard);
    b_jump(b, work);
    b_in(b, work);
    b_access(b, b_arrow(b, p, "near", 8), true);
    b_branch(b, b_load(b_path(again ? again : flag)), give, end);
    b_in(b, give);
    b_lock(b, &RELEASE, guard);
    b_jump(b, end);
    b_in(b, end);
    b_return(b);
}

static void test_correlated(void)
{
    struct build *b = b_new();
    b_function(b, "f");
    build_correlated(b, NULL);
    b_end(b);
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    g_assert_false(only_section(sections)->left_held);
    for (guint i = 0; i < sections->strays->len; i++)
        g_assert_cmpuint(g_array_index(sections->strays, struct stray_release, i).times, ==, 0);
    finish(b, analysis, sections);
}

static void test_not_correlated(void)
{
    struct build *b = b_new();
    b_function(b, "f");
    build_correlated(b, b_variable(b, "other", IR_BASE_GLOBAL));
    b_end(b);
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    g_assert_true(only_section(sections)->left_held);
    g_assert_cmpuint(sections->strays->len, ==, 1);
    const struct stray_release *stray = &g_array_index(sections->strays, struct stray_release, 0);
    g_assert_cmpuint(stray->times, >, 0);
    g_assert_cmpuint(stray->matched, >, 0);
    finish(b, analysis, sections);
}

static void test_try_outcomes(void)
{
    struct build *b = b_new();
    b_function(b, "f");
    struct ir_variable *p = b_variable(b, "p", IR_BASE_PARAM);
    struct ir_path guard = b_arrow(b, p, "guard", 0);
    struct ir_block *entry = b_block(b), *failed = b_block(b), *got = b_block(b);
    b_in(b, entry);
    struct ir_instruction *try = b_lock(b, &TRY, guard);
    struct ir_value result = {.kind = IR_VALUE_CALL, .index = try->number};
    b_branch(b, result, failed, got);
    b_in(b, failed);
    b_access(b, b_arrow(b, p, "far", 9000), true);
    b_return(b);
    b_in(b, got);
    b_access(b, b_arrow(b, p, "near", 8), true);
    b_lock(b, &RELEASE, guard);
    b_return(b);
    b_end(b);
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    struct section *section = only_section(sections);
    g_assert_cmpint(section->mode, ==, MODE_TRY);
    g_assert_cmpuint(section->accesses->len, ==, 1); // the failed way is not in it
    g_assert_false(section->left_held);
    finish(b, analysis, sections);
}

// A loop of thousands of blocks and nested loops ends.
static void test_big_function_ends(void)
{
    struct build *b = b_new();
    b_function(b, "f");
    struct ir_variable *p = b_variable(b, "p", IR_BASE_PARAM);
    struct ir_variable *q = b_variable(b, "q", IR_BASE_LOCAL);
    struct ir_path guard = b_arrow(b, p, "guard", 0);
    enum { N = 300 };
    struct ir_block *blocks[N];
    for (int i = 0; i < N; i++)
        blocks[i] = b_block(b);
    for (int i = 0; i + 1 < N; i++) {
        b_in(b, blocks[i]);
        if (i % 50 == 7)
            b_lock(b, i % 100 == 7 ? &ACQUIRE : &RELEASE, guard);
        b_assign(b, b_path(q), b_load(b_arrow(b, q, "next", 8)));
        b_access(b, b_arrow(b, q, "value", 16), false);
        b_branch(b, b_load(b_arrow(b, q, "more", 24)), blocks[i % 20 == 19 ? i - 15 : i + 1],
                 blocks[i + 1]);
    }
    b_in(b, blocks[N - 1]);
    b_return(b);
    b_end(b);
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    g_assert_cmpuint(sections->sections->len, ==, 3);
    finish(b, analysis, sections);
}

static void test_wrapper_summary(void)
{
    struct build *b = b_new();
    b_function(b, "lock_it");
    struct ir_variable *inner = b_variable(b, "object", IR_BASE_PARAM);
    b_in(b, b_block(b));
    b_lock(b, &ACQUIRE, b_arrow(b, inner, "guard", 0));
    b_return(b);
    b_end(b);
    b_function(b, "f");
    struct ir_variable *p = b_variable(b, "p", IR_BASE_PARAM);
    b_in(b, b_block(b));
    struct ir_value argument = b_load(b_path(p));
    unsigned call = b_call(b, "lock_it", &argument, 1)->location.line;
    unsigned near = b_access(b, b_arrow(b, p, "near", 8), false);
    b_lock(b, &RELEASE, b_arrow(b, p, "guard", 0));
    b_return(b);
    b_end(b);
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    struct section *section = only_section(sections);
    g_assert_cmpuint(section->acquire_line, ==, call);
    g_assert_cmpstr(section->api, ==, "lock_it");
    g_assert_cmpstr(section->lock, ==, "p->guard");
    g_assert_cmpint(residency_at(section, near), ==, RESIDENCY_SAME_PAGE);
    const struct summary *summary = summary_of(analysis, b->unit->functions->pdata[0]);
    g_assert_cmpuint(summary->n_outcomes, ==, 1);
    g_assert_cmpuint(summary->outcomes[0].taken->len, ==, 1);
    struct function_sections *own = sections_collect(analysis, b->unit->functions->pdata[0]);
    g_assert_true(only_section(own)->primitive);
    sections_free(own);
    finish(b, analysis, sections);
}

static void test_recursion_ends(void)
{
    struct build *b = b_new();
    for (int i = 0; i < 2; i++) {
        b_function(b, i ? "odd" : "even");
        struct ir_variable *p = b_variable(b, "p", IR_BASE_PARAM);
        b_in(b, b_block(b));
        struct ir_value next = b_load(b_arrow(b, p, "next", 8));
        b_call(b, i ? "even" : "odd", &next, 1);
        b_lock(b, &ACQUIRE, b_arrow(b, p, "guard", 0));
        b_lock(b, &RELEASE, b_arrow(b, p, "guard", 0));
        b_return(b);
        b_end(b);
    }
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    g_assert_false(only_section(sections)->left_held);
    finish(b, analysis, sections);
}

static void test_results_split(void)
{
    // taken(p): 1 with the lock, 0 without.
    struct build *b = b_new();
    b_function(b, "taken");
    struct ir_variable *inner = b_variable(b, "object", IR_BASE_PARAM);
    struct ir_block *entry = b_block(b), *yes = b_block(b), *no = b_block(b);
    b_in(b, entry);
    b_branch(b, b_load(b_arrow(b, inner, "open", 8)), yes, no);
    b_in(b, yes);
    b_lock(b, &ACQUIRE, b_arrow(b, inner, "guard", 0));
    b_return_value(b, b_const(1));
    b_in(b, no);
    b_return_value(b, b_const(0));
    b_end(b);
    b_function(b, "f");
    struct ir_variable *p = b_variable(b, "p", IR_BASE_PARAM);
    entry = b_block(b), yes = b_block(b), no = b_block(b);
    b_in(b, entry);
    struct ir_value argument = b_load(b_path(p));
    struct ir_instruction *call = b_call(b, "taken", &argument, 1);
    b_branch(b, (struct ir_value){.kind = IR_VALUE_CALL, .index = call->number}, yes, no);
    b_in(b, yes);
    b_lock(b, &RELEASE, b_arrow(b, p, "guard", 0));
    b_return(b);
    b_in(b, no);
    b_return(b);
    b_end(b);
    struct analysis *analysis;
    struct function_sections *sections = collect(b, &analysis);
    g_assert_false(only_section(sections)->left_held);
    for (guint i = 0; i < sections->strays->len; i++)
        g_assert_cmpuint(g_array_index(sections->strays, struct stray_release, i).times, ==, 0);
    finish(b, analysis, sections);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/flow/straight-line", test_straight_line);
    g_test_add_func("/flow/correlated", test_correlated);
    g_test_add_func("/flow/not-correlated", test_not_correlated);
    g_test_add_func("/flow/try", test_try_outcomes);
    g_test_add_func("/flow/big-function-ends", test_big_function_ends);
    g_test_add_func("/summary/wrapper", test_wrapper_summary);
    g_test_add_func("/summary/recursion-ends", test_recursion_ends);
    g_test_add_func("/summary/results-split", test_results_split);
    return g_test_run();
}
