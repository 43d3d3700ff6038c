// A comparison while it is put together.
#ifndef SPINFAULT_REPORT_RESULT_H
#define SPINFAULT_REPORT_RESULT_H

#include "model/judge.h"

struct compare_result *result_new(double threshold);
// An empty cell, added to the result.
struct compare_cell *result_cell(struct compare_result *result, const char *metric,
                                 const char *label);
// `measured`: one comparison for each cell. Adjusts p over all of them, judges, counts, and adds
// the geometric means. `aa`: A/A ratios (of double). `noise`: deviation of one run, as a share;
// NAN.
void result_judge(struct compare_result *result, struct comparison *measured, const GArray *aa,
                  double noise);
// Keeps a sentence about a warm-up; NULL is none. Takes it.
void result_warm(struct compare_result *result, char *sentence);

#endif
