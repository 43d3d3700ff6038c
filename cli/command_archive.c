// archive: looks into the archive and takes care of it.
#include <limits.h>
#include <string.h>

#include "archive_actions.h"
#include "nearest.h"

static struct {
    char **where;
    char *since;
    gboolean yes, salvage;
    char *backup;
    char *format, *profile, *root, *annotate;
    gboolean addresses;
} options;

static const GOptionEntry entries[] = {
    {"where", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.where,
     "only runs of which this holds, as in preempt=lazy; may be repeated", "KEY=VALUE"},
    {"since", 0, 0, G_OPTION_ARG_FILENAME, &options.since,
     "only runs that started then or later, as in 2026-04-01", "TIME"},
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
     "export: json (everything; the default), or the stacks of one profile: folded, or as "
     "stackcollapse-perf.pl (flamegraph) or inferno-collapse-perf (inferno) writes them",
     "FORMAT"},
    {"profile", 0, 0, G_OPTION_ARG_FILENAME, &options.profile,
     "export of stacks: which; default: the one there is", "ID"},
    {"root", 0, 0, G_OPTION_ARG_FILENAME, &options.root,
     "export of stacks: begin them with comm (the default), pid or tid", "WHAT"},
    {"annotate", 0, 0, G_OPTION_ARG_FILENAME, &options.annotate,
     "export of stacks: mark functions of the kernel with _[k], of JIT compilers with _[j], or all",
     "WHAT"},
    {"addresses", 0, 0, G_OPTION_ARG_NONE, &options.addresses,
     "export of stacks: with the addresses of what has no symbol", NULL},
    {"salvage", 0, 0, G_OPTION_ARG_NONE, &options.salvage,
     "export: leave out what is damaged, and name it", NULL},
    {"yes", 0, 0, G_OPTION_ARG_NONE, &options.yes, "prune: delete, do not only say what would go",
     NULL},
    {"backup", 0, 0, G_OPTION_ARG_FILENAME, &options.backup,
     "prune: where the archive as it was goes; default: beside it", "FILE"},
    {NULL},
};

static const struct action {
    const char *name;
    enum archive_mode mode;
    unsigned least, most; // arguments
    const char *usage;    // of its arguments
    enum status (*run)(const struct archive_call *call, GError **error);
} actions[] = {
    {"info", ARCHIVE_READ, 0, 0, "", archive_info},
    {"list", ARCHIVE_READ, 0, 1, "[sources|runs|profiles|scans|findings]", archive_list},
    {"show", ARCHIVE_READ, 2, 2, "source|run|profile|scan ID", archive_show},
    {"verify", ARCHIVE_READ, 0, 0, "", archive_check},
    {"export", ARCHIVE_READ, 0, 1, "[FILE]", archive_write_out},
    {"import", ARCHIVE_WRITE, 1, UINT_MAX, "FILE…", archive_take_in},
    {"backup", ARCHIVE_READ, 1, 1, "FILE", archive_back_up},
    {"rebuild", ARCHIVE_WRITE, 0, 0, "", archive_make_anew},
    {"prune", ARCHIVE_WRITE, 1, UINT_MAX, "source ID…, scan ID… or runs", archive_throw_out},
};

static const char *nth_action(size_t i)
{
    return i < G_N_ELEMENTS(actions) ? actions[i].name : NULL;
}

static bool unknown_action(const char *name, GError **error)
{
    const char *near = name ? nearest_name(name, nth_action) : NULL;
    g_autoptr(GString) names = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "", actions[i].name);
    if (!name)
        return error_set(error, SPINFAULT_ERROR_USAGE, "archive needs an action: %s", names->str);
    if (near)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "archive has no action \"%s\"; did you mean \"%s\"?", name, near);
    return error_set(error, SPINFAULT_ERROR_USAGE, "archive has no action \"%s\"; there are: %s",
                     name, names->str);
}

static const struct action *find_action(const struct command_context *context, GError **error)
{
    const char *name = context->n_arguments ? context->arguments[0] : NULL;
    for (size_t i = 0; name && i < G_N_ELEMENTS(actions); i++) {
        const struct action *a = &actions[i];
        unsigned given = context->n_arguments - 1;
        if (strcmp(a->name, name) != 0)
            continue;
        if (given >= a->least && given <= a->most)
            return a;
        error_set(error, SPINFAULT_ERROR_USAGE, "archive %s takes %s", name,
                  *a->usage ? a->usage : "no arguments");
        return NULL;
    }
    unknown_action(name, error);
    return NULL;
}

static bool read_filter(struct archive_call *call, GError **error)
{
    call->filter.where = (const char *const *)options.where;
    call->filter.since_ns = INT64_MIN;
    call->filtered = options.where || options.since;
    call->yes = options.yes;
    call->salvage = options.salvage;
    call->backup = options.backup;
    call->format = options.format ? options.format : "json";
    call->profile = options.profile;
    call->root = options.root;
    call->annotate = options.annotate;
    call->addresses = options.addresses;
    if (!options.since || text_to_time(options.since, &call->filter.since_ns))
        return true;
    return error_set(error, SPINFAULT_ERROR_USAGE,
                     "--since needs a date or time, as in 2026-04-01 or 2026-04-01T12:00:00Z, not "
                     "\"%s\"",
                     options.since);
}

static enum status run(struct command_context *context, GError **error)
{
    struct archive_call call = {.context = context};
    const struct action *action = find_action(context, error);
    if (!action || !read_filter(&call, error))
        return STATUS_TROUBLE;
    call.arguments = context->arguments + 1;
    call.n_arguments = context->n_arguments - 1;
    call.archive = context_archive(context, action->mode, error);
    return call.archive ? action->run(&call, error) : STATUS_TROUBLE;
}

const struct command command_archive = {
    .name = "archive",
    .summary = "Looks into the archive and takes care of it",
    .usage = "ACTION [ARGUMENT…]",
    .details =
        "\"info\" says how much is in it.\n\n"
        "\"list\" shows sources, runs, profiles and scans, newest last; with one of these words, "
        "all of that kind. --where and --since choose runs. \"list findings\" shows since when the "
        "findings of the newest scan's tree are there, and which were fixed or came back.\n\n"
        "\"show\" source, run, profile or scan ID shows one of them.\n\n"
        "\"verify\" checks it: pages, indexes, references, and what each source says of itself. "
        "The exit status is 2 when something is wrong.\n\n"
        "\"export\" writes everything as JSON lines, or the stacks of one profile, to FILE or "
        "standard "
        "output. With --salvage, an export of a damaged archive holds what can be read; the exit "
        "status is then 3. \"import\" takes in such lines or other archives, and leaves alone what "
        "is there already; of another archive comes all that is new or nothing.\n\n"
        "\"backup\" copies the archive, also beside a writer. \"rebuild\" makes derived views and "
        "tables anew.\n\n"
        "\"prune\" deletes sources and scans: by ID, or those of which all runs are chosen by "
        "--where and --since. It says what would go; with --yes it makes a backup and "
        "deletes.",
    .archive = COMMAND_ARCHIVE_WRITE,
    .options = entries,
    .run = run,
};
