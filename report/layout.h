// Layout: arithmetic from values to places on a chart. Horizontal places are percent of the width
// (charts are fluid), vertical ones are pixels. No drawing, no text measuring.
#ifndef SPINFAULT_REPORT_LAYOUT_H
#define SPINFAULT_REPORT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#define SCALE_TICKS 12

// A value axis. `from` and `to` are the places of `lo` and `hi`; a scale may run either way.
struct scale {
    bool log;
    double lo, hi;
    double from, to;
    double ticks[SCALE_TICKS];
    size_t n_ticks;
};

// Zero to a round number above `most`, with 3 to 6 ticks at round values. `most` ≤ 0 gives 0 … 1.
struct scale scale_linear(double most, double from, double to);
// Powers of ten that enclose lo … hi (both > 0), with at most 6 ticks.
struct scale scale_log(double lo, double hi, double from, double to);
// Logarithmic, exactly lo … hi, with ticks at 1, 2 and 5 times a power of ten inside.
struct scale scale_log_tight(double lo, double hi, double from, double to);
// Ratios on a log axis around 1: the ticks are among 1/4, 0.35, 0.5, 0.71, 1, 1.41, 2, 2.83, 4 …
// that lie within the data, 1 always among them.
struct scale scale_ratio(double lo, double hi, double from, double to);
double scale_at(const struct scale *scale, double value);

// The step of a ratio on the colour scale: −4 … 4 in equal factors of 2^¼, 0 within half a step
// of 1. Negative is worse when higher is better.
int ratio_step(double ratio, bool higher_is_better);

// Where a label beside a mark at `x` percent goes without leaving the chart: true for its left.
bool label_goes_left(double x);

// A frame's share of the width below which it is folded, so that at most `limit` frames are drawn:
// the larger of `least` and the limit-th largest share. `shares` need not be sorted.
double fold_below(const double *shares, size_t n, size_t limit, double least);

#endif
