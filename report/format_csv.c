// The cells of every grid as CSV (RFC 4180): one line a cell, numbers as they are, empty when
// unknown. For --chart NAME, the table of that panel instead.
#include <string.h>

#include "formats.h"

static void field(GString *out, const char *text, bool first)
{
    if (!first)
        g_string_append_c(out, ',');
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        g_string_append(out, text);
        return;
    }
    g_string_append_c(out, '"');
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            g_string_append_c(out, '"');
        g_string_append_c(out, *p);
    }
    g_string_append_c(out, '"');
}

static void number(GString *out, double value)
{
    g_autofree char *text = isnan(value) ? NULL : text_double(value);
    field(out, text, false);
}

static void add_cell(GString *out, const struct grid *grid, const struct cell *cell)
{
    const struct comparison *c = &cell->to_reference;
    bool base = cell == grid->base;
    field(out, grid->benchmark, true);
    field(out, grid->workload, false);
    field(out, grid->machine, false);
    field(out, grid->label, false);
    number(out, grid->clients >= 0 ? (double)grid->clients : NAN);
    field(out, cell->page, false);
    field(out, cell->preempt, false);
    field(out, grid->metric, false);
    field(out, grid->unit, false);
    number(out, cell->centre);
    number(out, cell->has_interval ? cell->interval.lo : NAN);
    number(out, cell->has_interval ? cell->interval.hi : NAN);
    number(out,
           cell->runs || cell->stated ? (double)(cell->runs ? cell->runs : cell->stated) : NAN);
    field(out, cell->study ? "published" : "measured", false);
    number(out, base ? 1 : cell->to_base.ratio);
    number(out, c->ratio);
    number(out, c->lo);
    number(out, c->hi);
    number(out, c->p_holm);
    field(out, base ? "baseline" : verdict_word(c->verdict), false);
    g_string_append(out, "\r\n");
}

static void add_table(GString *out, const struct data_table *table)
{
    for (guint c = 0; c < table->columns->len; c++)
        field(out, g_ptr_array_index(table->columns, c), c == 0);
    g_string_append(out, "\r\n");
    for (guint r = 0; r < table->rows->len; r++) {
        const struct data_row *row = g_ptr_array_index(table->rows, r);
        for (guint c = 0; c < table->columns->len; c++)
            field(out, row->cells[c], c == 0);
        g_string_append(out, "\r\n");
    }
}

static bool add_panel(const struct format_input *in, GString *out, GError **error)
{
    for (guint i = 0; i < in->panels->len; i++) {
        const struct panel *panel = g_ptr_array_index(in->panels, i);
        if (strcmp(panel->name, in->options->chart) == 0) {
            add_table(out, &panel->table);
            return true;
        }
    }
    return error_set(error, SPINFAULT_ERROR_UNKNOWN, "this report has no chart %s",
                     in->options->chart);
}

bool write_csv(const struct format_input *in, GString *out, GError **error)
{
    if (in->options->chart)
        return add_panel(in, out, error);
    g_string_append(out, "benchmark,workload,machine,setup,clients,page,preempt,metric,unit,value,"
                         "value_lo,value_hi,runs,provenance,ratio_to_base,ratio,ratio_lo,ratio_hi,"
                         "p_holm,verdict\r\n");
    for (guint g = 0; g < in->model->grids->len; g++) {
        const struct grid *grid = g_ptr_array_index(in->model->grids, g);
        for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
            if (grid->cells[i].observations->len)
                add_cell(out, grid, &grid->cells[i]);
    }
    return true;
}
