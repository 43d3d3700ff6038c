// Options that choose runs.
#include "conditions.h"

#include <string.h>

#include "spinfault/base.h"
#include "spinfault/compare.h"

static bool is_condition(const char *text)
{
    size_t key = strcspn(text, "=, ");
    return key > 0 && text[key] == '=';
}

static bool add_conditions(GPtrArray *all, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    GString *condition = NULL;
    if (!is_condition(text))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "\"%s\" is neither a run's ID nor a condition; write KEY=VALUE, such as "
                         "preempt=lazy",
                         text);
    for (size_t i = 0; parts[i]; i++) {
        if (condition && !is_condition(parts[i])) {
            g_string_append_printf(condition, ",%s", parts[i]);
            continue;
        }
        if (condition)
            g_ptr_array_add(all, g_string_free(condition, FALSE));
        condition = g_string_new(parts[i]);
    }
    g_ptr_array_add(all, g_string_free(condition, FALSE));
    return true;
}

char **conditions_split(const char *const *texts, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; texts[i]; i++)
        if (!add_conditions(all, texts[i], error))
            return NULL;
    g_ptr_array_add(all, NULL);
    g_ptr_array_set_free_func(all, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&all), FALSE);
}

bool conditions_filter(struct run_filter *filter, char **where, const char *since, GError **error)
{
    *filter = (struct run_filter){.where = (const char *const *)where, .since_ns = INT64_MIN};
    for (char **w = where; w && *w; w++)
        if (!strchr(*w, '=') || **w == '=')
            return error_set(error, SPINFAULT_ERROR_USAGE,
                             "--where needs KEY=VALUE, as in preempt=lazy, not \"%s\"", *w);
    if (since && !text_to_time(since, &filter->since_ns))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--since needs a date or a time, as in 2026-04-01 or "
                         "2026-04-01T12:00:00Z, not \"%s\"",
                         since);
    return true;
}

bool conditions_threshold(const char *text, double *threshold, GError **error)
{
    *threshold = COMPARE_THRESHOLD;
    if (!text)
        return true;
    struct slice s = slice_trim(slice_from(text));
    if (slice_ends(s, "%"))
        s.len--;
    double percent;
    if (slice_to_double(slice_trim(s), &percent) && percent > 0 && percent < 100) {
        *threshold = percent / 100;
        return true;
    }
    return error_set(error, SPINFAULT_ERROR_USAGE,
                     "--threshold needs a share in percent between 0 and 100, as in 5, not \"%s\"",
                     text);
}
