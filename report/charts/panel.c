// Panels: memory and small texts.
#include "charts/panel.h"

#include <string.h>

#include "spinfault/format.h"

struct panel *panel_new(const char *id, const char *name)
{
    struct panel *panel = g_new0(struct panel, 1);
    panel->text = g_string_chunk_new(1024);
    panel->id = g_string_chunk_insert(panel->text, id);
    panel->name = g_string_chunk_insert(panel->text, name);
    panel->key = g_array_new(FALSE, FALSE, sizeof(struct key_item));
    panel->table.columns = g_ptr_array_new();
    panel->table.rows = g_ptr_array_new_with_free_func(g_free);
    return panel;
}

void panel_free(struct panel *panel)
{
    if (!panel)
        return;
    for (guint i = 0; i < panel->table.rows->len; i++)
        g_free((void *)((struct data_row *)g_ptr_array_index(panel->table.rows, i))->cells);
    g_ptr_array_unref(panel->table.rows);
    g_ptr_array_unref(panel->table.columns);
    g_array_free(panel->key, TRUE);
    if (panel->multiples)
        g_array_free(panel->multiples, TRUE);
    scene_free(panel->scene);
    scene_free(panel->more);
    g_free(panel->data);
    g_string_chunk_free(panel->text);
    g_free(panel);
}

const char *panel_take(struct panel *panel, char *text)
{
    const char *kept = text ? g_string_chunk_insert(panel->text, text) : NULL;
    g_free(text);
    return kept;
}

const char *panel_text(struct panel *panel, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return panel_take(panel, text);
}

void panel_columns(struct panel *panel, ...)
{
    va_list args;
    va_start(args, panel);
    for (const char *name; (name = va_arg(args, const char *));)
        g_ptr_array_add(panel->table.columns, g_string_chunk_insert(panel->text, name));
    va_end(args);
}

struct data_row *panel_row(struct panel *panel, ...)
{
    guint n = panel->table.columns->len;
    const char **cells = g_new0(const char *, n);
    va_list args;
    va_start(args, panel);
    for (guint i = 0; i < n; i++) {
        const char *cell = va_arg(args, const char *);
        cells[i] = cell ? g_string_chunk_insert(panel->text, cell) : NULL;
    }
    va_end(args);
    struct data_row *row = g_new0(struct data_row, 1);
    row->cells = cells;
    g_ptr_array_add(panel->table.rows, row);
    return row;
}

void panel_key(struct panel *panel, const char *shape, const char *class, const char *text)
{
    struct key_item item = {shape, class, text};
    g_array_append_val(panel->key, item);
}

const char *page_class(const char *page)
{
    static const struct {
        const char *page, *class;
    } classes[] = {{"4K", "s4k"},   {"16K", "s4k"}, {"64K", "s4k"},
                   {"THP", "sthp"}, {"2M", "s2m"},  {"1G", "s1g"}};
    for (size_t i = 0; page && i < G_N_ELEMENTS(classes); i++)
        if (strcmp(classes[i].page, page) == 0)
            return classes[i].class;
    return "sthp";
}

const char *verdict_text(struct panel *panel, const struct comparison *c)
{
    if (isnan(c->ratio))
        return c->reference ? "no ratio" : "baseline";
    g_autofree char *ratio = format_ratio(c->ratio);
    const char *symbol = verdict_symbol(c->verdict), *word = verdict_word(c->verdict);
    if (isnan(c->lo))
        return panel_text(panel, "%s %s %s%s", symbol, ratio, word, c->mixed ? "*" : "");
    g_autofree char *lo = format_ratio(c->lo);
    g_autofree char *hi = format_ratio(c->hi);
    lo[strlen(lo) - strlen("×")] = '\0';
    hi[strlen(hi) - strlen("×")] = '\0';
    return panel_text(panel, "%s %s [%s, %s] %s", symbol, ratio, lo, hi, word);
}

const char *cell_value(struct panel *panel, const struct grid *grid, const struct cell *cell)
{
    if (!cell->observations->len)
        return NULL;
    if (!cell->has_interval)
        return panel_take(panel, strcmp(grid->unit, "tps") == 0
                                     ? format_exact(round(cell->centre * 100) / 100)
                                     : format_with_unit(cell->centre, grid->unit));
    // The unit is in the heading, but for times and sizes, which carry their own.
    bool own = strcmp(grid->unit, "s") == 0 || strcmp(grid->unit, "B") == 0;
    const char *unit = own ? grid->unit : "";
    g_autofree char *centre = format_with_unit(cell->centre, unit);
    g_autofree char *lo = format_with_unit(cell->interval.lo, unit);
    g_autofree char *hi = format_with_unit(cell->interval.hi, unit);
    return panel_text(panel, "%s [%s, %s]", centre, lo, hi);
}

const char *cell_runs_text(struct panel *panel, const struct cell *cell)
{
    if (!cell->observations->len)
        return "not run";
    if (cell->runs)
        return panel_text(panel, "%zu", cell->runs);
    if (cell->stated > 1)
        return panel_text(panel, "mean of %" G_GUINT64_FORMAT, cell->stated);
    return "not stated";
}
