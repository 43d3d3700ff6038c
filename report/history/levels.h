// The levels of one series.
#ifndef SPINFAULT_REPORT_LEVELS_H
#define SPINFAULT_REPORT_LEVELS_H

#include "spinfault/history.h"

// Finds the changes and flags the outliers; `points` and `better` are there already.
void levels_find(struct history_series *series, const struct history_options *options);

#endif
