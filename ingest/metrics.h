// What is known about names of metrics and about units.
#ifndef SPINFAULT_INGEST_METRICS_H
#define SPINFAULT_INGEST_METRICS_H

#include "spinfault/base.h"

// The standard name for what a source calls a metric: "TPS" and "transactions per second" are
// "tps", "minflt" is "minor_faults". NULL: it keeps its own.
const char *metric_standard_name(const char *name);
// The base unit of a standard metric ("s" for latency_avg); NULL when the name is no standard one.
const char *metric_unit(const char *standard_name);
// Which way is better, from the name or else from the unit (more per second is, more seconds are
// not).
enum better metric_better(const char *name, const char *unit);

// A unit as people write it: "ms" is 1e-3 "s", "MiB" 1048576 "B", "tps" 1 "1/s", "%" is itself.
// False for what is no unit; the name is then a part of the metric.
bool unit_parse(struct slice text, const char **base, double *factor);
// `value` in base units, correct to the last decimal: 5.408 ms are 0.005408 s, although 5.408 /
// 1000 is 0.0054080000000000005 in binary.
double unit_apply(double value, double factor);
// A number that should be a count: false unless it is from 0 to 1e15, where doubles are still
// exact.
bool count_from(double value, uint64_t *count);

#endif
