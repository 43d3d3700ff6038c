// Grids: page size × preemption mode, one for each setup, the one that says most first.
//
// A cell can have numbers of several studies and kernels. They are not mixed: studies are ranked by
// how many page sizes they compare under two preemption modes, then by how many cells they fill,
// then by who came first, and a cell shows the first study that has it. That keeps numbers that
// were published together together, and a ratio between two studies is marked as such.
#include "array.h"
#include <string.h>

#include "model/setup.h"

static const char *const page_order[] = {"4K", "16K", "64K", "THP", "2M", "1G", NULL};
static const char *const preempt_order[] = {"none", "voluntary", "full", "lazy", "rt", NULL};
// What an empty grid would still show, so that it is plain what was not run.
static const char *const pages_always[] = {"4K", "THP", "2M", "1G", NULL};
static const char *const preempts_always[] = {"none", "voluntary", "full", "lazy", NULL};

static const char *point_page(const struct point *p)
{
    return p->run->page ? p->run->page : "";
}

static const char *point_preempt(const struct point *p)
{
    return p->run->preempt ? p->run->preempt : "";
}

static bool has_value(const GArray *points, const char *(*of)(const struct point *),
                      const char *value)
{
    for (guint i = 0; i < points->len; i++)
        if (strcmp(of(&g_array_index(points, struct point, i)), value) == 0)
            return true;
    return false;
}

// The values of one axis: the usual ones in their order, then the others, "not recorded" last.
static const char *const *axis(struct report_model *model, const GArray *points,
                               const char *(*of)(const struct point *), const char *const *order,
                               const char *const *always, size_t *n)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new();
    bool any = false;
    for (guint i = 0; i < points->len; i++)
        any |= *of(&g_array_index(points, struct point, i)) != '\0';
    for (size_t i = 0; order[i]; i++)
        if ((any && g_strv_contains(always, order[i])) || has_value(points, of, order[i]))
            g_ptr_array_add(values, (char *)order[i]);
    for (guint i = 0; i < points->len; i++) {
        const char *value = of(&g_array_index(points, struct point, i));
        bool known = !*value || g_strv_contains(order, value);
        for (guint k = 0; k < values->len && !known; k++)
            known = strcmp(g_ptr_array_index(values, k), value) == 0;
        if (!known)
            g_ptr_array_add(values, (char *)model_keep(model, value));
    }
    if (has_value(points, of, ""))
        g_ptr_array_add(values, (char *)"");
    *n = values->len;
    g_ptr_array_add(values, NULL);
    const char **kept = g_new(const char *, values->len);
    memcpy(kept, values->pdata, values->len * sizeof *kept);
    return kept;
}

struct study {
    const char *name; // NULL: measured here
    unsigned rows, cells;
    guint first;
};

static bool study_has(const GArray *points, const char *study, const char *page,
                      const char *preempt)
{
    for (guint i = 0; i < points->len; i++) {
        const struct point *p = &g_array_index(points, struct point, i);
        if (g_strcmp0(p->study, study) == 0 && strcmp(point_page(p), page) == 0 &&
            strcmp(point_preempt(p), preempt) == 0)
            return true;
    }
    return false;
}

static int compare_studies(const void *a, const void *b)
{
    const struct study *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    if (x->cells != y->cells)
        return x->cells > y->cells ? -1 : 1;
    return x->first < y->first ? -1 : 1;
}

static GArray *rank_studies(const struct grid *grid, const GArray *points)
{
    GArray *studies = g_array_new(FALSE, FALSE, sizeof(struct study));
    for (guint i = 0; i < points->len; i++) {
        const char *name = g_array_index(points, struct point, i).study;
        bool known = false;
        for (guint k = 0; k < studies->len && !known; k++)
            known = g_strcmp0(g_array_index(studies, struct study, k).name, name) == 0;
        if (known)
            continue;
        struct study study = {.name = name, .first = i};
        for (size_t r = 0; r < grid->n_pages; r++) {
            unsigned cells = 0;
            for (size_t c = 0; c < grid->n_preempts; c++)
                cells += study_has(points, name, grid->pages[r], grid->preempts[c]);
            study.cells += cells;
            study.rows += cells > 1;
        }
        g_array_append_val(studies, study);
    }
    g_array_sort(studies, compare_studies);
    return studies;
}

static bool point_in(const struct point *p, const struct cell *cell)
{
    return strcmp(point_page(p), cell->page) == 0 && strcmp(point_preempt(p), cell->preempt) == 0;
}

// The kernel with most numbers in a cell of one study; the first of those that are level.
static const char *main_kernel(const GArray *points, const struct cell *cell, const char *study)
{
    g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
    guint most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (guint i = 0; i < points->len; i++) {
            const struct point *p = &g_array_index(points, struct point, i);
            if (g_strcmp0(p->study, study) != 0 || !point_in(p, cell))
                continue;
            const char *kernel = p->run->kernel ? p->run->kernel : "";
            guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, kernel));
            if (pass && n == most)
                return p->run->kernel;
            if (!pass) {
                g_hash_table_insert(counts, (char *)kernel, GUINT_TO_POINTER(n + 1));
                most = MAX(most, n + 1);
            }
        }
    return NULL;
}

static void cell_take(struct grid *grid, struct cell *cell, const struct point *p)
{
    const struct metric_row *m = p->metric;
    bool published = m->provenance == PROVENANCE_PUBLISHED;
    struct observation o = {.value = m->value,
                            .stddev = m->stddev,
                            .n = m->n,
                            .summary = m->n > 1 || (published && m->n != 1),
                            .provenance = m->provenance,
                            .run_id = m->run_id,
                            .session = p->run->source_id,
                            .note = m->why};
    g_array_append_val(cell->observations, o);
    g_array_append_val(grid->run_ids, m->run_id);
    if (!o.summary)
        cell->runs++;
}

// Single runs win over a summary of them; of several summaries the first is shown.
static void cell_centre(struct cell *cell)
{
    g_autofree double *runs = ARRAY_NEW(double, cell->observations->len + 1);
    size_t n = 0;
    for (guint i = 0; i < cell->observations->len; i++) {
        const struct observation *o = &g_array_index(cell->observations, struct observation, i);
        if (!o->summary)
            runs[n++] = o->value;
    }
    cell->centre = NAN;
    if (n) {
        for (guint i = cell->observations->len; i-- > 0;)
            if (g_array_index(cell->observations, struct observation, i).summary)
                g_array_remove_index(cell->observations, i);
        cell->centre = stats_median(runs, n);
        // Five runs cannot reach 95 %: the range then has 93.75 %, and the page says so.
        cell->has_interval = stats_median_interval(runs, n, 0.95, &cell->interval) ||
                             (n == 5 && stats_median_interval(runs, n, 0.90, &cell->interval));
    } else if (cell->observations->len) {
        const struct observation *o = &g_array_index(cell->observations, struct observation, 0);
        cell->centre = o->value;
        cell->stated = o->n;
        cell->others += cell->observations->len - 1;
        g_array_set_size(cell->observations, 1);
    }
}

static void cell_fill(struct grid *grid, struct cell *cell, const GArray *points,
                      const GArray *studies)
{
    cell->observations = g_array_new(FALSE, FALSE, sizeof(struct observation));
    for (guint s = 0; s < studies->len && !cell->observations->len; s++) {
        const char *study = g_array_index(studies, struct study, s).name;
        if (!study_has(points, study, cell->page, cell->preempt))
            continue;
        cell->study = study;
        cell->kernel = main_kernel(points, cell, study);
        for (guint i = 0; i < points->len; i++) {
            const struct point *p = &g_array_index(points, struct point, i);
            if (!point_in(p, cell))
                continue;
            if (g_strcmp0(p->study, study) == 0 && g_strcmp0(p->run->kernel, cell->kernel) == 0)
                cell_take(grid, cell, p);
            else
                cell->others++;
        }
    }
    cell_centre(cell);
}

static bool base_asked(const struct grid *grid, const char *baseline, struct cell **base)
{
    g_auto(GStrv) terms = g_strsplit(baseline, ",", -1);
    const char *page = NULL, *preempt = NULL;
    char name[8];
    for (size_t i = 0; terms[i]; i++) {
        char *term = g_strstrip(terms[i]);
        if (g_str_has_prefix(term, "page=") && page_parse(term + 5, name, NULL))
            page = name;
        else if (g_str_has_prefix(term, "preempt="))
            preempt = preempt_parse(term + 8);
    }
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        struct cell *cell = &grid->cells[i];
        if (cell->observations->len && (!page || strcmp(cell->page, page) == 0) &&
            (!preempt || strcmp(cell->preempt, preempt) == 0)) {
            *base = cell;
            return true;
        }
    }
    return false;
}

// Without a wish: the first cell of the first row that has two; else the first that is there.
static struct cell *base_chosen(const struct grid *grid)
{
    struct cell *any = NULL;
    for (size_t r = 0; r < grid->n_pages; r++) {
        struct cell *first = NULL;
        unsigned n = 0;
        for (size_t c = 0; c < grid->n_preempts; c++) {
            struct cell *cell = grid_cell(grid, r, c);
            if (!cell->observations->len)
                continue;
            first = first ? first : cell;
            n++;
        }
        any = any ? any : first;
        if (n > 1)
            return first;
    }
    return any;
}

static struct grid *grid_new(struct report_model *model, const struct setup *setup,
                             const char *metric)
{
    struct grid *grid = g_new0(struct grid, 1);
    const struct point *p = &g_array_index(setup->points, struct point, 0);
    grid->benchmark = p->run->benchmark;
    grid->workload = p->run->workload;
    grid->machine = p->run->instance ? p->run->instance : p->run->host;
    grid->arch = p->run->arch;
    grid->vcpus = p->run->vcpus;
    grid->clients = p->run->clients;
    grid->metric = metric;
    grid->unit = strcmp(metric, "tps") == 0 ? "tps" : p->metric->unit ? p->metric->unit : "";
    grid->higher_is_better = p->metric->better != BETTER_LOWER;
    grid->run_ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
    grid->pages = axis(model, setup->points, point_page, page_order, pages_always, &grid->n_pages);
    grid->preempts = axis(model, setup->points, point_preempt, preempt_order, preempts_always,
                          &grid->n_preempts);
    grid->cells = g_new0(struct cell, grid->n_pages * grid->n_preempts);
    g_autoptr(GArray) studies = rank_studies(grid, setup->points);
    for (size_t r = 0; r < grid->n_pages; r++)
        for (size_t c = 0; c < grid->n_preempts; c++) {
            struct cell *cell = grid_cell(grid, r, c);
            cell->page = grid->pages[r];
            cell->preempt = grid->preempts[c];
            cell_fill(grid, cell, setup->points, studies);
        }
    grid->base = base_chosen(grid);
    return grid;
}

// How much a grid says: comparisons of preemption modes first, then cells, then runs.
static unsigned weight(const struct grid *grid)
{
    unsigned rows = 0, cells = 0;
    for (size_t r = 0; r < grid->n_pages; r++) {
        unsigned here = 0;
        for (size_t c = 0; c < grid->n_preempts; c++)
            here += grid_cell(grid, r, c)->observations->len > 0;
        cells += here;
        rows += here > 1;
    }
    return rows * 100000 + cells * 1000 + MIN(grid->run_ids->len, 999);
}

static int compare_grids(const void *a, const void *b)
{
    unsigned x = weight(*(struct grid *const *)a), y = weight(*(struct grid *const *)b);
    return (x < y) - (x > y);
}

// The parts of a setup's key that are not in the keys of all setups of the same benchmark, workload
// and machine: what tells it from them.
static const char *label_of(struct report_model *model, const GPtrArray *setups, guint at)
{
    const struct setup *setup = g_ptr_array_index(setups, at);
    g_auto(GStrv) parts = g_strsplit(setup->key, "\001", -1);
    g_autofree char *family = g_strjoin("\001", parts[0], parts[1], parts[2], "", NULL);
    GString *label = g_string_new(NULL);
    for (size_t i = 3; parts[i]; i++) {
        g_autofree char *wrapped = g_strconcat("\001", parts[i], "\001", NULL);
        bool shared = true;
        for (guint k = 0; k < setups->len && shared; k++) {
            const struct setup *other = g_ptr_array_index(setups, k);
            g_autofree char *key = g_strconcat(other->key, "\001", NULL);
            shared = !g_str_has_prefix(key, family) || strstr(key, wrapped);
        }
        if (!shared)
            g_string_append_printf(label, "%s%s%s", label->len ? ", " : "",
                                   i == 3 ? "clients=" : "", parts[i]);
    }
    g_autofree char *text = g_string_free(label, FALSE);
    return model_keep(model, text);
}

bool model_add_grids(struct report_model *model, const struct report_options *options,
                     GError **error)
{
    const char *metric = options->metric ? options->metric : setup_metric(model);
    if (!metric)
        return true;
    g_autoptr(GPtrArray) setups = setup_split(model, metric);
    if (options->metric && !setups->len)
        return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                         "no complete run has a metric %s; \"spinfault archive show run ID\" shows "
                         "what a run has",
                         metric);
    for (guint i = 0; i < setups->len; i++) {
        struct grid *grid = grid_new(model, g_ptr_array_index(setups, i), metric);
        grid->label = label_of(model, setups, i);
        g_ptr_array_add(model->grids, grid);
    }
    g_ptr_array_sort(model->grids, compare_grids); // stable: equal ones stay as they came
    for (guint i = 0; i < model->grids->len; i++) {
        struct grid *grid = g_ptr_array_index(model->grids, i);
        if (options->baseline && !base_asked(grid, options->baseline, &grid->base) && i == 0)
            return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                             "no run matches --baseline %s; write it as preempt=none,page=4K",
                             options->baseline);
    }
    grids_compare(model->grids, model->threshold);
    return true;
}
