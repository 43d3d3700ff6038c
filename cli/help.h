// Help, written from the command table: it cannot say anything the parser does not do.
#ifndef SPINFAULT_CLI_HELP_H
#define SPINFAULT_CLI_HELP_H

#include <stdio.h>

#include "command.h"

void help_print_overview(FILE *out);
void help_print_command(const struct command *command);
// Prints `text` from column `column` on, where the cursor is already, breaking lines between words.
void help_print_wrapped(const char *text, int column);

#endif
