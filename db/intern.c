// Open addressing with linear probing, at most half full. Text is hashed sixteen bytes at a time by
// a multiplication to 128 bits whose halves are folded, enough for text that nobody chose to
// collide: the worst a hostile file gets is a slow ingest of itself.
#include "intern.h"

#include <string.h>

#define FIRST_ROOM 1024u

__extension__ typedef unsigned __int128 wide;

static uint64_t fold(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t mix(uint64_t h)
{
    h *= 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t load(const char *p, size_t n)
{
    uint64_t word = 0;
    memcpy(&word, p, n);
    return word;
}

uint32_t text_hash(struct slice s)
{
    const char *p = s.data;
    size_t left = s.len;
    uint64_t h = 0x9e3779b97f4a7c15u ^ s.len, a = 0, b = 0;
    for (; left > 16; p += 16, left -= 16)
        h = fold(load(p, 8) ^ 0x243f6a8885a308d3u, load(p + 8, 8) ^ h);
    // What is left, or parts of it twice: any sixteen bytes will do that cover it.
    if (left >= 8) {
        a = load(p, 8);
        b = load(p + left - 8, 8);
    } else if (left >= 4) {
        a = load(p, 4);
        b = load(p + left - 4, 4);
    } else {
        a = load(p, left);
    }
    h = fold(a ^ 0x13198a2e03707345u, b ^ h);
    return (uint32_t)(h ^ h >> 32);
}

void hash_slots_init(struct hash_slots *s)
{
    s->mask = 4 * FIRST_ROOM - 1;
    s->at = g_new0(struct hash_slot, s->mask + 1);
}

void hash_slots_clear(struct hash_slots *s)
{
    g_free(s->at);
    *s = (struct hash_slots){0};
}

static void slots_put(struct hash_slots *s, uint32_t hash, uint32_t id)
{
    uint32_t i = hash & s->mask;
    while (s->at[i].id)
        i = (i + 1) & s->mask;
    s->at[i] = (struct hash_slot){hash, id};
}

// The slots double when no longer half of them are free.
void hash_slots_add(struct hash_slots *s, uint32_t hash, uint32_t n)
{
    struct hash_slots old = *s;
    if (n > s->mask / 2) {
        s->mask = s->mask * 2 + 1;
        s->at = g_new0(struct hash_slot, (gsize)s->mask + 1);
        for (uint32_t i = 0; i <= old.mask; i++)
            if (old.at[i].id)
                slots_put(s, old.at[i].hash, old.at[i].id);
        g_free(old.at);
    }
    slots_put(s, hash, n);
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
    t->text = g_string_chunk_new(65536);
    hash_slots_init(&t->slots);
}

void text_table_clear(struct text_table *t)
{
    g_free(t->items);
    hash_slots_clear(&t->slots);
    if (t->text)
        g_string_chunk_free(t->text);
    *t = (struct text_table){0};
}

uint32_t text_table_add(struct text_table *t, struct slice s)
{
    if (!s.data)
        return 0;
    uint32_t hash = text_hash(s);
    const struct hash_slot *slot;
    for (uint32_t i = hash & t->slots.mask; (slot = &t->slots.at[i])->id;
         i = (i + 1) & t->slots.mask)
        if (slot->hash == hash && slice_equal(t->items[slot->id], s))
            return slot->id;
    RESERVE(t->items, struct slice, t->n, t->room);
    uint32_t id = ++t->n;
    char *copy = g_string_chunk_insert_len(t->text, s.data, (gssize)s.len);
    t->items[id] = (struct slice){copy, s.len};
    hash_slots_add(&t->slots, hash, id);
    return id;
}

void frame_table_init(struct frame_table *t)
{
    *t = (struct frame_table){.room = FIRST_ROOM};
    t->items = g_new0(struct frame_key, t->room);
    hash_slots_init(&t->slots);
}

void frame_table_clear(struct frame_table *t)
{
    g_free(t->items);
    hash_slots_clear(&t->slots);
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
    const struct hash_slot *slot;
    for (uint32_t i = hash & t->slots.mask; (slot = &t->slots.at[i])->id;
         i = (i + 1) & t->slots.mask)
        if (slot->hash == hash && frame_equal(&t->items[slot->id], key))
            return slot->id;
    RESERVE(t->items, struct frame_key, t->n, t->room);
    uint32_t id = ++t->n;
    t->items[id] = *key;
    hash_slots_add(&t->slots, hash, id);
    return id;
}

void node_table_init(struct node_table *t)
{
    *t = (struct node_table){.room = FIRST_ROOM, .mask = 4 * FIRST_ROOM - 1};
    t->items = g_new0(struct node_key, t->room);
    t->slots = g_new0(struct node_slot, t->mask + 1);
}

void node_table_reserve(struct node_table *t, uint32_t n)
{
    g_assert(t->n == 0);
    while (n / 2 >= t->room)
        t->room *= 2;
    while (n > t->mask / 2)
        t->mask = t->mask * 2 + 1;
    t->items = g_renew(struct node_key, t->items, t->room);
    t->items[0] = (struct node_key){0};
    g_free(t->slots);
    t->slots = g_new0(struct node_slot, (gsize)t->mask + 1);
}

void node_table_clear(struct node_table *t)
{
    g_free(t->items);
    g_free(t->slots);
    *t = (struct node_table){0};
}

// The slot that holds `key`, or the empty one where it belongs.
static struct node_slot *node_slot(const struct node_table *t, struct node_key key, uint32_t hash)
{
    uint32_t i = hash & t->mask;
    struct node_slot *slot = &t->slots[i];
    while (slot->id && (slot->key.parent != key.parent || slot->key.frame != key.frame)) {
        i = (i + 1) & t->mask;
        slot = &t->slots[i];
    }
    return slot;
}

static void node_slots_double(struct node_table *t)
{
    struct node_slot *old = t->slots;
    uint32_t n = t->mask + 1;
    t->mask = t->mask * 2 + 1;
    t->slots = g_new0(struct node_slot, (gsize)t->mask + 1);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].id)
            *node_slot(t, old[i].key, old[i].hash) = old[i];
    g_free(old);
}

static uint32_t hash_step(uint32_t parent, uint32_t frame)
{
    return (uint32_t)(mix(mix((uint64_t)parent << 32 | frame)) >> 32);
}

static uint32_t add_hashed(struct node_table *t, uint32_t parent, uint32_t frame, uint32_t hash)
{
    // What was added at once lies in a row: the way down a chain mostly ends in such a row.
    uint32_t next = parent + 1;
    if (next <= t->n && t->items[next].parent == parent && t->items[next].frame == frame)
        return next;
    struct node_key key = {parent, frame};
    struct node_slot *slot = node_slot(t, key, hash);
    if (slot->id)
        return slot->id;
    RESERVE(t->items, struct node_key, t->n, t->room);
    t->items[++t->n] = key;
    if (t->n > t->mask / 2) {
        node_slots_double(t);
        slot = node_slot(t, key, hash);
    }
    *slot = (struct node_slot){key, hash, t->n};
    return t->n;
}

uint32_t node_table_add(struct node_table *t, uint32_t parent, uint32_t frame)
{
    return add_hashed(t, parent, frame, hash_step(parent, frame));
}

// A node that may end the way with this hash; 0: there is none.
static uint32_t node_with(const struct node_table *t, uint32_t frame, uint32_t hash)
{
    uint32_t i = hash & t->mask;
    const struct node_slot *slot = &t->slots[i];
    while (slot->id && (slot->hash != hash || slot->key.frame != frame)) {
        i = (i + 1) & t->mask;
        slot = &t->slots[i];
    }
    return slot->id;
}

static bool ends_way(const struct node_table *t, uint32_t node, const uint32_t *frames, size_t n)
{
    for (; n > 0 && node; n--) {
        if (t->items[node].frame != frames[n - 1])
            return false;
        node = t->items[node].parent;
    }
    return n == 0 && node == 0;
}

// How much of the way is known, and where that ends. A node is hashed with all that is above it, so
// it is asked for without its parents: mostly the whole way is known, or all but the innermost
// frame or two; else the end is between what is known and what is not, and halving finds it.
static size_t known_way(const struct node_table *t, const uint32_t *frames, const uint32_t *hashes,
                        size_t n, uint32_t *node)
{
    size_t known = 0, unknown = n + 1;
    *node = 0;
    for (unsigned asked = 0; known + 1 < unknown; asked++) {
        size_t middle = asked < 3 ? unknown - 1 : (known + unknown) / 2;
        uint32_t id = node_with(t, frames[middle - 1], hashes[middle - 1]);
        if (id) {
            known = middle;
            *node = id;
        } else {
            unknown = middle;
        }
    }
    // Hashes of different ways may be equal.
    if (ends_way(t, *node, frames, known))
        return known;
    *node = 0;
    return 0;
}

uint32_t node_table_add_path(struct node_table *t, const uint32_t *frames, uint32_t *hashes,
                             size_t n)
{
    uint32_t hash = 0, node;
    for (size_t i = 0; i < n; i++)
        hashes[i] = hash = hash_step(hash, frames[i]);
    for (size_t i = known_way(t, frames, hashes, n, &node); i < n; i++)
        node = add_hashed(t, node, frames[i], hashes[i]);
    return node;
}
