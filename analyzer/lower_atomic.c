// Atomic builtins. `__sync_*`, __atomic_test_and_set and __atomic_clear are calls; the other
// `__atomic_*` and C11's are expressions that libclang does not name, but the text at their
// spelling location does, also when a macro of stdatomic.h wrote it. Their children are pointer,
// order, value, order of failure, second value.
#include <string.h>

#include "lower.h"

struct atomic_name {
    const char *part; // of the name, without prefix
    enum ir_atomic atomic;
};

// The first row whose part the name begins with.
static const struct atomic_name names[] = {
    {"compare_exchange", IR_ATOMIC_CAS},
    {"bool_compare_and_swap", IR_ATOMIC_CAS},
    {"val_compare_and_swap", IR_ATOMIC_CAS},
    {"test_and_set", IR_ATOMIC_TEST_AND_SET},
    {"lock_test_and_set", IR_ATOMIC_EXCHANGE},
    {"lock_release", IR_ATOMIC_CLEAR},
    {"clear", IR_ATOMIC_CLEAR},
    {"exchange", IR_ATOMIC_EXCHANGE},
    {"swap", IR_ATOMIC_EXCHANGE},
    {"load", IR_ATOMIC_LOAD},
    {"store", IR_ATOMIC_STORE},
    {"init", IR_ATOMIC_STORE},
    {"fetch_", IR_ATOMIC_FETCH},
    {"add_fetch", IR_ATOMIC_FETCH},
    {"sub_fetch", IR_ATOMIC_FETCH},
    {"and_fetch", IR_ATOMIC_FETCH},
    {"or_fetch", IR_ATOMIC_FETCH},
    {"xor_fetch", IR_ATOMIC_FETCH},
    {"nand_fetch", IR_ATOMIC_FETCH},
    {"add_and_fetch", IR_ATOMIC_FETCH},
    {"sub_and_fetch", IR_ATOMIC_FETCH},
    {"and_and_fetch", IR_ATOMIC_FETCH},
    {"or_and_fetch", IR_ATOMIC_FETCH},
    {"xor_and_fetch", IR_ATOMIC_FETCH},
    {"nand_and_fetch", IR_ATOMIC_FETCH},
};

static const struct atomic_name *find_name(const char *text, size_t bytes)
{
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        size_t n = strlen(names[i].part);
        if (bytes >= n && memcmp(text, names[i].part, n) == 0)
            return &names[i];
    }
    return NULL;
}

// The name of the builtin that is spelled at `text`, without its prefix.
static const struct atomic_name *name_at(const char *text, size_t bytes)
{
    static const char *const prefixes[] = {"__atomic_", "__c11_atomic_", "__scoped_atomic_",
                                           "__opencl_atomic_"};
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        size_t n = strlen(prefixes[i]);
        if (bytes > n && memcmp(text, prefixes[i], n) == 0)
            return find_name(text + n, bytes - n);
    }
    return NULL;
}

static const char *whole_word(struct fn *fn, const char *text, size_t bytes)
{
    size_t n = 0;
    while (n < bytes && (g_ascii_isalnum(text[n]) || text[n] == '_'))
        n++;
    g_autofree char *word = g_strndup(text, n);
    return ir_text(fn->unit, word);
}

static struct place pointee(struct fn *fn, struct ir_value pointer, CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    CXType inner = canonical.kind == CXType_Pointer ? clang_getPointeeType(canonical)
                                                    : clang_getArrayElementType(canonical);
    return place_deref(fn, pointer, lower_type(fn->l, inner));
}

static struct ir_value emit_atomic(struct fn *fn, enum ir_atomic atomic, const char *name,
                                   struct place word, struct ir_value operand,
                                   struct ir_value expected, const struct ir_value *order,
                                   const struct lower_type *type, struct ir_location at)
{
    struct ir_instruction *in = fn_emit(fn, IR_ATOMIC, at);
    in->atomic = atomic;
    in->callee = name;
    in->path = word.path;
    in->bytes = word.type->ir.size;
    in->write = atomic != IR_ATOMIC_LOAD;
    in->value = operand;
    in->expected = expected;
    in->relaxed = order && order->kind == IR_VALUE_CONST && order->constant == __ATOMIC_RELAXED;
    in->result_type = type->ir;
    return value_call(in->number, type);
}

// `__atomic_load(p, &result, order)` and its like pass values through memory.
static bool through_memory(const char *name)
{
    return strcmp(name, "__atomic_load") == 0 || strcmp(name, "__atomic_store") == 0 ||
           strcmp(name, "__atomic_exchange") == 0 || strcmp(name, "__atomic_compare_exchange") == 0;
}

bool lower_atomic_expression(struct fn *fn, CXCursor expression, const struct kids *kids,
                             struct ir_value *value)
{
    size_t bytes;
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(kids->at[0])).kind;
    if (kids->n < 2 || (kind != CXType_Pointer && kind != CXType_ConstantArray))
        return false;
    const char *text = lower_spelled(fn->l, expression, &bytes);
    const struct atomic_name *known = text ? name_at(text, bytes) : NULL;
    if (!known)
        return false;
    const char *name = whole_word(fn, text, bytes);
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct ir_location at = lower_location(fn->l, expression);
    struct ir_value at_kid[8];
    for (unsigned i = 0; i < kids->n && i < G_N_ELEMENTS(at_kid); i++)
        at_kid[i] = lower_value(fn, kids->at[i]);
    struct place word = pointee(fn, at_kid[0], clang_getCursorType(kids->at[0]));
    struct ir_value nothing = value_unknown(fn, type, NULL);
    struct ir_value operand = kids->n > 2 ? at_kid[2] : nothing, expected = nothing;
    // Compare and exchange: pointer, order, expected, order of failure, desired.
    if (known->atomic == IR_ATOMIC_CAS && kids->n >= 5) {
        struct place old = pointee(fn, at_kid[2], clang_getCursorType(kids->at[2]));
        expected = place_read(fn, old, at);
        operand = at_kid[4];
    }
    if (through_memory(name) && known->atomic != IR_ATOMIC_LOAD) {
        unsigned from = known->atomic == IR_ATOMIC_CAS ? 4 : 2;
        if (from < kids->n)
            operand =
                place_read(fn, pointee(fn, at_kid[from], clang_getCursorType(kids->at[from])), at);
    }
    *value = emit_atomic(fn, known->atomic, name, word, operand, expected, &at_kid[1], type, at);
    if (strcmp(name, "__atomic_load") == 0 && kids->n > 2)
        place_write(fn, pointee(fn, at_kid[2], clang_getCursorType(kids->at[2])), *value, at);
    return true;
}

struct ir_value lower_sync_builtin(struct fn *fn, CXCursor call, const struct lower_callee *callee,
                                   const struct ir_value *arguments, unsigned n)
{
    const struct lower_type *type = lower_type_of(fn->l, call);
    struct ir_location at = lower_location(fn->l, call);
    const char *part = strchr(callee->name + 2, '_') + 1; // __sync_, __atomic_
    const struct atomic_name *known = find_name(part, strlen(part));
    struct ir_value nothing = value_unknown(fn, type, NULL);
    if (!known || !n) {
        struct ir_instruction *in = fn_emit(fn, IR_CALL, at);
        in->callee = callee->name;
        in->callee_usr = callee->usr;
        in->arguments = arguments;
        in->n_arguments = n;
        return value_call(in->number, type);
    }
    struct kids kids;
    kids_expressions(&kids, call);
    struct place word = pointee(fn, arguments[0], clang_getCursorType(kids.at[1]));
    kids_clear(&kids);
    bool cas = known->atomic == IR_ATOMIC_CAS && n >= 3;
    struct ir_value operand = cas ? arguments[2] : n > 1 ? arguments[1] : nothing;
    const struct ir_value *order =
        n > 1 && g_str_has_prefix(callee->name, "__atomic_") ? &arguments[n - 1] : NULL;
    return emit_atomic(fn, known->atomic, callee->name, word, operand, cas ? arguments[1] : nothing,
                       order, type, at);
}
