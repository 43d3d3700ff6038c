// Frames of a profile, by number.
#include "frame_index.h"

#define FIRST_ROOM 1024u

void frame_index_init(struct frame_index *index)
{
    *index = (struct frame_index){.room = FIRST_ROOM,
                                  .kinds_room = FIRST_ROOM,
                                  .mask = 4 * FIRST_ROOM - 1};
    index->kinds = g_new0(struct frame_kind, index->kinds_room);
    index->items = g_new0(struct frame_place, index->room);
    index->function = g_new0(uint32_t, index->room);
    index->slots = g_new0(struct frame_place, index->mask + 1);
    hash_slots_init(&index->kind_slots);
    node_table_init(&index->functions);
}

void frame_index_clear(struct frame_index *index)
{
    g_free(index->kinds);
    g_free(index->items);
    g_free(index->function);
    g_free(index->slots);
    hash_slots_clear(&index->kind_slots);
    node_table_clear(&index->functions);
    *index = (struct frame_index){0};
}

static bool is_of_kind(const struct frame_kind *kind, const struct frame_fact *fact, bool has_at)
{
    return kind->has_at == has_at && kind->inlined == fact->inlined &&
           slice_equal(kind->symbol, fact->symbol) && slice_equal(kind->dso, fact->dso) &&
           slice_equal(kind->srcline, fact->srcline);
}

static uint32_t add_kind(struct frame_index *index, struct text_table *text,
                         const struct frame_fact *fact, bool has_at)
{
    if (index->n_kinds + 1 >= index->kinds_room) {
        index->kinds_room *= 2;
        index->kinds = g_renew(struct frame_kind, index->kinds, index->kinds_room);
    }
    struct frame_kind *kind = &index->kinds[++index->n_kinds];
    *kind = (struct frame_kind){.has_at = has_at, .inlined = fact->inlined};
    kind->symbol_id = text_table_add(text, fact->symbol);
    kind->dso_id = text_table_add(text, fact->dso);
    kind->srcline_id = text_table_add(text, fact->srcline);
    kind->symbol = text->items[kind->symbol_id];
    kind->dso = text->items[kind->dso_id];
    kind->srcline = text->items[kind->srcline_id];
    return index->n_kinds;
}

static uint32_t kind_of(struct frame_index *index, struct text_table *text,
                        const struct frame_fact *fact, bool has_at)
{
    uint32_t hash = fact->symbol.data ? text_hash(fact->symbol) : 0;
    hash = (hash ^ (uint32_t)fact->dso.len) * 0x9e3779b1u;
    if (fact->srcline.data)
        hash ^= text_hash(fact->srcline);
    const struct hash_slots *slots = &index->kind_slots;
    const struct hash_slot *slot;
    for (uint32_t i = hash & slots->mask; (slot = &slots->at[i])->id; i = (i + 1) & slots->mask)
        if (slot->hash == hash && is_of_kind(&index->kinds[slot->id], fact, has_at))
            return slot->id;
    uint32_t kind = add_kind(index, text, fact, has_at);
    hash_slots_add(&index->kind_slots, hash, kind);
    return kind;
}

static uint32_t hash_place(uint64_t at, uint32_t kind)
{
    uint64_t h = (at ^ (uint64_t)kind << 40) * 0x9e3779b97f4a7c15u;
    return (uint32_t)((h ^ h >> 29) * 0x9e3779b97f4a7c15u >> 32);
}

// The slot of a place, or the empty one where it belongs.
static struct frame_place *place_slot(const struct frame_index *index, uint64_t at, uint32_t kind,
                                      uint32_t hash)
{
    uint32_t i = hash & index->mask;
    struct frame_place *slot = &index->slots[i];
    while (slot->id && (slot->at != at || slot->kind != kind)) {
        i = (i + 1) & index->mask;
        slot = &index->slots[i];
    }
    return slot;
}

static void double_slots(struct frame_index *index)
{
    struct frame_place *old = index->slots;
    uint32_t n = index->mask + 1;
    index->mask = index->mask * 2 + 1;
    index->slots = g_new0(struct frame_place, (gsize)index->mask + 1);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].id)
            *place_slot(index, old[i].at, old[i].kind, hash_place(old[i].at, old[i].kind)) = old[i];
    g_free(old);
}

struct frame_lookup frame_index_start(struct frame_index *index, struct text_table *text,
                                      const struct frame_fact *fact)
{
    bool named = frame_is_named(fact), has_at = named ? fact->has_offset : fact->has_ip;
    struct frame_lookup lookup = {.kind = kind_of(index, text, fact, has_at)};
    if (has_at)
        lookup.at = named ? fact->offset : fact->ip;
    lookup.hash = hash_place(lookup.at, lookup.kind);
    __builtin_prefetch(&index->slots[lookup.hash & index->mask]);
    return lookup;
}

uint32_t frame_index_add(struct frame_index *index, const struct frame_lookup *lookup)
{
    struct frame_place *slot = place_slot(index, lookup->at, lookup->kind, lookup->hash);
    if (slot->id)
        return slot->id;
    if (index->n + 1 >= index->room) {
        index->room *= 2;
        index->items = g_renew(struct frame_place, index->items, index->room);
        index->function = g_renew(uint32_t, index->function, index->room);
    }
    const struct frame_place place = {lookup->at, lookup->kind, ++index->n};
    index->items[place.id] = place;
    const struct frame_kind *kind = &index->kinds[place.kind];
    index->function[place.id] = node_table_add(&index->functions, kind->symbol_id, kind->dso_id);
    if (index->n > index->mask / 2) {
        double_slots(index);
        slot = place_slot(index, place.at, place.kind, lookup->hash);
    }
    *slot = place;
    return place.id;
}
