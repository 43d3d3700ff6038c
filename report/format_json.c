// The report as JSON lines: cells as `spinfault compare` writes them, then the rest, then a
// summary.
#include "array.h"
#include <string.h>

#include "formats.h"
#include "json_text.h"

static void add_side(GString *out, const char *key, const struct cell *cell)
{
    g_autofree double *values = ARRAY_NEW(double, cell->observations->len + 1);
    emit_open(out, key, '{');
    emit_open(out, "set", '{');
    if (*cell->page)
        emit_text(out, "page", cell->page);
    if (*cell->preempt)
        emit_text(out, "preempt", cell->preempt);
    if (cell->kernel)
        emit_text(out, "kernel", cell->kernel);
    emit_close(out, '}');
    emit_int(out, "n", (int64_t)(cell->runs ? cell->runs : cell->stated));
    emit_open(out, "values", '[');
    for (guint i = 0; i < cell->observations->len; i++) {
        values[i] = g_array_index(cell->observations, struct observation, i).value;
        emit_number(out, NULL, values[i]);
    }
    emit_close(out, ']');
    emit_number(out, "median", cell->centre);
    emit_number(out, "mad", cell->runs > 1 ? stats_mad(values, cell->observations->len) : NAN);
    emit_text(out, "provenance", cell->study ? "published" : "measured");
    if (cell->study)
        emit_text(out, "study", cell->study);
    emit_close(out, '}');
}

static void add_comparison(GString *out, const struct grid *grid, const struct cell *cell)
{
    const struct comparison *c = &cell->to_reference;
    emit_open(out, NULL, '{');
    emit_text(out, "type", "cell");
    emit_text(out, "metric", grid->metric);
    add_side(out, "base", c->reference ? c->reference : cell);
    add_side(out, "new", cell);
    emit_number(out, "ratio", cell == grid->base ? 1 : c->ratio);
    emit_number(out, "ratio_lo", c->lo);
    emit_number(out, "ratio_hi", c->hi);
    emit_number(out, "level", c->level);
    emit_text(out, "method", method_name(c->method));
    emit_number(out, "u", c->u);
    emit_number(out, "p", c->p);
    emit_number(out, "p_holm", c->p_holm);
    emit_number(out, "cliffs_delta", c->delta);
    emit_text(out, "verdict", c->verdict == VERDICT_NONE ? "baseline" : verdict_word(c->verdict));
    emit_number(out, "needs_n", c->needs ? (double)c->needs : NAN);
    emit_bool(out, "size_only", c->size_only);
    emit_text(out, "benchmark", grid->benchmark);
    emit_text(out, "workload", grid->workload);
    emit_text(out, "machine", grid->machine);
    emit_number(out, "clients", grid->clients >= 0 ? (double)grid->clients : NAN);
    emit_text(out, "unit", grid->unit);
    emit_number(out, "ratio_to_base", cell == grid->base ? 1 : cell->to_base.ratio);
    emit_close(out, '}');
    g_string_append_c(out, '\n');
}

static void add_touches(GString *out, const struct touches *touches)
{
    for (guint i = 0; i < touches->items->len; i++) {
        const struct touch *t = &g_array_index(touches->items, struct touch, i);
        emit_open(out, NULL, '{');
        emit_text(out, "type", "first-touch");
        emit_int(out, "bytes", (int64_t)touches->bytes);
        emit_int(out, "page_bytes", (int64_t)t->page_bytes);
        emit_int(out, "count", (int64_t)t->count);
        emit_close(out, '}');
        g_string_append_c(out, '\n');
    }
}

static void add_machines(GString *out, const struct machines *machines)
{
    for (guint i = 0; i < machines->items->len; i++) {
        const struct machine *m = &g_array_index(machines->items, struct machine, i);
        emit_open(out, NULL, '{');
        emit_text(out, "type", "machine");
        emit_text(out, "name", m->name);
        emit_int(out, "vcpus", m->vcpus);
        emit_text(out, "page", machines->page);
        emit_text(out, "preempt", machines->preempt);
        emit_text(out, "against", machines->against);
        emit_number(out, "ratio", m->ratio);
        emit_close(out, '}');
        g_string_append_c(out, '\n');
    }
}

static void add_profiles(GString *out, const struct report_model *model)
{
    for (guint i = 0; i < model->flames->len; i++) {
        const struct flame *flame = g_ptr_array_index(model->flames, i);
        emit_open(out, NULL, '{');
        emit_text(out, "type", "profile");
        emit_text(out, "file", flame->path);
        emit_text(out, "event", flame->event);
        emit_int(out, "samples", (int64_t)flame->tree->nodes[0].total_samples);
        emit_text(out, "waiter", flame->waiter);
        emit_number(out, "waiter_share", flame->waiter ? flame->waiter_share : NAN);
        emit_close(out, '}');
        g_string_append_c(out, '\n');
    }
}

static void add_findings(GString *out, const struct report_model *model)
{
    for (guint i = 0; i < model->findings->len; i++) {
        const struct finding *f = g_ptr_array_index(model->findings, i);
        emit_open(out, NULL, '{');
        emit_text(out, "type", "finding");
        emit_text(out, "rule", f->fact->rule);
        emit_text(out, "severity", severity_name(f->fact->severity));
        emit_text(out, "confidence", confidence_name(f->fact->confidence));
        emit_text(out, "file", f->fact->file);
        emit_int(out, "line", f->fact->line);
        emit_text(out, "function", f->fact->function);
        emit_text(out, "lock", f->fact->lock);
        emit_text(out, "object", f->fact->object);
        emit_text(out, "fingerprint", f->fact->fingerprint);
        emit_text(out, "evidence", evidence_name(f->evidence.state));
        emit_int(out, "fault_samples", (int64_t)f->evidence.fault_samples);
        emit_int(out, "wait_samples", (int64_t)f->evidence.wait_samples);
        emit_int(out, "samples", (int64_t)f->evidence.samples);
        emit_close(out, '}');
        g_string_append_c(out, '\n');
    }
}

bool write_json(const struct format_input *in, GString *out, GError **error)
{
    (void)error;
    const struct report_model *model = in->model;
    for (guint g = 0; g < model->grids->len; g++) {
        const struct grid *grid = g_ptr_array_index(model->grids, g);
        for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
            if (grid->cells[i].observations->len)
                add_comparison(out, grid, &grid->cells[i]);
    }
    add_touches(out, &model->touches);
    add_machines(out, &model->machines);
    add_profiles(out, model);
    add_findings(out, model);
    const struct grid *grid = model_grid(model);
    emit_open(out, NULL, '{');
    emit_text(out, "type", "summary");
    emit_text(out, "heading", model->heading);
    emit_int(out, "slower", grid ? grid->slower : 0);
    emit_int(out, "faster", grid ? grid->faster : 0);
    emit_int(out, "no_difference", grid ? grid->same : 0);
    emit_int(out, "unsure", grid ? grid->unsure : 0);
    emit_int(out, "missing", grid ? grid->missing : 0);
    emit_int(out, "findings_high", model->findings_high);
    emit_text(out, "gate", model->gate);
    emit_close(out, '}');
    g_string_append_c(out, '\n');
    return true;
}
