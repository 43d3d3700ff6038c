// version: which spinfault this is.
#include <stdio.h>

#include "command.h"
#include "spinfault/base.h"

static enum status run(struct command_context *context, GError **error)
{
    if (context->n_arguments > 0) {
        error_set(error, SPINFAULT_ERROR_USAGE, "version takes no arguments");
        return STATUS_TROUBLE;
    }
    printf("spinfault %s\n", SPINFAULT_VERSION);
    return STATUS_FINE;
}

const struct command command_version = {
    .name = "version",
    .summary = "Prints the version",
    .usage = "",
    .run = run,
};
