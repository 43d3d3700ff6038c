// The inventory of critical sections: worth having with no finding at all.
#include <string.h>

#include "document/document.h"
#include "xml.h"

#define SECTIONS_MOST 1000u

static unsigned may_fault(const struct section_fact *section)
{
    unsigned n = 0;
    for (size_t i = 0; i < section->n_accesses; i++)
        n += section->accesses[i].residency == RESIDENCY_MAY_FAULT;
    return n;
}

// What the section touches that may fault, each object once; then how many are known to be mapped.
static void set_touches(xmlNode *node, const struct section_fact *section)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    unsigned more = 0;
    for (size_t i = 0; i < section->n_accesses; i++) {
        const struct access_fact *access = &section->accesses[i];
        if (access->residency != RESIDENCY_MAY_FAULT || !access->object ||
            !g_hash_table_add(seen, (char *)access->object))
            continue;
        if (g_hash_table_size(seen) <= 3)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", access->object);
        else
            more++;
    }
    if (more)
        g_string_append_printf(text, " and %u more", more);
    xml_set(node, "touches", text->str);
    xml_set_f(node, "faulting", "%u", may_fault(section));
    xml_set_f(node, "accesses", "%zu", section->n_accesses);
    g_string_free(text, TRUE);
}

static void set_calls(xmlNode *node, const struct section_fact *section)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < section->n_calls && i < 4; i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "", section->calls[i].name);
    if (section->n_calls > 4)
        g_string_append_printf(text, " and %zu more", section->n_calls - 4);
    xml_set(node, "calls", text->str);
    g_string_free(text, TRUE);
}

static unsigned last_line(const struct section_fact *section)
{
    unsigned last = section->acquire_line;
    for (size_t i = 0; i < section->n_release_lines; i++)
        last = MAX(last, section->release_lines[i]);
    return last;
}

void document_add_sections(xmlNode *parent, const struct report_model *model)
{
    if (!model->scan || !model->sections->len)
        return;
    xmlNode *all = xml_add(parent, "inventory");
    xml_set_f(all, "count", "%u", model->sections->len);
    if (model->sections->len > SECTIONS_MOST)
        xml_set_f(all, "more", "%u", model->sections->len - SECTIONS_MOST);
    unsigned faulting = 0;
    for (guint i = 0; i < model->sections->len; i++) {
        const struct section_fact *section = g_ptr_array_index(model->sections, i);
        faulting += may_fault(section) > 0;
        if (i >= SECTIONS_MOST)
            continue;
        xmlNode *node = xml_add(all, "critical");
        xml_set(node, "file", section->file);
        xml_set(node, "function", section->function);
        xml_set_f(node, "line", "%u", section->acquire_line);
        if (last_line(section) > section->acquire_line)
            xml_set_f(node, "last", "%u", last_line(section));
        xml_set(node, "lock", section->lock);
        xml_set(node, "api", section->api);
        xml_set(node, "scope", lock_scope_name(section->scope));
        xml_set(node, "mode",
                section->mode == MODE_EXCLUSIVE ? NULL : lock_mode_name(section->mode));
        xml_set(node, "left", section->left_held ? "yes" : NULL);
        xml_set_f(node, "cost", "%u", section->cost);
        set_touches(node, section);
        set_calls(node, section);
    }
    xml_set_f(all, "faulting", "%u", faulting);
    xml_set_f(all, "words", "%u section%s; %u of them touch%s memory that may not be mapped yet",
              model->sections->len, model->sections->len == 1 ? "" : "s", faulting,
              faulting == 1 ? "es" : "");
}
