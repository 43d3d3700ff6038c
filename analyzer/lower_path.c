// Places (where something is stored) and values (as much of an expression as flow analysis can
// use), and the two instructions they become: accesses and assignments.
#include <string.h>

#include "lower.h"

// ---- Places

struct place place_of_variable(const struct ir_variable *variable, const struct lower_type *type)
{
    struct place place = {.type = type};
    place.path.base = variable->kind;
    place.path.variable = variable;
    place.path.index = variable->index;
    return place;
}

struct place place_unknown(const struct lower_type *type)
{
    struct place place = {.type = type};
    place.path.base = IR_BASE_UNKNOWN;
    return place;
}

static void append(struct fn *fn, struct place *place, struct ir_step step,
                   const struct lower_type *type)
{
    struct ir_path *path = &place->path;
    place->type = type;
    if (path->n_steps >= LIMIT_PATH_STEPS) {
        path->truncated = true;
        return;
    }
    step.size = type->ir.size;
    step.type_name = type->ir.name;
    struct ir_step *steps = IR_NEW(fn->unit, struct ir_step, path->n_steps + 1);
    if (path->n_steps)
        memcpy(steps, path->steps, sizeof *steps * path->n_steps);
    steps[path->n_steps++] = step;
    path->steps = steps;
}

struct place place_field(struct fn *fn, struct place base, const struct lower_field *field)
{
    if (field->anonymous) {
        base.type = field->type;
        return base;
    }
    struct ir_step step = {
        .kind = IR_STEP_FIELD,
        .field = field->name,
        .record = field->record,
        .offset = field->offset,
        .record_size = field->record_size,
        .record_align = field->record_align,
    };
    append(fn, &base, step, field->type);
    return base;
}

struct place place_element(struct fn *fn, struct place array, int64_t index,
                           const struct lower_type *type)
{
    struct ir_step step = {
        .kind = IR_STEP_INDEX,
        .constant_index = true,
        .index = index,
        .count = array.type->ir.count,
    };
    append(fn, &array, step, type);
    return array;
}

// What the pointer points to, before any index. `*element` says that the place is an element of an
// array already, which an index moves within the array.
static struct place pointed_to(struct fn *fn, struct ir_value pointer,
                               const struct lower_type *type)
{
    struct place place = {.path = pointer.path, .type = type};
    switch (pointer.kind) {
    case IR_VALUE_ADDRESS:
        return place;
    case IR_VALUE_LOAD:
        break;
    case IR_VALUE_CALL:
        place.path = (struct ir_path){.base = IR_BASE_CALL, .index = pointer.index};
        break;
    case IR_VALUE_CONST:
        place.path =
            (struct ir_path){.base = IR_BASE_CONST_ADDRESS, .index = (unsigned)pointer.constant};
        break;
    case IR_VALUE_FUNCTION:
    case IR_VALUE_BITS:
    case IR_VALUE_UNKNOWN:
        return place_unknown(type);
    }
    append(fn, &place, (struct ir_step){.kind = IR_STEP_DEREF}, type);
    return place;
}

// An array that decayed to a pointer is still marked as one in the value's type.
static bool decayed(const struct ir_value *value)
{
    return value->kind == IR_VALUE_ADDRESS && value->type.is_array;
}

struct place place_deref(struct fn *fn, struct ir_value pointer, const struct lower_type *type)
{
    if (decayed(&pointer))
        return place_index(fn, pointer, value_const(0, type), type);
    return pointed_to(fn, pointer, type);
}

static struct ir_step index_step(struct fn *fn, const struct ir_value *index)
{
    struct ir_step step = {.kind = IR_STEP_INDEX};
    if (index->kind == IR_VALUE_CONST) {
        step.constant_index = true;
        step.index = index->constant;
        return step;
    }
    g_autofree char *text = ir_value_text(index);
    step.index_text = ir_text(fn->unit, text);
    if (index->kind == IR_VALUE_LOAD || index->kind == IR_VALUE_CALL) {
        struct ir_value *kept = IR_NEW(fn->unit, struct ir_value, 1);
        *kept = *index;
        step.index_value = kept;
    }
    return step;
}

// `&a[i] + j` is a[i + j]: the last step is replaced, when it is one of the same size.
static bool merge_index(struct fn *fn, struct place *place, const struct ir_value *index,
                        const struct lower_type *type)
{
    unsigned n = place->path.n_steps;
    const struct ir_step *last = n ? &place->path.steps[n - 1] : NULL;
    if (!last || last->kind != IR_STEP_INDEX || last->size != type->ir.size)
        return false;
    struct ir_step step = *last;
    if (last->constant_index && index->kind == IR_VALUE_CONST) {
        step.index += index->constant;
    } else {
        g_autofree char *addend = ir_value_text(index);
        g_autofree char *text =
            last->constant_index
                ? g_strdup_printf("%" G_GINT64_FORMAT " + %s", last->index, addend)
                : g_strdup_printf("%s + %s", last->index_text ? last->index_text : "?", addend);
        step.constant_index = false;
        step.index_text = ir_text(fn->unit, text);
        step.index_value = NULL;
    }
    place->path.n_steps--;
    append(fn, place, step, type);
    return true;
}

struct place place_index(struct fn *fn, struct ir_value base, struct ir_value index,
                         const struct lower_type *type)
{
    struct place place = pointed_to(fn, base, type);
    bool zero = index.kind == IR_VALUE_CONST && index.constant == 0;
    if (place.path.base == IR_BASE_UNKNOWN)
        return place;
    if (!decayed(&base)) {
        if (zero || (base.kind == IR_VALUE_ADDRESS && merge_index(fn, &place, &index, type)))
            return place;
    }
    struct ir_step step = index_step(fn, &index);
    step.count = decayed(&base) ? base.type.count : 0;
    append(fn, &place, step, type);
    return place;
}

// ---- Values

struct ir_value value_unknown(struct fn *fn, const struct lower_type *type, const char *text)
{
    struct ir_value value = {.kind = IR_VALUE_UNKNOWN, .type = type->ir};
    value.path.base = IR_BASE_UNKNOWN;
    value.text = ir_text(fn->unit, text);
    return value;
}

struct ir_value value_const(int64_t constant, const struct lower_type *type)
{
    return (struct ir_value){.kind = IR_VALUE_CONST, .constant = constant, .type = type->ir};
}

struct ir_value value_call(unsigned number, const struct lower_type *type)
{
    return (struct ir_value){.kind = IR_VALUE_CALL, .index = number, .type = type->ir};
}

// `&((struct s *)0)->field`: offsetof, written by hand.
static bool constant_address(const struct ir_path *path, int64_t *address)
{
    if (path->base != IR_BASE_CONST_ADDRESS || !path->n_steps || path->truncated ||
        path->steps[0].kind != IR_STEP_DEREF)
        return false;
    *address = path->index;
    for (unsigned i = 1; i < path->n_steps; i++) {
        const struct ir_step *step = &path->steps[i];
        if (step->kind == IR_STEP_FIELD)
            *address += (int64_t)step->offset;
        else if (step->kind == IR_STEP_INDEX && step->constant_index)
            *address += step->index * (int64_t)step->size;
        else
            return false;
    }
    return true;
}

struct ir_value value_address(struct place place, const struct lower_type *type)
{
    int64_t address;
    if (constant_address(&place.path, &address))
        return value_const(address, type);
    if (place.path.base == IR_BASE_UNKNOWN)
        return (struct ir_value){.kind = IR_VALUE_UNKNOWN,
                                 .path.base = IR_BASE_UNKNOWN,
                                 .type = type->ir};
    return (struct ir_value){.kind = IR_VALUE_ADDRESS, .path = place.path, .type = type->ir};
}

struct ir_value value_load(struct place place)
{
    if (place.path.base == IR_BASE_UNKNOWN)
        return (struct ir_value){.kind = IR_VALUE_UNKNOWN,
                                 .path.base = IR_BASE_UNKNOWN,
                                 .type = place.type->ir};
    return (struct ir_value){.kind = IR_VALUE_LOAD, .path = place.path, .type = place.type->ir};
}

static bool fold(int64_t a, const char *operator, int64_t b, int64_t *result)
{
    // As unsigned: overflow of the analysed program must not be ours.
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    bool shift = b >= 0 && b < 64;
    if (strcmp(operator, "+") == 0)
        *result = (int64_t)(x + y);
    else if (strcmp(operator, "-") == 0)
        *result = (int64_t)(x - y);
    else if (strcmp(operator, "*") == 0)
        *result = (int64_t)(x * y);
    else if (strcmp(operator, "/") == 0 && b > 0)
        *result = a / b;
    else if (strcmp(operator, "%") == 0 && b > 0)
        *result = a % b;
    else if (strcmp(operator, "&") == 0)
        *result = (int64_t)(x & y);
    else if (strcmp(operator, "|") == 0)
        *result = (int64_t)(x | y);
    else if (strcmp(operator, "^") == 0)
        *result = (int64_t)(x ^ y);
    else if (strcmp(operator, "<<") == 0 && shift)
        *result = (int64_t)(x << y);
    else if (strcmp(operator, ">>") == 0 && shift)
        *result = a >> b;
    else
        return false;
    return true;
}

// A text is kept short: it serves messages and the comparison of indices.
#define VALUE_TEXT 60

struct ir_value value_binary(struct fn *fn, const struct ir_value *a, const char *operator,
                             const struct ir_value * b, const struct lower_type *type)
{
    int64_t result;
    if (a->kind == IR_VALUE_CONST && b->kind == IR_VALUE_CONST &&
        fold(a->constant, operator, b->constant, &result))
        return value_const(result, type);
    bool named = a->kind == IR_VALUE_LOAD || a->kind == IR_VALUE_CALL;
    if (strcmp(operator, "&") == 0 && named && b->kind == IR_VALUE_CONST) {
        struct ir_value bits = {.kind = IR_VALUE_BITS,
                                .path = a->path,
                                .constant = b->constant,
                                .type = type->ir};
        if (a->kind == IR_VALUE_CALL)
            bits.path = (struct ir_path){.base = IR_BASE_CALL, .index = a->index};
        return bits;
    }
    g_autofree char *left = a->kind == IR_VALUE_UNKNOWN ? g_strdup(a->text) : ir_value_text(a);
    g_autofree char *right = b->kind == IR_VALUE_UNKNOWN ? g_strdup(b->text) : ir_value_text(b);
    if (!left || !right || strlen(left) + strlen(right) > VALUE_TEXT)
        return value_unknown(fn, type, NULL);
    g_autofree char *text = g_strdup_printf("%s %s %s", left, operator, right);
    return value_unknown(fn, type, text);
}

struct ir_value pointer_add(struct fn *fn, struct ir_value pointer, struct ir_value index,
                            const struct lower_type *type)
{
    const struct lower_type *element = lower_type(fn->l, clang_getPointeeType(type->canonical));
    if (index.kind == IR_VALUE_CONST && index.constant == 0)
        return pointer;
    struct place place = place_index(fn, pointer, index, element);
    return value_address(place, type);
}

// ---- Instructions

// A whole automatic variable of scalar type: nothing that memory has to be mapped for. Its writes
// are ASSIGNs alone, its reads leave no trace.
bool place_is_register(const struct place *place)
{
    return (place->path.base == IR_BASE_LOCAL || place->path.base == IR_BASE_PARAM) &&
           place->path.n_steps == 0 && !place->type->ir.is_array && !place->type->is_record;
}

void emit_access(struct fn *fn, const struct place *place, bool write, struct ir_location at)
{
    if (place_is_register(place))
        return;
    struct ir_instruction *in = fn_emit(fn, IR_ACCESS, at);
    in->path = place->path;
    in->write = write;
    in->bytes = place->type->ir.size;
    in->is_volatile = place->type->is_volatile;
}

void emit_assign(struct fn *fn, const struct place *place, struct ir_value value,
                 struct ir_location at)
{
    struct ir_instruction *in = fn_emit(fn, IR_ASSIGN, at);
    in->path = place->path;
    in->write = true;
    in->bytes = place->type->ir.size;
    in->is_volatile = place->type->is_volatile;
    in->value = value;
}

struct ir_value place_read(struct fn *fn, struct place place, struct ir_location at)
{
    if (place.type->ir.is_array) {
        struct ir_value value = value_address(place, place.type);
        value.type.is_pointer = true;
        return value;
    }
    if (place.type->is_function || place.type->is_void)
        return value_address(place, place.type);
    emit_access(fn, &place, false, at);
    return value_load(place);
}

void place_write(struct fn *fn, struct place place, struct ir_value value, struct ir_location at)
{
    emit_access(fn, &place, true, at);
    emit_assign(fn, &place, value, at);
}
