// archive info, list and verify.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "archive_actions.h"
#include "columns.h"

#define OVERVIEW_ROWS 20u // of each kind, when no kind is named

char *archive_time_text(int64_t ns)
{
    if (ns == INT64_MIN)
        return NULL;
    char *text = text_from_time(ns);
    if (!text || strlen(text) < 16)
        return text;
    text[10] = ' ';
    text[16] = '\0';
    return text;
}

char *archive_number_text(int64_t value)
{
    return value < 0 ? NULL : text_with_commas((uint64_t)value);
}

static void print_count(const char *name, uint64_t n, const char *note)
{
    g_autofree char *text = text_with_commas(n);
    printf("  %-10s %15s%s\n", name, text, note);
}

enum status archive_info(const struct archive_call *call, GError **error)
{
    struct archive_counts c;
    if (!archive_count(call->archive, &c, error))
        return STATUS_TROUBLE;
    g_autofree char *size = text_bytes(c.file_bytes);
    printf("%s: schema %d, %s\n", archive_path(call->archive), c.schema_version, size);
    print_count("sources", c.sources, "");
    print_count("runs", c.runs, "");
    print_count("metrics", c.metrics, "");
    print_count("profiles", c.profiles, "");
    print_count("samples", c.samples, "");
    print_count("scans", c.scans, "");
    print_count("sections", c.sections, "  over all scans");
    print_count("findings", c.findings, "  over all scans");
    return STATUS_FINE;
}

// "3 runs", "1 run"; `kind` is the plural.
static char *counted(uint64_t n, const char *kind)
{
    g_autofree char *number = text_with_commas(n);
    return g_strdup_printf("%s %.*s", number, (int)(strlen(kind) - (n == 1)), kind);
}

// Where to begin so that the newest are shown, and a line for the rest.
static guint first_row(const GPtrArray *rows, bool all, const char *kind)
{
    guint first = all || rows->len <= OVERVIEW_ROWS ? 0 : rows->len - OVERVIEW_ROWS;
    g_autofree char *n = counted(rows->len, kind);
    printf("%s", n);
    if (first)
        printf(", the newest %u; \"spinfault archive list %s\" shows all", OVERVIEW_ROWS, kind);
    printf("\n");
    return first;
}

static unsigned width_of(const struct archive_call *call)
{
    return call->context->verbose ? 0 : columns_width();
}

static bool list_sources(const struct archive_call *call, bool all, GError **error)
{
    static const char *const heads[] = {">id",      "format",   ">runs", ">samples",
                                        ">skipped", "ingested", "~file", NULL};
    g_autoptr(GPtrArray) rows = archive_sources(call->archive, error);
    if (!rows || (rows->len == 0 && !all))
        return rows;
    guint first = first_row(rows, all, "sources");
    struct columns *table = columns_new(heads);
    for (guint i = first; i < rows->len; i++) {
        const struct source_row *r = rows->pdata[i];
        char *const cells[] = {
            g_strdup_printf("%" G_GINT64_FORMAT, r->id),
            g_strdup(r->format),
            r->runs ? text_with_commas(r->runs) : NULL,
            r->samples ? text_with_commas(r->samples) : NULL,
            r->skipped ? text_with_commas(r->skipped) : NULL,
            archive_time_text(r->ingested_ns),
            g_strdup(r->path),
        };
        columns_add(table, cells);
    }
    columns_print(table, width_of(call));
    return true;
}

// What each run is about, as text, "tps 50751.96": its throughput, else its first metric with a
// value.
static GHashTable *main_metrics(const struct archive_call *call, GError **error)
{
    g_autoptr(GPtrArray) metrics = archive_metrics(call->archive, &call->filter, NULL, error);
    if (!metrics)
        return NULL;
    GHashTable *chosen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    for (guint i = 0; i < metrics->len; i++) {
        const struct metric_row *m = metrics->pdata[i];
        if (isnan(m->value) ||
            (g_hash_table_contains(chosen, &m->run_id) && strcmp(m->name, "tps") != 0))
            continue;
        g_autofree char *value = text_double(m->value);
        g_hash_table_insert(chosen, g_memdup2(&m->run_id, sizeof m->run_id),
                            g_strdup_printf("%s %s", m->name, value));
    }
    return chosen;
}

// With --since, runs whose start is not known are left out; how many is said.
static bool print_undated(const struct archive_call *call, GError **error)
{
    const struct run_filter any_time = {call->filter.where, INT64_MIN};
    g_autoptr(GPtrArray) rows = archive_runs(call->archive, &any_time, error);
    uint64_t undated = 0;
    for (guint i = 0; rows && i < rows->len; i++)
        undated += ((struct run_row *)rows->pdata[i])->started_ns == INT64_MIN;
    g_autofree char *n = counted(undated, "runs");
    if (undated)
        printf("%s left out: when they started is not known\n", n);
    return rows;
}

static bool list_runs(const struct archive_call *call, bool all, GError **error)
{
    static const char *const heads[] = {">id",      "benchmark", "~workload", "preempt", "page",
                                        ">clients", "started",   "^metric",   NULL};
    g_autoptr(GPtrArray) rows = archive_runs(call->archive, &call->filter, error);
    g_autoptr(GHashTable) metrics = rows ? main_metrics(call, error) : NULL;
    if (!metrics)
        return false;
    if (rows->len == 0 && !all)
        return true;
    guint first = first_row(rows, all, "runs");
    if (call->filter.since_ns != INT64_MIN && !print_undated(call, error))
        return false;
    struct columns *table = columns_new(heads);
    for (guint i = first; i < rows->len; i++) {
        const struct run_row *r = rows->pdata[i];
        char *const cells[] = {
            g_strdup_printf("%" G_GINT64_FORMAT, r->id),
            g_strdup(r->benchmark),
            g_strdup(r->workload),
            g_strdup(r->preempt),
            g_strdup(r->page),
            archive_number_text(r->clients),
            archive_time_text(r->started_ns),
            r->status == RUN_ABORTED ? g_strdup("aborted")
                                     : g_strdup(g_hash_table_lookup(metrics, &r->id)),
        };
        columns_add(table, cells);
    }
    columns_print(table, width_of(call));
    return true;
}

static bool list_profiles(const struct archive_call *call, bool all, GError **error)
{
    static const char *const heads[] = {">id",     ">source", "^event", ">samples",
                                        ">weight", ">lost",   "~file",  NULL};
    g_autoptr(GPtrArray) rows = archive_profiles(call->archive, error);
    if (!rows || (rows->len == 0 && !all))
        return rows;
    guint first = first_row(rows, all, "profiles");
    struct columns *table = columns_new(heads);
    for (guint i = first; i < rows->len; i++) {
        const struct profile_row *r = rows->pdata[i];
        char *const cells[] = {
            g_strdup_printf("%" G_GINT64_FORMAT, r->id),
            g_strdup_printf("%" G_GINT64_FORMAT, r->source_id),
            g_strdup(r->event),
            text_with_commas(r->samples),
            text_with_commas(r->weight),
            r->lost ? text_with_commas(r->lost) : NULL,
            g_strdup(r->path),
        };
        columns_add(table, cells);
    }
    columns_print(table, width_of(call));
    return true;
}

static bool list_scans(const struct archive_call *call, bool all, GError **error)
{
    static const char *const heads[] = {">id",       "started", ">files",  ">parsed",
                                        ">sections", ">high",   ">medium", ">low",
                                        "commit",    "~tree",   NULL};
    g_autoptr(GPtrArray) rows = archive_scans(call->archive, error);
    if (!rows || (rows->len == 0 && !all))
        return rows;
    guint first = first_row(rows, all, "scans");
    struct columns *table = columns_new(heads);
    for (guint i = first; i < rows->len; i++) {
        const struct scan_row *r = rows->pdata[rows->len - 1 - i]; // they come newest first
        char *const cells[] = {
            g_strdup_printf("%" G_GINT64_FORMAT, r->id),
            archive_time_text(r->started_ns),
            text_with_commas(r->summary.files),
            text_with_commas(r->summary.parsed),
            text_with_commas(r->summary.sections),
            text_with_commas(r->summary.findings[SEVERITY_HIGH]),
            text_with_commas(r->summary.findings[SEVERITY_MEDIUM]),
            text_with_commas(r->summary.findings[SEVERITY_LOW]),
            r->commit ? g_strndup(r->commit, 10) : NULL,
            g_strdup(r->root),
        };
        columns_add(table, cells);
    }
    columns_print(table, width_of(call));
    return true;
}

// "#3 1f2e3d4c5b", the scan and its commit.
static char *scan_text(int64_t id, const char *commit)
{
    return id < 0 ? NULL
                  : g_strdup_printf("#%" G_GINT64_FORMAT "%s%.10s", id, commit ? " " : "",
                                    commit ? commit : "");
}

static bool list_findings(const struct archive_call *call, bool all, GError **error)
{
    static const char *const heads[] = {"severity", "rule",      "since", "fixed in",
                                        "again",    "^function", "~file", NULL};
    g_autoptr(GPtrArray) rows = archive_finding_lives(call->archive, NULL, error);
    if (!rows || !all)
        return rows;
    first_row(rows, all, "findings");
    struct columns *table = columns_new(heads);
    for (guint i = 0; i < rows->len; i++) {
        const struct finding_life *l = rows->pdata[i];
        char *const cells[] = {
            g_strdup(severity_name(l->severity)),
            g_strdup(l->rule),
            l->from_start ? g_strdup("the start") : scan_text(l->first_scan, l->first_commit),
            scan_text(l->fixed_scan, l->fixed_commit),
            l->reappeared ? g_strdup_printf("%u×", l->reappeared) : g_strdup(""),
            g_strdup(l->function),
            g_strdup(l->file),
        };
        columns_add(table, cells);
    }
    columns_print(table, width_of(call));
    return true;
}

static const struct {
    const char *name;
    bool (*list)(const struct archive_call *call, bool all, GError **error);
    bool of_runs; // --where and --since choose among them
} kinds[] = {
    {"sources", list_sources, false},   {"runs", list_runs, true},
    {"profiles", list_profiles, false}, {"scans", list_scans, false},
    {"findings", list_findings, false}, // only when asked for
};

enum status archive_list(const struct archive_call *call, GError **error)
{
    const char *only = call->n_arguments ? call->arguments[0] : call->filtered ? "runs" : NULL;
    bool known = false;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (only && strcmp(only, kinds[i].name) != 0)
            continue;
        if (call->filtered && !kinds[i].of_runs) {
            error_set(error, SPINFAULT_ERROR_USAGE, "--where and --since choose runs, not %s",
                      kinds[i].name);
            return STATUS_TROUBLE;
        }
        known = true;
        if (!kinds[i].list(call, only != NULL, error))
            return STATUS_TROUBLE;
    }
    if (known)
        return STATUS_FINE;
    error_set(error, SPINFAULT_ERROR_USAGE,
              "archive list knows sources, runs, profiles, scans and findings, not \"%s\"", only);
    return STATUS_TROUBLE;
}

enum status archive_check(const struct archive_call *call, GError **error)
{
    struct archive_counts c;
    g_autoptr(GPtrArray) problems = archive_verify(call->archive, error);
    if (!problems)
        return STATUS_TROUBLE;
    for (guint i = 0; i < problems->len; i++)
        printf("%s: %s\n", archive_path(call->archive), (const char *)problems->pdata[i]);
    if (problems->len) {
        error_set(error, SPINFAULT_ERROR_DAMAGED,
                  "%s has %u %s; restore a backup, or save what can be read with \"spinfault "
                  "archive export --salvage\"",
                  archive_path(call->archive), problems->len,
                  problems->len == 1 ? "defect" : "defects");
        return STATUS_TROUBLE;
    }
    if (!archive_count(call->archive, &c, error))
        return STATUS_TROUBLE;
    g_autofree char *sources = counted(c.sources, "sources");
    g_autofree char *runs = counted(c.runs, "runs");
    g_autofree char *samples = counted(c.samples, "samples");
    g_autofree char *scans = counted(c.scans, "scans");
    if (!call->context->quiet)
        printf("%s is sound: %s, %s, %s, %s.\n", archive_path(call->archive), sources, runs,
               samples, scans);
    return STATUS_FINE;
}
