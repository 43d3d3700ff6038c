// The IR's memory and the equality of access paths.
#include "ir.h"

#include <string.h>

#define ARENA_BLOCK_BYTES 65536u

// A block of the arena: `used` bytes of `data` are given away.
struct arena_block {
    size_t used, size;
    max_align_t data[];
};

struct ir_unit *ir_unit_new(const char *file)
{
    struct ir_unit *unit = g_new0(struct ir_unit, 1);
    unit->functions = g_ptr_array_new();
    unit->function_uses = g_ptr_array_new();
    unit->includes = g_ptr_array_new();
    unit->text = g_string_chunk_new(4096);
    unit->memory = g_ptr_array_new_with_free_func(g_free);
    unit->file = ir_text(unit, file);
    return unit;
}

void ir_unit_free(struct ir_unit *unit)
{
    if (!unit)
        return;
    g_ptr_array_unref(unit->functions);
    g_ptr_array_unref(unit->function_uses);
    g_ptr_array_unref(unit->includes);
    g_string_chunk_free(unit->text);
    g_ptr_array_unref(unit->memory);
    g_free(unit);
}

size_t ir_unit_bytes(const struct ir_unit *unit)
{
    size_t bytes = 0;
    for (guint i = 0; i < unit->memory->len; i++)
        bytes += ((const struct arena_block *)unit->memory->pdata[i])->size;
    return bytes;
}

static struct arena_block *arena_grow(struct ir_unit *unit, size_t bytes)
{
    size_t size = MAX(bytes, ARENA_BLOCK_BYTES);
    struct arena_block *block = g_malloc0(sizeof *block + size);
    block->size = size;
    // A big request gets its own block, put behind the current one, which stays in use.
    g_ptr_array_add(unit->memory, block);
    guint n = unit->memory->len;
    if (bytes > ARENA_BLOCK_BYTES / 4 && n > 1) {
        unit->memory->pdata[n - 1] = unit->memory->pdata[n - 2];
        unit->memory->pdata[n - 2] = block;
    }
    return block;
}

void *ir_alloc(struct ir_unit *unit, size_t bytes)
{
    size_t need = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    guint n = unit->memory->len;
    struct arena_block *block = n ? unit->memory->pdata[n - 1] : NULL;
    if (!block || block->size - block->used < need)
        block = arena_grow(unit, need);
    void *at = (char *)block->data + block->used;
    block->used += need;
    return at;
}

const char *ir_text(struct ir_unit *unit, const char *text)
{
    return text ? g_string_chunk_insert_const(unit->text, text) : NULL;
}

static bool text_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool base_equal(const struct ir_path *a, const struct ir_path *b)
{
    if (a->base != b->base)
        return false;
    switch (a->base) {
    case IR_BASE_LOCAL:
    case IR_BASE_STATIC_LOCAL:
        return a->variable == b->variable;
    case IR_BASE_PARAM:
        return a->variable && b->variable && a->variable->index == b->variable->index &&
               text_equal(a->variable->name, b->variable->name);
    case IR_BASE_GLOBAL:
    case IR_BASE_THREAD_LOCAL:
        // Two units have a variable each for the same global.
        return a->variable == b->variable || (a->variable && b->variable && a->variable->usr &&
                                              text_equal(a->variable->usr, b->variable->usr));
    case IR_BASE_CALL:
    case IR_BASE_CONST_ADDRESS:
        return a->index == b->index;
    case IR_BASE_STRING:
    case IR_BASE_UNKNOWN:
        return false;
    }
    return false;
}

static bool step_equal(const struct ir_step *a, const struct ir_step *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case IR_STEP_DEREF:
        return true;
    case IR_STEP_FIELD:
        return a->offset == b->offset && text_equal(a->field, b->field) &&
               text_equal(a->record, b->record);
    case IR_STEP_INDEX:
        if (a->constant_index || b->constant_index)
            return a->constant_index && b->constant_index && a->index == b->index;
        return a->index_text && text_equal(a->index_text, b->index_text);
    }
    return false;
}

bool ir_path_equal(const struct ir_path *a, const struct ir_path *b)
{
    if (!base_equal(a, b) || a->n_steps != b->n_steps || a->truncated || b->truncated)
        return false;
    for (unsigned i = 0; i < a->n_steps; i++) {
        if (!step_equal(&a->steps[i], &b->steps[i]))
            return false;
    }
    return true;
}
