// A profile sample by sample, with its tree and its threads, in one pass over its rows.
#include "query.h"
#include "query_stacks.h"

static void thread_row_free(gpointer p)
{
    struct thread_row *t = p;
    if (!t)
        return;
    g_free(t->comm);
    g_free(t);
}

// By their number in the source, from 1; the first is NULL, and so are those that do not exist.
static GPtrArray *read_threads(struct archive *archive, int64_t source_id, GError **error)
{
    GPtrArray *threads = g_ptr_array_new_with_free_func(thread_row_free);
    struct query q;
    query_begin(&q, archive,
                "SELECT t.id, t.pid, t.tid, c.text FROM thread t "
                "LEFT JOIN string c ON c.id = t.comm_id WHERE t.source_id = ? ORDER BY t.id");
    query_int(&q, source_id);
    while (query_row(&q)) {
        int64_t id = query_get_int(&q, 0);
        if (id < threads->len || id > INT32_MAX)
            continue;
        g_ptr_array_set_size(threads, (gint)id + 1);
        struct thread_row *t = threads->pdata[id] = g_new0(struct thread_row, 1);
        t->pid = query_get_int_or(&q, 1, -1);
        t->tid = query_get_int_or(&q, 2, -1);
        t->comm = query_get_text(&q, 3);
        t->first_ns = t->last_ns = INT64_MIN;
    }
    if (!query_end(&q, error))
        g_clear_pointer(&threads, g_ptr_array_unref);
    return threads;
}

static void count_sample(struct profile_samples *s, struct thread_row *t,
                         const struct sample_row *row)
{
    t->samples++;
    t->weight += row->weight;
    if (row->time_ns == INT64_MIN)
        return;
    t->first_ns = t->first_ns == INT64_MIN ? row->time_ns : MIN(t->first_ns, row->time_ns);
    t->last_ns = MAX(t->last_ns, row->time_ns);
    s->first_ns = s->first_ns == INT64_MIN ? row->time_ns : MIN(s->first_ns, row->time_ns);
    s->last_ns = MAX(s->last_ns, row->time_ns);
}

struct numbered {
    struct thread_row *thread;
    guint number;
};

static int compare_threads(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->thread->weight != y->thread->weight)
        return x->thread->weight > y->thread->weight ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

// Leaves the threads that have samples, heaviest first, and tells the samples their places.
static void order_threads(struct profile_samples *s, GPtrArray *threads)
{
    g_autoptr(GArray) order = g_array_new(false, false, sizeof(struct numbered));
    g_autofree uint32_t *place = g_new0(uint32_t, threads->len + 1);
    for (guint i = 0; i < threads->len; i++) {
        struct numbered n = {threads->pdata[i], i};
        if (n.thread && n.thread->samples)
            g_array_append_val(order, n);
    }
    g_array_sort(order, compare_threads);
    s->threads = g_ptr_array_new_with_free_func(thread_row_free);
    for (guint i = 0; i < order->len; i++) {
        const struct numbered *n = &g_array_index(order, struct numbered, i);
        place[n->number] = i;
        g_ptr_array_add(s->threads, n->thread);
        threads->pdata[n->number] = NULL;
    }
    for (guint i = 0; i < s->rows->len; i++) {
        struct sample_row *row = &g_array_index(s->rows, struct sample_row, i);
        row->thread = place[row->thread];
    }
}

static bool add_threads(struct profile_samples *s, struct archive *archive, int64_t source_id,
                        GError **error)
{
    g_autoptr(GPtrArray) threads = read_threads(archive, source_id, error);
    s->first_ns = s->last_ns = INT64_MIN;
    if (!threads)
        return false;
    for (guint i = 0; i < s->rows->len; i++) {
        const struct sample_row *row = &g_array_index(s->rows, struct sample_row, i);
        struct thread_row *t = row->thread < threads->len ? threads->pdata[row->thread] : NULL;
        if (!t)
            return error_set(
                error, SPINFAULT_ERROR_DAMAGED,
                "%s: a sample names thread %u, which is not there; \"spinfault archive "
                "verify\" says what else is damaged",
                archive->path, row->thread);
        count_sample(s, t, row);
    }
    order_threads(s, threads);
    return true;
}

struct profile_samples *archive_profile_samples(struct archive *archive, int64_t profile_id,
                                                GError **error)
{
    struct profile_samples *s = g_new0(struct profile_samples, 1);
    int64_t source_id;
    s->rows = g_array_new(false, false, sizeof(struct sample_row));
    s->tree = stack_tree_read(archive, profile_id, &(struct sample_filter){0}, s->rows, &source_id,
                              error);
    if (s->tree && add_threads(s, archive, source_id, error))
        return s;
    profile_samples_free(s);
    return NULL;
}

void profile_samples_free(struct profile_samples *s)
{
    if (!s)
        return;
    stack_tree_free(s->tree);
    if (s->threads)
        g_ptr_array_unref(s->threads);
    g_array_unref(s->rows);
    g_free(s);
}
