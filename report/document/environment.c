// The environment of the compared runs, what the archive holds, and how the numbers are made.
#include <string.h>

#include "document/document.h"
#include "spinfault/format.h"
#include "xml.h"

#define SOURCES_MOST 60u

static void add_sources(xmlNode *parent, const struct report_model *model)
{
    for (guint i = 0; i < MIN(model->sources->len, SOURCES_MOST); i++) {
        const struct source_row *source = g_ptr_array_index(model->sources, i);
        xmlNode *node = xml_add_text(parent, "source", source->path);
        xml_set(node, "format", source->format);
        g_autofree char *bytes = text_bytes(source->bytes);
        xml_set(node, "bytes", bytes);
        xml_set_f(node, "records", "%" G_GUINT64_FORMAT, source->records);
        if (source->skipped)
            xml_set_f(node, "skipped", "%" G_GUINT64_FORMAT, source->skipped);
        g_autofree char *digest = g_strndup(source->sha256, 12);
        xml_set(node, "sha256", digest);
    }
    if (model->sources->len > SOURCES_MOST)
        xml_set_f(parent, "more-sources", "%u", model->sources->len - SOURCES_MOST);
}

void document_add_environment(xmlNode *parent, const struct report_model *model)
{
    xmlNode *environment = xml_add(parent, "environment");
    for (guint i = 0; i < model->environment->len; i++) {
        const struct environment_item *item = g_ptr_array_index(model->environment, i);
        xmlNode *pair = xml_add(environment, "pair");
        xml_set(pair, "key", item->key);
        xml_set(pair, "differs", item->studied ? "studied" : item->differs ? "yes" : NULL);
        for (guint k = 0; k < item->values->len; k++) {
            const struct setting_value *v = &g_array_index(item->values, struct setting_value, k);
            xml_set(xml_add_text(pair, "value", v->value), "where", v->where);
        }
    }
    if (model->scan) {
        const struct scan_summary *s = &model->scan->summary;
        xmlNode *scan = xml_add(environment, "scan");
        g_autofree char *name = g_path_get_basename(model->scan->root);
        xml_set(scan, "root", name);
        xml_set(scan, "commit", model->scan->commit);
        xml_set(scan, "version", model->scan->version);
        xml_set_f(scan, "files", "%u", s->files);
        xml_set_f(scan, "parsed", "%u", s->parsed);
        xml_set_f(scan, "failed", "%u", s->failed);
        xml_set_f(scan, "degraded", "%u", s->degraded);
    }
    add_sources(environment, model);
}

void document_add_methods(xmlNode *parent, const struct report_model *model)
{
    xmlNode *methods = xml_add(parent, "methods");
    if (model->grids->len) {
        xml_add_text(methods, "p",
                     "A ratio is one cell divided by another, both computed here from the values "
                     "in the archive; ratios that a source prints are kept as claims and not used. "
                     "Centres are medians of runs. The unit is one run: seconds within a run are "
                     "not counted as repetitions.");
        xml_add_text(methods, "p",
                     "Five and more runs a side: Hodges–Lehmann ratio on logarithms with the exact "
                     "interval from the distribution of U, exact Mann–Whitney p conditional on "
                     "ties, Cliff's delta. Three and four: geometric means with the deviation of "
                     "logarithms pooled over the grid, Student's t. Fewer: the ratio alone. p is "
                     "adjusted by Holm over all comparisons of the page.");
        g_autofree char *margin = g_strdup_printf(
            "Slower or faster needs the whole interval beyond 1 ± %g %% and p below 0.05. No "
            "difference needs the whole interval inside. Everything else is unsure. Published "
            "numbers without runs are judged on size alone, and marked so.",
            model->threshold * 100);
        xml_add_text(methods, "p", margin);
    }
    if (model->flames->len)
        xml_add_text(
            methods, "p",
            "A profile's width is weight: the period of each sample, or one where none was "
            "recorded. A sample counts as waiting when its call chain holds a function "
            "known to spin, and is credited to every function above it that has a "
            "critical section.");
    if (model->scan)
        xml_add_text(methods, "p",
                     "Evidence joins a finding to profiles by the name of its function. Confirmed: "
                     "page-fault samples whose innermost user frame is that function. Contended: "
                     "samples that wait below it. Seen running without fault: it is in samples, "
                     "with neither. Not exercised: in none; a function that the compiler inlined "
                     "is in none either. No data: the archive has no profile of this code.");
}
