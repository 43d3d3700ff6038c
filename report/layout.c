// Axes, colour steps and folding: pure arithmetic.
#include "layout.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double round_step(double rough)
{
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    double nice = lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 2.5 ? 2.5 : lead <= 5 ? 5 : 10;
    return nice * power;
}

static void add_tick(struct scale *s, double value)
{
    if (s->n_ticks < SCALE_TICKS)
        s->ticks[s->n_ticks++] = value;
}

struct scale scale_linear(double most, double from, double to)
{
    if (!(most > 0) || isinf(most))
        most = 1;
    struct scale s = {.log = false, .lo = 0, .from = from, .to = to};
    double step = round_step(most / 4);
    s.hi = step * ceil(most / step - 1e-9);
    for (int i = 0; (double)i * step <= s.hi * (1 + 1e-9); i++)
        add_tick(&s, (double)i * step);
    return s;
}

struct scale scale_log(double lo, double hi, double from, double to)
{
    int low = (int)floor(log10(lo) + 1e-9), high = (int)ceil(log10(hi) - 1e-9);
    if (high == low)
        high++;
    int every = (high - low + 4) / 5;
    high = low + every * ((high - low + every - 1) / every);
    struct scale s = {.log = true, .from = from, .to = to};
    s.lo = pow(10, low);
    s.hi = pow(10, high);
    for (int e = low; e <= high; e += every)
        add_tick(&s, pow(10, e));
    return s;
}

struct scale scale_log_tight(double lo, double hi, double from, double to)
{
    if (hi / lo < 1.02) {
        lo /= 1.05;
        hi *= 1.05;
    }
    struct scale s = {.log = true, .lo = lo, .hi = hi, .from = from, .to = to};
    static const double leads[] = {1, 2, 5};
    for (int e = (int)floor(log10(lo)) - 1; e <= (int)ceil(log10(hi)); e++)
        for (size_t i = 0; i < G_N_ELEMENTS(leads); i++) {
            double v = leads[i] * pow(10, e);
            if (v >= lo * (1 - 1e-9) && v <= hi * (1 + 1e-9))
                add_tick(&s, v);
        }
    return s;
}

struct scale scale_ratio(double lo, double hi, double from, double to)
{
    lo = fmin(lo, 1 / 1.1);
    hi = fmax(hi, 1.1);
    double room = pow(hi / lo, 0.04);
    struct scale s = {.log = true, .lo = lo / room, .hi = hi * room, .from = from, .to = to};
    int every = log2(s.hi / s.lo) > 5 ? 4 : log2(s.hi / s.lo) > 2.5 ? 2 : 1;
    for (int half = -24; half <= 24; half++) {
        double v = exp2(half / 2.0);
        if (half % every == 0 && v >= s.lo && v <= s.hi)
            add_tick(&s, v);
    }
    return s;
}

double scale_at(const struct scale *s, double value)
{
    double part =
        s->log ? log(value / s->lo) / log(s->hi / s->lo) : (value - s->lo) / (s->hi - s->lo);
    return s->from + part * (s->to - s->from);
}

int ratio_step(double ratio, bool higher_is_better)
{
    if (!(ratio > 0))
        return 0;
    double step = round(log2(ratio) * 4);
    step = fmax(-4, fmin(4, step));
    return (int)(higher_is_better ? step : -step);
}

bool label_goes_left(double x)
{
    return x > 62;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

double fold_below(const double *shares, size_t n, size_t limit, double least)
{
    if (n <= limit)
        return least;
    g_autofree double *sorted = g_memdup2(shares, n * sizeof *shares);
    qsort(sorted, n, sizeof *sorted, descending);
    // Frames as wide as the last one that fits are folded too, so that the limit holds with ties.
    double last = sorted[limit];
    return fmax(least, nextafter(last, INFINITY));
}
