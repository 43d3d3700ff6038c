// spinfault's command line: finds the command, parses its options, runs it, and turns an error
// into one line on stderr and an exit status. Nothing below cli/ prints or exits.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "help.h"
#include "say.h"
#include "spinfault/base.h"

static struct {
    char *archive;
    gboolean help, quiet, verbose;
} common;

#define COMMON_ENTRIES                                                                             \
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &common.quiet, "print results and errors only", NULL},    \
        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &common.verbose, "say more about what is done",     \
         NULL},                                                                                    \
        {"help", 'h', 0, G_OPTION_ARG_NONE, &common.help, "show this help", NULL},                 \
    {                                                                                              \
        NULL                                                                                       \
    }

static const GOptionEntry plain_entries[] = {COMMON_ENTRIES};
static const GOptionEntry archive_entries[] = {
    {"archive", 0, 0, G_OPTION_ARG_FILENAME, &common.archive,
     "the archive; default: $SPINFAULT_ARCHIVE, else spinfault.db", "FILE"},
    COMMON_ENTRIES};

const GOptionEntry *command_common_options(const struct command *command)
{
    return command->archive == COMMAND_ARCHIVE_NONE ? plain_entries : archive_entries;
}

static void tell_waiting(void *context, const char *path)
{
    (void)context;
    g_autofree char *message = g_strdup_printf("waiting: another process is writing to %s", path);
    say_error(message);
}

struct archive *context_archive(struct command_context *context, enum archive_mode mode,
                                GError **error)
{
    g_assert(context->command->archive == COMMAND_ARCHIVE_WRITE ||
             (context->command->archive == COMMAND_ARCHIVE_READ && mode == ARCHIVE_READ));
    const struct archive_waiting waiting = {.notify = context->quiet ? NULL : tell_waiting};
    if (context->archive)
        return context->archive;
    context->archive = archive_open_waiting(context->archive_path, mode, &waiting, error);
    g_autofree char *caution =
        context->archive && mode == ARCHIVE_WRITE ? archive_caution(context->archive) : NULL;
    if (caution && !context->quiet)
        say_error(caution);
    return context->archive;
}

// What GOption says, in our tone and with the way out.
static void print_option_error(const struct command *command, const GError *error)
{
    g_autofree char *message = g_strdup(error->message);
    message[0] = g_ascii_tolower(message[0]);
    g_autofree char *full =
        g_strdup_printf("%s; \"spinfault help %s\" lists the options", message, command->name);
    say_error(full);
}

// Cuts argv at the first "--" and returns what follows it, or NULL. Each half is NULL-terminated.
static char **cut_rest(char **argv)
{
    for (char **p = argv; *p; p++) {
        if (strcmp(*p, "--") != 0)
            continue;
        char **rest = g_strdupv(p + 1);
        for (; *p; p++)
            g_clear_pointer(p, g_free);
        return rest;
    }
    return NULL;
}

static bool takes_value(const GOptionEntry *entries, char short_name)
{
    for (const GOptionEntry *e = entries; e && e->long_name; e++) {
        if (e->short_name == short_name)
            return e->arg != G_OPTION_ARG_NONE && e->arg != G_OPTION_ARG_CALLBACK;
    }
    return false;
}

// "-j4" means "-j 4", as everywhere; GOption knows only the latter.
static char **split_values(const struct command *command, char **argv)
{
    g_autoptr(GStrvBuilder) split = g_strv_builder_new();
    for (char **p = argv; *p; p++) {
        const char *a = *p;
        bool value = a[0] == '-' && a[1] && a[1] != '-' && a[2] &&
                     (takes_value(command->options, a[1]) ||
                      takes_value(command_common_options(command), a[1]));
        if (value)
            g_strv_builder_add(split, (const char[]){'-', a[1], '\0'});
        g_strv_builder_add(split, value ? a + 2 : a);
    }
    g_strfreev(argv);
    return g_strv_builder_end(split);
}

static bool parse_options(const struct command *command, char ***argv, GError **error)
{
    *argv = split_values(command, *argv);
    GOptionContext *parser = g_option_context_new(NULL);
    g_option_context_set_help_enabled(parser, FALSE);
    if (command->options)
        g_option_context_add_main_entries(parser, command->options, NULL);
    g_option_context_add_main_entries(parser, command_common_options(command), NULL);
    bool ok = g_option_context_parse_strv(parser, argv, error);
    g_option_context_free(parser);
    return ok;
}

// Arguments proper: what is left of argv, and what follows "--" where that is nothing special.
static char **join_arguments(const struct command *command, char **argv, char **rest)
{
    GStrvBuilder *all = g_strv_builder_new();
    g_strv_builder_addv(all, (const char **)argv + 1);
    if (rest && !command->takes_rest)
        g_strv_builder_addv(all, (const char **)rest);
    char **joined = g_strv_builder_end(all);
    g_strv_builder_unref(all);
    return joined;
}

// A full disk or a closed pipe shows only when the buffers are written.
static bool flush_output(GError **error)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return error_from_errno(error, errno ? errno : EIO, "write", "standard output");
}

static enum status run_command(const struct command *command, char **arguments, char **rest)
{
    const char *environment = g_getenv("SPINFAULT_ARCHIVE");
    bool from_environment = environment && *environment;
    struct command_context context = {
        .command = command,
        .arguments = (const char *const *)arguments,
        .n_arguments = g_strv_length(arguments),
        .rest = command->takes_rest ? (const char *const *)rest : NULL,
        .archive_path = common.archive     ? common.archive
                        : from_environment ? environment
                                           : "spinfault.db",
        .archive_named = common.archive || from_environment,
        .quiet = common.quiet,
        .verbose = common.verbose && !common.quiet,
    };
    g_autoptr(GError) error = NULL;
    enum status status = command->run(&context, &error);
    archive_close(context.archive);
    if (!error)
        flush_output(&error);
    else
        fflush(stdout); // so that the error comes last where both go to one place
    if (!error)
        return status;
    say_error(error->message);
    return STATUS_TROUBLE;
}

static enum status dispatch(const struct command *command, char **words)
{
    g_auto(GStrv) argv = g_strdupv(words);
    g_auto(GStrv) rest = cut_rest(argv);
    g_autoptr(GError) error = NULL;
    if (!parse_options(command, &argv, &error)) {
        print_option_error(command, error);
        return STATUS_TROUBLE;
    }
    if (common.help) {
        help_print_command(command);
        if (flush_output(&error))
            return STATUS_FINE;
        say_error(error->message);
        return STATUS_TROUBLE;
    }
    g_auto(GStrv) arguments = join_arguments(command, argv, rest);
    return run_command(command, arguments, rest);
}

int main(int argc, char **argv)
{
    // Numbers are read and written without regard to the locale; only characters follow it.
    setlocale(LC_CTYPE, "");
    if (argc < 2) {
        help_print_overview(stderr);
        return STATUS_TROUBLE;
    }
    const char *name = argv[1];
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0)
        name = "help";
    else if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0)
        name = "version";
    if (name[0] == '-') {
        say_error("options come after the command, as in \"spinfault scan -q\"; "
                  "\"spinfault help\" lists the commands");
        return STATUS_TROUBLE;
    }
    const struct command *command = command_find(name);
    if (command)
        return (int)dispatch(command, argv + 1);
    g_autoptr(GError) error = NULL;
    command_unknown(name, &error);
    say_error(error->message);
    return STATUS_TROUBLE;
}
