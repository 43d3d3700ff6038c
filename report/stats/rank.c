// The Mann–Whitney test, and Cliff's delta from the same ranks.
#include "stats/stats.h"

#include "array.h"
#include "stats/counting.h"

#include <glib.h>
#include <math.h>

double stats_least_p(size_t m, size_t n)
{
    double choose =
        exp(lgamma((double)(m + n) + 1) - lgamma((double)m + 1) - lgamma((double)n + 1));
    return fmin(1, 2 / round(choose));
}

static double normal_p(double u, size_t m, size_t n, double tie_term)
{
    double mm = (double)m, nn = (double)n, total = mm + nn;
    double variance = mm * nn / 12 * (total + 1 - tie_term / (total * (total - 1)));
    if (variance <= 0)
        return 1;
    double distance = fmax(0, fabs(u - mm * nn / 2) - 0.5);
    return stats_normal_tail(distance / sqrt(variance));
}

static size_t apart(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

// P(|W − E| ≥ |w − E|); `mean` is doubled, and `times` as much as what the sums lack of that.
static double distance_p(const double *shares, size_t size, size_t times, size_t sum, size_t mean)
{
    size_t far = apart(times * sum, mean);
    double p = 0;
    for (size_t s = 0; s < size; s++)
        if (apart(times * s, mean) >= far)
            p += shares[s];
    return fmin(1, p);
}

bool stats_rank_test(const double *base, size_t m, const double *fresh, size_t n,
                     struct rank_test *result)
{
    if (m == 0 || n == 0)
        return false;
    size_t sum;
    double tie_term;
    g_autofree unsigned *ranks = count_doubled_ranks(base, m, fresh, n, &sum, &tie_term);
    result->u = (double)sum / 2 - (double)n * (double)(n + 1) / 2;
    result->ties = tie_term > 0;
    result->p_least = stats_least_p(m, n);
    result->p_normal = normal_p(result->u, m, n, tie_term);
    result->p = result->p_normal;
    result->p_greater = result->p_less = result->p_distance = NAN;
    result->exact = m + n <= COUNT_TWO_MOST;
    if (!result->exact)
        return true;
    size_t size, mean = n * (m + n + 1);
    g_autofree double *tied = NULL;
    const double *shares;
    if (result->ties) {
        shares = tied = count_rank_sums(ranks, m + n, n, &size);
    } else { // plain ranks: everything is half as large
        shares = count_untied_sums(m + n, n, &size);
        sum /= 2;
    }
    count_tails(shares, size, sum, &result->p_less, &result->p_greater);
    result->p = fmin(1, 2 * fmin(result->p_less, result->p_greater));
    result->p_distance = distance_p(shares, size, result->ties ? 1 : 2, sum, mean);
    return true;
}

double stats_cliffs_delta(const double *base, size_t m, const double *fresh, size_t n)
{
    if (m == 0 || n == 0)
        return NAN;
    size_t sum;
    double tie_term;
    g_free(count_doubled_ranks(base, m, fresh, n, &sum, &tie_term));
    double u = (double)sum / 2 - (double)n * (double)(n + 1) / 2;
    return 2 * u / ((double)m * (double)n) - 1;
}
