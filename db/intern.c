// Open addressing with linear probing, at most half full. Hashes multiply eight bytes at a time and
// fold the high half in (the finaliser of a multiplicative hash), enough for text that nobody
// chose to collide: the worst a hostile file gets is a slow ingest of itself.
#include "intern.h"

#include <string.h>

#define FIRST_ROOM 1024u

static uint64_t mix(uint64_t h)
{
    h *= 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint32_t hash_text(const char *data, size_t len)
{
    uint64_t h = len, word;
    for (; len >= sizeof word; data += sizeof word, len -= sizeof word) {
        memcpy(&word, data, sizeof word);
        h = mix(h ^ word);
    }
    word = 0;
    memcpy(&word, data, len);
    h = mix(mix(h ^ word));
    return (uint32_t)(h >> 32);
}

static void slots_init(struct hash_slots *s)
{
    s->mask = 4 * FIRST_ROOM - 1;
    s->ids = g_new0(uint32_t, s->mask + 1);
}

// Doubles the slots when ids up to `n` no longer leave half of them free. The caller refills.
static bool slots_grow(struct hash_slots *s, uint32_t n)
{
    if (n <= s->mask / 2)
        return false;
    uint32_t count = (s->mask + 1) * 2;
    g_free(s->ids);
    s->ids = g_new0(uint32_t, count);
    s->mask = count - 1;
    return true;
}

static void slots_put(struct hash_slots *s, uint32_t hash, uint32_t id)
{
    uint32_t i = hash & s->mask;
    while (s->ids[i])
        i = (i + 1) & s->mask;
    s->ids[i] = id;
}

// Makes room for one more item after `n` in an array of `room` items of type `type`.
#define RESERVE(array, type, n, room)                                                              \
    do {                                                                                           \
        if ((n) + 1 >= (room)) {                                                                   \
            (room) *= 2;                                                                           \
            (array) = g_renew(type, array, room);                                                  \
        }                                                                                          \
    } while (0)

void text_table_init(struct text_table *t)
{
    *t = (struct text_table){.room = FIRST_ROOM};
    t->items = g_new0(struct slice, t->room);
    t->hashes = g_new0(uint32_t, t->room);
    t->text = g_string_chunk_new(65536);
    slots_init(&t->slots);
}

void text_table_clear(struct text_table *t)
{
    g_free(t->items);
    g_free(t->hashes);
    g_free(t->slots.ids);
    if (t->text)
        g_string_chunk_free(t->text);
    *t = (struct text_table){0};
}

uint32_t text_table_add(struct text_table *t, struct slice s)
{
    if (!s.data)
        return 0;
    uint32_t hash = hash_text(s.data, s.len);
    uint32_t id;
    for (uint32_t i = hash & t->slots.mask; (id = t->slots.ids[i]); i = (i + 1) & t->slots.mask)
        if (t->hashes[id] == hash && t->items[id].len == s.len &&
            memcmp(t->items[id].data, s.data, s.len) == 0)
            return id;
    if (t->n + 1 >= t->room)
        t->hashes = g_renew(uint32_t, t->hashes, (gsize)t->room * 2);
    RESERVE(t->items, struct slice, t->n, t->room);
    id = ++t->n;
    char *copy = g_string_chunk_insert_len(t->text, s.data, (gssize)s.len);
    t->items[id] = (struct slice){copy, s.len};
    t->hashes[id] = hash;
    if (!slots_grow(&t->slots, t->n)) {
        slots_put(&t->slots, hash, id);
        return id;
    }
    for (uint32_t i = 1; i <= t->n; i++)
        slots_put(&t->slots, t->hashes[i], i);
    return id;
}

void frame_table_init(struct frame_table *t)
{
    *t = (struct frame_table){.room = FIRST_ROOM};
    t->items = g_new0(struct frame_key, t->room);
    slots_init(&t->slots);
}

void frame_table_clear(struct frame_table *t)
{
    g_free(t->items);
    g_free(t->slots.ids);
    *t = (struct frame_table){0};
}

static uint32_t hash_frame(const struct frame_key *k)
{
    uint64_t h = mix((uint64_t)k->symbol << 32 ^ k->dso);
    h = mix(h ^ k->at);
    h = mix(h ^ ((uint64_t)k->srcline << 2 | (uint64_t)k->has_at << 1 | k->inlined));
    return (uint32_t)(h >> 32);
}

static bool frame_equal(const struct frame_key *a, const struct frame_key *b)
{
    return a->symbol == b->symbol && a->at == b->at && a->dso == b->dso &&
           a->srcline == b->srcline && a->has_at == b->has_at && a->inlined == b->inlined;
}

uint32_t frame_table_add(struct frame_table *t, const struct frame_key *key)
{
    uint32_t hash = hash_frame(key);
    uint32_t id;
    for (uint32_t i = hash & t->slots.mask; (id = t->slots.ids[i]); i = (i + 1) & t->slots.mask)
        if (frame_equal(&t->items[id], key))
            return id;
    RESERVE(t->items, struct frame_key, t->n, t->room);
    id = ++t->n;
    t->items[id] = *key;
    if (!slots_grow(&t->slots, t->n)) {
        slots_put(&t->slots, hash, id);
        return id;
    }
    for (uint32_t i = 1; i <= t->n; i++)
        slots_put(&t->slots, hash_frame(&t->items[i]), i);
    return id;
}

void node_table_init(struct node_table *t)
{
    *t = (struct node_table){.room = FIRST_ROOM};
    t->items = g_new0(struct node_key, t->room);
    slots_init(&t->slots);
}

void node_table_clear(struct node_table *t)
{
    g_free(t->items);
    g_free(t->slots.ids);
    *t = (struct node_table){0};
}

static uint32_t hash_node(uint32_t parent, uint32_t frame)
{
    return (uint32_t)(mix(mix((uint64_t)parent << 32 | frame)) >> 32);
}

uint32_t node_table_add(struct node_table *t, uint32_t parent, uint32_t frame)
{
    uint32_t hash = hash_node(parent, frame);
    uint32_t id;
    for (uint32_t i = hash & t->slots.mask; (id = t->slots.ids[i]); i = (i + 1) & t->slots.mask)
        if (t->items[id].parent == parent && t->items[id].frame == frame)
            return id;
    RESERVE(t->items, struct node_key, t->n, t->room);
    id = ++t->n;
    t->items[id] = (struct node_key){parent, frame};
    if (!slots_grow(&t->slots, t->n)) {
        slots_put(&t->slots, hash, id);
        return id;
    }
    for (uint32_t i = 1; i <= t->n; i++)
        slots_put(&t->slots, hash_node(t->items[i].parent, t->items[i].frame), i);
    return id;
}
