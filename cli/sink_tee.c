// A sink that hands every fact of a scan to several others. When one of them fails, the others
// still get their end, with `ok` false: what was begun is ended exactly once.
#include "sink_tee.h"

static bool end_all(struct sink_tee *tee, const struct scan_summary *summary, bool ok,
                    GError **error)
{
    bool ended = true;
    for (size_t i = 0; i < tee->begun; i++)
        ended = sink_scan_end(tee->to[i], summary, ok && ended, ended ? error : NULL) && ended;
    tee->begun = 0;
    return ended;
}

static bool scan_begin(void *context, const struct scan_fact *scan, GError **error)
{
    struct sink_tee *tee = context;
    for (tee->begun = 0; tee->begun < tee->n; tee->begun++) {
        if (sink_scan_begin(tee->to[tee->begun], scan, error))
            continue;
        struct scan_summary nothing = {0};
        end_all(tee, &nothing, false, NULL);
        return false;
    }
    return true;
}

#define HAND_ON(name, type)                                                                        \
    static bool name(void *context, const struct type *fact, GError **error)                       \
    {                                                                                              \
        struct sink_tee *tee = context;                                                            \
        for (size_t i = 0; i < tee->n; i++)                                                        \
            if (!sink_##name(tee->to[i], fact, error))                                             \
                return false;                                                                      \
        return true;                                                                               \
    }
HAND_ON(section, section_fact)
HAND_ON(finding, finding_fact)
HAND_ON(file, file_fact)

static bool scan_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    return end_all(context, summary, ok, error);
}

void sink_tee_init(struct sink_tee *tee)
{
    *tee = (struct sink_tee){
        .sink = {.context = tee,
                 .scan_begin = scan_begin,
                 .section = section,
                 .finding = finding,
                 .file = file,
                 .scan_end = scan_end},
    };
}

void sink_tee_add(struct sink_tee *tee, const struct fact_sink *to)
{
    g_assert(tee->n < TEE_MAX);
    tee->to[tee->n++] = to;
}
