// archive show: one source, run, profile or scan.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive_actions.h"
#include "columns.h"

#define HOTTEST 20u

// "  name        value", and nothing for NULL.
static void print_field(const char *name, const char *value)
{
    if (value)
        printf("  %-18s %s\n", name, value);
}

static void print_owned(const char *name, char *value)
{
    print_field(name, value);
    g_free(value);
}

static void print_tags(GHashTable *tags)
{
    g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(tags), (GCompareFunc)g_strcmp0);
    for (GList *k = keys; k; k = k->next)
        print_field(k->data, g_hash_table_lookup(tags, k->data));
}

static bool not_there(const struct archive_call *call, const char *kind, int64_t id, GError **error)
{
    return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                     "%s has no %s %" G_GINT64_FORMAT "; \"spinfault archive list %ss\" shows what "
                     "it has",
                     archive_path(call->archive), kind, id, kind);
}

static bool show_source(const struct archive_call *call, int64_t id, GError **error)
{
    g_autoptr(GPtrArray) rows = archive_sources(call->archive, error);
    if (!rows)
        return false;
    for (guint i = 0; i < rows->len; i++) {
        const struct source_row *r = rows->pdata[i];
        if (r->id != id)
            continue;
        printf("source %" G_GINT64_FORMAT "\n", r->id);
        print_field("file", r->path);
        print_field("format", r->format);
        print_field("sha256", r->sha256);
        print_owned("bytes", text_with_commas(r->bytes));
        print_owned("records", text_with_commas(r->records));
        print_owned("skipped", text_with_commas(r->skipped));
        print_owned("ingested", archive_time_text(r->ingested_ns));
        print_owned("runs", text_with_commas(r->runs));
        print_owned("samples", text_with_commas(r->samples));
        return true;
    }
    return not_there(call, "source", id, error);
}

static bool print_metrics(const struct archive_call *call, const struct run_filter *filter,
                          GError **error)
{
    static const char *const heads[] = {"metric",   ">value", "unit",  "better", ">n",
                                        ">std dev", "from",   "~note", NULL};
    g_autoptr(GPtrArray) metrics = archive_metrics(call->archive, filter, NULL, error);
    if (!metrics || metrics->len == 0)
        return metrics;
    struct columns *table = columns_new(heads);
    for (guint i = 0; i < metrics->len; i++) {
        const struct metric_row *m = metrics->pdata[i];
        char *const cells[] = {
            g_strdup(m->name),
            isnan(m->value) ? NULL : text_double(m->value),
            g_strdup(m->unit),
            g_strdup(better_name(m->better)),
            m->n ? text_with_commas(m->n) : NULL,
            isnan(m->stddev) ? NULL : text_double(m->stddev),
            g_strdup(provenance_name(m->provenance)),
            g_strdup(m->why ? m->why : ""),
        };
        columns_add(table, cells);
    }
    printf("\n");
    columns_print(table, call->context->verbose ? 0 : columns_width());
    return true;
}

static void print_run(const struct run_row *r)
{
    printf("run %" G_GINT64_FORMAT " of source %" G_GINT64_FORMAT "\n", r->id, r->source_id);
    print_field("file", r->path);
    print_field("benchmark", r->benchmark);
    print_field("workload", r->workload);
    print_owned("started", archive_time_text(r->started_ns));
    print_field("status", run_status_name(r->status));
    print_field("why", r->why);
    print_field("host", r->host);
    print_field("instance", r->instance);
    print_field("arch", r->arch);
    print_owned("vcpus", archive_number_text(r->vcpus));
    print_field("kernel", r->kernel);
    print_field("preempt", r->preempt);
    print_field("preempt_source", r->preempt_source);
    print_field("preempt_confidence", r->preempt_confidence);
    print_field("page", r->page);
    print_owned("clients", archive_number_text(r->clients));
    print_tags(r->tags);
}

static bool show_run(const struct archive_call *call, int64_t id, GError **error)
{
    g_autofree char *condition = g_strdup_printf("run=%" G_GINT64_FORMAT, id);
    const char *const where[] = {condition, NULL};
    const struct run_filter filter = {where, INT64_MIN};
    g_autoptr(GPtrArray) rows = archive_runs(call->archive, &filter, error);
    if (!rows)
        return false;
    if (rows->len == 0)
        return not_there(call, "run", id, error);
    print_run(rows->pdata[0]);
    return print_metrics(call, &filter, error);
}

// A function of a profile over all its places in the tree.
struct function {
    const char *symbol, *dso;
    uint64_t self, total;
};

static int by_weight(gconstpointer a, gconstpointer b)
{
    const struct function *x = *(struct function *const *)a, *y = *(struct function *const *)b;
    if (x->self != y->self)
        return x->self < y->self ? 1 : -1;
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return strcmp(x->symbol, y->symbol);
}

static guint function_hash(gconstpointer p)
{
    const struct function *f = p;
    return g_str_hash(f->symbol) ^ g_str_hash(f->dso);
}

static gboolean function_equal(gconstpointer a, gconstpointer b)
{
    const struct function *x = a, *y = b;
    return strcmp(x->symbol, y->symbol) == 0 && strcmp(x->dso, y->dso) == 0;
}

// Whether a function further up in the tree is the same, which then counts this weight already.
static bool inside_itself(const struct stack_tree *tree, size_t i)
{
    const struct stack_node *node = &tree->nodes[i];
    for (int32_t up = node->parent; up > 0; up = tree->nodes[up].parent)
        if (strcmp(tree->nodes[up].symbol, node->symbol) == 0 &&
            strcmp(tree->nodes[up].dso, node->dso) == 0)
            return true;
    return false;
}

static GPtrArray *functions_of(const struct stack_tree *tree)
{
    g_autoptr(GHashTable) known = g_hash_table_new(function_hash, function_equal);
    GPtrArray *functions = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 1; i < tree->n; i++) {
        const struct function key = {tree->nodes[i].symbol, tree->nodes[i].dso, 0, 0};
        struct function *f = g_hash_table_lookup(known, &key);
        if (!f) {
            f = g_memdup2(&key, sizeof key);
            g_hash_table_add(known, f);
            g_ptr_array_add(functions, f);
        }
        f->self += tree->nodes[i].self;
        if (!inside_itself(tree, i))
            f->total += tree->nodes[i].total;
    }
    g_ptr_array_sort(functions, by_weight);
    return functions;
}

static char *percent(uint64_t part, uint64_t whole)
{
    return whole ? g_strdup_printf("%.2f %%", 100.0 * (double)part / (double)whole) : NULL;
}

static bool print_hottest(const struct archive_call *call, const struct profile_row *r,
                          GError **error)
{
    static const char *const heads[] = {">self", ">total", "^function", "~in", NULL};
    struct stack_tree *tree = archive_stack_tree(call->archive, r->id, error);
    if (!tree)
        return false;
    g_autoptr(GPtrArray) functions = functions_of(tree);
    struct columns *table = columns_new(heads);
    for (guint i = 0; i < MIN(functions->len, HOTTEST); i++) {
        const struct function *f = functions->pdata[i];
        char *const cells[] = {percent(f->self, r->weight), percent(f->total, r->weight),
                               g_strdup(f->symbol), g_strdup(f->dso)};
        columns_add(table, cells);
    }
    if (functions->len) {
        printf("\n");
        columns_print(table, call->context->verbose ? 0 : columns_width());
    }
    stack_tree_free(tree);
    return true;
}

static bool show_profile(const struct archive_call *call, int64_t id, GError **error)
{
    g_autoptr(GPtrArray) rows = archive_profiles(call->archive, error);
    if (!rows)
        return false;
    for (guint i = 0; i < rows->len; i++) {
        const struct profile_row *r = rows->pdata[i];
        if (r->id != id)
            continue;
        printf("profile %" G_GINT64_FORMAT " of source %" G_GINT64_FORMAT "\n", r->id,
               r->source_id);
        print_field("file", r->path);
        print_field("event", r->event);
        print_owned("samples", text_with_commas(r->samples));
        print_owned("weight", text_with_commas(r->weight));
        print_owned("lost", text_with_commas(r->lost));
        print_tags(r->tags);
        return print_hottest(call, r, error);
    }
    return not_there(call, "profile", id, error);
}

static bool print_findings(const struct archive_call *call, int64_t id, GError **error)
{
    static const char *const heads[] = {"severity", "rule", "^function", "~place", NULL};
    g_autoptr(GPtrArray) findings = archive_findings(call->archive, id, error);
    if (!findings || findings->len == 0)
        return findings;
    struct columns *table = columns_new(heads);
    for (int severity = SEVERITY_HIGH; severity >= 0; severity--)
        for (guint i = 0; i < findings->len; i++) {
            const struct finding_fact *f = findings->pdata[i];
            if ((int)f->severity != severity)
                continue;
            char *const cells[] = {g_strdup(f->suppressed ? "suppressed"
                                            : f->baseline ? "baseline"
                                                          : severity_name(f->severity)),
                                   g_strdup(f->rule), g_strdup(f->function),
                                   g_strdup_printf("%s:%u", f->file, f->line)};
            columns_add(table, cells);
        }
    printf("\n");
    columns_print(table, call->context->verbose ? 0 : columns_width());
    return true;
}

static bool show_scan(const struct archive_call *call, int64_t id, GError **error)
{
    g_autoptr(GPtrArray) rows = archive_scans(call->archive, error);
    if (!rows)
        return false;
    for (guint i = 0; i < rows->len; i++) {
        const struct scan_row *r = rows->pdata[i];
        const struct scan_summary *s = &r->summary;
        if (r->id != id)
            continue;
        printf("scan %" G_GINT64_FORMAT "\n", r->id);
        print_field("tree", r->root);
        print_field("commit", r->commit);
        print_owned("started", archive_time_text(r->started_ns));
        print_field("spinfault", r->version);
        print_owned("files", g_strdup_printf("%u: %u parsed, %u cached, %u degraded, %u failed, "
                                             "%u skipped",
                                             s->files, s->parsed, s->cached, s->degraded, s->failed,
                                             s->skipped));
        print_owned("sections", text_with_commas(s->sections));
        print_owned("findings",
                    g_strdup_printf("%u high, %u medium, %u low; %u suppressed, %u in the baseline",
                                    s->findings[SEVERITY_HIGH], s->findings[SEVERITY_MEDIUM],
                                    s->findings[SEVERITY_LOW], s->suppressed, s->baseline));
        print_owned("seconds", g_strdup_printf("%.1f", s->seconds));
        return print_findings(call, id, error);
    }
    return not_there(call, "scan", id, error);
}

static const struct {
    const char *name;
    bool (*show)(const struct archive_call *call, int64_t id, GError **error);
} kinds[] = {
    {"source", show_source},
    {"run", show_run},
    {"profile", show_profile},
    {"scan", show_scan},
};

enum status archive_show(const struct archive_call *call, GError **error)
{
    int64_t id;
    if (!slice_to_i64(slice_from(call->arguments[1]), &id)) {
        error_set(error, SPINFAULT_ERROR_USAGE,
                  "\"%s\" is no ID; \"spinfault archive list\" shows "
                  "them",
                  call->arguments[1]);
        return STATUS_TROUBLE;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(kinds[i].name, call->arguments[0]) == 0)
            return kinds[i].show(call, id, error) ? STATUS_FINE : STATUS_TROUBLE;
    error_set(error, SPINFAULT_ERROR_USAGE,
              "archive show knows source, run, profile and scan, not \"%s\"", call->arguments[0]);
    return STATUS_TROUBLE;
}
