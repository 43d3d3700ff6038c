// Two plain files of numbers.
#include "array.h"
#include "compare/result.h"
#include "compare/values.h"
#include "model/warm_up.h"
#include "spinfault/base.h"

static bool read_file(const char *path, struct compare_side *side, GError **error)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    if (!values_read(path, values, error))
        return false;
    side->set = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(side->set, g_strdup("file"));
    g_ptr_array_add(side->set, g_strdup(values_name(path)));
    side->n = values->len;
    side->values = g_memdup2(values->data, values->len * sizeof(double));
    return true;
}

static bool measure(struct compare_result *result, struct compare_cell *cell, bool paired,
                    GError **error)
{
    const struct compare_side *base = &cell->base, *fresh = &cell->fresh;
    struct comparison c = {0};
    struct pool pool = {0};
    g_autoptr(GArray) aa = g_array_new(FALSE, FALSE, sizeof(double));
    if (paired && base->n != fresh->n)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--paired needs as many numbers in both files, but there are %zu and %zu",
                         base->n, fresh->n);
    // Two files alone have nothing to pool with: ranks are all there is.
    comparison_clear(&c);
    comparison_measure(&c, &(struct two_samples){base->values, fresh->values, base->n, fresh->n,
                                                 NULL, paired, 1});
    stats_pool_add(&pool, base->values, base->n);
    stats_pool_add(&pool, fresh->values, fresh->n);
    result_judge(result, &c, aa, stats_pool_sd(&pool));
    result_warm(result, warm_up_order_text(base->values, base->n, "the base"));
    result_warm(result, warm_up_order_text(fresh->values, fresh->n, "the new side"));
    return true;
}

struct compare_result *compare_files(const struct compare_values *values, GError **error)
{
    struct compare_result *result = result_new(values->threshold);
    struct compare_cell *cell = result_cell(result, "value", "all");
    cell->unit = g_strdup("");
    cell->higher_is_better = !values->lower_is_better;
    if (read_file(values->base, &cell->base, error) &&
        read_file(values->fresh, &cell->fresh, error) &&
        measure(result, cell, values->paired, error))
        return result;
    compare_free(result);
    return NULL;
}
