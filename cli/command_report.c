// report: the archive as a page people read.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "conditions.h"
#include "spinfault/report.h"

static struct {
    char *output, *format, *baseline, *template_dir, *title, *chart, *since, *threshold, *metric,
        *profiles, *thread, *between;
    char **where;
} options;

static const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
     "where to, - for standard output; default: report.html", "FILE"},
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
     "html, markdown, json, csv, svg, png or pdf; default: html", "FORMAT"},
    {"chart", 0, 0, G_OPTION_ARG_FILENAME, &options.chart,
     "which chart svg and png draw; default: the first", "NAME"},
    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &options.baseline,
     "the cell that ratios are against, as in preempt=none,page=4K", "EXPR"},
    {"metric", 0, 0, G_OPTION_ARG_FILENAME, &options.metric,
     "what the grid shows; default: tps, else what most runs have", "NAME"},
    {"profiles", 0, 0, G_OPTION_ARG_FILENAME, &options.profiles,
     "IDs of two profiles whose difference is drawn, as in 1,3", "BASE,NEW"},
    {"thread", 0, 0, G_OPTION_ARG_FILENAME, &options.thread, "flame graphs of one thread only",
     "TID"},
    {"between", 0, 0, G_OPTION_ARG_FILENAME, &options.between,
     "flame graphs of a part of the time, in seconds from the first sample, as in 2.5,4",
     "FROM,TO"},
    {"threshold", 0, 0, G_OPTION_ARG_FILENAME, &options.threshold,
     "smaller differences do not matter; default: 5", "PERCENT"},
    {"where", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.where,
     "only runs with this setting; may be repeated, and all must hold", "KEY=VALUE"},
    {"since", 0, 0, G_OPTION_ARG_FILENAME, &options.since,
     "only runs from this time on, as in 2026-04-01", "TIME"},
    {"title", 0, 0, G_OPTION_ARG_FILENAME, &options.title, "title of the page", "TEXT"},
    {"template-dir", 0, 0, G_OPTION_ARG_FILENAME, &options.template_dir,
     "stylesheets that replace the built-in ones", "DIR"},
    {NULL},
};

struct report_place {
    const char *format, *default_output;
};

// Documents that other programs read go to standard output by default, pictures and pages to a
// file.
static const struct report_place places[] = {
    {"html", "report.html"}, {"markdown", "-"},     {"json", "-"},         {"csv", "-"},
    {"svg", "report.svg"},   {"png", "report.png"}, {"pdf", "report.pdf"},
};

static const char *default_output(const char *format)
{
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
        if (strcmp(places[i].format, format) == 0)
            return places[i].default_output;
    return "-"; // report_write() says that there is no such format
}

static void print_end(const struct command_context *context, const char *output,
                      const struct report_verdict *verdict)
{
    if (context->quiet)
        return;
    bool to_stdout = strcmp(output, "-") == 0;
    FILE *out = to_stdout ? stderr : stdout;
    if (!to_stdout)
        fprintf(out, "Written to %s.\n", output);
    fprintf(out,
            "Cells of the grid: %u slower, %u faster, %u the same, %u unsure, %u missing. "
            "Findings of high severity: %u.\n",
            verdict->slower, verdict->faster, verdict->same, verdict->unsure, verdict->missing,
            verdict->findings_high);
    fprintf(out, "%s\n", verdict->heading);
}

// Who asks for a baseline or a threshold wants a verdict: none at all is unsure.
static enum status status_of(const struct report_verdict *verdict)
{
    bool judged = verdict->slower || verdict->faster || verdict->same;
    if (verdict->slower)
        return STATUS_FINDINGS;
    if (verdict->unsure || (!judged && (options.baseline || options.threshold)))
        return STATUS_UNSURE;
    return STATUS_FINE;
}

// --thread and --between.
static bool read_part(struct report_options *report, GError **error)
{
    g_auto(GStrv) times = g_strsplit(options.between ? options.between : "", ",", -1);
    if (options.thread && !slice_to_i64(slice_from(options.thread), &report->thread))
        return error_set(error, SPINFAULT_ERROR_USAGE, "--thread needs a thread's ID, not \"%s\"",
                         options.thread);
    if (options.between &&
        (g_strv_length(times) != 2 || !slice_to_double(slice_from(times[0]), &report->from_s) ||
         !slice_to_double(slice_from(times[1]), &report->to_s) || report->from_s < 0 ||
         report->to_s <= report->from_s || report->to_s > 1e9))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--between needs two times in seconds, as in 2.5,4, not \"%s\"",
                         options.between);
    return true;
}

static enum status run(struct command_context *context, GError **error)
{
    struct run_filter filter;
    if (context->n_arguments > 0) {
        error_set(error, SPINFAULT_ERROR_USAGE,
                  "report takes no arguments, but got \"%s\"; --archive names the archive and -o "
                  "the page",
                  context->arguments[0]);
        return STATUS_TROUBLE;
    }
    double threshold;
    if (!conditions_filter(&filter, options.where, options.since, error) ||
        !conditions_threshold(options.threshold, &threshold, error))
        return STATUS_TROUBLE;
    struct archive *archive = context_archive(context, ARCHIVE_READ, error);
    if (!archive)
        return STATUS_TROUBLE;
    const char *format = options.format ? options.format : "html";
    struct report_options report = {
        .format = format,
        .output = options.output ? options.output : default_output(format),
        .baseline = options.baseline,
        .template_dir = options.template_dir,
        .title = options.title,
        .chart = options.chart,
        .metric = options.metric,
        .profiles = options.profiles,
        .threshold = threshold,
        .filter = &filter,
    };
    struct report_verdict verdict = {0};
    if (!read_part(&report, error) || !report_write(archive, &report, &verdict, error))
        return STATUS_TROUBLE;
    print_end(context, report.output, &verdict);
    enum status status = status_of(&verdict);
    report_verdict_clear(&verdict);
    return status;
}

const struct command command_report = {
    .name = "report",
    .summary = "Writes the archive as a page people read",
    .usage = "",
    .details = "The page is one file that loads nothing from elsewhere. The last line printed is "
               "its heading.\n\n"
               "Exit status: 1 when a cell of the grid is slower than its baseline, else 3 when "
               "some comparison is unsure, or with --baseline or --threshold when there is none.",
    .archive = COMMAND_ARCHIVE_READ,
    .options = entries,
    .run = run,
};
