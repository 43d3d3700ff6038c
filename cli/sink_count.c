// A sink that counts the facts of a source and hands them on.
#include "sink_count.h"

#include <math.h>
#include <string.h>

static bool source_begin(void *context, const struct source_fact *fact, GError **error)
{
    struct sink_count *count = context;
    return sink_source_begin(count->next, fact, error);
}

static bool sample(void *context, const struct sample_fact *fact, GError **error)
{
    struct sink_count *count = context;
    count->samples++;
    count->weight += fact->weight;
    return sink_sample(count->next, fact, error);
}

#define COUNT(name, type, field)                                                                   \
    static bool name(void *context, const struct type *fact, GError **error)                       \
    {                                                                                              \
        struct sink_count *count = context;                                                        \
        count->field++;                                                                            \
        return sink_##name(count->next, fact, error);                                              \
    }
COUNT(side, side_fact, sides)
COUNT(series, series_fact, points)
COUNT(wait, wait_fact, waits)
COUNT(environment, environment_fact, environment)

static bool run(void *context, const struct run_fact *fact, GError **error)
{
    struct sink_count *count = context;
    count->runs++;
    count->aborted += fact->status == RUN_ABORTED;
    return sink_run(count->next, fact, error);
}

static bool metric(void *context, const struct metric_fact *fact, GError **error)
{
    struct sink_count *count = context;
    count->metrics++;
    if (strcmp(fact->name, "tps") == 0)
        count->tps = count->runs == 1 ? fact->value : NAN;
    return sink_metric(count->next, fact, error);
}

static bool skipped(void *context, const struct skipped_fact *fact, GError **error)
{
    struct sink_count *count = context;
    if (count->skipped)
        count->skipped(count->skipped_context, fact);
    return sink_skipped(count->next, fact, error);
}

static bool source_end(void *context, const struct source_summary *summary, bool ok, GError **error)
{
    struct sink_count *count = context;
    return sink_source_end(count->next, summary, ok, error);
}

void sink_count_init(struct sink_count *count, const struct fact_sink *next)
{
    *count = (struct sink_count){
        .sink = {.context = count,
                 .source_begin = source_begin,
                 .sample = sample,
                 .side = side,
                 .run = run,
                 .metric = metric,
                 .series = series,
                 .wait = wait,
                 .environment = environment,
                 .skipped = skipped,
                 .source_end = source_end},
        .next = next,
        .tps = NAN,
    };
}

static void append(GString *text, uint64_t n, const char *one, const char *many)
{
    if (n == 0)
        return;
    g_autofree char *number = text_with_commas(n);
    g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", number, n == 1 ? one : many);
}

char *sink_count_text(const struct sink_count *count)
{
    GString *text = g_string_new(NULL);
    append(text, count->samples, "sample", "samples");
    if (count->samples) {
        g_autofree char *weight = text_with_commas(count->weight);
        g_string_append_printf(text, ", weight %s", weight);
    }
    append(text, count->sides, "other record", "other records");
    append(text, count->runs, "run", "runs");
    if (count->aborted) {
        g_autofree char *aborted = text_with_commas(count->aborted);
        g_string_append_printf(text, " (%s aborted)", aborted);
    }
    append(text, count->metrics, "value", "values");
    append(text, count->points, "point in time", "points in time");
    append(text, count->waits, "wait event", "wait events");
    append(text, count->environment, "setting", "settings");
    if (count->runs == 1 && !isnan(count->tps)) {
        g_autofree char *tps = text_double(count->tps);
        g_string_append_printf(text, ", tps %s", tps);
    }
    if (text->len == 0)
        g_string_append(text, "nothing");
    return g_string_free(text, FALSE);
}
