// What the facts about a unit rest on outside of it. See foreign.h.
#include "foreign_log.h"

struct foreign_log {
    GHashTable *uses; // struct foreign_use* -> itself
    GPtrArray *order; // made when asked for
    unsigned height;
    bool cut;
};

static guint use_hash(gconstpointer key)
{
    const struct foreign_use *use = key;
    return g_direct_hash(use->name) * 31 + use->question;
}

static gboolean use_equal(gconstpointer a, gconstpointer b)
{
    const struct foreign_use *x = a, *y = b;
    return x->name == y->name && x->question == y->question; // names are interned
}

static void use_free(gpointer data)
{
    struct foreign_use *use = data;
    g_free((gpointer)use->files);
    g_free(use);
}

struct foreign_log *foreign_log_new(void)
{
    struct foreign_log *log = g_new0(struct foreign_log, 1);
    log->uses = g_hash_table_new_full(use_hash, use_equal, use_free, NULL);
    return log;
}

void foreign_log_free(struct foreign_log *log)
{
    if (!log)
        return;
    g_hash_table_unref(log->uses);
    if (log->order)
        g_ptr_array_unref(log->order);
    g_free(log);
}

void foreign_log_add(struct foreign_log *log, const struct foreign_use *use)
{
    if (g_hash_table_contains(log->uses, use))
        return;
    struct foreign_use *copy = g_memdup2(use, sizeof *use);
    copy->files = g_memdup2(use->files, sizeof(unsigned) * use->n_files);
    g_hash_table_add(log->uses, copy);
    g_clear_pointer(&log->order, g_ptr_array_unref);
}

void foreign_log_cut(struct foreign_log *log)
{
    log->cut = true;
}

bool foreign_log_is_cut(const struct foreign_log *log)
{
    return log->cut;
}

unsigned foreign_log_height(const struct foreign_log *log)
{
    return log->height;
}

void foreign_log_merge(struct foreign_log *log, const struct foreign_log *inner)
{
    GHashTableIter iter;
    gpointer use;
    g_hash_table_iter_init(&iter, inner->uses);
    while (g_hash_table_iter_next(&iter, &use, NULL))
        foreign_log_add(log, use);
    log->height = MAX(log->height, inner->height + 1);
    log->cut |= inner->cut;
}

static int use_order(gconstpointer a, gconstpointer b)
{
    const struct foreign_use *x = *(struct foreign_use *const *)a;
    const struct foreign_use *y = *(struct foreign_use *const *)b;
    int names = g_strcmp0(x->name, y->name);
    return names ? names : (int)x->question - (int)y->question;
}

const struct foreign_use *const *foreign_log_uses(struct foreign_log *log, unsigned *n)
{
    if (!log->order) {
        log->order = g_ptr_array_new();
        GHashTableIter iter;
        gpointer use;
        g_hash_table_iter_init(&iter, log->uses);
        while (g_hash_table_iter_next(&iter, &use, NULL))
            g_ptr_array_add(log->order, use);
        g_ptr_array_sort(log->order, use_order);
    }
    *n = log->order->len;
    return (const struct foreign_use *const *)log->order->pdata;
}
