// See flow_map.h.
#include "flow_map.h"

#include <string.h>

#include "flow_symbol.h"

struct flow_vector {
    unsigned references, n, capacity;
    struct flow_entry entries[];
};

static struct flow_vector *vector_new(unsigned capacity)
{
    struct flow_vector *vector =
        g_malloc(sizeof *vector + sizeof(struct flow_entry) * MAX(capacity, 4));
    vector->references = 1;
    vector->n = 0;
    vector->capacity = MAX(capacity, 4);
    return vector;
}

static void vector_unref(struct flow_vector *vector)
{
    if (vector && --vector->references == 0)
        g_free(vector);
}

void flow_map_clear(struct flow_map *map)
{
    vector_unref(map->vector);
    map->vector = NULL;
}

void flow_map_copy(struct flow_map *to, const struct flow_map *from)
{
    to->vector = from->vector;
    if (to->vector)
        to->vector->references++;
}

unsigned flow_map_size(const struct flow_map *map)
{
    return map->vector ? map->vector->n : 0;
}

const struct flow_entry *flow_map_at(const struct flow_map *map, unsigned i)
{
    return &map->vector->entries[i];
}

static int entry_order(const struct flow_entry *entry, const struct symbol *key, int64_t detail)
{
    if (entry->key->id != key->id)
        return entry->key->id < key->id ? -1 : 1;
    return entry->detail < detail ? -1 : entry->detail > detail;
}

// Index of the entry, or where it would be put.
static unsigned position(const struct flow_map *map, const struct symbol *key, int64_t detail)
{
    unsigned low = 0, high = flow_map_size(map);
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (entry_order(&map->vector->entries[middle], key, detail) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

unsigned flow_map_lower(const struct flow_map *map, const struct symbol *key)
{
    return position(map, key, INT64_MIN);
}

const struct flow_entry *flow_map_find(const struct flow_map *map, const struct symbol *key,
                                       int64_t detail)
{
    unsigned i = position(map, key, detail);
    if (i == flow_map_size(map) || entry_order(&map->vector->entries[i], key, detail) != 0)
        return NULL;
    return &map->vector->entries[i];
}

// Makes the vector ours alone, with room for `extra` more.
static struct flow_vector *own(struct flow_map *map, unsigned extra)
{
    struct flow_vector *old = map->vector;
    unsigned n = old ? old->n : 0;
    if (old && old->references == 1 && n + extra <= old->capacity)
        return old;
    struct flow_vector *vector = vector_new(n + extra + n / 2);
    if (n)
        memcpy(vector->entries, old->entries, n * sizeof *old->entries);
    vector->n = n;
    vector_unref(old);
    map->vector = vector;
    return vector;
}

void flow_map_set(struct flow_map *map, const struct flow_entry *entry)
{
    unsigned n = flow_map_size(map);
    unsigned i = position(map, entry->key, entry->detail);
    if (i < n && entry_order(&map->vector->entries[i], entry->key, entry->detail) == 0) {
        const struct flow_entry *old = &map->vector->entries[i];
        if (old->value == entry->value && old->flags == entry->flags)
            return;
        own(map, 0)->entries[i] = *entry;
        return;
    }
    struct flow_entry copy = *entry;
    struct flow_vector *vector = own(map, 1);
    memmove(&vector->entries[i + 1], &vector->entries[i], (n - i) * sizeof *vector->entries);
    vector->entries[i] = copy;
    vector->n++;
}

void flow_map_append(struct flow_map *map, const struct flow_entry *entry)
{
    struct flow_entry copy = *entry;
    struct flow_vector *vector = own(map, 1);
    vector->entries[vector->n++] = copy;
}

bool flow_map_remove(struct flow_map *map, const struct symbol *key, int64_t detail)
{
    unsigned n = flow_map_size(map);
    unsigned i = position(map, key, detail);
    if (i == n || entry_order(&map->vector->entries[i], key, detail) != 0)
        return false;
    struct flow_vector *vector = own(map, 0);
    memmove(&vector->entries[i], &vector->entries[i + 1], (n - i - 1) * sizeof *vector->entries);
    vector->n--;
    return true;
}

void flow_map_filter(struct flow_map *map,
                     bool (*keep)(const struct flow_entry *entry, const void *context),
                     const void *context)
{
    unsigned n = flow_map_size(map);
    unsigned first = 0;
    while (first < n && keep(&map->vector->entries[first], context))
        first++;
    if (first == n)
        return;
    struct flow_vector *vector = own(map, 0);
    unsigned kept = first;
    for (unsigned i = first + 1; i < n; i++) {
        if (keep(&vector->entries[i], context))
            vector->entries[kept++] = vector->entries[i];
    }
    vector->n = kept;
}

bool flow_map_equal(const struct flow_map *a, const struct flow_map *b)
{
    unsigned n = flow_map_size(a);
    if (a->vector == b->vector)
        return true;
    if (n != flow_map_size(b))
        return false;
    for (unsigned i = 0; i < n; i++) {
        const struct flow_entry *x = flow_map_at(a, i), *y = flow_map_at(b, i);
        if (x->key != y->key || x->detail != y->detail || x->value != y->value ||
            x->flags != y->flags)
            return false;
    }
    return true;
}
