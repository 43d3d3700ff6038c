// sarif: SARIF 2.1.0 (OASIS standard), one run, written at the end of the scan.
//
// Columns are in characters; ours are in bytes. Nothing in it depends on when or where the scan ran
// but the root's URI, so that equal scans are equal files.
#include <jansson.h>
#include <string.h>

#include "scan_output.h"
#include "source_lines.h"
#include "spinfault/analyzer.h"

#define SARIF_SCHEMA                                                                               \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
#define FINGERPRINT_KEY "spinfault/v1" // changes when fingerprints are made differently

struct sarif_output {
    struct scan_output base;
    struct source_lines source;
    json_t *results, *notifications;
};

// Text for JSON: bytes that are not UTF-8 become U+FFFD, so that no name can break the document.
static json_t *text(const char *bytes)
{
    g_autofree char *valid = g_utf8_make_valid(bytes ? bytes : "", -1);
    return json_string(valid);
}

static json_t *message(const char *words)
{
    return json_pack("{s:o}", "text", text(words));
}

static json_t *artifact(const char *file)
{
    if (g_path_is_absolute(file)) {
        g_autofree char *uri = g_filename_to_uri(file, NULL, NULL);
        return json_pack("{s:s}", "uri", uri ? uri : file);
    }
    g_autofree char *uri = g_uri_escape_string(file, "/", FALSE);
    return json_pack("{s:s, s:s}", "uri", uri, "uriBaseId", "SRCROOT");
}

// Byte columns as characters, where the line can be read.
static unsigned character_column(struct sarif_output *sarif, const char *file, unsigned line,
                                 unsigned column)
{
    const char *source = column ? source_line(&sarif->source, sarif->base.root, file, line) : NULL;
    unsigned characters = 1;
    for (unsigned i = 0; source && i + 1 < column; i++) {
        if (!source[i])
            return column; // it has changed since
        characters += (source[i] & 0xC0) != 0x80;
    }
    return source ? characters : column;
}

static json_t *location(const char *file, unsigned line, unsigned column, const char *what)
{
    json_t *physical = json_pack("{s:o}", "artifactLocation", artifact(file));
    if (line) { // SARIF counts lines from 1; an unknown line is left out
        json_t *region = json_pack("{s:i}", "startLine", (int)line);
        if (column)
            json_object_set_new(region, "startColumn", json_integer(column));
        json_object_set_new(physical, "region", region);
    }
    json_t *result = json_pack("{s:o}", "physicalLocation", physical);
    if (what)
        json_object_set_new(result, "message", message(what));
    return result;
}

// Where it is, with the line itself for viewers that have no source.
static json_t *place_of_finding(struct sarif_output *sarif, const struct finding_fact *fact)
{
    unsigned column = character_column(sarif, fact->file, fact->line, fact->column);
    json_t *place = location(fact->file, fact->line, column, NULL);
    const char *source = source_line(&sarif->source, sarif->base.root, fact->file, fact->line);
    json_t *region = json_object_get(json_object_get(place, "physicalLocation"), "region");
    if (source && region)
        json_object_set_new(region, "snippet", message(source));
    return place;
}

static json_t *code_flow(const struct finding_fact *fact)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < fact->n_path; i++) {
        const struct path_step *step = &fact->path[i];
        json_array_append_new(steps, json_pack("{s:o}", "location",
                                               location(step->file, step->line, 0, step->what)));
    }
    return json_pack("{s:[{s:o}]}", "threadFlows", "locations", steps);
}

static int rule_index(const char *name)
{
    size_t n;
    const struct rule_info *rules = analyzer_rules(&n);
    for (size_t i = 0; i < n; i++)
        if (g_strcmp0(rules[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    static const char *const levels[] = {"none", "note", "warning", "error"};
    struct sarif_output *sarif = context;
    (void)error;
    json_t *words = message(fact->message);
    json_t *result =
        json_pack("{s:s, s:s, s:o, s:[o]}", "ruleId", fact->rule, "level", levels[fact->severity],
                  "message", words, "locations", place_of_finding(sarif, fact));
    if (rule_index(fact->rule) >= 0)
        json_object_set_new(result, "ruleIndex", json_integer(rule_index(fact->rule)));
    json_object_set_new(result, "partialFingerprints",
                        json_pack("{s:s}", FINGERPRINT_KEY, fact->fingerprint));
    if (fact->n_path)
        json_object_set_new(result, "codeFlows", json_pack("[o]", code_flow(fact)));
    // An empty list says that it is not suppressed; without one nobody knows.
    json_object_set_new(result, "suppressions",
                        fact->suppressed ? json_pack("[{s:s}]", "kind", "inSource") : json_array());
    if (sarif->base.options.has_baseline)
        json_object_set_new(result, "baselineState",
                            json_string(fact->baseline ? "unchanged" : "new"));
    json_object_set_new(result, "properties",
                        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "severity",
                                  severity_name(fact->severity), "confidence",
                                  confidence_name(fact->confidence), "function",
                                  text(fact->function), "lock", text(fact->lock), "object",
                                  text(fact->object), "suggestion", text(fact->suggestion)));
    json_array_append_new(sarif->results, result);
    return true;
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    static const char *const levels[] = {"none", "warning", "error", "note"};
    struct sarif_output *sarif = context;
    (void)error;
    g_autofree char *words = g_strdup_printf("%s: %s", file_status_name(fact->status),
                                             fact->why ? fact->why : "no reason is known");
    json_array_append_new(sarif->notifications,
                          json_pack("{s:s, s:o, s:[o]}", "level", levels[fact->status], "message",
                                    message(words), "locations", location(fact->file, 0, 0, NULL)));
    return true;
}

// "fault-under-lock" as "FaultUnderLock": what viewers show for a name.
static json_t *pascal_case(const char *id)
{
    g_autoptr(GString) name = g_string_new(NULL);
    for (const char *p = id; *p; p++)
        if (*p != '-')
            g_string_append_c(name, p == id || p[-1] == '-' ? g_ascii_toupper(*p) : *p);
    return json_string(name->str);
}

static json_t *rules_of_driver(void)
{
    size_t n;
    const struct rule_info *rules = analyzer_rules(&n);
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        g_autofree char *sentence = g_strconcat(rules[i].summary, ".", NULL);
        const char *help = rules[i].help ? rules[i].help : sentence;
        json_t *rule =
            json_pack("{s:s, s:o, s:o, s:{s:o, s:o}}", "id", rules[i].name, "shortDescription",
                      message(sentence), "fullDescription", message(sentence), "help", "text",
                      text(help), "markdown", text(help));
        if (strchr(rules[i].name, '-')) // a name may not be the id again
            json_object_set_new(rule, "name", pascal_case(rules[i].name));
        json_array_append_new(array, rule);
    }
    return array;
}

static json_t *invocation(const struct sarif_output *sarif, const struct scan_summary *summary)
{
    return json_pack("{s:b, s:i, s:O}", "executionSuccessful", 1, "exitCode",
                     scan_output_status(summary, &sarif->base.options),
                     "toolExecutionNotifications", sarif->notifications);
}

static bool scan_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    struct sarif_output *sarif = context;
    if (!ok)
        return true;
    g_autofree char *slashed = g_strconcat(sarif->base.root ? sarif->base.root : "/", "/", NULL);
    g_autofree char *root = g_filename_to_uri(slashed, NULL, NULL);
    json_t *driver =
        json_pack("{s:s, s:s, s:s, s:o}", "name", "spinfault", "version", SPINFAULT_VERSION,
                  "semanticVersion", SPINFAULT_VERSION, "rules", rules_of_driver());
    json_t *run = json_pack("{s:{s:o}, s:{s:{s:s}}, s:[o], s:s, s:O}", "tool", "driver", driver,
                            "originalUriBaseIds", "SRCROOT", "uri", root ? root : "file:///",
                            "invocations", invocation(sarif, summary), "columnKind",
                            "unicodeCodePoints", "results", sarif->results);
    json_t *log =
        json_pack("{s:s, s:s, s:[o]}", "$schema", SARIF_SCHEMA, "version", "2.1.0", "runs", run);
    bool written = json_dumpf(log, sarif->base.options.out, JSON_INDENT(1)) == 0 &&
                   fputc('\n', sarif->base.options.out) != EOF;
    json_decref(log);
    return written || error_set(error, SPINFAULT_ERROR_IO, "cannot write the SARIF log");
}

static void sarif_free(struct scan_output *output)
{
    struct sarif_output *sarif = (struct sarif_output *)output;
    json_decref(sarif->results);
    json_decref(sarif->notifications);
    source_lines_clear(&sarif->source);
    g_free(sarif);
}

struct scan_output *scan_sarif_new(void)
{
    struct sarif_output *sarif = g_new0(struct sarif_output, 1);
    sarif->base.sink.finding = finding;
    sarif->base.sink.file = file;
    sarif->base.sink.scan_end = scan_end;
    sarif->base.free = sarif_free;
    sarif->results = json_array();
    sarif->notifications = json_array();
    return &sarif->base;
}
