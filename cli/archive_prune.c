// archive prune: says what would go, and with --yes deletes it after a backup.
#include <stdio.h>
#include <string.h>

#include "archive_actions.h"

struct doomed {
    GArray *sources, *scans; // int64_t
};

static bool read_ids(const struct archive_call *call, GArray *ids, GError **error)
{
    for (unsigned i = 1; i < call->n_arguments; i++) {
        int64_t id;
        if (!slice_to_i64(slice_from(call->arguments[i]), &id))
            return error_set(error, SPINFAULT_ERROR_USAGE,
                             "\"%s\" is no ID; \"spinfault archive list\" shows them",
                             call->arguments[i]);
        g_array_append_val(ids, id);
    }
    return ids->len || error_set(error, SPINFAULT_ERROR_USAGE, "archive prune %s needs an ID",
                                 call->arguments[0]);
}

// Sources of which every run is among the chosen ones: a source is kept whole or not at all.
static bool choose_by_runs(const struct archive_call *call, GArray *sources, GError **error)
{
    if (!call->filtered)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "archive prune runs needs --where or --since, which choose the runs");
    g_autoptr(GPtrArray) runs = archive_runs(call->archive, &call->filter, error);
    g_autoptr(GPtrArray) rows = runs ? archive_sources(call->archive, error) : NULL;
    if (!rows)
        return false;
    for (guint i = 0; i < rows->len; i++) {
        const struct source_row *source = rows->pdata[i];
        uint64_t chosen = 0;
        for (guint k = 0; k < runs->len; k++)
            chosen += ((struct run_row *)runs->pdata[k])->source_id == source->id;
        if (chosen && chosen == source->runs)
            g_array_append_val(sources, source->id);
        else if (chosen)
            printf("source %" G_GINT64_FORMAT " (%s) stays: only %" G_GUINT64_FORMAT
                   " of its %" G_GUINT64_FORMAT " runs are meant\n",
                   source->id, source->path, chosen, source->runs);
    }
    return true;
}

static bool choose(const struct archive_call *call, struct doomed *d, GError **error)
{
    const char *kind = call->arguments[0];
    if (strcmp(kind, "runs") == 0)
        return choose_by_runs(call, d->sources, error);
    if (call->filtered)
        return error_set(error, SPINFAULT_ERROR_USAGE, "--where and --since choose runs, not a %s",
                         kind);
    if (strcmp(kind, "source") == 0)
        return read_ids(call, d->sources, error);
    if (strcmp(kind, "scan") == 0)
        return read_ids(call, d->scans, error);
    return error_set(error, SPINFAULT_ERROR_USAGE,
                     "archive prune knows source, scan and runs, not \"%s\"", kind);
}

static bool has(const GArray *ids, int64_t id)
{
    for (guint i = 0; i < ids->len; i++)
        if (g_array_index(ids, int64_t, i) == id)
            return true;
    return false;
}

// One line for each, so that nobody deletes a number.
static bool print_doomed(const struct archive_call *call, const struct doomed *d, GError **error)
{
    g_autoptr(GPtrArray) sources = archive_sources(call->archive, error);
    g_autoptr(GPtrArray) scans = sources ? archive_scans(call->archive, error) : NULL;
    if (!scans)
        return false;
    for (guint i = 0; i < sources->len; i++) {
        const struct source_row *r = sources->pdata[i];
        if (has(d->sources, r->id))
            printf("source %" G_GINT64_FORMAT " goes: %s (%s), %" G_GUINT64_FORMAT
                   " runs, %" G_GUINT64_FORMAT " samples\n",
                   r->id, r->path, r->format, r->runs, r->samples);
    }
    for (guint i = 0; i < scans->len; i++) {
        const struct scan_row *r = scans->pdata[i];
        g_autofree char *started = archive_time_text(r->started_ns);
        if (has(d->scans, r->id))
            printf("scan %" G_GINT64_FORMAT " goes: %s of %s, %u sections\n", r->id, r->root,
                   started, r->summary.sections);
    }
    return true;
}

static char *backup_name(const struct archive_call *call)
{
    if (call->backup)
        return g_strdup(call->backup);
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *stamp = g_date_time_format(now, "%Y%m%dT%H%M%SZ");
    char *name = g_strdup_printf("%s.before-%s", archive_path(call->archive), stamp);
    for (int i = 2; g_file_test(name, G_FILE_TEST_EXISTS); i++) {
        g_free(name);
        name = g_strdup_printf("%s.before-%s-%d", archive_path(call->archive), stamp, i);
    }
    return name;
}

static bool prune(const struct archive_call *call, const struct doomed *d, GError **error)
{
    g_autofree char *backup = backup_name(call);
    if (!print_doomed(call, d, error))
        return false;
    if (d->sources->len + d->scans->len == 0) {
        printf("Nothing to delete.\n");
        return true;
    }
    if (!call->yes) {
        printf("Nothing was deleted; --yes does it, after a backup to %s.\n", backup);
        return true;
    }
    if (!archive_prune(call->archive, (const void *)d->sources->data, d->sources->len,
                       (const void *)d->scans->data, d->scans->len, backup, error))
        return false;
    printf("Deleted. As it was: %s; \"spinfault archive import %s\" brings it back.\n", backup,
           backup);
    return true;
}

enum status archive_throw_out(const struct archive_call *call, GError **error)
{
    struct doomed d = {g_array_new(false, false, sizeof(int64_t)),
                       g_array_new(false, false, sizeof(int64_t))};
    bool ok = choose(call, &d, error) && prune(call, &d, error);
    g_array_free(d.sources, true);
    g_array_free(d.scans, true);
    return ok ? STATUS_FINE : STATUS_TROUBLE;
}
