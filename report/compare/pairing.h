// Cells of a comparison: runs of both sides with the same key.
#ifndef SPINFAULT_REPORT_PAIRING_H
#define SPINFAULT_REPORT_PAIRING_H

#include "compare/sides.h"

struct group {
    char *key, *label;
    GPtrArray *base, *fresh; // of struct side_run, lent by the sides
};

// GPtrArray of struct group, in the order of their first runs; frees what it holds.
GPtrArray *pair_up(const struct sides *sides);
// Values and settings of a side; `runs` is not empty. Runs win over summaries of them.
void side_fill(struct compare_side *side, const struct sides *sides, const GPtrArray *runs);
// Were the runs interleaved, so that base[i] belongs to fresh[i]? Fills both arrays, of as many as
// there are runs. Also false where so few pairs could show nothing among so many comparisons.
bool side_pairs(const struct group *group, size_t comparisons, double *base, double *fresh);
// What all the runs have in common, as of compare_side.
GPtrArray *side_set(const struct sides *sides, const GPtrArray *runs);
// Adds the A/A ratios among the runs of one side (noise_add).
void side_noise(const GPtrArray *runs, GArray *ratios);

#endif
