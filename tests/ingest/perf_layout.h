// How a recording is printed: the same for all its records.
#ifndef SPINFAULT_TESTS_INGEST_PERF_LAYOUT_H
#define SPINFAULT_TESTS_INGEST_PERF_LAYOUT_H

#include "perf_compose.h"

#include <stdbool.h>

#define LAYOUT_EVENTS 3

struct layout {
    unsigned fields;  // enum perf_field
    bool latency;     // perf script -L
    bool nanoseconds; // --ns
    bool wide;        // ids in 7 columns, as since perf 6.2
    bool timeless;    // -F -time: only tame values can be told then
    bool side;        // --show-*-events
    bool noise;       // messages mixed in
    bool listing;     // brstackinsn
    const char *event[LAYOUT_EVENTS];
    bool traced[LAYOUT_EVENTS];   // a tracepoint
    bool chained[LAYOUT_EVENTS];  // recorded with a call chain
    bool branches[LAYOUT_EVENTS]; // from and to, without a chain
    unsigned n_events;
    int event_width; // names are padded to the longest
};

void layout_compose(struct layout *layout, GRand *rand);
void layout_describe(const struct layout *layout, GString *text);
// Whether a thread's name can be told from the fields that are printed beside it.
bool layout_tells_name(const struct layout *layout, const char *name);

bool layout_chance(GRand *rand, unsigned percent);
#define PICK(rand, list) ((list)[g_rand_int_range((rand), 0, G_N_ELEMENTS(list))])

#endif
