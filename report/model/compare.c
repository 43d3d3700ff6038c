// The verdict on each cell of a grid.
//
// Each cell is compared twice: with the base of the whole grid (what the heat map prints) and with
// its reference (what the gate judges): the same page size under the base's preemption mode when
// there is one, else the base. How, depends on what is there (docs/statistics.md):
//   a published number, or fewer than three runs: the ratio, and no interval
//   three or four runs: geometric means with the deviation pooled over the grid
//   five and more: Hodges–Lehmann on logarithms, exact Mann–Whitney, Cliff's delta
#include "model/model.h"

#include "array.h"

#include <string.h>

#define LEVEL       0.95
#define ALPHA       0.05
#define RUNS_POOLED 3
#define RUNS_RANKS  5

static double *cell_runs(const struct cell *cell, size_t *n)
{
    double *x = ARRAY_NEW(double, cell->observations->len + 1);
    *n = 0;
    for (guint i = 0; i < cell->observations->len; i++) {
        const struct observation *o = &g_array_index(cell->observations, struct observation, i);
        if (!o->summary)
            x[(*n)++] = o->value;
    }
    return x;
}

static bool is_summary(const struct cell *cell)
{
    return cell->runs == 0 && cell->observations->len > 0;
}

static void compare(const struct grid *grid, const struct cell *cell, const struct cell *reference,
                    struct comparison *c)
{
    *c = (struct comparison){.reference = cell == reference ? NULL : reference,
                             .ratio = NAN,
                             .lo = NAN,
                             .hi = NAN,
                             .level = NAN,
                             .p = NAN,
                             .p_holm = NAN,
                             .delta = NAN};
    if (!reference || cell == reference || !cell->observations->len ||
        !reference->observations->len)
        return;
    size_t m, n;
    g_autofree double *base = cell_runs(reference, &m);
    g_autofree double *fresh = cell_runs(cell, &n);
    c->mixed = g_strcmp0(cell->study, reference->study) != 0;
    if (!(cell->centre > 0 && reference->centre > 0))
        return; // zero has no ratio, and no logarithm
    c->ratio = cell->centre / reference->centre;
    c->size_only = is_summary(cell) || is_summary(reference);
    struct ratio r;
    size_t least = MIN(m, n);
    if (least >= RUNS_RANKS && stats_ratio(base, m, fresh, n, LEVEL, &r)) {
        struct rank_test t;
        stats_rank_test(base, m, fresh, n, &t);
        c->method = METHOD_RANKS;
        c->p = t.p;
        c->delta = stats_cliffs_delta(base, m, fresh, n);
    } else if (least >= RUNS_POOLED &&
               stats_pooled_ratio(&grid->pool, base, m, fresh, n, LEVEL, &r)) {
        c->method = METHOD_POOLED;
        c->p = r.p;
    } else {
        return;
    }
    c->ratio = r.value;
    c->lo = r.interval.lo;
    c->hi = r.interval.hi;
    c->level = r.interval.level;
}

// Slower or faster needs the whole interval beyond 1 ± threshold, and p; no difference needs the
// whole interval inside.
static enum verdict judge(const struct grid *grid, const struct comparison *c, double threshold)
{
    double lo = c->lo, hi = c->hi;
    if (isnan(lo)) {
        if (!c->size_only)
            return VERDICT_UNSURE;
        lo = hi = c->ratio;
    }
    bool less = hi < 1 - threshold, more = lo > 1 + threshold;
    bool sure = c->size_only || isnan(c->p_holm) || c->p_holm < ALPHA;
    if ((less || more) && sure)
        return more == grid->higher_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
    if (lo >= 1 - threshold && hi <= 1 + threshold)
        return VERDICT_SAME;
    return VERDICT_UNSURE;
}

// Runs a cell that would bring the interval's half width down to the distance between the ratio
// and the nearest margin, if the noise stays what it is; never below what the rank test needs.
static size_t runs_needed(const struct grid *grid, const struct comparison *c, double threshold,
                          size_t comparisons)
{
    size_t least = stats_runs_needed(ALPHA, comparisons);
    double margin = c->ratio < 1 ? log(1 - threshold) : log1p(threshold);
    double sd = grid->noise, distance = fabs(log(c->ratio) - margin);
    if (isnan(sd) || !(distance > 0))
        return least;
    double n = ceil(2 * pow(1.96 * sd / distance, 2));
    return n > 1000 ? 1000 : MAX(least, (size_t)n);
}

static struct cell *reference_of(const struct grid *grid, size_t row, size_t column)
{
    struct cell *cell = grid_cell(grid, row, column);
    for (size_t c = 0; c < grid->n_preempts; c++) {
        struct cell *other = grid_cell(grid, row, c);
        if (g_strcmp0(other->preempt, grid->base->preempt) == 0 && other->observations->len &&
            other != cell)
            return other;
    }
    return cell == grid->base ? NULL : grid->base;
}

// Holm over every comparison of the page. Both of a cell's comparisons count, unless they are one.
static void adjust(const GPtrArray *grids)
{
    g_autoptr(GArray) p = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GPtrArray) places = g_ptr_array_new();
    for (guint g = 0; g < grids->len; g++) {
        const struct grid *grid = g_ptr_array_index(grids, g);
        for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
            struct cell *cell = &grid->cells[i];
            g_array_append_val(p, cell->to_base.p);
            g_ptr_array_add(places, &cell->to_base.p_holm);
            if (cell->to_reference.reference == cell->to_base.reference)
                continue;
            g_array_append_val(p, cell->to_reference.p);
            g_ptr_array_add(places, &cell->to_reference.p_holm);
        }
    }
    if (!p->len)
        return;
    g_autofree double *adjusted = ARRAY_NEW(double, p->len);
    stats_holm(&g_array_index(p, double, 0), p->len, adjusted);
    for (guint i = 0; i < places->len; i++)
        *(double *)g_ptr_array_index(places, i) = adjusted[i];
}

static void count(struct grid *grid)
{
    grid->slower = grid->faster = grid->same = grid->unsure = grid->missing = 0;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        if (!cell->observations->len)
            grid->missing++;
        grid->slower += cell->to_reference.verdict == VERDICT_SLOWER;
        grid->faster += cell->to_reference.verdict == VERDICT_FASTER;
        grid->same += cell->to_reference.verdict == VERDICT_SAME;
        grid->unsure += cell->to_reference.verdict == VERDICT_UNSURE;
    }
}

static size_t comparisons_of(const struct grid *grid)
{
    size_t n = 0;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
        n += !isnan(grid->cells[i].to_reference.ratio);
    return n ? n : 1;
}

static void compare_cells(struct grid *grid)
{
    grid->pool = (struct pool){0};
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        size_t n;
        g_autofree double *x = cell_runs(&grid->cells[i], &n);
        stats_pool_add(&grid->pool, x, n);
    }
    grid->noise = stats_pool_sd(&grid->pool);
    for (size_t row = 0; row < grid->n_pages; row++)
        for (size_t column = 0; column < grid->n_preempts; column++) {
            struct cell *cell = grid_cell(grid, row, column);
            const struct cell *reference = reference_of(grid, row, column);
            compare(grid, cell, grid->base, &cell->to_base);
            if (reference == grid->base)
                cell->to_reference = cell->to_base;
            else
                compare(grid, cell, reference, &cell->to_reference);
        }
}

static void judge_cells(struct grid *grid, double threshold)
{
    size_t comparisons = comparisons_of(grid);
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        struct cell *cell = &grid->cells[i];
        if (cell->to_reference.reference == cell->to_base.reference)
            cell->to_reference.p_holm = cell->to_base.p_holm;
        struct comparison *both[] = {&cell->to_base, &cell->to_reference};
        for (size_t k = 0; k < 2; k++) {
            if (isnan(both[k]->ratio))
                continue;
            both[k]->verdict = judge(grid, both[k], threshold);
            if (both[k]->verdict == VERDICT_UNSURE)
                both[k]->needs = runs_needed(grid, both[k], threshold, comparisons);
        }
    }
    count(grid);
}

void grids_compare(const GPtrArray *grids, double threshold)
{
    for (guint g = 0; g < grids->len; g++)
        compare_cells(g_ptr_array_index(grids, g));
    adjust(grids);
    for (guint g = 0; g < grids->len; g++)
        judge_cells(g_ptr_array_index(grids, g), threshold);
}
