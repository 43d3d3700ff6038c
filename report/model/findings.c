// Findings of the newest scan, each with its section and its evidence, what the runs confirm first.
#include <string.h>

#include "model/evidence.h"

static const struct section_fact *section_of(GHashTable *by_place, const struct finding_fact *fact)
{
    if (!fact->acquire_line)
        return NULL;
    g_autofree char *place = g_strdup_printf("%s:%u", fact->file, fact->acquire_line);
    return g_hash_table_lookup(by_place, place);
}

static GHashTable *sections_by_place(const struct report_model *model)
{
    GHashTable *by_place = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < model->sections->len; i++) {
        struct section_fact *section = g_ptr_array_index(model->sections, i);
        g_hash_table_insert(by_place,
                            g_strdup_printf("%s:%u", section->file, section->acquire_line),
                            section);
    }
    return by_place;
}

static int compare_findings(const void *a, const void *b)
{
    const struct finding *x = *(struct finding *const *)a, *y = *(struct finding *const *)b;
    if (x->evidence.state != y->evidence.state)
        return x->evidence.state < y->evidence.state ? -1 : 1;
    if (x->fact->severity != y->fact->severity)
        return x->fact->severity > y->fact->severity ? -1 : 1;
    uint64_t seen_x = x->evidence.fault_samples + x->evidence.wait_samples;
    uint64_t seen_y = y->evidence.fault_samples + y->evidence.wait_samples;
    if (seen_x != seen_y)
        return seen_x > seen_y ? -1 : 1;
    if (x->fact->confidence != y->fact->confidence)
        return x->fact->confidence > y->fact->confidence ? -1 : 1;
    int order = strcmp(x->fact->file, y->fact->file);
    if (order)
        return order;
    if (x->fact->line != y->fact->line)
        return x->fact->line < y->fact->line ? -1 : 1;
    return strcmp(x->fact->rule, y->fact->rule);
}

static bool read_scan(struct report_model *model, struct archive *archive, GError **error)
{
    model->scans = archive_scans(archive, error);
    if (!model->scans)
        return false;
    if (!model->scans->len)
        return true;
    model->scan = g_ptr_array_index(model->scans, 0);
    model->sections = archive_sections(archive, model->scan->id, error);
    model->finding_rows =
        model->sections ? archive_findings(archive, model->scan->id, error) : NULL;
    model->files = model->finding_rows ? archive_scan_files(archive, model->scan->id, error) : NULL;
    return model->files != NULL;
}

bool model_add_findings(struct report_model *model, struct archive *archive, GError **error)
{
    if (!read_scan(model, archive, error))
        return false;
    if (!model->scan)
        return true;
    g_autoptr(GHashTable) functions = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < model->finding_rows->len; i++) {
        const struct finding_fact *fact = g_ptr_array_index(model->finding_rows, i);
        if (fact->function)
            g_hash_table_add(functions, (char *)fact->function);
    }
    for (guint i = 0; i < model->sections->len; i++) {
        const struct section_fact *section = g_ptr_array_index(model->sections, i);
        if (section->function)
            g_hash_table_add(functions, (char *)section->function);
    }
    struct evidence_index *index = evidence_read(model, archive, functions, error);
    if (!index)
        return false;
    g_autoptr(GHashTable) by_place = sections_by_place(model);
    for (guint i = 0; i < model->finding_rows->len; i++) {
        const struct finding_fact *fact = g_ptr_array_index(model->finding_rows, i);
        if (fact->suppressed || fact->baseline) {
            model->suppressed++;
            continue;
        }
        struct finding *finding = g_new0(struct finding, 1);
        finding->fact = fact;
        finding->section = section_of(by_place, fact);
        finding->evidence = evidence_of(index, model, fact);
        model->faults_recorded |= finding->evidence.faults_recorded;
        model->findings_high += fact->severity == SEVERITY_HIGH;
        g_ptr_array_add(model->findings, finding);
    }
    g_ptr_array_sort(model->findings, compare_findings);
    evidence_free(index);
    return true;
}
