// What the report says about a small archive: cells, ratios, verdicts, words, evidence.
#include <glib.h>

#include "fixture.h"
#include "model/model.h"

struct loaded {
    struct archive *archive;
    char *dir;
    struct report_model *model;
};

static struct loaded load_with(unsigned parts, const struct report_options *options)
{
    struct loaded l = {0};
    GError *error = NULL;
    l.archive = fixture_open(&l.dir);
    fixture_fill(l.archive, parts);
    l.model = model_new(l.archive, options, &error);
    g_assert_no_error(error);
    return l;
}

static struct loaded load(unsigned parts)
{
    return load_with(parts, &(struct report_options){0});
}

static void unload(struct loaded *l)
{
    model_free(l->model);
    fixture_close(l->archive, l->dir);
}

static const struct cell *cell_of(const struct grid *grid, const char *page, const char *preempt)
{
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
        if (g_str_equal(grid->cells[i].page, page) && g_str_equal(grid->cells[i].preempt, preempt))
            return &grid->cells[i];
    g_error("no cell %s × %s", page, preempt);
}

static void test_grid(void)
{
    struct loaded l = load(FIXTURE_ALL);
    const struct grid *grid = model_grid(l.model);
    g_assert_cmpstr(grid->machine, ==, "m8g.24xlarge");
    g_assert_cmpuint(grid->n_pages * grid->n_preempts, ==, 16);
    g_assert_true(grid->base == cell_of(grid, "4K", "none"));
    const struct cell *lazy = cell_of(grid, "4K", "lazy");
    g_assert_cmpfloat_with_epsilon(lazy->to_base.ratio, 50751.96 / 98565.86, 1e-12);
    g_assert_cmpint(lazy->to_base.verdict, ==, VERDICT_SLOWER);
    g_assert_true(lazy->to_base.size_only);
    g_assert_false(lazy->to_base.mixed);
    g_assert_cmpuint(lazy->stated, ==, 3);
    g_assert_true(isnan(lazy->to_base.lo));
    const struct cell *huge = cell_of(grid, "2M", "lazy");
    g_assert_cmpint(huge->to_reference.verdict, ==, VERDICT_SAME);
    g_assert_true(huge->to_reference.reference == cell_of(grid, "2M", "none"));
    g_assert_true(huge->to_base.mixed);
    g_assert_cmpuint(cell_of(grid, "1G", "full")->observations->len, ==, 0);
    g_assert_cmpuint(grid->slower, ==, 1);
    g_assert_cmpuint(grid->faster, ==, 1);
    g_assert_cmpuint(grid->same, ==, 1);
    g_assert_cmpuint(grid->missing, ==, 12);
    g_assert_cmpstr(l.model->gate, ==, "fail");
    unload(&l);
}

static void test_words(void)
{
    struct loaded l = load(FIXTURE_ALL);
    g_assert_cmpstr(l.model->heading, ==,
                    "With 4K pages, PREEMPT_LAZY runs at 0.51× of PREEMPT_NONE. "
                    "With 2M pages the gap is gone.");
    g_assert_cmpstr(l.model->emphasis, ==, "0.51×");
    g_assert_nonnull(strstr(l.model->lede, "31,457,280 pages of 4 KiB, or 61,440 of 2 MiB"));
    g_assert_nonnull(strstr(l.model->gate_text, "1 comparison slower"));
    g_assert_nonnull(strstr(l.model->gate_sure, "no interval"));
    unload(&l);

    l = load(FIXTURE_REPEATED);
    g_assert_cmpstr(l.model->heading, ==, "2M pages run at 2.23× of 4K pages.");
    unload(&l);

    l = load(FIXTURE_SCAN);
    g_assert_cmpstr(l.model->heading, ==, "2 hazards of high severity in 2 critical sections.");
    unload(&l);

    l = load(FIXTURE_SCAN | FIXTURE_PROFILES);
    g_assert_nonnull(strstr(l.model->heading, "runs confirm 1 finding"));
    unload(&l);

    l = load(FIXTURE_PROFILES);
    g_assert_cmpstr(l.model->heading, ==,
                    "56.0 % of the cpu-clock weight is spent waiting in s_lock.");
    unload(&l);
}

static void test_runs(void)
{
    struct loaded l = load(FIXTURE_REPEATED);
    const struct grid *grid = model_grid(l.model);
    g_assert_cmpuint(grid->n_preempts, ==, 1); // not recorded
    const struct cell *huge = cell_of(grid, "2M", "");
    g_assert_cmpuint(huge->runs, ==, 5);
    g_assert_cmpfloat(huge->centre, ==, 1034000);
    g_assert_true(huge->has_interval);
    g_assert_cmpfloat_with_epsilon(huge->interval.level, 0.9375, 1e-12);
    g_assert_cmpint(huge->to_base.method, ==, METHOD_RANKS);
    g_assert_cmpint(huge->to_base.verdict, ==, VERDICT_FASTER);
    g_assert_cmpfloat_with_epsilon(huge->to_base.p, 2.0 / 252, 1e-12);
    g_assert_cmpfloat_with_epsilon(huge->to_base.delta, 1, 1e-12);
    g_assert_cmpstr(l.model->gate, ==, "pass");
    unload(&l);
}

static void test_baseline(void)
{
    struct loaded l =
        load_with(FIXTURE_RUNS,
                  &(struct report_options){.baseline = "preempt=PREEMPT_LAZY, page=4k"});
    const struct grid *grid = model_grid(l.model);
    g_assert_true(grid->base == cell_of(grid, "4K", "lazy"));
    g_assert_cmpfloat_with_epsilon(cell_of(grid, "4K", "none")->to_base.ratio, 1.94210, 1e-4);
    unload(&l);

    GError *error = NULL;
    char *dir;
    struct archive *archive = fixture_open(&dir);
    fixture_fill(archive, FIXTURE_RUNS);
    g_assert_null(model_new(archive, &(struct report_options){.baseline = "page=1G"}, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_UNKNOWN);
    g_clear_error(&error);
    fixture_close(archive, dir);
}

static void test_parts(void)
{
    struct loaded l = load(FIXTURE_ALL);
    const struct touches *touches = &l.model->touches;
    static const uint64_t counts[] = {31457280, 61440, 120};
    g_assert_cmpuint(touches->items->len, ==, 3);
    for (guint i = 0; i < 3; i++)
        g_assert_cmpuint(g_array_index(touches->items, struct touch, i).count, ==, counts[i]);

    const struct machines *machines = &l.model->machines;
    g_assert_cmpuint(machines->items->len, ==, 3);
    const struct machine *first = &g_array_index(machines->items, struct machine, 0);
    g_assert_cmpstr(first->name, ==, "m7i.24xlarge");
    g_assert_cmpfloat_with_epsilon(first->ratio, 63489.67 / 67314.40, 1e-12);

    g_assert_cmpuint(l.model->waits->len, ==, 2);
    const struct wait_group *lazy = g_ptr_array_index(l.model->waits, 0);
    const struct wait_item *spin = &g_array_index(lazy->items, struct wait_item, 0);
    g_assert_cmpstr(lazy->label, ==, "LAZY · 4K");
    g_assert_cmpstr(spin->event, ==, "SpinDelay");
    g_assert_cmpuint(spin->count, ==, 840);
    g_assert_cmpuint(spin->idle, ==, 2);
    g_assert_cmpuint(spin->colour, ==, 1);
    unload(&l);
}

static void test_evidence(void)
{
    struct loaded l = load(FIXTURE_ALL);
    static const struct {
        const char *function;
        enum evidence_state state;
    } want[] = {{"StrategyGetBuffer", EVIDENCE_CONFIRMED},
                {"ReleaseSlot", EVIDENCE_SEEN},
                {"never_called", EVIDENCE_NOT_EXERCISED}};
    g_assert_cmpuint(l.model->findings->len, ==, 3);
    for (guint i = 0; i < 3; i++) {
        const struct finding *f = g_ptr_array_index(l.model->findings, i);
        g_assert_cmpstr(f->fact->function, ==, want[i].function);
        g_assert_cmpint(f->evidence.state, ==, want[i].state);
    }
    const struct finding *first = g_ptr_array_index(l.model->findings, 0);
    g_assert_cmpuint(first->evidence.fault_samples, ==, 30);
    g_assert_cmpuint(first->evidence.wait_samples, ==, 56);
    g_assert_cmpfloat_with_epsilon(first->evidence.wait_share, 0.56, 1e-9);
    g_assert_cmpstr(first->evidence.waiter, ==, "s_lock");
    g_assert_nonnull(first->section);
    g_assert_cmpuint(first->section->acquire_line, ==, 272);
    unload(&l);

    l = load(FIXTURE_SCAN);
    for (guint i = 0; i < 3; i++) {
        const struct finding *f = g_ptr_array_index(l.model->findings, i);
        g_assert_cmpint(f->evidence.state, ==, EVIDENCE_NO_DATA);
    }
    unload(&l);
}

static const struct stack_node *child(const struct stack_tree *tree, size_t parent,
                                      const char *name)
{
    for (size_t i = 1; i < tree->n; i++)
        if ((size_t)tree->nodes[i].parent == parent && g_str_equal(tree->nodes[i].symbol, name))
            return &tree->nodes[i];
    g_error("no %s below node %zu", name, parent);
}

// Upside down the widths are those of what ran itself, and the way leads to the callers.
static void test_inverted(void)
{
    struct loaded l = load(FIXTURE_PROFILES);
    struct flame *inverted = flame_inverted(g_ptr_array_index(l.model->flames, 0));
    const struct stack_tree *tree = inverted->tree;
    g_assert_cmpuint(tree->nodes[0].total, ==, 100);
    const struct stack_node *lock = child(tree, 0, "s_lock");
    g_assert_cmpuint(lock->total, ==, 56);
    g_assert_cmpuint(lock->self, ==, 0);    // it was called
    g_assert_true(lock == &tree->nodes[1]); // the heaviest stands to the left
    const struct stack_node *caller = child(tree, 1, "StrategyGetBuffer");
    g_assert_cmpuint(caller->total, ==, 56);
    g_assert_cmpuint(child(tree, 0, "ReleaseSlot")->total, ==, 4);
    flame_free(inverted);
    unload(&l);
}

// Two profiles of one event with other settings: what vanished and what is new are both there.
static void test_diff(void)
{
    struct loaded l = load(FIXTURE_PAIR);
    const struct flame_diff *diff = &l.model->diff;
    g_assert_nonnull(diff->nodes);
    g_assert_cmpstr(g_hash_table_lookup(diff->base->tags, "preempt"), ==, "none");
    const struct diff_node *root = &g_array_index(diff->nodes, struct diff_node, 0);
    g_assert_cmpfloat(root->base, ==, 1);
    g_assert_cmpfloat(root->fresh, ==, 1);
    bool lock = false, vacuum = false;
    for (guint i = 1; i < diff->nodes->len; i++) {
        const struct diff_node *node = &g_array_index(diff->nodes, struct diff_node, i);
        if (g_str_equal(node->symbol, "s_lock")) {
            g_assert_cmpfloat(node->base, ==, 0);
            g_assert_cmpfloat_with_epsilon(node->fresh, 0.6, 1e-12);
            lock = true;
        } else if (g_str_equal(node->symbol, "vacuum")) {
            g_assert_cmpfloat_with_epsilon(node->base, 0.25, 1e-12);
            g_assert_cmpfloat(node->fresh, ==, 0);
            vacuum = true;
        }
    }
    g_assert_true(lock && vacuum);
    g_assert_cmpuint(diff->vanished, ==, 1);
    g_assert_cmpuint(diff->fresh_only, ==, 1);
    unload(&l);
}

// Where a profile has source lines, only a fault at the finding's own line confirms it.
static void test_evidence_lines(void)
{
    struct loaded l = load(FIXTURE_SCAN | FIXTURE_LINES);
    const struct finding *f = g_ptr_array_index(l.model->findings, 0);
    g_assert_cmpstr(f->fact->function, ==, "StrategyGetBuffer");
    g_assert_cmpint(f->evidence.state, ==, EVIDENCE_CONFIRMED);
    g_assert_true(f->evidence.by_line);
    g_assert_cmpstr(f->evidence.text, ==, "7 page-fault samples at this line, 2 at others");
    unload(&l);

    l = load(FIXTURE_SCAN | FIXTURE_OTHER_LINES);
    bool seen = false;
    for (guint i = 0; i < l.model->findings->len; i++) {
        f = g_ptr_array_index(l.model->findings, i);
        if (strcmp(f->fact->function, "StrategyGetBuffer") != 0)
            continue;
        g_assert_cmpint(f->evidence.state, ==, EVIDENCE_SEEN);
        g_assert_nonnull(strstr(f->evidence.text, "at other lines (most at `freelist.c:300`)"));
        seen = true;
    }
    g_assert_true(seen);
    unload(&l);
}

// A profile of another program says nothing about this one.
static void test_unrelated(void)
{
    GError *error = NULL;
    char *dir;
    struct archive *archive = fixture_open(&dir);
    fixture_fill(archive, FIXTURE_SCAN | FIXTURE_UNRELATED);
    struct report_model *model = model_new(archive, &(struct report_options){0}, &error);
    g_assert_no_error(error);
    const struct finding *first = g_ptr_array_index(model->findings, 0);
    g_assert_cmpint(first->evidence.state, ==, EVIDENCE_NO_DATA);
    g_assert_nonnull(strstr(first->evidence.text, "none of these functions"));
    model_free(model);
    fixture_close(archive, dir);
}

static void test_empty(void)
{
    GError *error = NULL;
    char *dir;
    struct archive *archive = fixture_open(&dir);
    g_assert_null(model_new(archive, &(struct report_options){0}, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_clear_error(&error);
    fixture_close(archive, dir);
}

static void test_symbols(void)
{
    g_assert_true(symbol_waits("s_lock"));
    g_assert_true(symbol_waits("s_lock.isra.0"));
    g_assert_true(symbol_waits("native_queued_spin_lock_slowpath"));
    g_assert_false(symbol_waits("s_lock_free_sema"));
    g_assert_false(symbol_waits("spin_lock_init"));
    g_assert_true(symbol_equal("foo.constprop.0.cold", "foo"));
    g_assert_true(symbol_equal("foo@plt", "foo"));
    g_assert_false(symbol_equal("foobar", "foo"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/grid", test_grid);
    g_test_add_func("/model/words", test_words);
    g_test_add_func("/model/runs", test_runs);
    g_test_add_func("/model/baseline", test_baseline);
    g_test_add_func("/model/parts", test_parts);
    g_test_add_func("/model/evidence", test_evidence);
    g_test_add_func("/model/inverted", test_inverted);
    g_test_add_func("/model/diff", test_diff);
    g_test_add_func("/model/evidence-lines", test_evidence_lines);
    g_test_add_func("/model/unrelated", test_unrelated);
    g_test_add_func("/model/empty", test_empty);
    g_test_add_func("/model/symbols", test_symbols);
    return g_test_run();
}
