// The report as JSON lines: cells as `spinfault compare` writes them, then the rest, then a
// summary.
#include <string.h>

#include "formats.h"
#include "json_text.h"

static const char *method_name(const struct comparison *c)
{
    static const char *const names[] = {"none", "pooled-log-sd", "hodges-lehmann-log"};
    return names[c->method];
}

static void add_side(GString *out, const char *key, const struct cell *cell)
{
    g_autofree double *values = g_new(double, cell->observations->len + 1);
    json_open(out, key, '{');
    json_open(out, "set", '{');
    if (*cell->page)
        json_text(out, "page", cell->page);
    if (*cell->preempt)
        json_text(out, "preempt", cell->preempt);
    if (cell->kernel)
        json_text(out, "kernel", cell->kernel);
    json_close(out, '}');
    json_int(out, "n", (int64_t)(cell->runs ? cell->runs : cell->stated));
    json_open(out, "values", '[');
    for (guint i = 0; i < cell->observations->len; i++) {
        values[i] = g_array_index(cell->observations, struct observation, i).value;
        json_number(out, NULL, values[i]);
    }
    json_close(out, ']');
    json_number(out, "median", cell->centre);
    json_number(out, "mad", cell->runs > 1 ? stats_mad(values, cell->observations->len) : NAN);
    json_text(out, "provenance", cell->study ? "published" : "measured");
    if (cell->study)
        json_text(out, "study", cell->study);
    json_close(out, '}');
}

static void add_comparison(GString *out, const struct grid *grid, const struct cell *cell)
{
    const struct comparison *c = &cell->to_reference;
    json_open(out, NULL, '{');
    json_text(out, "type", "cell");
    json_text(out, "metric", grid->metric);
    add_side(out, "base", c->reference ? c->reference : cell);
    add_side(out, "new", cell);
    json_number(out, "ratio", cell == grid->base ? 1 : c->ratio);
    json_number(out, "ratio_lo", c->lo);
    json_number(out, "ratio_hi", c->hi);
    json_number(out, "level", c->level);
    json_text(out, "method", method_name(c));
    json_number(out, "p", c->p);
    json_number(out, "p_holm", c->p_holm);
    json_number(out, "cliffs_delta", c->delta);
    json_text(out, "verdict", c->verdict == VERDICT_NONE ? "baseline" : verdict_word(c->verdict));
    json_number(out, "needs_n", c->needs ? (double)c->needs : NAN);
    json_bool(out, "size_only", c->size_only);
    json_text(out, "benchmark", grid->benchmark);
    json_text(out, "workload", grid->workload);
    json_text(out, "machine", grid->machine);
    json_number(out, "clients", grid->clients >= 0 ? (double)grid->clients : NAN);
    json_text(out, "unit", grid->unit);
    json_number(out, "ratio_to_base", cell == grid->base ? 1 : cell->to_base.ratio);
    json_close(out, '}');
    g_string_append_c(out, '\n');
}

static void add_touches(GString *out, const struct touches *touches)
{
    for (guint i = 0; i < touches->items->len; i++) {
        const struct touch *t = &g_array_index(touches->items, struct touch, i);
        json_open(out, NULL, '{');
        json_text(out, "type", "first-touch");
        json_int(out, "bytes", (int64_t)touches->bytes);
        json_int(out, "page_bytes", (int64_t)t->page_bytes);
        json_int(out, "count", (int64_t)t->count);
        json_close(out, '}');
        g_string_append_c(out, '\n');
    }
}

static void add_machines(GString *out, const struct machines *machines)
{
    for (guint i = 0; i < machines->items->len; i++) {
        const struct machine *m = &g_array_index(machines->items, struct machine, i);
        json_open(out, NULL, '{');
        json_text(out, "type", "machine");
        json_text(out, "name", m->name);
        json_int(out, "vcpus", m->vcpus);
        json_text(out, "page", machines->page);
        json_text(out, "preempt", machines->preempt);
        json_text(out, "against", machines->against);
        json_number(out, "ratio", m->ratio);
        json_close(out, '}');
        g_string_append_c(out, '\n');
    }
}

static void add_profiles(GString *out, const struct report_model *model)
{
    for (guint i = 0; i < model->flames->len; i++) {
        const struct flame *flame = g_ptr_array_index(model->flames, i);
        json_open(out, NULL, '{');
        json_text(out, "type", "profile");
        json_text(out, "file", flame->path);
        json_text(out, "event", flame->event);
        json_int(out, "samples", (int64_t)flame->tree->nodes[0].total_samples);
        json_text(out, "waiter", flame->waiter);
        json_number(out, "waiter_share", flame->waiter ? flame->waiter_share : NAN);
        json_close(out, '}');
        g_string_append_c(out, '\n');
    }
}

static void add_findings(GString *out, const struct report_model *model)
{
    for (guint i = 0; i < model->findings->len; i++) {
        const struct finding *f = g_ptr_array_index(model->findings, i);
        json_open(out, NULL, '{');
        json_text(out, "type", "finding");
        json_text(out, "rule", f->fact->rule);
        json_text(out, "severity", severity_name(f->fact->severity));
        json_text(out, "confidence", confidence_name(f->fact->confidence));
        json_text(out, "file", f->fact->file);
        json_int(out, "line", f->fact->line);
        json_text(out, "function", f->fact->function);
        json_text(out, "lock", f->fact->lock);
        json_text(out, "object", f->fact->object);
        json_text(out, "fingerprint", f->fact->fingerprint);
        json_text(out, "evidence", evidence_name(f->evidence.state));
        json_int(out, "fault_samples", (int64_t)f->evidence.fault_samples);
        json_int(out, "wait_samples", (int64_t)f->evidence.wait_samples);
        json_int(out, "samples", (int64_t)f->evidence.samples);
        json_close(out, '}');
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
    json_open(out, NULL, '{');
    json_text(out, "type", "summary");
    json_text(out, "heading", model->heading);
    json_int(out, "slower", grid ? grid->slower : 0);
    json_int(out, "faster", grid ? grid->faster : 0);
    json_int(out, "no_difference", grid ? grid->same : 0);
    json_int(out, "unsure", grid ? grid->unsure : 0);
    json_int(out, "missing", grid ? grid->missing : 0);
    json_int(out, "findings_high", model->findings_high);
    json_text(out, "gate", model->gate);
    json_close(out, '}');
    g_string_append_c(out, '\n');
    return true;
}
