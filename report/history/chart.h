// A series as a chart.
#ifndef SPINFAULT_REPORT_HISTORY_CHART_H
#define SPINFAULT_REPORT_HISTORY_CHART_H

#include "scene.h"
#include "spinfault/history.h"

struct scene *history_scene(const char *id, const struct history_series *series);
// "2026-04-01", "2026-04-01 12:00" or "run 12". The caller's.
char *history_place(const struct history_series *series, size_t point, bool with_time);

#endif
