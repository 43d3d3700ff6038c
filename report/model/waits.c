// Wait events: how many sessions were seen waiting for what, a group for each point of the grid
// (or each source when that is unknown). They come as samples, or as metrics of a run that are
// named wait:Type/Event.
#include <string.h>

#include "model/model.h"

#define COLOURS 6 // the last one is for everything else

static const char *group_label(struct report_model *model, const char *preempt, const char *page,
                               const char *path)
{
    if (preempt && page)
        return model_text(model, "%s · %s", preempt_short(preempt), page);
    if (preempt || page)
        return preempt ? preempt_short(preempt) : model_keep(model, page);
    g_autofree char *name = g_path_get_basename(path);
    return model_keep(model, name);
}

static const char *row_label(struct report_model *model, const struct wait_row *row)
{
    const char *preempt = g_hash_table_lookup(row->tags, "preempt");
    const char *page = g_hash_table_lookup(row->tags, "page");
    const struct run_row *run = g_hash_table_lookup(model->runs_by_id, &row->run_id);
    if (run && !preempt)
        preempt = run->preempt;
    if (run && !page)
        page = run->page;
    return group_label(model, preempt, page, row->path);
}

// Waits go with their run: a filter that leaves it out leaves them out.
static bool is_chosen(const struct report_model *model, const struct wait_row *row)
{
    return row->run_id < 0 || g_hash_table_contains(model->runs_by_id, &row->run_id);
}

static struct wait_group *group_of(struct report_model *model, const char *label)
{
    for (guint i = 0; i < model->waits->len; i++) {
        struct wait_group *group = g_ptr_array_index(model->waits, i);
        if (strcmp(group->label, label) == 0)
            return group;
    }
    struct wait_group *group = g_new0(struct wait_group, 1);
    group->label = label;
    group->items = g_array_new(FALSE, TRUE, sizeof(struct wait_item));
    g_ptr_array_add(model->waits, group);
    return group;
}

enum who { WHO_SESSION, WHO_IDLE, WHO_BACKGROUND };

static void add_count(struct wait_group *group, const char *type, const char *event, enum who who,
                      uint64_t count)
{
    struct wait_item *item = NULL;
    for (guint i = 0; i < group->items->len && !item; i++) {
        struct wait_item *known = &g_array_index(group->items, struct wait_item, i);
        if (strcmp(known->event, event) == 0 && strcmp(known->type, type) == 0)
            item = known;
    }
    if (!item) {
        struct wait_item fresh = {.type = type, .event = event};
        g_array_append_val(group->items, fresh);
        item = &g_array_index(group->items, struct wait_item, group->items->len - 1);
    }
    group->total += count;
    item->count += count;
    item->idle += who == WHO_IDLE ? count : 0;
    item->background += who == WHO_BACKGROUND ? count : 0;
}

static enum who who_of(const char *backend_type, const char *state)
{
    if (backend_type && *backend_type && strcmp(backend_type, "client backend") != 0)
        return WHO_BACKGROUND;
    return state && g_str_has_prefix(state, "idle") ? WHO_IDLE : WHO_SESSION;
}

// The note of a wait metric says both: "client backend, idle in transaction", "walwriter".
static enum who who_of_note(const char *note)
{
    g_auto(GStrv) parts = g_strsplit(note ? note : "", ", ", 2);
    return who_of(parts[0], parts[0] ? parts[1] : NULL);
}

static void add_metrics(struct report_model *model)
{
    for (guint i = 0; i < model->metrics->len; i++) {
        const struct metric_row *metric = g_ptr_array_index(model->metrics, i);
        const struct run_row *run = g_hash_table_lookup(model->runs_by_id, &metric->run_id);
        if (!run || !g_str_has_prefix(metric->name, "wait:") || !(metric->value > 0) ||
            metric->value > 1e15)
            continue;
        g_auto(GStrv) name = g_strsplit(metric->name + strlen("wait:"), "/", 2);
        const char *type = name[0] && name[1] ? model_keep(model, name[0]) : "";
        const char *event = model_keep(model, name[0] && name[1] ? name[1] : name[0]);
        const char *label = group_label(model, run->preempt, run->page, run->path);
        if (event)
            add_count(group_of(model, label), type, event, who_of_note(metric->why),
                      (uint64_t)metric->value);
    }
}

static int compare_items(const void *a, const void *b)
{
    const struct wait_item *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    int order = strcmp(x->type, y->type);
    return order ? order : strcmp(x->event, y->event);
}

// Spinning is always the first colour; the others go by their largest share in any group.
static void colour(struct report_model *model)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (;;) {
        const struct wait_item *best = NULL;
        double most = 0;
        for (guint g = 0; g < model->waits->len; g++) {
            struct wait_group *group = g_ptr_array_index(model->waits, g);
            for (guint i = 0; i < group->items->len; i++) {
                struct wait_item *item = &g_array_index(group->items, struct wait_item, i);
                double share = (double)item->count / (double)MAX(group->total, 1);
                if (strcmp(item->event, "SpinDelay") == 0)
                    item->colour = 1;
                if (!item->colour && share > most) {
                    most = share;
                    best = item;
                }
            }
        }
        if (!best)
            return;
        unsigned next = MIN(names->len + 2, COLOURS);
        const char *event = best->event;
        g_ptr_array_add(names, (char *)event);
        for (guint g = 0; g < model->waits->len; g++) {
            struct wait_group *group = g_ptr_array_index(model->waits, g);
            for (guint i = 0; i < group->items->len; i++) {
                struct wait_item *item = &g_array_index(group->items, struct wait_item, i);
                if (strcmp(item->event, event) == 0 && !item->colour)
                    item->colour = next;
            }
        }
    }
}

void model_add_waits(struct report_model *model)
{
    for (guint i = 0; i < model->wait_rows->len; i++) {
        const struct wait_row *row = g_ptr_array_index(model->wait_rows, i);
        if (row->event && row->count && is_chosen(model, row))
            add_count(group_of(model, row_label(model, row)),
                      row->event_type ? row->event_type : "", row->event,
                      who_of(row->backend_type, row->state), row->count);
    }
    add_metrics(model);
    for (guint i = 0; i < model->waits->len; i++) {
        struct wait_group *group = g_ptr_array_index(model->waits, i);
        g_array_sort(group->items, compare_items);
    }
    colour(model);
}
