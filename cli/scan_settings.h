// What a scan is told, from the command line and from .spinfault.ini. Both fill the same struct,
// and the command line wins.
#ifndef SPINFAULT_CLI_SCAN_SETTINGS_H
#define SPINFAULT_CLI_SCAN_SETTINGS_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base.h"

// Everything is owned; NULL where nothing was said. Lists end with NULL.
struct scan_settings {
    char *build_dir, *fail_on, *min_severity, *min_confidence, *baseline;
    char **models, **assumptions, **ignored, **disabled, **clang_args;
};

// Fills up what `settings` leaves open with what `more` says, and puts the lists of `more` before
// those of `settings`. Of two assumptions for one name that of `settings` stays.
void scan_settings_add(struct scan_settings *settings, const struct scan_settings *more);
void scan_settings_clear(struct scan_settings *settings);

// Rules and words, checked once both are joined; `*fail_on` and the thresholds are set.
struct scan_thresholds {
    enum severity fail_on, min_severity;
    enum confidence min_confidence;
};
// Errors: USAGE, naming the option.
bool scan_settings_check(const struct scan_settings *settings, struct scan_thresholds *thresholds,
                         GError **error);

bool scan_rule_exists(const char *name);

#endif
