// Delivery of facts, with the counts.
#include "context.h"

#include "settings.h"

bool ingest_sample(struct ingest *in, const struct sample_fact *sample, GError **error)
{
    in->summary.records++;
    return sink_sample(in->sink, sample, error);
}

bool ingest_side(struct ingest *in, const struct side_fact *side, GError **error)
{
    in->summary.records++;
    in->summary.lost += side->lost;
    return sink_side(in->sink, side, error);
}

bool ingest_metric(struct ingest *in, const struct metric_fact *metric, GError **error)
{
    in->summary.records++;
    return sink_metric(in->sink, metric, error);
}

bool ingest_series(struct ingest *in, const struct series_fact *point, GError **error)
{
    in->summary.records++;
    return sink_series(in->sink, point, error);
}

bool ingest_wait(struct ingest *in, const struct wait_fact *wait, GError **error)
{
    in->summary.records++;
    return sink_wait(in->sink, wait, error);
}

bool ingest_environment(struct ingest *in, const struct environment_fact *fact, GError **error)
{
    in->summary.records++;
    return sink_environment(in->sink, fact, error);
}

bool ingest_run(struct ingest *in, const struct run_fact *run, GError **error)
{
    if (++in->runs > LIMIT_RUNS_PER_FILE)
        return error_set(error, SPINFAULT_ERROR_LIMIT,
                         "%s holds more than %u runs (LIMIT_RUNS_PER_FILE); split it", in->name,
                         LIMIT_RUNS_PER_FILE);
    struct run_fact merged = *run;
    g_autoptr(GPtrArray) all = settings_merge(run->settings, run->n_settings, in->settings);
    g_autofree struct setting *flat = settings_flat(all);
    merged.settings = flat;
    merged.n_settings = all->len;
    in->summary.records++;
    return sink_run(in->sink, &merged, error);
}

bool ingest_skip(struct ingest *in, uint64_t line, const char *why, struct slice text,
                 GError **error)
{
    if (in->summary.skipped++ >= LIMIT_SKIPPED_SHOWN)
        return true;
    if (text.len > 120)
        text.len = 120;
    g_autofree char *shown = text_printable(text);
    struct skipped_fact fact = {.line = line, .why = why, .text = shown};
    return sink_skipped(in->sink, &fact, error);
}

G_GNUC_PRINTF(5, 0)
static bool set_at(struct ingest *in, uint64_t line, enum spinfault_error code, GError **error,
                   const char *format, va_list args)
{
    g_autofree char *message = g_strdup_vprintf(format, args);
    if (line == 0)
        return error_set(error, code, "%s: %s", in->name, message);
    return error_set(error, code, "%s:%" G_GUINT64_FORMAT ": %s", in->name, line, message);
}

bool ingest_damaged(struct ingest *in, uint64_t line, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_at(in, line, SPINFAULT_ERROR_DAMAGED, error, format, args);
    va_end(args);
    return false;
}

bool ingest_ambiguous(struct ingest *in, uint64_t line, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_at(in, line, SPINFAULT_ERROR_AMBIGUOUS, error, format, args);
    va_end(args);
    return false;
}
