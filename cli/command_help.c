// help: what there is, and how a command is used.
#include "command.h"
#include "help.h"
#include "spinfault/base.h"

static enum status run(struct command_context *context, GError **error)
{
    if (context->n_arguments == 0) {
        help_print_overview(stdout);
        return STATUS_FINE;
    }
    if (context->n_arguments > 1) {
        error_set(error, SPINFAULT_ERROR_USAGE, "help takes one command, not %u",
                  context->n_arguments);
        return STATUS_TROUBLE;
    }
    const char *name = context->arguments[0];
    const struct command *command = command_find(name);
    if (!command) {
        command_unknown(name, error);
        return STATUS_TROUBLE;
    }
    help_print_command(command);
    return STATUS_FINE;
}

const struct command command_help = {
    .name = "help",
    .summary = "Shows how a command is used",
    .usage = "[COMMAND]",
    .run = run,
};
