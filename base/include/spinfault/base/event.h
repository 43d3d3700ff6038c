// Events of perf: their names, and what tracepoints print.
#ifndef SPINFAULT_BASE_EVENT_H
#define SPINFAULT_BASE_EVENT_H

#include <glib.h>

#include "spinfault/base/text.h"

// The event without its PMU, terms and modifiers: "cycles" for "cycles:ppp", "cpu_core/cycles/Pu"
// and "cycles/period=50/u". Tracepoints, raw events and breakpoints are their own name. A part of
// `event`.
struct slice event_base_name(struct slice event);

// What a tracepoint printed, as keys and values: "prev_comm=a: b prev_pid=1 ==> next_comm=c", and
// "fd: 0x3, count: 0x10"; also the older "a:1 [120] S ==> c:2 [120]" of sched_switch, with the keys
// of the newer form. An array of struct payload_pair, the caller's; its text is part of `payload`
// or lives for ever. Empty when there are none.
struct payload_pair {
    struct slice key, value;
};
GArray *payload_pairs(struct slice payload);

#endif
