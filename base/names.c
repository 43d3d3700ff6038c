// The words for every enumeration of the facts: one table an enumeration, read both ways.
#include "spinfault/base/run_facts.h"
#include "spinfault/base/scan_facts.h"

#include <glib.h>

static int find_name(const char *const *names, size_t n, const char *text)
{
    for (size_t i = 0; text && i < n; i++)
        if (g_strcmp0(names[i], text) == 0)
            return (int)i;
    return -1;
}

#define NAMES(type, function, ...)                                                                 \
    static const char *const function##_names[] = {__VA_ARGS__};                                   \
    const char *function##_name(enum type v)                                                       \
    {                                                                                              \
        g_assert((size_t)v < G_N_ELEMENTS(function##_names));                                      \
        return function##_names[v];                                                                \
    }                                                                                              \
    bool function##_parse(const char *text, enum type *v)                                          \
    {                                                                                              \
        int i = find_name(function##_names, G_N_ELEMENTS(function##_names), text);                 \
        if (i < 0)                                                                                 \
            return false;                                                                          \
        *v = (enum type)i;                                                                         \
        return true;                                                                               \
    }

NAMES(severity, severity, "none", "low", "medium", "high")
NAMES(confidence, confidence, "low", "medium", "high")
NAMES(lock_scope, lock_scope, "unknown", "singleton", "instance")
NAMES(lock_mode, lock_mode, "exclusive", "shared", "try")
NAMES(residency, residency, "unknown", "same-page", "touched-before", "stack", "model", "may-fault")
NAMES(fault_why, fault_why, "none", "run-time-index", "pointer", "other-page", "copy", "fresh-heap",
      "fresh-mapping", "walk", "global")
NAMES(call_effect, call_effect, "unknown", "pure", "touches", "syscall", "blocks", "allocates",
      "logs", "no-return")
NAMES(file_status, file_status, "parsed", "degraded", "failed", "skipped")
NAMES(run_status, run_status, "complete", "aborted")
NAMES(better, better, "unknown", "higher", "lower")
NAMES(provenance, provenance, "measured", "published", "derived", "claimed")
