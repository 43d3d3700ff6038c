// scan: lists critical sections and what must not happen in them.
#include <string.h>
#include <unistd.h>

#include "columns.h"
#include "command.h"
#include "hush.h"
#include "scan_baseline.h"
#include "scan_config.h"
#include "scan_filter.h"
#include "scan_keep.h"
#include "scan_output.h"
#include "sink_tee.h"
#include "spinfault/analyzer.h"
#include "terminal.h"

static struct {
    struct scan_settings said;
    char *config, *format, *write_baseline;
    int jobs;
    gboolean no_config, list_sections, no_cache;
} options;

static const GOptionEntry entries[] = {
    {"build-dir", 'p', 0, G_OPTION_ARG_FILENAME, &options.said.build_dir,
     "where compile_commands.json is; default: looked for", "DIR"},
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
     "text, json, sarif, gcc or github; default: text", "FORMAT"},
    {"list-sections", 0, 0, G_OPTION_ARG_NONE, &options.list_sections,
     "every section and what it touches, not the findings", NULL},
    {"fail-on", 0, 0, G_OPTION_ARG_FILENAME, &options.said.fail_on,
     "exit 1 at findings this severe: low, medium or high; default: medium", "SEVERITY"},
    {"min-severity", 0, 0, G_OPTION_ARG_FILENAME, &options.said.min_severity,
     "leave out findings less severe: low, medium or high; default: low", "SEVERITY"},
    {"min-confidence", 0, 0, G_OPTION_ARG_FILENAME, &options.said.min_confidence,
     "leave out findings less certain: low, medium or high; default: low", "CONFIDENCE"},
    {"disable", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.said.disabled,
     "leave out the findings of this rule; may be repeated", "RULE"},
    {"ignore", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.said.ignored,
     "leave out files and folders of this name, or with / at this path; * and ? match anything; "
     "may be repeated",
     "GLOB"},
    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &options.said.baseline,
     "report only what this file does not list", "FILE"},
    {"write-baseline", 0, 0, G_OPTION_ARG_FILENAME, &options.write_baseline,
     "list the findings in this file, and exit 0", "FILE"},
    {"model", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.said.models,
     "a model of more locks and functions; may be repeated", "FILE"},
    {"assume", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.said.assumptions,
     "a variable's value, to size arrays by; may be repeated", "NAME=VALUE"},
    {"config", 0, 0, G_OPTION_ARG_FILENAME, &options.config,
     "settings of the tree; default: .spinfault.ini in the first PATH's folder or above", "FILE"},
    {"no-config", 0, 0, G_OPTION_ARG_NONE, &options.no_config, "read no .spinfault.ini", NULL},
    {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.jobs,
     "files parsed at once; default: one a processor", "N"},
    {"no-cache", 0, 0, G_OPTION_ARG_NONE, &options.no_cache,
     "parse everything again, whatever the archive kept of earlier scans", NULL},
    {NULL},
};

struct scan_plan {
    const struct scan_format *format;
    struct scan_settings settings; // of the command line and the configuration
    struct scan_thresholds thresholds;
    char *config; // the file read, or NULL
};

static bool choose_format(struct scan_plan *plan, GError **error)
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
    return true;
}

static bool check_options(struct scan_plan *plan, GError **error)
{
    if (options.said.baseline && options.write_baseline)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--baseline and --write-baseline cannot be given together");
    if (options.config && options.no_config)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--config and --no-config cannot be given together");
    if (options.jobs < 0 || options.jobs > 4096)
        return error_set(error, SPINFAULT_ERROR_USAGE, "--jobs cannot be %d; it is 1 to 4096",
                         options.jobs);
    return choose_format(plan, error);
}

// What --ignore says is relative to where it is said.
static void place_ignored(struct scan_settings *settings)
{
    g_autoptr(GStrvBuilder) patterns = g_strv_builder_new();
    g_autofree char *here = g_get_current_dir();
    for (char **glob = settings->ignored; glob && *glob; glob++)
        scan_ignore_add(patterns, here, *glob);
    g_strfreev(settings->ignored);
    settings->ignored = g_strv_builder_end(patterns);
}

// Joins the command line and the configuration. What the command line says is taken over.
static bool settle(const struct command_context *context, struct scan_plan *plan, GError **error)
{
    struct scan_settings file = {0};
    plan->settings = options.said;
    options.said = (struct scan_settings){0};
    place_ignored(&plan->settings);
    // Errors of the command line first, for what it says wins.
    if (!scan_settings_check(&plan->settings, &plan->thresholds, error))
        return false;
    if (!options.no_config)
        plan->config = options.config
                           ? g_strdup(options.config)
                           : scan_config_find(context->n_arguments ? context->arguments[0] : ".");
    if (!plan->config)
        return true;
    bool ok = scan_config_read(plan->config, &file, error);
    if (ok && options.write_baseline)
        g_clear_pointer(&file.baseline, g_free);
    if (ok)
        scan_settings_add(&plan->settings, &file);
    scan_settings_clear(&file);
    return ok && scan_settings_check(&plan->settings, &plan->thresholds, error);
}

static void plan_clear(struct scan_plan *plan)
{
    scan_settings_clear(&plan->settings);
    g_free(plan->config);
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

// Runs the analyzer; facts go through the filter and the baseline to the output and, when one is
// named, the archive.
static bool scan(struct command_context *context, const struct scan_plan *plan,
                 const struct fact_sink *sink, struct progress *progress, GError **error)
{
    const struct scan_settings *settings = &plan->settings;
    struct note_context note = {context->quiet, progress};
    struct scan_options scan_options = {
        .paths = context->n_arguments ? context->arguments : NULL,
        .build_dir = settings->build_dir,
        .clang_args = context->rest,
        .extra_args = (const char *const *)settings->clang_args,
        .models = (const char *const *)settings->models,
        .assumptions = (const char *const *)settings->assumptions,
        .ignored = (const char *const *)settings->ignored,
        .jobs = (unsigned)options.jobs,
        .progress = show_progress,
        .progress_context = progress,
        .note = print_note,
        .note_context = &note,
    };
    struct scan_keep keep;
    scan_keep_init(&keep, context->archive, print_note, &note);
    if (context->archive && !options.no_cache)
        scan_options.cache = &keep.cache;
    struct scan_summary summary;
    if (plan->config) {
        g_autofree char *text = g_strdup_printf("using the settings of %s", plan->config);
        print_note(&note, text);
    }
    return scan_run(&scan_options, sink, &summary, error);
}

static void print_end(const struct command_context *context, const struct scan_plan *plan,
                      const struct scan_summary *summary, unsigned dropped)
{
    if (context->quiet)
        return;
    FILE *out = plan->format->for_people ? stdout : stderr;
    g_autofree char *counts = scan_output_counts(summary, context->verbose);
    fprintf(out, "%s\n", counts);
    if (dropped)
        fprintf(out, "%u %s left out: below a threshold, or of a disabled rule.\n", dropped,
                dropped == 1 ? "finding" : "findings");
    if (options.write_baseline)
        fprintf(out, "The findings are listed in %s.\n", options.write_baseline);
    if (context->archive)
        fprintf(out, "Stored in %s.\n", context->archive_path);
}

// Reads and writes the baseline around the scan.
static bool scan_with_baseline(struct command_context *context, const struct scan_plan *plan,
                               struct scan_baseline *baseline, const struct fact_sink *sink,
                               GError **error)
{
    struct progress progress;
    const char *known = plan->settings.baseline;
    if (known && !scan_baseline_read(baseline, known, error))
        return false;
    if (options.write_baseline)
        scan_baseline_record(baseline);
    progress_init(&progress, context->quiet);
    baseline->shows = hide_progress;
    baseline->shows_context = &progress;
    bool ok = scan(context, plan, sink, &progress, error);
    progress_clear(&progress);
    return ok && (!options.write_baseline ||
                  scan_baseline_write(baseline, options.write_baseline, error));
}

static bool open_archive(struct command_context *context, struct sink_tee *tee, GError **error)
{
    if (!context->archive_named)
        return true;
    struct archive *archive = context_archive(context, ARCHIVE_WRITE, error);
    if (archive)
        sink_tee_add(tee, archive_sink(archive));
    return archive != NULL;
}

static enum status work(struct command_context *context, const struct scan_plan *plan,
                        GError **error)
{
    struct scan_output_options output_options = {
        .out = stdout,
        .colour = terminal_colour(stdout),
        .width = isatty(STDOUT_FILENO) ? columns_width() : 0,
        .verbose = context->verbose,
        .has_baseline = plan->settings.baseline != NULL,
        .fail_on = options.write_baseline ? SEVERITY_NONE : plan->thresholds.fail_on,
    };
    struct sink_tee tee;
    struct scan_baseline baseline;
    struct scan_filter filter;
    sink_tee_init(&tee);
    if (!open_archive(context, &tee, error))
        return STATUS_TROUBLE;
    struct scan_output *output = scan_output_new(plan->format, &output_options);
    sink_tee_add(&tee, &output->sink);
    scan_baseline_init(&baseline, &tee.sink);
    scan_filter_init(&filter, &plan->thresholds, plan->settings.disabled, &baseline.sink);
    bool ok = scan_with_baseline(context, plan, &baseline, &filter.sink, error);
    scan_output_free(output);
    scan_baseline_clear(&baseline);
    if (!ok)
        return STATUS_TROUBLE;
    print_end(context, plan, &baseline.summary, filter.dropped);
    return (enum status)scan_output_status(&baseline.summary, &output_options);
}

static enum status run(struct command_context *context, GError **error)
{
    struct scan_plan plan = {0};
    enum status status = STATUS_TROUBLE;
    hush_libclang();
    if (check_options(&plan, error) && settle(context, &plan, error))
        status = work(context, &plan, error);
    plan_clear(&plan);
    return status;
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
        "Settings of the tree stand in .spinfault.ini (docs/scan-config.md): models, assumptions, "
        "ignored paths, thresholds. What the command line says wins.\n\n"
        "The scan is stored when --archive or $SPINFAULT_ARCHIVE names an archive. What was found "
        "in a file is kept there as well, and not worked out again as long as the file, all it "
        "includes and all it was compared with are the same; the result is, too.\n\n"
        "Exit status: 1 when there is a finding at or above --fail-on, else 3 when some file could "
        "not be read in full.",
    .archive = COMMAND_ARCHIVE_WRITE,
    .takes_rest = true,
    .options = entries,
    .run = run,
};
