// A small archive with some of everything, stored through the archive's own sink.
#ifndef SPINFAULT_TEST_REPORT_FIXTURE_H
#define SPINFAULT_TEST_REPORT_FIXTURE_H

#include "spinfault/db.h"

// What fixture_fill puts in.
enum fixture_part {
    FIXTURE_RUNS = 1,     // figures of April 2026: means, two machines more, wait events
    FIXTURE_REPEATED = 2, // a benchmark with five runs a cell
    FIXTURE_PROFILES = 4, // cpu-clock and page-faults of StrategyGetBuffer
    FIXTURE_SCAN = 8,     // two sections, three findings
    FIXTURE_ALL = 15,
    FIXTURE_UNRELATED = 16,   // a profile of another program
    FIXTURE_LINES = 32,       // page faults at the line of a finding, and elsewhere
    FIXTURE_PAIR = 128,       // two profiles of one event, under other settings
    FIXTURE_OTHER_LINES = 64, // page faults in the function of a finding, all elsewhere
    FIXTURE_MANY = 256,       // a scan with 700 findings
    FIXTURE_MARKUP = 512,     // a profile with names that look like markup, of two threads
};

// An open archive in a new directory; `fixture_close` removes both.
struct archive *fixture_open(char **dir);
void fixture_fill(struct archive *archive, unsigned parts);
void fixture_close(struct archive *archive, char *dir);

#endif
