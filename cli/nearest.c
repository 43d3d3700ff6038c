// Suggestions for mistyped names, by edit distance.
#include "nearest.h"

#include <glib.h>
#include <string.h>

// Levenshtein distance with swaps of neighbours, of short words.
static unsigned edit_distance(const char *a, const char *b)
{
    enum { MAX = 24 };
    unsigned d[MAX + 1][MAX + 1];
    size_t n = strnlen(a, MAX), m = strnlen(b, MAX);
    for (size_t i = 0; i <= n; i++)
        d[i][0] = (unsigned)i;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            unsigned best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = MIN(best, d[i - 1][j] + 1);
            best = MIN(best, d[i][j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = MIN(best, d[i - 2][j - 2] + 1);
            d[i][j] = best;
        }
    }
    return d[n][m];
}

const char *nearest_name(const char *name, const char *(*nth)(size_t i))
{
    const char *best = NULL;
    unsigned best_distance = 3; // farther than two slips is another word
    for (size_t i = 0; nth(i); i++) {
        unsigned distance = edit_distance(name, nth(i));
        if (g_str_has_prefix(nth(i), name) && strlen(name) >= 2)
            distance = MIN(distance, 1);
        // One slip in three letters is a slip; two make another word.
        if (distance < best_distance && (size_t)distance * 3 <= strlen(nth(i))) {
            best = nth(i);
            best_distance = distance;
        }
    }
    return best;
}
