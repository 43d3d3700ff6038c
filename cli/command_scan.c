// scan: lists critical sections and what must not happen in them.
#include <string.h>

#include "command.h"
#include "scan_baseline.h"
#include "scan_output.h"
#include "sink_tee.h"
#include "spinfault/analyzer.h"
#include "terminal.h"

static struct {
    char *build_dir, *format, *fail_on, *baseline, *write_baseline;
    char **models, **assumptions;
    int jobs;
    gboolean list_sections;
} options;

static const GOptionEntry entries[] = {
    {"build-dir", 'p', 0, G_OPTION_ARG_FILENAME, &options.build_dir,
     "where compile_commands.json is; default: looked for", "DIR"},
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
     "text, json, sarif, gcc or github; default: text", "FORMAT"},
    {"list-sections", 0, 0, G_OPTION_ARG_NONE, &options.list_sections,
     "every section and what it touches, not the findings", NULL},
    {"fail-on", 0, 0, G_OPTION_ARG_FILENAME, &options.fail_on,
     "exit 1 at findings this severe: low, medium or high; default: medium", "SEVERITY"},
    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &options.baseline,
     "report only what this file does not list", "FILE"},
    {"write-baseline", 0, 0, G_OPTION_ARG_FILENAME, &options.write_baseline,
     "list the findings in this file, and exit 0", "FILE"},
    {"model", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.models,
     "a model of more locks and functions; may be repeated", "FILE"},
    {"assume", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.assumptions,
     "a variable's value, to size arrays by; may be repeated", "NAME=VALUE"},
    {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.jobs,
     "files parsed at once; default: one a processor", "N"},
    {NULL},
};

struct scan_plan {
    const struct scan_format *format;
    enum severity fail_on;
};

static bool check_options(struct scan_plan *plan, GError **error)
{
    const char *name = options.format ? options.format : "text";
    plan->format = scan_format_find(name);
    if (!plan->format) {
        g_autofree char *names = scan_format_names();
        return error_set(error, SPINFAULT_ERROR_USAGE, "--format cannot be \"%s\"; it is one of %s",
                         name, names);
    }
    if (options.list_sections && strcmp(name, "text") == 0)
        plan->format = &scan_sections_format;
    else if (options.list_sections && strcmp(name, "json") != 0)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--list-sections is a table of text; of the other formats only json lists "
                         "sections, and it always does");
    plan->fail_on = SEVERITY_MEDIUM;
    if (options.fail_on &&
        (!severity_parse(options.fail_on, &plan->fail_on) || plan->fail_on == SEVERITY_NONE))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--fail-on cannot be \"%s\"; it is one of low, medium, high",
                         options.fail_on);
    if (options.baseline && options.write_baseline)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--baseline and --write-baseline cannot be given together");
    for (char **a = options.assumptions; a && *a; a++) {
        const char *equals = strchr(*a, '=');
        if (!equals || equals == *a || !equals[1])
            return error_set(error, SPINFAULT_ERROR_USAGE,
                             "--assume needs NAME=VALUE, as in NBuffers=15728640, not \"%s\"", *a);
    }
    if (options.jobs < 0 || options.jobs > 4096)
        return error_set(error, SPINFAULT_ERROR_USAGE, "--jobs cannot be %d; it is 1 to 4096",
                         options.jobs);
    return true;
}

static void show_progress(void *context, unsigned done, unsigned total, const char *file)
{
    progress_show(context, done, total, "files", file);
}

static void hide_progress(void *context)
{
    progress_hide(context);
}

struct note_context {
    bool quiet;
    struct progress *progress;
};

static void print_note(void *context, const char *text)
{
    const struct note_context *note = context;
    if (note->quiet)
        return;
    progress_hide(note->progress);
    fprintf(stderr, "spinfault: note: %s\n", text);
}

// Runs the analyzer; facts go through the baseline to the output and, when one is named, the
// archive.
static bool scan(struct command_context *context, struct scan_baseline *baseline,
                 struct progress *progress, GError **error)
{
    struct note_context note = {context->quiet, progress};
    struct scan_options scan_options = {
        .paths = context->n_arguments ? context->arguments : NULL,
        .build_dir = options.build_dir,
        .clang_args = context->rest,
        .models = (const char *const *)options.models,
        .assumptions = (const char *const *)options.assumptions,
        .jobs = (unsigned)options.jobs,
        .progress = show_progress,
        .progress_context = progress,
        .note = print_note,
        .note_context = &note,
    };
    struct scan_summary summary;
    if (options.baseline && !scan_baseline_read(baseline, options.baseline, error))
        return false;
    if (options.write_baseline)
        scan_baseline_record(baseline);
    baseline->shows = hide_progress;
    baseline->shows_context = progress;
    if (!scan_run(&scan_options, &baseline->sink, &summary, error))
        return false;
    return !options.write_baseline || scan_baseline_write(baseline, options.write_baseline, error);
}

static enum status judge(const struct scan_summary *summary, enum severity fail_on)
{
    if (options.write_baseline)
        return STATUS_FINE;
    for (int severity = (int)fail_on; severity <= SEVERITY_HIGH; severity++)
        if (summary->findings[severity] > 0)
            return STATUS_FINDINGS;
    return summary->failed || summary->degraded ? STATUS_UNSURE : STATUS_FINE;
}

static void print_end(const struct command_context *context, const struct scan_plan *plan,
                      const struct scan_summary *summary)
{
    if (context->quiet)
        return;
    FILE *out = plan->format->for_people ? stdout : stderr;
    g_autofree char *counts = scan_output_counts(summary, context->verbose);
    fprintf(out, "%s\n", counts);
    if (options.write_baseline)
        fprintf(out, "The findings are listed in %s.\n", options.write_baseline);
    if (context->archive)
        fprintf(out, "Stored in %s.\n", context->archive_path);
}

static enum status run(struct command_context *context, GError **error)
{
    struct scan_plan plan = {0};
    if (!check_options(&plan, error))
        return STATUS_TROUBLE;
    struct scan_output_options output_options = {
        .out = stdout,
        .colour = terminal_colour(stdout),
        .verbose = context->verbose,
        .has_baseline = options.baseline != NULL,
    };
    struct sink_tee tee;
    struct scan_baseline baseline;
    struct progress progress;
    sink_tee_init(&tee);
    if (context->archive_named) {
        struct archive *archive = context_archive(context, ARCHIVE_WRITE, error);
        if (!archive)
            return STATUS_TROUBLE;
        sink_tee_add(&tee, archive_sink(archive));
    }
    struct scan_output *output = scan_output_new(plan.format, &output_options);
    sink_tee_add(&tee, &output->sink);
    scan_baseline_init(&baseline, &tee.sink);
    progress_init(&progress, context->quiet);
    bool ok = scan(context, &baseline, &progress, error);
    progress_clear(&progress);
    scan_output_free(output);
    scan_baseline_clear(&baseline);
    if (!ok)
        return STATUS_TROUBLE;
    print_end(context, &plan, &baseline.summary);
    return judge(&baseline.summary, plan.fail_on);
}

const struct command command_scan = {
    .name = "scan",
    .summary = "Lists critical sections and what must not happen in them",
    .usage = "[PATH…] [-- CLANG_ARGS]",
    .details =
        "A PATH is a C file or a folder; without one, everything the compile database lists is "
        "scanned. What follows -- is given to clang for files that no compile database lists.\n\n"
        "A finding can be accepted in the source, on its line or the one above:\n\n"
        "  /* spinfault: ok(RULE) why */\n\n"
        "The scan is stored when --archive or $SPINFAULT_ARCHIVE names an archive.\n\n"
        "Exit status: 1 when there is a finding at or above --fail-on, else 3 when some file could "
        "not be read in full.",
    .archive = COMMAND_ARCHIVE_WRITE,
    .takes_rest = true,
    .options = entries,
    .run = run,
};
