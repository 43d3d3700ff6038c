// The heat map as elements: one <heat> with columns and rows of cells.
#include "document/document.h"
#include "layout.h"
#include "spinfault/format.h"
#include "xml.h"

static const char *page_note(const char *page)
{
    static const struct {
        const char *page, *note;
    } notes[] = {{"4K", "4 KiB"},        {"16K", "16 KiB"}, {"64K", "64 KiB"},
                 {"THP", "2 MiB, auto"}, {"2M", "hugetlb"}, {"1G", "hugetlb"}};
    for (size_t i = 0; i < G_N_ELEMENTS(notes); i++)
        if (g_strcmp0(notes[i].page, page) == 0)
            return notes[i].note;
    return NULL;
}

static char *runs_note(const struct cell *cell)
{
    if (cell->runs)
        return g_strdup_printf("n %zu", cell->runs);
    if (cell->stated > 1)
        return g_strdup_printf("mean of %" G_GUINT64_FORMAT, cell->stated);
    return g_strdup("n unknown");
}

static void add_cell(xmlNode *row, const struct grid *grid, const struct cell *cell)
{
    xmlNode *node = xml_add(row, "cell");
    if (!cell->observations->len) {
        xml_set(node, "missing", "yes");
        return;
    }
    bool base = cell == grid->base;
    double ratio = base ? 1 : cell->to_base.ratio;
    g_autofree char *text = format_ratio(ratio);
    g_autofree char *value = format_with_unit(cell->centre, grid->unit);
    g_autofree char *runs = runs_note(cell);
    int step = ratio_step(ratio, grid->higher_is_better);
    xml_set(node, "base", base ? "yes" : NULL);
    xml_set_f(node, "class", "h%s%d", step < 0 ? "m" : step > 0 ? "p" : "", abs(step));
    xml_set(node, "ratio", text);
    xml_set(node, "value", value);
    xml_set(node, "runs", runs);
    if (!base && !isnan(cell->to_reference.ratio)) {
        xml_set(node, "symbol", verdict_symbol(cell->to_base.verdict));
        xml_set(node, "word", verdict_word(cell->to_base.verdict));
    }
}

void document_add_heat(xmlNode *parent, const struct grid *grid, const char *name)
{
    xmlNode *heat = xml_add(parent, "heat");
    xml_set(heat, "metric", grid->metric);
    xml_set(heat, "name", name);
    xml_set(heat, "many", grid->n_preempts > 5 ? "yes" : NULL);
    for (size_t c = 0; c < grid->n_preempts; c++)
        xml_add_text(heat, "column",
                     grid_has_modes(grid) ? preempt_short(grid->preempts[c]) : "all runs");
    for (size_t r = 0; r < grid->n_pages; r++) {
        xmlNode *row = xml_add(heat, "row");
        xml_set(row, "name", *grid->pages[r] ? grid->pages[r] : "not recorded");
        xml_set(row, "note", page_note(grid->pages[r]));
        for (size_t c = 0; c < grid->n_preempts; c++)
            add_cell(row, grid, grid_cell(grid, r, c));
    }
}
