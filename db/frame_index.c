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
                         const struct frame_lookup *lookup)
{
    if (index->n_kinds + 1 >= index->kinds_room) {
        index->kinds_room *= 2;
        index->kinds = g_renew(struct frame_kind, index->kinds, index->kinds_room);
    }
    const struct frame_fact *fact = lookup->fact;
    struct frame_kind *kind = &index->kinds[++index->n_kinds];
    *kind = (struct frame_kind){.has_at = lookup->has_at,
                                .inlined = fact->inlined,
                                .hash = lookup->kind_hash};
    kind->symbol_id = text_table_add(text, fact->symbol);
    kind->dso_id = text_table_add(text, fact->dso);
    kind->srcline_id = text_table_add(text, fact->srcline);
    kind->symbol = text->items[kind->symbol_id];
    kind->dso = text->items[kind->dso_id];
    kind->srcline = text->items[kind->srcline_id];
    hash_slots_add(&index->kind_slots, kind->hash, index->n_kinds);
    return index->n_kinds;
}

static uint32_t kind_of(struct frame_index *index, struct text_table *text,
                        const struct frame_lookup *lookup)
{
    const struct hash_slots *slots = &index->kind_slots;
    const struct hash_slot *slot;
    for (uint32_t i = lookup->kind_hash & slots->mask; (slot = &slots->at[i])->id;
         i = (i + 1) & slots->mask)
        if (slot->hash == lookup->kind_hash &&
            is_of_kind(&index->kinds[slot->id], lookup->fact, lookup->has_at))
            return slot->id;
    return add_kind(index, text, lookup);
}

static uint32_t hash_kind(const struct frame_fact *fact)
{
    uint32_t hash = fact->symbol.data ? text_hash(fact->symbol) : 0;
    hash = (hash ^ (uint32_t)fact->dso.len) * 0x9e3779b1u;
    return fact->srcline.data ? hash ^ text_hash(fact->srcline) : hash;
}

static uint32_t hash_place(uint64_t at, uint32_t kind_hash)
{
    uint64_t h = (at ^ (uint64_t)kind_hash << 32) * 0x9e3779b97f4a7c15u;
    return (uint32_t)((h ^ h >> 29) * 0x9e3779b97f4a7c15u >> 32);
}

// The slot of a frame, or the empty one where it belongs.
static struct frame_place *slot_of(const struct frame_index *index,
                                   const struct frame_lookup *lookup)
{
    uint32_t i = lookup->hash & index->mask;
    struct frame_place *slot = &index->slots[i];
    while (slot->id && (slot->at != lookup->at ||
                        !is_of_kind(&index->kinds[slot->kind], lookup->fact, lookup->has_at))) {
        i = (i + 1) & index->mask;
        slot = &index->slots[i];
    }
    return slot;
}

// The frames in the table are all different, so none is compared.
static void put(struct frame_index *index, const struct frame_place *place)
{
    uint32_t i = hash_place(place->at, index->kinds[place->kind].hash) & index->mask;
    while (index->slots[i].id)
        i = (i + 1) & index->mask;
    index->slots[i] = *place;
}

static void double_slots(struct frame_index *index)
{
    g_free(index->slots);
    index->mask = index->mask * 2 + 1;
    index->slots = g_new0(struct frame_place, (gsize)index->mask + 1);
    for (uint32_t id = 1; id <= index->n; id++)
        put(index, &index->items[id]);
}

void frame_index_start(const struct frame_index *index, const struct frame_fact *fact,
                       struct frame_lookup *lookup)
{
    bool named = frame_is_named(fact);
    lookup->fact = fact;
    lookup->has_at = named ? fact->has_offset : fact->has_ip;
    lookup->at = !lookup->has_at ? 0 : named ? fact->offset : fact->ip;
    lookup->kind_hash = hash_kind(fact);
    lookup->hash = hash_place(lookup->at, lookup->kind_hash);
    __builtin_prefetch(&index->slots[lookup->hash & index->mask]);
}

uint32_t frame_index_add(struct frame_index *index, struct text_table *text,
                         const struct frame_lookup *lookup)
{
    struct frame_place *slot = slot_of(index, lookup);
    if (slot->id)
        return slot->id;
    if (index->n + 1 >= index->room) {
        index->room *= 2;
        index->items = g_renew(struct frame_place, index->items, index->room);
        index->function = g_renew(uint32_t, index->function, index->room);
    }
    const struct frame_place place = {lookup->at, kind_of(index, text, lookup), index->n + 1};
    const struct frame_kind *kind = &index->kinds[place.kind];
    index->items[place.id] = place;
    index->function[place.id] = node_table_add(&index->functions, kind->symbol_id, kind->dso_id);
    *slot = place;
    if (++index->n > index->mask / 2)
        double_slots(index);
    return place.id;
}
