// history: series of runs, and where their level changes.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "conditions.h"
#include "history_output.h"
#include "spinfault/base.h"

static struct {
    char **where;
    char *since, *format, *method, *seed, *values, *better;
} options;

static const GOptionEntry entries[] = {
    {"where", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.where,
     "only runs of which this holds; may be repeated", "KEY=VALUE"},
    {"since", 0, 0, G_OPTION_ARG_FILENAME, &options.since,
     "only runs that started then or later, as in 2026-04-01", "TIME"},
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
     "text, json, svg or csv; default: text", "FORMAT"},
    {"method", 0, 0, G_OPTION_ARG_FILENAME, &options.method,
     "e-divisive, or otava for what Apache Otava would say; default: e-divisive", "NAME"},
    {"seed", 0, 0, G_OPTION_ARG_FILENAME, &options.seed, "of the permutation test; default: 1",
     "NUMBER"},
    {"values", 0, 0, G_OPTION_ARG_FILENAME, &options.values,
     "a file of numbers, one a line, in place of the archive", "FILE"},
    {"better", 0, 0, G_OPTION_ARG_FILENAME, &options.better,
     "--values: higher or lower numbers are better; default: higher", "WHICH"},
    {NULL},
};

static const struct {
    const char *name;
    bool (*print)(const struct history_result *result, GError **error);
} formats[] = {
    {"text", history_print_text},
    {"json", history_print_json},
    {"svg", history_print_svg},
    {"csv", history_print_csv},
};

static bool check_options(struct history_options *history, GError **error)
{
    const char *method = options.method ? options.method : "e-divisive";
    bool known = !options.format;
    for (size_t i = 0; i < G_N_ELEMENTS(formats) && !known; i++)
        known = strcmp(formats[i].name, options.format) == 0;
    history->method = strcmp(method, "otava") == 0 ? HISTORY_OTAVA : HISTORY_ENERGY;
    history->seed = HISTORY_SEED;
    if (!known)
        return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                         "history has no format \"%s\"; there are text, json, svg and csv",
                         options.format);
    if (history->method == HISTORY_ENERGY && strcmp(method, "e-divisive") != 0)
        return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                         "there is no method \"%s\"; there are e-divisive and otava", method);
    if (options.seed && !slice_to_u64(slice_from(options.seed), &history->seed))
        return error_set(error, SPINFAULT_ERROR_USAGE, "--seed needs a whole number, not \"%s\"",
                         options.seed);
    if (options.better && strcmp(options.better, "higher") != 0 &&
        strcmp(options.better, "lower") != 0)
        return error_set(error, SPINFAULT_ERROR_USAGE, "--better is higher or lower, not \"%s\"",
                         options.better);
    return true;
}

static bool check_source(const struct command_context *context, GError **error)
{
    if (options.values && (options.where || options.since || context->n_arguments))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--values takes one file as it is, without METRIC, --where and --since");
    if (options.better && !options.values)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--better is for --values; of runs in the archive it is known");
    return true;
}

static struct history_result *read_archive(struct command_context *context,
                                           struct history_options *history,
                                           struct run_filter *filter, GError **error)
{
    if (!conditions_filter(filter, options.where, options.since, error))
        return NULL;
    struct archive *archive = context_archive(context, ARCHIVE_READ, error);
    history->filter = filter;
    history->metrics = context->n_arguments ? context->arguments : NULL;
    return archive ? history_runs(archive, history, error) : NULL;
}

static enum status run(struct command_context *context, GError **error)
{
    struct history_options history = {0};
    struct run_filter filter;
    const char *format = options.format ? options.format : "text";
    enum status status = STATUS_TROUBLE;
    if (!check_options(&history, error) || !check_source(context, error))
        return STATUS_TROUBLE;
    struct history_result *result =
        options.values
            ? history_file(options.values, g_strcmp0(options.better, "lower") == 0, &history, error)
            : read_archive(context, &history, &filter, error);
    if (!result)
        return STATUS_TROUBLE;
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (strcmp(formats[i].name, format) == 0 && formats[i].print(result, error)) {
            const char *gate = history_gate(result);
            status = strcmp(gate, "fail") == 0   ? STATUS_FINDINGS
                     : strcmp(gate, "pass") == 0 ? STATUS_FINE
                                                 : STATUS_UNSURE;
        }
    history_free(result);
    return status;
}

const struct command command_history = {
    .name = "history",
    .summary = "Shows runs in time, and where their level changes",
    .usage = "[METRIC…]",
    .details =
        "Runs that have everything in common but kernel, commit and version are one series, for "
        "each METRIC; without one it is tps, else what most runs have, and \"all\" is every one. "
        "They stand in the order of their starting times, else of ingest.\n\n"
        "Changes are found by E-divisive with a permutation test (docs/statistics.md). A series "
        "needs ten runs. A change with fewer than five runs after it is provisional.\n\n"
        "Exit status: 1 when the newest level of a series is slower than the one before, 3 when "
        "that is provisional or no series is long enough.",
    .archive = COMMAND_ARCHIVE_READ,
    .options = entries,
    .run = run,
};
