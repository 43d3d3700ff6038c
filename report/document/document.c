// The document: verdict, panels, findings, sections, environment, methods.
#include "document/document.h"

#include "svg.h"
#include "xml.h"

static void add_verdict(xmlNode *root, const struct report_model *model)
{
    xmlNode *verdict = xml_add(root, "verdict");
    for (guint i = 0; i < model->meta->len; i++)
        xml_add_text(verdict, "meta", g_array_index(model->meta, const char *, i));
    xmlNode *heading = xml_add_text(verdict, "heading", model->heading);
    xml_set(heading, "em", model->emphasis);
    xml_set(heading, "class", verdict_class(model->heading_verdict));
    if (model->lede && *model->lede)
        xml_add_rich(verdict, "lede", model->lede);
    for (guint i = 0; i < model->tiles->len; i++) {
        const struct tile *tile = &g_array_index(model->tiles, struct tile, i);
        xmlNode *node = xml_add_text(verdict, "tile", tile->label);
        xml_set(node, "value", tile->value);
        xml_set(node, "chip", tile->chip);
        xml_set(node, "class", verdict_class(tile->verdict));
        xml_set(node, "symbol", verdict_symbol(tile->verdict));
    }
    if (!model->gate_text)
        return;
    xmlNode *gate = xml_add(verdict, "gate");
    xml_set(gate, "verdict", model->gate);
    xml_add_text(gate, "text", model->gate_text);
    if (model->gate_sure && *model->gate_sure)
        xml_add_text(gate, "sure", model->gate_sure);
}

static void add_table(xmlNode *section, const struct panel *panel)
{
    const struct data_table *table = &panel->table;
    if (!table->columns->len)
        return;
    xmlNode *node = xml_add(section, "table");
    xml_set(node, "summary", table->summary);
    xml_set(node, "title", panel->title);
    xmlNode *head = xml_add(node, "head");
    for (guint c = 0; c < table->columns->len; c++)
        xml_add_text(head, "c", g_ptr_array_index(table->columns, c));
    for (guint r = 0; r < table->rows->len; r++) {
        const struct data_row *row = g_ptr_array_index(table->rows, r);
        xmlNode *line = xml_add(node, "row");
        xml_set(line, "id", row->id);
        xml_set(line, "swatch", row->swatch);
        for (guint c = 0; c < table->columns->len; c++)
            xml_add_text(line, "c", row->cells[c] ? row->cells[c] : "–");
    }
}

static void add_folded(xmlNode *section, const char *summary, const struct scene *scene)
{
    xmlNode *more = xml_add(section, "more");
    xml_set(more, "summary", summary);
    svg_add(more, scene);
}

static void add_panel(xmlNode *root, const struct panel *panel)
{
    xmlNode *section = xml_add(root, "section");
    xml_set(section, "id", panel->id);
    xml_set(section, "nav", panel->nav);
    xml_set(section, "wide", panel->wide ? "yes" : NULL);
    xml_add_rich(section, "title", panel->title);
    if (panel->sub)
        xml_add_rich(section, "sub", panel->sub);
    for (guint i = 0; i < panel->key->len; i++) {
        const struct key_item *item = &g_array_index(panel->key, struct key_item, i);
        xmlNode *key = xml_add_text(section, "key", item->text);
        xml_set(key, "shape", item->shape);
        xml_set(key, "class", item->class);
    }
    if (panel->heat)
        document_add_heat(section, panel->heat, NULL);
    for (guint i = 0; panel->multiples && i < panel->multiples->len; i++) {
        const struct multiple *m = &g_array_index(panel->multiples, struct multiple, i);
        document_add_heat(section, m->grid, m->name);
    }
    if (panel->folded)
        add_folded(section, panel->scene->title, panel->scene);
    else if (panel->scene && !panel->heat)
        svg_add(section, panel->scene);
    if (panel->more)
        add_folded(section, panel->more_summary, panel->more);
    if (panel->data)
        xml_add_text(section, "data", panel->data);
    add_table(section, panel);
    if (panel->caption && *panel->caption)
        xml_add_rich(section, "caption", panel->caption);
}

xmlDoc *document_new(struct report_model *model, const GPtrArray *panels)
{
    xmlDoc *doc = xmlNewDoc(BAD_CAST "1.0");
    xmlNode *root = xmlNewNode(NULL, BAD_CAST "report");
    xmlDocSetRootElement(doc, root);
    xml_set(root, "version", SPINFAULT_VERSION);
    xml_set(root, "title", model->title);
    add_verdict(root, model);
    for (guint i = 0; i < panels->len; i++)
        add_panel(root, g_ptr_array_index(panels, i));
    document_add_findings(root, model);
    document_add_sections(root, model);
    document_add_environment(root, model);
    document_add_methods(root, model);
    return doc;
}
