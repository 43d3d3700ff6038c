// Recordings as perf prints them, composed at random from hostile parts, with the facts that must
// come out. The same seed composes the same recording.
#ifndef SPINFAULT_TESTS_INGEST_PERF_COMPOSE_H
#define SPINFAULT_TESTS_INGEST_PERF_COMPOSE_H

#include <glib.h>

// The fields of -F, in the order in which perf prints them.
enum perf_field {
    F_GUEST = 1 << 0,
    F_COMM = 1 << 1,
    F_PID = 1 << 2,
    F_TID = 1 << 3,
    F_CPU = 1 << 4,
    F_MISC = 1 << 5,
    F_TOD = 1 << 6,
    F_TIME = 1 << 7,
    F_PERIOD = 1 << 8,
    F_EVENT = 1 << 9,
    F_FLAGS = 1 << 10,
    F_TRACE = 1 << 11,
    F_ADDR = 1 << 12,
    F_DATA_SRC = 1 << 13,
    F_WEIGHT = 1 << 14, // with the latencies
    F_CGROUP = 1 << 15,
    F_IP = 1 << 16,
    F_SYM = 1 << 17,
    F_SYMOFF = 1 << 18,
    F_DSO = 1 << 19,
    F_DSOFF = 1 << 20,
    F_SRCLINE = 1 << 21,
    F_REGS = 1 << 22,
    F_BRSTACK = 1 << 23,
    F_BRSTACKSYM = 1 << 24,
    F_INSN = 1 << 25, // with ilen
    F_PHYS = 1 << 26,
    F_PAGES = 1 << 27, // data and code page size
    F_IPC = 1 << 28,
    F_SRCCODE = 1 << 29,
    F_METRIC = 1 << 30,
};

struct composition {
    GString *text;
    GString *layout;  // which fields and ways of printing, for a person
    GPtrArray *facts; // JSON lines
    GArray *ends;     // gsize: where in the text each fact is complete
    unsigned noise;   // lines that must be skipped
};

// `layout_seed` decides how all is printed, `seed` what.
struct composition *composition_new(guint32 layout_seed, guint32 seed);
void composition_free(struct composition *c);

#endif
