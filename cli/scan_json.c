// json: every fact of the scan as one JSON object a line.
#include "print_facts.h"
#include "scan_output.h"

struct json_output {
    struct scan_output base;
    const struct fact_sink *printer;
};

#define HAND_ON(name, type)                                                                        \
    static bool name(void *context, const struct type *fact, GError **error)                       \
    {                                                                                              \
        struct json_output *json = context;                                                        \
        return sink_##name(json->printer, fact, error);                                            \
    }
HAND_ON(scan_begin, scan_fact)
HAND_ON(section, section_fact)
HAND_ON(finding, finding_fact)
HAND_ON(file, file_fact)

static bool scan_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    struct json_output *json = context;
    return sink_scan_end(json->printer, summary, ok, error);
}

// The printer is made late, when the options are known.
static bool first_begin(void *context, const struct scan_fact *scan, GError **error)
{
    struct json_output *json = context;
    json->printer = print_facts_new(json->base.options.out);
    return scan_begin(context, scan, error);
}

static void json_free(struct scan_output *output)
{
    print_facts_free(((struct json_output *)output)->printer);
    g_free(output);
}

struct scan_output *scan_json_new(void)
{
    struct json_output *json = g_new0(struct json_output, 1);
    json->base.sink.scan_begin = first_begin;
    json->base.sink.section = section;
    json->base.sink.finding = finding;
    json->base.sink.file = file;
    json->base.sink.scan_end = scan_end;
    json->base.free = json_free;
    return &json->base;
}
