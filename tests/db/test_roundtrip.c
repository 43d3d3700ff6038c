// Every fact that goes in comes out.
#include "support.h"

#include <math.h>

static void runs(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    a = open_ok(path, ARCHIVE_READ);

    g_autoptr(GPtrArray) runs = archive_runs(a, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(runs->len, ==, 3);
    const struct run_row *r = runs->pdata[0];
    g_assert_cmpstr(r->benchmark, ==, "pgbench");
    g_assert_cmpstr(r->workload, ==, "simple update");
    g_assert_cmpstr(r->host, ==, "db1");
    g_assert_cmpstr(r->instance, ==, "m8g.24xlarge");
    g_assert_null(r->arch);
    g_assert_cmpstr(r->kernel, ==, "7.0.0");
    g_assert_cmpstr(r->preempt, ==, "lazy");
    g_assert_cmpstr(r->preempt_source, ==, "dmesg");
    g_assert_cmpstr(r->preempt_confidence, ==, "certain");
    g_assert_cmpstr(r->page, ==, "4K");
    g_assert_cmpint(r->clients, ==, 1024);
    g_assert_cmpint(r->vcpus, ==, 96);
    g_assert_cmpint(r->started_ns, ==, 1774000000000000000);
    g_assert_cmpint(r->status, ==, RUN_COMPLETE);
    g_assert_null(r->why);
    g_assert_cmpstr(r->path, ==, "results/pgbench.csv");
    g_assert_cmpuint(g_hash_table_size(r->tags), ==, 1);
    g_assert_cmpstr(g_hash_table_lookup(r->tags, "scale"), ==, "8470");
    r = runs->pdata[2];
    g_assert_cmpstr(r->page, ==, "2M");
    g_assert_cmpint(r->started_ns, ==, INT64_MIN);

    g_autoptr(GPtrArray) metrics = archive_metrics(a, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(metrics->len, ==, 9);
    const struct metric_row *m = metrics->pdata[0];
    g_assert_cmpstr(m->name, ==, "tps");
    g_assert_cmpfloat(m->value, ==, 50751.96);
    g_assert_true(isnan(m->stddev));
    g_assert_cmpint(m->better, ==, BETTER_HIGHER);
    g_assert_cmpint(m->provenance, ==, PROVENANCE_PUBLISHED);
    g_assert_cmpuint(m->n, ==, 3);
    m = metrics->pdata[1];
    g_assert_cmpstr(m->source_unit, ==, "ms");
    g_assert_cmpfloat(m->stddev, ==, 0.001);
    m = metrics->pdata[2];
    g_assert_true(isnan(m->value));
    g_assert_cmpstr(m->why, ==, "not printed");

    g_autoptr(GArray) points = archive_series(a, r->id, "latency_avg", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(points->len, ==, 4);
    g_assert_cmpfloat(g_array_index(points, struct series_row, 3).t, ==, 15.0);
    g_assert_cmpfloat(g_array_index(points, struct series_row, 3).value, ==, 1.5);

    g_autoptr(GPtrArray) waits = archive_waits(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(waits->len, ==, 3);
    const struct wait_row *w = waits->pdata[1];
    g_assert_cmpstr(w->event, ==, "SpinDelay");
    g_assert_cmpstr(w->state, ==, "active");
    g_assert_cmpuint(w->count, ==, 838);
    g_assert_true(isnan(w->t));
    g_assert_cmpint(w->run_id, ==, ((struct run_row *)runs->pdata[1])->id);
    g_assert_cmpstr(g_hash_table_lookup(w->tags, "campaign"), ==, "april");

    g_autoptr(GPtrArray) environment = archive_environment(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(environment->len, ==, 3);
    const struct environment_row *e = environment->pdata[1];
    g_assert_cmpstr(e->key, ==, "pgfault");
    g_assert_cmpstr(e->value, ==, "99");
    g_assert_cmpstr(e->phase, ==, "after");
    archive_close(a);
    folder_free(folder);
}

// A value that its column does not take is kept as a tag, and the column says "unknown".
static void odd_values(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    const struct fact_sink *sink = archive_sink(a);
    const struct setting settings[] = {
        {"preempt", "sometimes", false},
        {"page", "7M", false},
        {"clients", "many", false},
        {"vcpus", "0", true},
        {"host", "", false},
        {"page_kind", "hugetlb", false},
        {"preempt_confidence", "hearsay", false},
    };
    const struct run_fact run = {
        "x", NULL, INT64_MIN, RUN_ABORTED, "killed", settings, G_N_ELEMENTS(settings)};
    assert_ok(sink_source_begin(sink, &(struct source_fact){.path = "f", .format = "csv"}, &error),
              error);
    assert_ok(sink_run(sink, &run, &error), error);
    const struct source_summary summary = summary_of("csv", "odd");
    assert_ok(sink_source_end(sink, &summary, true, &error), error);
    g_autoptr(GPtrArray) runs = archive_runs(a, NULL, &error);
    g_assert_no_error(error);
    const struct run_row *r = runs->pdata[0];
    g_assert_null(r->preempt);
    g_assert_null(r->page);
    g_assert_null(r->host);
    g_assert_null(r->workload);
    g_assert_cmpint(r->clients, ==, -1);
    g_assert_cmpint(r->vcpus, ==, -1);
    g_assert_cmpint(r->status, ==, RUN_ABORTED);
    g_assert_cmpstr(r->why, ==, "killed");
    g_assert_cmpstr(g_hash_table_lookup(r->tags, "preempt"), ==, "sometimes");
    g_assert_cmpstr(g_hash_table_lookup(r->tags, "page"), ==, "7M");
    g_assert_cmpstr(g_hash_table_lookup(r->tags, "clients"), ==, "many");
    g_assert_cmpstr(g_hash_table_lookup(r->tags, "vcpus"), ==, "0");
    g_assert_cmpstr(g_hash_table_lookup(r->tags, "page_kind"), ==, "hugetlb");
    g_assert_cmpstr(g_hash_table_lookup(r->tags, "preempt_confidence"), ==, "hearsay");
    archive_close(a);
    folder_free(folder);
}

static const struct stack_node *child(const struct stack_tree *tree, int32_t parent,
                                      const char *symbol)
{
    for (size_t i = 1; i < tree->n; i++)
        if (tree->nodes[i].parent == parent && strcmp(tree->nodes[i].symbol, symbol) == 0)
            return &tree->nodes[i];
    return NULL;
}

static void profile(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "p", 70);

    g_autoptr(GPtrArray) profiles = archive_profiles(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(profiles->len, ==, 2);
    const struct profile_row *p = profiles->pdata[0];
    g_assert_cmpstr(p->event, ==, "cpu-clock");
    g_assert_cmpstr(p->path, ==, "lazy.perf.txt");
    g_assert_cmpuint(p->samples, ==, 60);
    g_assert_cmpuint(p->lost, ==, 11);
    g_assert_cmpstr(g_hash_table_lookup(p->tags, "preempt"), ==, "lazy");
    g_assert_cmpstr(g_hash_table_lookup(p->tags, "page"), ==, "4K");
    uint64_t weight = p->weight;
    p = profiles->pdata[1];
    g_assert_cmpstr(p->event, ==, "page-faults");
    g_assert_cmpuint(p->samples, ==, 10);

    struct stack_tree *tree =
        archive_stack_tree(a, ((struct profile_row *)profiles->pdata[0])->id, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(tree->nodes[0].total, ==, weight);
    g_assert_cmpuint(tree->nodes[0].total_samples, ==, 60);
    g_assert_cmpint(tree->nodes[0].parent, ==, -1);
    // Samples without a chain end at the root; those of other call sites are one function.
    g_assert_cmpuint(tree->nodes[0].self_samples, ==, 12);
    uint64_t self = 0;
    for (size_t i = 1; i < tree->n; i++) {
        g_assert_cmpint(tree->nodes[i].parent, <, (int64_t)i);
        self += tree->nodes[i].self;
    }
    g_assert_cmpuint(self + tree->nodes[0].self, ==, weight);
    uint64_t of_main = 0;
    for (size_t i = 1; i < tree->n; i++)
        if (tree->nodes[i].parent == 0) {
            g_assert_cmpstr(tree->nodes[i].symbol, ==, "main");
            of_main += tree->nodes[i].total_samples;
        }
    g_assert_cmpuint(of_main, ==, 48);
    stack_tree_free(tree);

    tree = archive_stack_tree(a, p->id, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(tree->nodes[0].total_samples, ==, 10);
    for (size_t i = 0; i < tree->n; i++)
        g_assert_cmpuint(tree->nodes[i].total_samples, >, 0);
    stack_tree_free(tree);

    g_assert_null(archive_stack_tree(a, 999, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_clear_error(&error);
    archive_close(a);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM side_record WHERE type = 'mmap' AND "
                                    "len = 4096 AND prot = 'rw-s' AND pgoff = 0"),
                    ==, 1);
    g_assert_cmpint(number_in(path, "SELECT lost FROM side_record WHERE type = 'lost'"), ==, 11);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sample WHERE printf('%x', addr) = "
                                    "'ffff888000001000'"),
                    ==, 42);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sample_extra"), ==, 14);
    // "fib" is three times in its chains and counts once.
    g_assert_cmpint(number_in(path, "SELECT sum(total_samples) FROM hot WHERE symbol = 'fib'"), ==,
                    28);
    folder_free(folder);
}

// A part of a profile, by thread and time.
static void part_of_profile(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "p", 70);
    struct profile_samples *all = archive_profile_samples(a, 1, &error);
    g_assert_no_error(error);
    const GPtrArray *threads = all->threads;
    g_assert_cmpuint(all->rows->len, ==, 60);
    g_assert_cmpuint(threads->len, ==, 5);
    uint64_t samples = 0, weight = UINT64_MAX;
    for (guint i = 0; i < threads->len; i++) {
        const struct thread_row *t = threads->pdata[i];
        // Times of feed_sample are the thread's number after a fixed start.
        const struct sample_filter by_tid = {.by_tid = true, .tid = t->tid};
        const struct sample_filter by_time = {.by_time = true,
                                              .from_ns = 1681831701000 + t->tid,
                                              .to_ns = 1681831701001 + t->tid};
        const struct sample_filter neither = {.by_time = true,
                                              .by_tid = true,
                                              .tid = t->tid + 1,
                                              .from_ns = by_time.from_ns,
                                              .to_ns = by_time.to_ns};
        struct stack_tree *of_tid = archive_stack_tree_of(a, 1, &by_tid, &error);
        struct stack_tree *of_time = archive_stack_tree_of(a, 1, &by_time, &error);
        struct stack_tree *of_neither = archive_stack_tree_of(a, 1, &neither, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(t->comm, ==, "postgres");
        g_assert_cmpint(t->pid, ==, 100);
        g_assert_cmpint(t->first_ns, ==, by_time.from_ns);
        g_assert_cmpint(t->last_ns, ==, by_time.from_ns);
        g_assert_cmpuint(of_tid->nodes[0].total, ==, t->weight);
        g_assert_cmpuint(of_tid->nodes[0].total_samples, ==, t->samples);
        g_assert_cmpuint(of_time->nodes[0].total, ==, t->weight);
        g_assert_cmpuint(of_neither->n, ==, 1);
        g_assert_cmpuint(of_neither->nodes[0].total_samples, ==, 0);
        g_assert_cmpuint(t->weight, <=, weight);
        samples += t->samples;
        weight = t->weight;
        stack_tree_free(of_tid);
        stack_tree_free(of_time);
        stack_tree_free(of_neither);
    }
    g_assert_cmpuint(samples, ==, 60);
    for (guint i = 0; i < all->rows->len; i++) {
        const struct sample_row *row = &g_array_index(all->rows, struct sample_row, i);
        const struct thread_row *t = threads->pdata[row->thread];
        g_assert_cmpint(row->time_ns, ==, t->first_ns);
        g_assert_cmpuint(all->tree->nodes[row->node].self, >=, row->weight);
    }
    profile_samples_free(all);
    archive_close(a);
    folder_free(folder);
}

// More samples than are held in memory at once, and deep, distinct stacks.
static void long_profile(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "long", 140001);
    const struct fact_sink *sink = archive_sink(a);
    assert_ok(sink_source_begin(sink, &(struct source_fact){.path = "d", .format = "perf-script"},
                                &error),
              error);
    for (int i = 0; i < 20000; i++) {
        char name[32];
        g_snprintf(name, sizeof name, "f%d", i);
        const char *const chain[] = {name, "caller", "main", NULL};
        feed_sample(sink, "cycles", 1, 3, chain);
    }
    const struct source_summary summary = summary_of("perf-script", "distinct");
    assert_ok(sink_source_end(sink, &summary, true, &error), error);
    g_autoptr(GPtrArray) profiles = archive_profiles(a, &error);
    g_assert_no_error(error);
    const struct profile_row *p = profiles->pdata[2];
    g_assert_cmpuint(p->weight, ==, 60000);
    struct stack_tree *tree = archive_stack_tree(a, p->id, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(tree->n, ==, 20003);
    const struct stack_node *main_node = child(tree, 0, "main");
    g_assert_cmpuint(main_node->total, ==, 60000);
    const struct stack_node *leaf = child(tree, 2, "f19999");
    g_assert_cmpuint(leaf->self, ==, 3);
    stack_tree_free(tree);
    archive_close(a);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sample"), ==, 160001);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM pragma_foreign_key_check"), ==, 0);
    folder_free(folder);
}

// Symbols are bytes. Those that are not UTF-8 are kept and shown with U+FFFD.
static void any_bytes(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    const struct fact_sink *sink = archive_sink(a);
    const struct frame_fact frame = {.symbol = {"a\xff\0b", 4}, .dso = {"", 0}};
    const struct sample_fact sample = {.weight = 1, .frames = &frame, .n_frames = 1};
    assert_ok(sink_source_begin(sink, &(struct source_fact){.path = "b", .format = "perf-script"},
                                &error),
              error);
    assert_ok(sink_sample(sink, &sample, &error), error);
    const struct source_summary summary = summary_of("perf-script", "bytes");
    assert_ok(sink_source_end(sink, &summary, true, &error), error);
    struct stack_tree *tree = archive_stack_tree(a, 1, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(tree->n, ==, 2);
    g_assert_true(g_str_has_prefix(tree->nodes[1].symbol, "a\xef\xbf\xbd"));
    g_assert_cmpstr(tree->nodes[1].dso, ==, "");
    stack_tree_free(tree);
    g_autoptr(GPtrArray) profiles = archive_profiles(a, &error);
    g_assert_null(((struct profile_row *)profiles->pdata[0])->event);
    archive_close(a);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM string WHERE text = x'61ff0062'"), ==, 1);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sample WHERE cpu IS NULL AND time_ns "
                                    "IS NULL AND addr IS NULL"),
                    ==, 1);
    folder_free(folder);
}

static void check_section(const struct section_fact *f)
{
    g_assert_cmpstr(f->function, ==, "pool_take");
    g_assert_cmpuint(f->acquire_line, ==, 103);
    g_assert_cmpuint(f->n_release_lines, ==, 2);
    g_assert_cmpuint(f->release_lines[1], ==, 115);
    g_assert_cmpstr(f->api, ==, "SpinLockAcquire");
    g_assert_cmpstr(f->model, ==, "postgresql");
    g_assert_cmpstr(f->lock, ==, "pool->guard");
    g_assert_cmpint(f->scope, ==, SCOPE_SINGLETON);
    g_assert_cmpint(f->mode, ==, MODE_EXCLUSIVE);
    g_assert_true(f->entered_held);
    g_assert_false(f->left_held);
    g_assert_cmpuint(f->cost, ==, 12);
    g_assert_cmpuint(f->n_accesses, ==, 2);
    g_assert_cmpstr(f->accesses[0].object, ==, "slots[].next_free");
    g_assert_true(f->accesses[0].write);
    g_assert_cmpint(f->accesses[0].residency, ==, RESIDENCY_MAY_FAULT);
    g_assert_cmpint(f->accesses[0].why, ==, WHY_RUN_TIME_INDEX);
    g_assert_cmpuint(f->accesses[0].bytes, ==, 8);
    g_assert_cmpuint(f->accesses[0].pages_4k, ==, 262144);
    g_assert_cmpuint(f->accesses[1].pages_4k, ==, 0);
    g_assert_cmpuint(f->n_calls, ==, 2);
    g_assert_cmpstr(f->calls[1].name, ==, "*hook");
    g_assert_cmpint(f->calls[0].effect, ==, EFFECT_PURE);
    g_assert_cmpstr(f->excerpt, ==, "SpinLockAcquire(&pool->guard);\n    x = 1;");
    g_assert_cmpuint(f->excerpt_line, ==, 100);
}

static void check_finding(const struct finding_fact *n)
{
    g_assert_cmpstr(n->fingerprint, ==, "bb22");
    g_assert_cmpstr(n->rule, ==, "fault-under-lock");
    g_assert_cmpint(n->severity, ==, SEVERITY_HIGH);
    g_assert_cmpint(n->confidence, ==, CONFIDENCE_MEDIUM);
    g_assert_cmpuint(n->line, ==, 112);
    g_assert_cmpuint(n->column, ==, 31);
    g_assert_cmpuint(n->acquire_line, ==, 103);
    g_assert_cmpstr(n->object, ==, "slots[].next_free");
    g_assert_cmpstr(n->message, ==, "may fault");
    g_assert_cmpstr(n->suggestion, ==, "touch it before");
    g_assert_false(n->suppressed);
    g_assert_true(n->baseline);
    g_assert_cmpuint(n->n_path, ==, 2);
    g_assert_cmpstr(n->path[1].what, ==, "read may fault");
}

static void scan(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", NULL});
    feed_scan(a, "/src/pg", 2000, (const char *const[]){"aa11", "bb22", NULL});

    g_autoptr(GPtrArray) scans = archive_scans(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(scans->len, ==, 2);
    const struct scan_row *s = scans->pdata[0];
    g_assert_cmpint(s->started_ns, ==, 2000);
    g_assert_cmpstr(s->root, ==, "/src/pg");
    g_assert_cmpstr(s->version, ==, "0.1.0");
    g_assert_cmpstr(s->commit, ==, "abc123");
    g_assert_cmpuint(s->summary.files, ==, 9);
    g_assert_cmpuint(s->summary.failed, ==, 1);
    g_assert_cmpuint(s->summary.findings[SEVERITY_HIGH], ==, 2);
    g_assert_cmpfloat(s->summary.seconds, ==, 3.125);

    g_autoptr(GPtrArray) sections = archive_sections(a, s->id, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(sections->len, ==, 2);
    const struct section_fact *first = sections->pdata[0];
    g_assert_cmpstr(first->file, ==, "src/aaa.c");
    g_assert_cmpuint(first->n_release_lines + first->n_accesses + first->n_calls, ==, 0);
    g_assert_null(first->excerpt);
    check_section(sections->pdata[1]);

    g_autoptr(GPtrArray) findings = archive_findings(a, s->id, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(findings->len, ==, 2);
    check_finding(findings->pdata[1]);

    g_autoptr(GPtrArray) files = archive_scan_files(a, s->id, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(files->len, ==, 1);
    g_assert_cmpint(((struct file_fact *)files->pdata[0])->status, ==, FILE_FAILED);
    g_assert_cmpstr(((struct file_fact *)files->pdata[0])->why, ==, "no header");

    // What is the same in both scans is stored once.
    g_assert_cmpint(number_in(path, "SELECT count(DISTINCT excerpt_id) FROM section"), ==, 1);
    archive_close(a);
    folder_free(folder);
}

static void counts(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    feed_profile(a, "p", 70);
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", NULL});
    struct archive_counts c;
    assert_ok(archive_count(a, &c, &error), error);
    g_assert_cmpint(c.schema_version, ==, 1);
    g_assert_cmpuint(c.sources, ==, 2);
    g_assert_cmpuint(c.runs, ==, 3);
    g_assert_cmpuint(c.metrics, ==, 9);
    g_assert_cmpuint(c.profiles, ==, 2);
    g_assert_cmpuint(c.samples, ==, 70);
    g_assert_cmpuint(c.scans, ==, 1);
    g_assert_cmpuint(c.sections, ==, 2);
    g_assert_cmpuint(c.findings, ==, 1);
    g_assert_cmpuint(c.file_bytes, >, 0);
    g_autoptr(GPtrArray) sources = archive_sources(a, &error);
    g_assert_no_error(error);
    const struct source_row *s = sources->pdata[0];
    g_assert_cmpstr(s->path, ==, "results/pgbench.csv");
    g_assert_cmpstr(s->format, ==, "csv");
    g_assert_cmpuint(s->bytes, ==, 3);
    g_assert_cmpuint(s->records, ==, 7);
    g_assert_cmpuint(s->skipped, ==, 1);
    g_assert_cmpuint(s->runs, ==, 3);
    g_assert_cmpuint(strlen(s->sha256), ==, 64);
    archive_close(a);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/roundtrip/runs", runs);
    g_test_add_func("/db/roundtrip/odd-values", odd_values);
    g_test_add_func("/db/roundtrip/profile", profile);
    g_test_add_func("/db/roundtrip/part-of-profile", part_of_profile);
    g_test_add_func("/db/roundtrip/long-profile", long_profile);
    g_test_add_func("/db/roundtrip/any-bytes", any_bytes);
    g_test_add_func("/db/roundtrip/scan", scan);
    g_test_add_func("/db/roundtrip/counts", counts);
    return g_test_run();
}
