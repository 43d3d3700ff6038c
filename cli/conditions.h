// Options that choose runs, as several commands have them.
#ifndef SPINFAULT_CLI_CONDITIONS_H
#define SPINFAULT_CLI_CONDITIONS_H

#include "spinfault/db.h"

// "preempt=none,page=4K" as conditions, of one or several such texts; a comma that no KEY= follows
// belongs to the value. The caller's, NULL-terminated. Errors: USAGE.
char **conditions_split(const char *const *texts, GError **error);
// --where and --since as a filter, which borrows `where`. Errors: USAGE.
bool conditions_filter(struct run_filter *filter, char **where, const char *since, GError **error);
// --threshold, in percent ("5", "2.5%"), as a share; NULL: the default. Errors: USAGE.
bool conditions_threshold(const char *text, double *threshold, GError **error);

#endif
