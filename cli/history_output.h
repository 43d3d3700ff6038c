// Formats of `spinfault history`. A format is one function and one row in command_history.c.
#ifndef SPINFAULT_CLI_HISTORY_OUTPUT_H
#define SPINFAULT_CLI_HISTORY_OUTPUT_H

#include "spinfault/history.h"

bool history_print_text(const struct history_result *result, GError **error);
bool history_print_json(const struct history_result *result, GError **error);
bool history_print_svg(const struct history_result *result, GError **error);
bool history_print_csv(const struct history_result *result, GError **error);

#endif
