// The Phoronix Test Suite's composite.xml. Each value of a RawString is a run; without one, the
// Value is one. (Its CSV cuts hardware strings at their commas and is not read.)
#include "formats.h"
#include "lines.h"
#include "metrics.h"
#include "run_builder.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

static xmlNode *child(xmlNode *node, const char *name)
{
    for (xmlNode *n = node ? node->children : NULL; n; n = n->next)
        if (n->type == XML_ELEMENT_NODE && xmlStrEqual(n->name, BAD_CAST name))
            return n;
    return NULL;
}

// The text of a child, the caller's; NULL when it is empty.
static char *child_text(xmlNode *node, const char *name)
{
    xmlNode *n = child(node, name);
    xmlChar *content = n ? xmlNodeGetContent(n) : NULL;
    char *text = content ? g_strstrip(g_strdup((char *)content)) : NULL;
    xmlFree(content);
    if (text && !*text)
        g_clear_pointer(&text, g_free);
    return text;
}

// "Kernel: 7.0.0 (aarch64), Compiler: …": the value of one key. Values hold commas too, so it ends
// at the next comma that a key follows.
static char *component(const char *list, const char *key)
{
    const char *at = list ? strstr(list, key) : NULL;
    if (!at)
        return NULL;
    at += strlen(key);
    const char *end = at + strlen(at);
    for (const char *comma = strstr(at, ", "); comma; comma = strstr(comma + 2, ", ")) {
        const char *p = comma + 2;
        while (g_ascii_isalpha(*p) || *p == '-' || *p == ' ')
            p++;
        if (*p == ':') {
            end = comma;
            break;
        }
    }
    return g_strndup(at, (gsize)(end - at));
}

static void set_system(struct run_builder *run, xmlNode *root, const char *identifier)
{
    static const struct {
        const char *list, *key, *setting;
    } parts[] = {{"Software", "Kernel: ", "kernel"},
                 {"Software", "OS: ", "os"},
                 {"Software", "Compiler: ", "compiler"},
                 {"Hardware", "Processor: ", "cpu"},
                 {"Hardware", "Memory: ", "memory"}};
    for (xmlNode *n = root->children; n; n = n->next) {
        if (!xmlStrEqual(n->name, BAD_CAST "System"))
            continue;
        g_autofree char *name = child_text(n, "Identifier");
        if (g_strcmp0(name, identifier) != 0)
            continue;
        for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
            g_autofree char *list = child_text(n, parts[i].list);
            g_autofree char *value = component(list, parts[i].key);
            if (value)
                run_set(run, parts[i].setting, slice_from(value));
        }
        g_autofree char *time = child_text(n, "TimeStamp");
        if (time)
            run_set(run, "started_on", slice_from(time));
        return;
    }
}

struct result {
    char *workload, *metric, *scale, *proportion;
};

static void result_clear(struct result *r)
{
    g_free(r->workload);
    g_free(r->metric);
    g_free(r->scale);
    g_free(r->proportion);
}

static void read_result(struct result *r, xmlNode *node)
{
    g_autofree char *title = child_text(node, "Title"),
                    *description = child_text(node, "Description");
    r->scale = child_text(node, "Scale");
    r->proportion = child_text(node, "Proportion");
    r->workload = g_strdup_printf("%s%s%s", title ? title : "", description ? " - " : "",
                                  description ? description : "");
    bool latency = description && strstr(description, "Average Latency");
    const char *standard = r->scale ? metric_standard_name(r->scale) : NULL;
    r->metric = g_strdup(latency ? "latency_avg" : standard ? standard : title ? title : "result");
    // The two results of one test are metrics of the same workload.
    char *suffix = latency ? strstr(r->workload, " - Average Latency") : NULL;
    if (suffix)
        *suffix = '\0';
}

static bool give_value(struct ingest *in, struct run_builder *run, xmlNode *root,
                       const struct result *r, const char *identifier, const char *text,
                       GError **error)
{
    double value;
    run->workload = run_text(run, slice_from(r->workload));
    run_set(run, "system", slice_from(identifier));
    set_system(run, root, identifier);
    if (text && slice_to_double(slice_from(text), &value)) {
        struct metric_fact *m = run_metric(run, r->metric, value, r->scale);
        if (g_strcmp0(r->proportion, "HIB") == 0)
            m->better = BETTER_HIGHER;
        else if (g_strcmp0(r->proportion, "LIB") == 0)
            m->better = BETTER_LOWER;
    } else {
        bool any = text && *text;
        run_missing(run, r->metric, any ? text : "no value: the run failed");
        run_fail(run, any ? "the value is no single number" : "the run failed");
    }
    return run_deliver(run, in, error);
}

static bool give_entry(struct ingest *in, struct run_builder *run, xmlNode *root,
                       const struct result *r, xmlNode *entry, GError **error)
{
    g_autofree char *identifier = child_text(entry, "Identifier"),
                    *raw = child_text(entry, "RawString");
    g_autofree char *value = child_text(entry, "Value");
    const char *name = identifier ? identifier : "";
    if (!raw || !value)
        return give_value(in, run, root, r, name, value, error);
    g_auto(GStrv) parts = g_strsplit(raw, ":", -1);
    for (char **part = parts; *part; part++)
        if (!give_value(in, run, root, r, name, *part, error))
            return false;
    return true;
}

static bool give_all(struct ingest *in, xmlNode *root, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("phoronix");
    bool ok = true;
    for (xmlNode *node = root->children; ok && node; node = node->next) {
        if (!xmlStrEqual(node->name, BAD_CAST "Result"))
            continue;
        struct result r = {0};
        read_result(&r, node);
        xmlNode *data = child(node, "Data");
        for (xmlNode *e = data ? data->children : NULL; ok && e; e = e->next)
            if (xmlStrEqual(e->name, BAD_CAST "Entry"))
                ok = give_entry(in, run, root, &r, e, error);
        result_clear(&r);
    }
    if (ok && in->runs == 0)
        return ingest_damaged(in, 0, error, "no result in it");
    return ok;
}

static void ignore_message(void *context, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void ignore_message(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

static bool parse(struct ingest *in, GError **error)
{
    struct slice text;
    if (!reader_rest(in->reader, &text, error))
        return false;
    // Neither the network nor entities: NOENT stays off, so none is expanded.
    xmlParserCtxt *context = xmlNewParserCtxt();
    context->sax->warning = context->sax->error = ignore_message;
    xmlDoc *doc = xmlCtxtReadMemory(context, text.data, (int)text.len, in->name, NULL,
                                    XML_PARSE_NONET | XML_PARSE_NOBLANKS | XML_PARSE_NOERROR |
                                        XML_PARSE_NOWARNING);
    const xmlError *problem = xmlCtxtGetLastError(context);
    xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    bool ok;
    if (root) {
        ok = give_all(in, root, error);
    } else {
        g_autofree char *why =
            g_strstrip(g_strdup(problem && problem->message ? problem->message : "no XML"));
        ok = ingest_damaged(in, problem ? (uint64_t)MAX(problem->line, 0) : 0, error,
                            "no valid XML: %s", why);
    }
    xmlFreeDoc(doc);
    xmlFreeParserCtxt(context);
    return ok;
}

static int detect(struct slice head)
{
    return line_has(head, "<PhoronixTestSuite>") ? 95 : 0;
}

const struct ingest_format format_phoronix = {
    .name = "phoronix",
    .summary = "the Phoronix Test Suite's composite.xml",
    .detect = detect,
    .parse = parse,
};
