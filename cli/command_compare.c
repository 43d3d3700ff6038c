// compare: two sets of runs, or two files of numbers, and a verdict on each cell.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "compare_output.h"
#include "conditions.h"
#include "spinfault/base.h"

static struct {
    char **base, **fresh, **where, **metrics;
    char *since, *format, *threshold, *better;
    gboolean values, paired;
} options;

static const GOptionEntry entries[] = {
    {"base", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.base,
     "runs that are the base: KEY=VALUE, with commas between several; may be repeated", "EXPR"},
    {"new", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.fresh, "runs that are compared with it",
     "EXPR"},
    {"where", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.where,
     "only runs of which this holds, on both sides; may be repeated", "KEY=VALUE"},
    {"since", 0, 0, G_OPTION_ARG_FILENAME, &options.since,
     "only runs that started then or later, as in 2026-04-01", "TIME"},
    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.metrics,
     "what is compared; \"all\" is every one; may be repeated; default: tps, else what most runs "
     "have",
     "NAME"},
    {"threshold", 0, 0, G_OPTION_ARG_FILENAME, &options.threshold,
     "smaller differences do not matter; default: 5", "PERCENT"},
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
     "text, json, markdown or csv; default: text", "FORMAT"},
    {"values", 0, 0, G_OPTION_ARG_NONE, &options.values,
     "BASE and NEW are files of numbers, one a line", NULL},
    {"paired", 0, 0, G_OPTION_ARG_NONE, &options.paired,
     "--values: the lines of both files belong together, one by one", NULL},
    {"better", 0, 0, G_OPTION_ARG_FILENAME, &options.better,
     "--values: higher or lower numbers are better; default: higher", "WHICH"},
    {NULL},
};

static const struct {
    const char *name;
    bool (*print)(const struct compare_view *view, GError **error);
} formats[] = {
    {"text", compare_print_text},
    {"json", compare_print_json},
    {"markdown", compare_print_markdown},
    {"csv", compare_print_csv},
};

static bool check_format(GError **error)
{
    for (size_t i = 0; options.format && i < G_N_ELEMENTS(formats); i++)
        if (strcmp(formats[i].name, options.format) == 0)
            return true;
    if (!options.format)
        return true;
    return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                     "compare has no format \"%s\"; there are text, json, markdown and csv",
                     options.format);
}

// A side is what its option says, or an argument: a run's ID, or conditions.
static char **side_of(const struct command_context *context, char **option, unsigned argument,
                      GError **error)
{
    int64_t id;
    if (option)
        return conditions_split((const char *const *)option, error);
    const char *text = context->arguments[argument];
    if (slice_to_i64(slice_from(text), &id)) {
        g_autofree char *run = g_strdup_printf("run=%s", text);
        return conditions_split((const char *const[]){run, NULL}, error);
    }
    return conditions_split((const char *const[]){text, NULL}, error);
}

static bool check_arguments(const struct command_context *context, GError **error)
{
    unsigned needed = options.values ? 2 : 2 - (options.base != NULL) - (options.fresh != NULL);
    if (options.values &&
        (options.base || options.fresh || options.where || options.since || options.metrics))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--values compares two files as they are, without --base, --new, --where, "
                         "--since and --metric");
    if (!options.values && (options.paired || options.better))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--paired and --better are for --values; of runs in the archive both are "
                         "known");
    if (options.better && strcmp(options.better, "higher") != 0 &&
        strcmp(options.better, "lower") != 0)
        return error_set(error, SPINFAULT_ERROR_USAGE, "--better is higher or lower, not \"%s\"",
                         options.better);
    if (context->n_arguments == needed)
        return true;
    if (options.values)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--values needs two files of numbers, but got %u", context->n_arguments);
    return error_set(error, SPINFAULT_ERROR_USAGE,
                     "compare needs a base and a new side, as in \"spinfault compare preempt=none "
                     "preempt=lazy\" or with two run IDs");
}

static struct compare_result *compare_two_files(const struct command_context *context,
                                                double threshold, GError **error)
{
    const struct compare_values values = {
        .base = context->arguments[0],
        .fresh = context->arguments[1],
        .paired = options.paired,
        .lower_is_better = g_strcmp0(options.better, "lower") == 0,
        .threshold = threshold,
    };
    if (strcmp(values.base, "-") != 0 || strcmp(values.fresh, "-") != 0)
        return compare_files(&values, error);
    error_set(error, SPINFAULT_ERROR_USAGE, "only one of the files can be standard input");
    return NULL;
}

static struct compare_result *compare_two_sides(struct command_context *context, char **base,
                                                char **fresh, double threshold, GError **error)
{
    struct run_filter filter;
    if (!conditions_filter(&filter, options.where, options.since, error))
        return NULL;
    struct archive *archive = context_archive(context, ARCHIVE_READ, error);
    const struct compare_options asked = {
        .base = (const char *const *)base,
        .fresh = (const char *const *)fresh,
        .where = filter.where,
        .since_ns = filter.since_ns,
        .metrics = (const char *const *)options.metrics,
        .threshold = threshold,
    };
    return archive ? compare_runs(archive, &asked, error) : NULL;
}

static enum status print(const struct command_context *context, const struct compare_result *result,
                         const char *base, const char *fresh, GError **error)
{
    const struct compare_view view = {result, base, fresh, context->quiet, context->verbose};
    const char *gate = compare_gate(result), *format = options.format ? options.format : "text";
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (strcmp(formats[i].name, format) == 0 && !formats[i].print(&view, error))
            return STATUS_TROUBLE;
    if (strcmp(gate, "fail") == 0)
        return STATUS_FINDINGS;
    return strcmp(gate, "pass") == 0 ? STATUS_FINE : STATUS_UNSURE;
}

static enum status run(struct command_context *context, GError **error)
{
    double threshold;
    if (!check_format(error) || !check_arguments(context, error) ||
        !conditions_threshold(options.threshold, &threshold, error))
        return STATUS_TROUBLE;
    g_auto(GStrv) base = NULL;
    g_auto(GStrv) fresh = NULL;
    struct compare_result *result = NULL;
    if (options.values) {
        result = compare_two_files(context, threshold, error);
    } else if ((base = side_of(context, options.base, 0, error)) &&
               (fresh = side_of(context, options.fresh, options.base ? 0 : 1, error))) {
        result = compare_two_sides(context, base, fresh, threshold, error);
    }
    if (!result)
        return STATUS_TROUBLE;
    g_autofree char *one = base ? g_strjoinv(",", base) : g_strdup(context->arguments[0]);
    g_autofree char *two = fresh ? g_strjoinv(",", fresh) : g_strdup(context->arguments[1]);
    enum status status = print(context, result, one, two, error);
    compare_free(result);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "Says whether two sets of runs differ, and how sure that is",
    .usage = "BASE NEW",
    .details =
        "BASE and NEW are conditions that runs of each side meet, as in \"preempt=none\" and "
        "\"preempt=lazy,page=4K\", or the IDs of two runs. What no condition names has to be "
        "equal: "
        "page size by page size, machine by machine. What differs between the sides throughout is "
        "said.\n\n"
        "Each cell gets the ratio new ÷ base with its interval, p adjusted over all cells, and one "
        "of four verdicts: slower, faster, no difference, unsure. docs/statistics.md tells how.\n\n"
        "With --values, BASE and NEW are two files of numbers, one a line.\n\n"
        "Exit status: 1 when a cell is slower, else 3 when one is unsure or missing.",
    .archive = COMMAND_ARCHIVE_READ,
    .options = entries,
    .run = run,
};
