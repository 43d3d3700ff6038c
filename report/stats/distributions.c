// Student's t and the normal distribution. The tail of t is the regularised incomplete beta
// function I_x(df/2, 1/2), x = df / (df + t²), by its continued fraction (Lentz's method as
// modified by Thompson and Barnett 1986).
#include "stats/stats.h"

#include <math.h>

static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int i = 1; i < 10000; i++) {
        double step = (double)i;
        double even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step));
        double odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1));
        for (int half = 0; half < 2; half++) {
            double term = half ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            value *= c * d;
        }
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return value;
}

static double beta_regularised(double a, double b, double x)
{
    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats_t_tail(double t, double df)
{
    return beta_regularised(df / 2, 0.5, df / (df + t * t));
}

double stats_t_quantile(double p, double df)
{
    if (!(p > 0 && p < 1))
        return NAN;
    if (p == 0.5)
        return 0;
    double both = 2 * fmin(p, 1 - p), low = 0, high = 1;
    while (stats_t_tail(high, df) > both)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
        double middle = (low + high) / 2;
        if (stats_t_tail(middle, df) > both)
            low = middle;
        else
            high = middle;
    }
    return (p < 0.5 ? -1 : 1) * (low + high) / 2;
}

double stats_normal_tail(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

double stats_normal_quantile(double p)
{
    if (!(p > 0 && p < 1))
        return NAN;
    double both = 2 * fmin(p, 1 - p), low = 0, high = 40;
    for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
        double middle = (low + high) / 2;
        if (stats_normal_tail(middle) > both)
            low = middle;
        else
            high = middle;
    }
    return (p < 0.5 ? -1 : 1) * (low + high) / 2;
}
