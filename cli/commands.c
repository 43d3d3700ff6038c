// The commands, in the order `spinfault help` shows them. command.h says how to add one.
#include "command.h"
#include "nearest.h"
#include "spinfault/base.h"

#include <string.h>

const struct command *const commands[] = {
    &command_scan,    &command_ingest,  &command_report,  &command_compare, &command_history,
    &command_archive, &command_explain, &command_version, &command_help,    NULL,
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const char *nth_command(size_t i)
{
    return commands[i] ? commands[i]->name : NULL;
}

bool command_unknown(const char *name, GError **error)
{
    const char *near = nearest_name(name, nth_command);
    if (near)
        return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                         "there is no command \"%s\"; did you mean \"%s\"?", name, near);
    return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                     "there is no command \"%s\"; \"spinfault help\" lists them", name);
}
