// ingest: loads profiles and benchmark results into the archive.
#include <string.h>

#include "command.h"
#include "help.h"
#include "nearest.h"
#include "print_facts.h"
#include "say.h"
#include "sink_count.h"
#include "spinfault/ingest.h"
#include "terminal.h"

static struct {
    char *format;
    char **settings;
    char *run;
    gboolean print;
} options;

static const GOptionEntry entries[] = {
    {"as", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
     "read every FILE as this format; default: by content", "FORMAT"},
    {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.settings,
     "say of every run, as in preempt=lazy; wins over the file; may be repeated", "KEY=VALUE"},
    {"run", 0, 0, G_OPTION_ARG_FILENAME, &options.run,
     "the files tell of this run of the archive: a profile, wait events, /proc files; they get its "
     "conditions",
     "ID"},
    {"print", 0, 0, G_OPTION_ARG_NONE, &options.print,
     "print the facts as JSON lines, store nothing", NULL},
    {NULL},
};

// What became of the files.
struct tally {
    unsigned stored, known, failed;
    uint64_t skipped;
};

static const char *nth_format(size_t i)
{
    size_t n;
    const struct ingest_format_info *formats = ingest_formats(&n);
    return i < n ? formats[i].name : NULL;
}

static bool check_format(const char *name, GError **error)
{
    GString *names = g_string_new(NULL);
    for (size_t i = 0; nth_format(i); i++) {
        if (strcmp(nth_format(i), name) == 0) {
            g_string_free(names, TRUE);
            return true;
        }
        g_string_append_printf(names, "%s%s", i ? ", " : "", nth_format(i));
    }
    const char *near = nearest_name(name, nth_format);
    if (near)
        error_set(error, SPINFAULT_ERROR_USAGE, "there is no format \"%s\"; did you mean \"%s\"?",
                  name, near);
    else
        error_set(error, SPINFAULT_ERROR_USAGE, "there is no format \"%s\"; there are: %s", name,
                  names->str);
    g_string_free(names, TRUE);
    return false;
}

// Key and value of "KEY=VALUE" point into `text`, which is cut in two.
static bool parse_setting(char *text, struct setting *setting, GError **error)
{
    char *equals = strchr(text, '=');
    double number;
    if (!equals || equals == text)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--set needs KEY=VALUE, as in preempt=lazy, not \"%s\"", text);
    *equals = '\0';
    setting->key = text;
    setting->value = equals + 1;
    setting->is_number = slice_to_double(slice_from(setting->value), &number);
    return true;
}

static void add_setting(GArray *settings, const char *key, const char *value)
{
    double number;
    if (!value || !*value)
        return;
    const struct setting setting = {key, value, slice_to_double(slice_from(value), &number)};
    g_array_append_val(settings, setting);
}

static void add_number(GArray *settings, GPtrArray *texts, const char *key, int64_t value)
{
    if (value < 0)
        return;
    char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    g_ptr_array_add(texts, text);
    add_setting(settings, key, text);
}

// What is known of --run, before what --set says. The text is that of `rows` and `texts`.
static bool read_run(struct command_context *context, GArray *settings, GPtrArray **rows,
                     GPtrArray *texts, GError **error)
{
    uint64_t id;
    if (options.print)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--run asks the archive, which --print does not use; say it with --set");
    if (!slice_to_u64(slice_from(options.run), &id))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--run needs the number of a run, not \"%s\"; \"spinfault archive list "
                         "runs\" shows them",
                         options.run);
    struct archive *archive = context_archive(context, ARCHIVE_WRITE, error);
    g_autofree char *condition = g_strdup_printf("run=%" G_GUINT64_FORMAT, id);
    const char *const where[] = {condition, NULL};
    const struct run_filter filter = {where, INT64_MIN};
    if (!archive || !(*rows = archive_runs(archive, &filter, error)))
        return false;
    if ((*rows)->len == 0)
        return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                         "%s has no run %s; \"spinfault archive list runs\" shows what it has",
                         archive_path(archive), options.run);
    const struct run_row *r = (*rows)->pdata[0];
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, r->tags);
    while (g_hash_table_iter_next(&iter, &key, &value))
        add_setting(settings, key, value);
    add_setting(settings, "host", r->host);
    add_setting(settings, "instance", r->instance);
    add_setting(settings, "arch", r->arch);
    add_setting(settings, "kernel", r->kernel);
    add_setting(settings, "preempt", r->preempt);
    add_setting(settings, "page", r->page);
    add_number(settings, texts, "vcpus", r->vcpus);
    add_number(settings, texts, "clients", r->clients);
    add_number(settings, texts, "of_run", r->id);
    return true;
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    progress_show(context, done, total, "bytes", NULL);
}

struct skipped_context {
    const char *path;
    struct progress *progress;
    bool quiet;
};

static void show_skipped(void *context, const struct skipped_fact *fact)
{
    const struct skipped_context *skipped = context;
    if (skipped->quiet)
        return;
    progress_hide(skipped->progress);
    g_autofree char *place =
        fact->line ? g_strdup_printf("%s:%" G_GUINT64_FORMAT, skipped->path, fact->line)
                   : g_strdup(skipped->path);
    fprintf(stderr, "%s: skipped: %s%s%s\n", place, fact->why,
            fact->text && *fact->text ? ": " : "", fact->text ? fact->text : "");
}

static void print_stored(const char *path, const struct sink_count *count,
                         const struct source_summary *summary)
{
    g_autofree char *counts = sink_count_text(count);
    printf("%s: %s: %s", path, summary->format, counts);
    if (summary->skipped) {
        g_autofree char *n = text_with_commas(summary->skipped);
        printf("; %s skipped", n);
    }
    if (summary->lost) {
        g_autofree char *n = text_with_commas(summary->lost);
        printf("; the recorder lost %s", n);
    }
    if (summary->truncated)
        printf("; the last record is cut off");
    putchar('\n');
}

static void ingest_one(const struct command_context *context, const char *path,
                       struct ingest_options *ingest, const struct fact_sink *sink,
                       struct tally *tally)
{
    struct sink_count count;
    struct progress progress;
    struct source_summary summary;
    g_autoptr(GError) error = NULL;
    sink_count_init(&count, sink);
    progress_init(&progress, context->quiet);
    struct skipped_context skipped = {path, &progress, context->quiet};
    count.skipped = show_skipped;
    count.skipped_context = &skipped;
    ingest->progress = show_progress;
    ingest->progress_context = &progress;
    bool ok = ingest_file(path, ingest, &count.sink, &summary, &error);
    progress_clear(&progress);
    if (ok) {
        tally->stored++;
        tally->skipped += summary.skipped;
        if (!options.print && !context->quiet)
            print_stored(path, &count, &summary);
    } else if (g_error_matches(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE)) {
        tally->known++;
        if (!context->quiet)
            printf("%s: already in the archive; nothing stored\n", path);
    } else {
        tally->failed++;
        fflush(stdout);
        say_error(error->message);
    }
}

static void print_tally(const struct command_context *context, const struct tally *tally)
{
    if (context->quiet || options.print)
        return;
    unsigned read = tally->stored + tally->known + tally->failed;
    g_autofree char *skipped = text_with_commas(tally->skipped);
    printf("%u %s: %u stored in %s, %u already there, %u failed; %s %s skipped.\n", read,
           read == 1 ? "file" : "files", tally->stored, context->archive_path, tally->known,
           tally->failed, skipped, tally->skipped == 1 ? "line" : "lines");
}

static const struct fact_sink *open_sink(struct command_context *context, GError **error)
{
    if (options.print)
        return print_facts_new(stdout);
    struct archive *archive = context_archive(context, ARCHIVE_WRITE, error);
    return archive ? archive_sink(archive) : NULL;
}

static enum status run(struct command_context *context, GError **error)
{
    g_autoptr(GArray) settings = g_array_new(FALSE, TRUE, sizeof(struct setting));
    if (context->n_arguments == 0) {
        error_set(error, SPINFAULT_ERROR_USAGE,
                  "ingest needs a FILE, or - for standard input; \"spinfault help ingest\" tells "
                  "more");
        return STATUS_TROUBLE;
    }
    if (options.format && !check_format(options.format, error))
        return STATUS_TROUBLE;
    g_autoptr(GPtrArray) rows = NULL;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    if (options.run && !read_run(context, settings, &rows, texts, error))
        return STATUS_TROUBLE;
    for (char **text = options.settings; text && *text; text++) {
        struct setting setting;
        if (!parse_setting(*text, &setting, error))
            return STATUS_TROUBLE;
        g_array_append_val(settings, setting);
    }
    const struct fact_sink *sink = open_sink(context, error);
    if (!sink)
        return STATUS_TROUBLE;
    struct ingest_options ingest = {.format = options.format,
                                    .settings = (const struct setting *)settings->data,
                                    .n_settings = settings->len};
    struct tally tally = {0};
    for (unsigned i = 0; i < context->n_arguments; i++)
        ingest_one(context, context->arguments[i], &ingest, sink, &tally);
    if (options.print)
        print_facts_free(sink);
    print_tally(context, &tally);
    return tally.failed ? STATUS_TROUBLE : STATUS_FINE;
}

static void list_formats(void)
{
    size_t n;
    const struct ingest_format_info *formats = ingest_formats(&n);
    fputs("\nFormats:\n", stdout);
    for (size_t i = 0; i < n; i++) {
        printf("  %-20s ", formats[i].name);
        help_print_wrapped(formats[i].summary, 23);
    }
}

const struct command command_ingest = {
    .name = "ingest",
    .summary = "Loads profiles and benchmark results into the archive",
    .usage = "FILE… | -",
    .details = "A FILE may be compressed (gz, xz, zst, bz2). It is stored whole or not at all, and "
               "the same content only once. "
               "Lines that are not understood are shown and counted.\n\n"
               "When one FILE fails, the others are still stored, and the exit status is 2.",
    .archive = COMMAND_ARCHIVE_WRITE,
    .options = entries,
    .run = run,
    .more_help = list_formats,
};
