// How two samples are compared, by how many runs there are (docs/statistics.md):
//   a published number, or fewer than three runs: the ratio, and no interval
//   three or four runs, and as many as ranks need for p < 0.05 after Holm: geometric means with the
//     deviation pooled over the cells, and a verdict only where ranks do not speak against it
//   more: Hodges–Lehmann on logarithms, exact Mann–Whitney, Cliff's delta
//   values of zero or below, which have no logarithm: Hodges–Lehmann on the values, no interval of
//   the ratio
//   six and more interleaved pairs: Wilcoxon's signed ranks
// Where nothing can be pooled, ranks also serve three and four runs, with the level they reach.
#include "model/judge.h"

#include "array.h"

#include <math.h>

#define LEVEL        0.95
#define ALPHA        0.05
#define RUNS_LEAST   3
#define RANKS_AGREE  0.1 // p of the ranks that a pooled verdict needs at least
#define RUNS_RANKS   5
#define SESSION_RUNS 3

void comparison_clear(struct comparison *c)
{
    const struct cell *reference = c->reference;
    *c = (struct comparison){.reference = reference,
                             .ratio = NAN,
                             .lo = NAN,
                             .hi = NAN,
                             .level = NAN,
                             .change_lo = NAN,
                             .change_hi = NAN,
                             .u = NAN,
                             .p = NAN,
                             .p_holm = NAN,
                             .p_ranks = NAN,
                             .p_tails = NAN,
                             .p_tails_holm = NAN,
                             .delta = NAN};
}

void comparison_of_centres(struct comparison *c, double base, double fresh, bool size_only)
{
    c->size_only = size_only;
    if (base > 0 && fresh > 0) // zero has no ratio, and no logarithm
        c->ratio = fresh / base;
}

static void take(struct comparison *c, enum method method, double ratio,
                 const struct interval *interval, double p)
{
    c->method = method;
    c->ratio = ratio;
    c->lo = interval->lo;
    c->hi = interval->hi;
    c->level = interval->level;
    c->reached = interval->achievable;
    c->p = p;
}

static bool take_pairs(struct comparison *c, const struct two_samples *s)
{
    struct signed_rank r;
    if (!s->paired || s->m != s->n || !stats_signed_rank(s->base, s->fresh, s->n, LEVEL, &r))
        return false;
    take(c, METHOD_PAIRS, r.ratio, &r.interval, r.p);
    return true;
}

// Fewer runs than this cannot give p < 0.05 after Holm, whatever they measure: five against five
// have p = 0.008 at best, which is nothing among seven comparisons.
static size_t runs_for_ranks(const struct two_samples *s)
{
    return s->pool ? MAX(RUNS_RANKS, stats_runs_needed(ALPHA, s->family)) : RUNS_LEAST;
}

static bool take_pooled(struct comparison *c, const struct two_samples *s)
{
    struct ratio r;
    if (!s->pool || MIN(s->m, s->n) < RUNS_LEAST || MIN(s->m, s->n) >= runs_for_ranks(s) ||
        !stats_pooled_ratio(s->pool, s->base, s->m, s->fresh, s->n, LEVEL, &r))
        return false;
    take(c, METHOD_POOLED, r.value, &r.interval, r.p);
    c->p_tails = stats_pooled_p_tails(s->pool, s->base, s->m, s->fresh, s->n);
    return true;
}

// One or two runs have an interval only where the other side has enough to reach the level.
static bool take_ranks(struct comparison *c, const struct two_samples *s)
{
    struct ratio r;
    size_t least = MIN(s->m, s->n);
    if ((s->pool && least < runs_for_ranks(s)) ||
        !stats_ratio(s->base, s->m, s->fresh, s->n, LEVEL, &r))
        return false;
    c->ratio = r.value;
    if (least < RUNS_LEAST && !r.interval.achievable)
        return false;
    take(c, METHOD_RANKS, r.value, &r.interval, c->p);
    return true;
}

// `difference` as a share of the base: of a base of zero whatever differs is beyond all bounds.
static double share_of(double difference, double base)
{
    return difference == 0 ? 0 : difference / fabs(base);
}

// Without logarithms there is no interval of the ratio (the method stays METHOD_RATIO), but one of
// the differences.
static bool take_differences(struct comparison *c, const struct two_samples *s)
{
    struct shift shift;
    double base = stats_median(s->base, s->m);
    if (MIN(s->m, s->n) < RUNS_LEAST ||
        !stats_shift(s->base, s->m, s->fresh, s->n, LEVEL, &shift) || !shift.interval.achievable)
        return false;
    c->change_lo = share_of(shift.interval.lo, base);
    c->change_hi = share_of(shift.interval.hi, base);
    return true;
}

void comparison_measure(struct comparison *c, const struct two_samples *s)
{
    struct rank_test test;
    if (!stats_rank_test(s->base, s->m, s->fresh, s->n, &test))
        return;
    comparison_of_centres(c, stats_median(s->base, s->m), stats_median(s->fresh, s->n), false);
    c->u = test.u;
    c->delta = stats_cliffs_delta(s->base, s->m, s->fresh, s->n);
    c->p = c->p_ranks = test.p;
    if (take_pairs(c, s) || take_pooled(c, s) || take_ranks(c, s) || take_differences(c, s))
        return;
    if (s->pool) // of so few runs that p says nothing
        c->p = NAN;
}

bool comparison_can_pair(size_t pairs, size_t comparisons)
{
    return ldexp(1, 1 - (int)MIN(pairs, 1000)) * (double)MAX(comparisons, 1) < ALPHA;
}

void comparisons_adjust(struct comparison *const *family, size_t n)
{
    g_autofree double *p = ARRAY_NEW(double, n);
    g_autofree double *adjusted = ARRAY_NEW(double, n);
    for (size_t i = 0; i < n; i++)
        p[i] = family[i]->p;
    stats_holm(p, n, adjusted);
    for (size_t i = 0; i < n; i++) {
        family[i]->p_holm = adjusted[i];
        if (!isnan(family[i]->p_tails))
            p[i] = family[i]->p_tails;
    }
    stats_holm(p, n, adjusted);
    for (size_t i = 0; i < n; i++)
        family[i]->p_tails_holm = adjusted[i];
}

// Slower or faster needs the whole interval beyond 1 ± margin, and p; no difference needs the whole
// interval inside.
static enum verdict judge(const struct comparison *c, double margin, bool higher_is_better)
{
    double lo = c->lo, hi = c->hi;
    if (!isnan(c->change_lo)) {
        lo = 1 + c->change_lo;
        hi = 1 + c->change_hi;
    } else if (isnan(lo)) {
        if (!c->size_only)
            return VERDICT_UNSURE;
        lo = hi = c->ratio;
    } else if (!c->reached) {
        return VERDICT_UNSURE;
    }
    bool less = hi < 1 - margin, more = lo > 1 + margin;
    bool sure = c->size_only || isnan(c->p_holm) || c->p_holm < ALPHA;
    // One wild run of three moves a mean; it does not put all three on the other side. And where
    // runs are wild, a mean far off is less rare than it looks.
    if (c->method == METHOD_POOLED)
        sure = sure && c->p_ranks <= RANKS_AGREE * (1 + 1e-9) && c->p_tails_holm < ALPHA;
    if ((less || more) && sure)
        return more == higher_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
    if (lo >= 1 - margin && hi <= 1 + margin)
        return VERDICT_SAME;
    return VERDICT_UNSURE;
}

// Runs a side that would bring the interval's half width down to the distance between the ratio and
// the nearest margin, if the noise stays what it is; never below what the rank test needs.
static size_t runs_needed(const struct comparison *c, double margin, double noise, size_t family)
{
    size_t least = MAX(stats_runs_needed(ALPHA, family), RUNS_LEAST);
    double border = c->ratio < 1 ? log(1 - margin) : log1p(margin);
    double distance = fabs(log(c->ratio) - border);
    if (isnan(noise) || !(distance > 0))
        return least;
    double n = ceil(2 * pow(1.96 * noise / distance, 2));
    return n > COMPARE_NEEDS_MOST ? COMPARE_NEEDS_MOST : MAX(least, (size_t)n);
}

void comparison_judge(struct comparison *c, double margin, bool higher_is_better, double noise,
                      size_t family)
{
    c->verdict = VERDICT_NONE;
    c->needs = 0;
    if (!isnan(c->ratio) || !isnan(c->p))
        c->verdict = judge(c, margin, higher_is_better);
    if (c->verdict == VERDICT_UNSURE && !isnan(c->ratio))
        c->needs = runs_needed(c, margin, noise, family);
}

void noise_add(GArray *ratios, const double *values, const int64_t *sessions, size_t n)
{
    double before = NAN;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && sessions[to] == sessions[from];)
            to++;
        if (to - from < SESSION_RUNS)
            continue;
        double median = stats_median(values + from, to - from), ratio = median / before;
        if (ratio > 0 && ratio < INFINITY)
            g_array_append_val(ratios, ratio);
        before = median;
    }
}

double noise_floor(const GArray *ratios)
{
    if (ratios->len < NOISE_PAIRS)
        return NAN;
    return stats_noise_floor(&g_array_index(ratios, double, 0), ratios->len);
}
