// See foreign_units.h. What is dropped to make room is lowered again when it is wanted again, to
// the same unit; so room decides over time, and never over an answer.
#include "foreign_units.h"

#include <unistd.h>

#include "foreign.h"

struct slot {
    struct ir_unit *unit; // NULL: not lowered yet, or dropped
    bool lowering, expected;
    unsigned users;
    guint64 stamp; // when it was given back
    size_t bytes;
    GPtrArray *includes; // const char*, in `text`
};

struct foreign_units {
    const struct front *front;
    GMutex lock; // of everything below
    GCond lowered;
    struct slot *slots; // by file
    unsigned n_slots;
    GStringChunk *text;
    guint64 clock;
    uint64_t bytes; // of all units that are here
    uint64_t room;
};

static uint64_t room_for_units(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
    return CLAMP(memory / 8, FOREIGN_UNIT_BYTES_LEAST, FOREIGN_UNIT_BYTES_MOST);
}

struct foreign_units *foreign_units_new(const struct front *front)
{
    struct foreign_units *units = g_new0(struct foreign_units, 1);
    units->front = front;
    units->room = room_for_units();
    units->n_slots = front_n_files(front);
    units->slots = g_new0(struct slot, MAX(units->n_slots, 1));
    units->text = g_string_chunk_new(4096);
    g_mutex_init(&units->lock);
    g_cond_init(&units->lowered);
    return units;
}

void foreign_units_free(struct foreign_units *units)
{
    if (!units)
        return;
    for (unsigned i = 0; i < units->n_slots; i++) {
        ir_unit_free(units->slots[i].unit);
        g_clear_pointer(&units->slots[i].includes, g_ptr_array_unref);
    }
    g_free(units->slots);
    g_string_chunk_free(units->text);
    g_mutex_clear(&units->lock);
    g_cond_clear(&units->lowered);
    g_free(units);
}

static void note_includes(struct foreign_units *units, struct slot *slot)
{
    if (slot->includes)
        return;
    slot->includes = g_ptr_array_new();
    for (guint i = 0; i < slot->unit->includes->len; i++)
        g_ptr_array_add(slot->includes,
                        g_string_chunk_insert_const(units->text, slot->unit->includes->pdata[i]));
}

const struct ir_unit *foreign_units_take(struct foreign_units *units, unsigned file)
{
    struct slot *slot = &units->slots[file];
    g_mutex_lock(&units->lock);
    while (slot->lowering)
        g_cond_wait(&units->lowered, &units->lock);
    slot->users++;
    if (!slot->unit) {
        slot->lowering = true;
        g_mutex_unlock(&units->lock);
        struct ir_unit *unit = front_lower(units->front, file, NULL);
        g_mutex_lock(&units->lock);
        slot->unit = unit;
        slot->lowering = false;
        slot->bytes = ir_unit_bytes(unit);
        units->bytes += slot->bytes;
        note_includes(units, slot);
        g_cond_broadcast(&units->lowered);
    }
    const struct ir_unit *unit = slot->unit;
    g_mutex_unlock(&units->lock);
    return unit;
}

// What nobody uses and was given back the longest time ago; what the scan still expects goes last.
static struct slot *least_wanted(struct foreign_units *units)
{
    struct slot *found = NULL;
    for (unsigned i = 0; i < units->n_slots; i++) {
        struct slot *slot = &units->slots[i];
        if (!slot->unit || slot->users || slot->lowering)
            continue;
        if (!found || slot->expected < found->expected ||
            (slot->expected == found->expected && slot->stamp < found->stamp))
            found = slot;
    }
    return found;
}

void foreign_units_give(struct foreign_units *units, unsigned file)
{
    g_mutex_lock(&units->lock);
    struct slot *slot = &units->slots[file];
    slot->users--;
    slot->stamp = ++units->clock;
    while (units->bytes > units->room && (slot = least_wanted(units))) {
        units->bytes -= slot->bytes;
        g_clear_pointer(&slot->unit, ir_unit_free);
    }
    g_mutex_unlock(&units->lock);
}

void foreign_units_expect(struct foreign_units *units, unsigned file, bool expected)
{
    g_mutex_lock(&units->lock);
    units->slots[file].expected = expected;
    g_mutex_unlock(&units->lock);
}

const GPtrArray *foreign_units_includes(struct foreign_units *units, unsigned file)
{
    g_mutex_lock(&units->lock);
    const GPtrArray *includes = units->slots[file].includes;
    g_mutex_unlock(&units->lock);
    return includes;
}
