// See scan_filter.h.
#include "scan_filter.h"

static bool scan_begin(void *context, const struct scan_fact *scan, GError **error)
{
    struct scan_filter *filter = context;
    return sink_scan_begin(filter->next, scan, error);
}

static bool section(void *context, const struct section_fact *fact, GError **error)
{
    struct scan_filter *filter = context;
    return sink_section(filter->next, fact, error);
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    struct scan_filter *filter = context;
    return sink_file(filter->next, fact, error);
}

static bool passes(const struct scan_filter *filter, const struct finding_fact *fact)
{
    return fact->severity >= filter->thresholds->min_severity &&
           fact->confidence >= filter->thresholds->min_confidence &&
           !(filter->disabled &&
             g_strv_contains((const char *const *)filter->disabled, fact->rule));
}

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    struct scan_filter *filter = context;
    if (passes(filter, fact))
        return sink_finding(filter->next, fact, error);
    if (fact->suppressed)
        filter->summary.suppressed++;
    else
        filter->summary.findings[fact->severity]++;
    filter->dropped++;
    return true;
}

static bool scan_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    struct scan_filter *filter = context;
    struct scan_summary left = *summary;
    left.suppressed -= MIN(filter->summary.suppressed, left.suppressed);
    for (int i = SEVERITY_NONE; i <= SEVERITY_HIGH; i++)
        left.findings[i] -= MIN(filter->summary.findings[i], left.findings[i]);
    return sink_scan_end(filter->next, &left, ok, error);
}

void scan_filter_init(struct scan_filter *filter, const struct scan_thresholds *thresholds,
                      char *const *disabled, const struct fact_sink *next)
{
    *filter = (struct scan_filter){
        .sink = {.context = filter,
                 .scan_begin = scan_begin,
                 .section = section,
                 .finding = finding,
                 .file = file,
                 .scan_end = scan_end},
        .next = next,
        .thresholds = thresholds,
        .disabled = disabled,
    };
}
