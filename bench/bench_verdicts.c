// How often a verdict is wrong, and how often a change is found: bench_verdicts [PAGES].
//
// PAGES (1,000) times a page of 1 or 12 comparisons is made of runs that do not differ (A/A), and
// of runs of which one cell is 5, 10 or 20 % slower. Runs scatter by 1 or 3 %, as a normal
// distribution or with heavy tails (Student's t, 3 degrees of freedom, of the same quartiles). A
// page is wrong when any of its cells is called slower or faster and is not. The method is that of
// compare and the report: pooled deviation for few runs, ranks for more, Holm over the page.
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "array.h"
#include "model/judge.h"
#include "stats/series.h"

#define MOST_CELLS 12
#define MOST_RUNS  12

static double normal(struct random *random) // Box and Muller
{
    double r = sqrt(-2 * log(1 - random_unit(random)));
    return r * cos(2 * G_PI * random_unit(random));
}

// Quartiles as those of the normal distribution: that of t with 3 degrees of freedom is 0.7649.
static double heavy(struct random *random)
{
    double z = normal(random), chi = 0;
    for (int i = 0; i < 3; i++) {
        double y = normal(random);
        chi += y * y;
    }
    return z / sqrt(chi / 3) * 0.6745 / 0.7649;
}

struct situation {
    double noise, threshold;
    bool tails;
    size_t n, cells;
};

struct outcome {
    bool wrong, found; // a cell that is the same was called different; the slower one was seen
    unsigned wrong_cells;
};

static struct outcome page(const struct situation *s, double change, struct random *random)
{
    static double base[MOST_CELLS][MOST_RUNS], fresh[MOST_CELLS][MOST_RUNS];
    struct comparison c[MOST_CELLS], *family[MOST_CELLS];
    struct pool pool = {0};
    for (size_t i = 0; i < s->cells; i++) {
        for (size_t k = 0; k < s->n; k++) {
            double x = s->tails ? heavy(random) : normal(random);
            double y = s->tails ? heavy(random) : normal(random);
            base[i][k] = 1000 * exp(s->noise * x);
            fresh[i][k] = 1000 * exp(s->noise * y) * (i == 0 ? 1 - change : 1);
        }
        stats_pool_add(&pool, base[i], s->n);
        stats_pool_add(&pool, fresh[i], s->n);
    }
    for (size_t i = 0; i < s->cells; i++) {
        c[i] = (struct comparison){0};
        comparison_clear(&c[i]);
        comparison_measure(&c[i], &(struct two_samples){base[i], fresh[i], s->n, s->n, &pool, false,
                                                        s->cells});
        family[i] = &c[i];
    }
    comparisons_adjust(family, s->cells);
    struct outcome o = {0};
    for (size_t i = 0; i < s->cells; i++) {
        comparison_judge(&c[i], s->threshold, true, stats_pool_sd(&pool), s->cells);
        bool called = c[i].verdict == VERDICT_SLOWER || c[i].verdict == VERDICT_FASTER;
        if (i == 0 && change > 0) {
            o.found = c[i].verdict == VERDICT_SLOWER;
            o.wrong |= c[i].verdict == VERDICT_FASTER;
        } else if (called) {
            o.wrong = true;
            o.wrong_cells++;
        }
    }
    return o;
}

static void print_setting(const struct situation *s, unsigned pages)
{
    static const double changes[] = {0.05, 0.1, 0.2};
    struct random random = {42};
    unsigned wrong = 0, wrong_cells = 0;
    for (unsigned i = 0; i < pages; i++) {
        struct outcome o = page(s, 0, &random);
        wrong += o.wrong;
        wrong_cells += o.wrong_cells;
    }
    printf("%-6s %3.0f %% %6.1f %% %5zu %5zu %9.1f %% %9.2f %%", s->tails ? "heavy" : "normal",
           s->noise * 100, s->threshold * 100, s->cells, s->n, 100.0 * wrong / pages,
           100.0 * wrong_cells / pages / (double)s->cells);
    for (size_t k = 0; k < G_N_ELEMENTS(changes); k++) {
        unsigned found = 0;
        for (unsigned i = 0; i < pages; i++)
            found += page(s, changes[k], &random).found;
        printf(" %7.1f %%", 100.0 * found / pages);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static const double noises[] = {0.01, 0.03}, thresholds[] = {0.001, 0.05};
    static const size_t runs[] = {3, 5, 8, 12}, cells[] = {1, MOST_CELLS};
    unsigned pages = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    printf(
        "scatter      counts from cells  runs   A/A pages   A/A cells   found 5 %%    10 %%      "
        "20 %%\n");
    for (size_t t = 0; t < 2; t++)
        for (size_t v = 0; v < 2; v++)
            for (int tails = 0; tails < 2; tails++)
                for (size_t c = 0; c < 2; c++)
                    for (size_t r = 0; r < G_N_ELEMENTS(runs); r++)
                        print_setting(&(struct situation){noises[v], thresholds[t], tails, runs[r],
                                                          cells[c]},
                                      pages);
    return 0;
}
