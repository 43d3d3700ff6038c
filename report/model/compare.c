// The verdict on each cell of a grid.
//
// Each cell is compared twice: with the base of the whole grid (what the heat map prints) and with
// its reference (what the gate judges): the same page size under the base's preemption mode when
// there is one, else the base.
#include "model/model.h"

#include "array.h"

#include <string.h>

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
    c->reference = cell == reference ? NULL : reference;
    comparison_clear(c);
    if (!c->reference || !cell->observations->len || !reference->observations->len)
        return;
    c->mixed = g_strcmp0(cell->study, reference->study) != 0;
    if (is_summary(cell) || is_summary(reference)) {
        comparison_of_centres(c, reference->centre, cell->centre, true);
        return;
    }
    size_t m, n;
    g_autofree double *base = cell_runs(reference, &m);
    g_autofree double *fresh = cell_runs(cell, &n);
    comparison_measure(c,
                       &(struct two_samples){base, fresh, m, n, &grid->pool, false, grid->family});
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
    g_autoptr(GPtrArray) family = g_ptr_array_new();
    for (guint g = 0; g < grids->len; g++) {
        const struct grid *grid = g_ptr_array_index(grids, g);
        for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
            struct cell *cell = &grid->cells[i];
            g_ptr_array_add(family, &cell->to_base);
            if (cell->to_reference.reference != cell->to_base.reference)
                g_ptr_array_add(family, &cell->to_reference);
        }
    }
    comparisons_adjust((struct comparison *const *)family->pdata, family->len);
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

static void measure_noise(struct grid *grid)
{
    g_autoptr(GArray) aa = g_array_new(FALSE, FALSE, sizeof(double));
    grid->pool = (struct pool){0};
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        size_t n;
        g_autofree double *x = cell_runs(cell, &n);
        g_autofree int64_t *sessions = ARRAY_NEW(int64_t, n);
        stats_pool_add(&grid->pool, x, n);
        for (size_t k = 0; k < n && n == cell->observations->len; k++)
            sessions[k] = g_array_index(cell->observations, struct observation, k).session;
        noise_add(aa, x, sessions, n == cell->observations->len ? n : 0);
    }
    grid->noise = stats_pool_sd(&grid->pool);
    grid->aa = noise_floor(aa);
}

static void compare_cells(struct grid *grid)
{
    measure_noise(grid);
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
    grid->margin = isnan(grid->aa) ? threshold : MAX(threshold, grid->aa);
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        struct cell *cell = &grid->cells[i];
        if (cell->to_reference.reference == cell->to_base.reference)
            cell->to_reference.p_holm = cell->to_base.p_holm;
        struct comparison *both[] = {&cell->to_base, &cell->to_reference};
        for (size_t k = 0; k < 2; k++)
            if (!isnan(both[k]->ratio))
                comparison_judge(both[k], grid->margin, grid->higher_is_better, grid->noise,
                                 comparisons);
    }
    count(grid);
}

// Comparisons of a grid, both kinds: at most as many as Holm will see.
static size_t family_of(const struct grid *grid)
{
    size_t n = 0;
    for (size_t row = 0; row < grid->n_pages; row++)
        for (size_t column = 0; column < grid->n_preempts; column++) {
            const struct cell *cell = grid_cell(grid, row, column);
            if (!cell->runs || cell == grid->base)
                continue;
            n += 1 + (reference_of(grid, row, column) != grid->base);
        }
    return n;
}

void grids_compare(const GPtrArray *grids, double threshold)
{
    size_t family = 0;
    for (guint g = 0; g < grids->len; g++)
        family += family_of(g_ptr_array_index(grids, g));
    for (guint g = 0; g < grids->len; g++)
        ((struct grid *)g_ptr_array_index(grids, g))->family = family;
    for (guint g = 0; g < grids->len; g++)
        compare_cells(g_ptr_array_index(grids, g));
    adjust(grids);
    for (guint g = 0; g < grids->len; g++)
        judge_cells(g_ptr_array_index(grids, g), threshold);
}
