// Calls: direct, indirect, lock operations, and the builtins that are no calls at all.
#include <string.h>

#include "lower.h"

struct call {
    CXCursor expression;
    struct ir_location at;
    const struct lower_type *type;
    const struct lower_callee *callee; // NULL for an indirect call
    CXCursor called;                   // the expression that is called
    CXCursor lock_argument;            // of a lock operation; null when there is none
    struct ir_value *arguments;
    unsigned n;
};

static enum ir_lock_action action_of(const struct model_lock_op *op)
{
    return op->action == MODEL_ACQUIRE  ? IR_LOCK_ACQUIRE
           : op->action == MODEL_TRY    ? IR_LOCK_TRY
           : op->action == MODEL_CHANGE ? IR_LOCK_CHANGE
                                        : IR_LOCK_RELEASE;
}

// A lock that is no argument: the model names it.
static struct ir_value named_lock(struct fn *fn, const struct model_lock_op *op)
{
    struct ir_variable *v = IR_NEW(fn->unit, struct ir_variable, 1);
    g_autofree char *usr = g_strconcat("model:", op->global, NULL);
    v->name = ir_text(fn->unit, op->global);
    v->usr = ir_text(fn->unit, usr);
    v->kind = IR_BASE_GLOBAL;
    v->type.name = ir_text(fn->unit, op->lock_type);
    struct ir_value value = {.kind = IR_VALUE_ADDRESS};
    value.path.base = IR_BASE_GLOBAL;
    value.path.variable = v;
    value.type.is_pointer = true;
    return value;
}

// One bit of a word is a lock of its own. It lies where the word lies; that its offset is the bit's
// number tells two of them apart and is less than a cache line off.
static struct ir_value bit_of(struct fn *fn, struct ir_value word, const struct ir_value *bit,
                              const struct lower_type *type)
{
    g_autofree char *number = ir_value_text(bit);
    g_autofree char *name = g_strdup_printf("bit %s", number);
    struct lower_field field = {.name = ir_text(fn->unit, name),
                                .record = "",
                                .offset = bit->kind == IR_VALUE_CONST ? bit->constant & 63 : 0,
                                .size = type->ir.size,
                                .record_size = type->ir.size,
                                .record_align = type->ir.align,
                                .type = type};
    return value_address(place_field(fn, place_deref(fn, word, type), &field), type);
}

static struct ir_value lock_of(struct fn *fn, const struct call *call)
{
    const struct model_lock_op *op = call->callee->lock_op;
    unsigned arg = call->callee->marker ? 0 : op->lock_arg;
    if (op->global)
        return named_lock(fn, op);
    if (arg >= call->n)
        return value_unknown(fn, call->type, NULL);
    struct ir_value lock = call->arguments[arg];
    if (lock.kind == IR_VALUE_UNKNOWN && !lock.text && !clang_Cursor_isNull(call->lock_argument))
        lock.text = lower_source(fn->l, call->lock_argument);
    bool bit = op->bit_arg >= 0 && (unsigned)op->bit_arg < call->n;
    if (!op->lock_behind_pointer && !bit)
        return lock;
    CXType pointer = clang_getCanonicalType(clang_getCursorType(call->lock_argument));
    const struct lower_type *type = lower_type(fn->l, clang_getPointeeType(pointer));
    if (bit)
        return bit_of(fn, lock, &call->arguments[op->bit_arg], type);
    return place_read(fn, place_deref(fn, lock, type), call->at);
}

static struct ir_value emit_lock_op(struct fn *fn, const struct call *call)
{
    struct ir_value lock = lock_of(fn, call);
    struct ir_instruction *in = fn_emit(fn, IR_LOCK_OP, call->at);
    in->callee = call->callee->name;
    in->callee_usr = call->callee->usr;
    in->arguments = call->arguments;
    in->n_arguments = call->n;
    in->result_type = call->type->ir;
    in->action = action_of(call->callee->lock_op);
    in->lock_op = call->callee->lock_op;
    in->lock = lock;
    if (in->action == IR_LOCK_ACQUIRE || in->action == IR_LOCK_TRY)
        fn->last_acquire = in;
    lower_want(fn->l, call->callee->definition);
    return value_call(in->number, call->type);
}

// `spin_lock_if(condition, lock)`: a branch around the operation.
static struct ir_value emit_lock_op_when(struct fn *fn, const struct call *call)
{
    int arg = call->callee->lock_op->when_arg;
    if (arg < 0 || (unsigned)arg >= call->n)
        return emit_lock_op(fn, call);
    struct ir_value when = call->arguments[arg];
    if (when.kind == IR_VALUE_CONST)
        return when.constant ? emit_lock_op(fn, call) : value_const(0, call->type);
    struct lower_block *yes = fn_block(fn), *after = fn_block(fn);
    fn_branch(fn, (struct ir_condition){.relation = IR_NONZERO, .left = when}, yes, after,
              call->at);
    fn_start(fn, yes);
    struct ir_value value = emit_lock_op(fn, call);
    fn_continue_in(fn, after);
    return value;
}

// An operation that is one for locks of a certain type only: QEMU_LOCK_GUARD takes any.
static bool lock_type_fits(struct fn *fn, const struct call *call)
{
    const struct model_lock_op *op = call->callee->lock_op;
    if (!op->only_type || !op->lock_type || clang_Cursor_isNull(call->lock_argument))
        return true;
    CXType type = clang_getCanonicalType(clang_getCursorType(call->lock_argument));
    const struct lower_type *wanted = lower_type(fn->l, clang_getPointeeType(type));
    return g_strcmp0(wanted->ir.name, op->lock_type) == 0 ||
           g_strcmp0(wanted->record, op->lock_type) == 0;
}

static const char *called_text(struct fn *fn, const struct ir_value *target)
{
    g_autofree char *text = ir_value_text(target);
    return ir_text(fn->unit, text);
}

// A static function of the file itself may have a name that some model knows and be another one.
static bool is_static_of_file(CXCursor definition)
{
    return !clang_Cursor_isNull(definition) &&
           clang_Cursor_getStorageClass(definition) == CX_SC_Static &&
           clang_Location_isFromMainFile(clang_getCursorLocation(definition));
}

static struct ir_value emit_call(struct fn *fn, const struct call *call)
{
    struct ir_value target = {0};
    if (!call->callee)
        target = lower_value(fn, call->called);
    bool debug = call->callee && g_str_has_prefix(call->callee->name, "__spinfault_debug_");
    struct ir_instruction *in = fn_emit(fn, debug ? IR_DEBUG : IR_CALL, call->at);
    in->arguments = call->arguments;
    in->n_arguments = call->n;
    in->result_type = call->type->ir;
    if (call->callee) {
        in->callee = call->callee->name;
        in->callee_usr = call->callee->usr;
        in->no_return = call->callee->no_return;
        if (!model_find_function(fn->l->models, call->callee->name) ||
            is_static_of_file(call->callee->definition))
            lower_want(fn->l, call->callee->definition);
    } else {
        in->indirect = true;
        in->target = target;
        in->callee = called_text(fn, &target);
        CXType pointee = clang_getPointeeType(clang_getCursorType(call->called));
        CXString spelled = clang_getTypeSpelling(pointee);
        in->no_return = clang_getCString(spelled) && strstr(clang_getCString(spelled), "noreturn");
        clang_disposeString(spelled);
    }
    if (in->no_return)
        fn_end(fn, IR_UNREACHABLE, call->at);
    return value_call(in->number, call->type);
}

// What is called, without the ways to write it: f, (f), *f, &f.
static CXCursor called_expression(CXCursor called)
{
    for (;;) {
        called = lower_strip(called);
        if (called.kind == CXCursor_GenericSelectionExpr) {
            CXCursor chosen = lower_generic_choice(called);
            if (clang_Cursor_isNull(chosen))
                return called;
            called = chosen;
            continue;
        }
        if (called.kind != CXCursor_UnaryOperator)
            return called;
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(called);
        struct kids kids;
        kids_expressions(&kids, called);
        CXCursor inner = kids.n == 1 ? kids.at[0] : called;
        kids_clear(&kids);
        enum CXTypeKind result = clang_getCanonicalType(clang_getCursorType(called)).kind;
        bool through = kind == CXUnaryOperator_AddrOf ||
                       (kind == CXUnaryOperator_Deref &&
                        (result == CXType_FunctionProto || result == CXType_FunctionNoProto));
        if (!through || clang_equalCursors(inner, called))
            return called;
        called = inner;
    }
}

// Builtins that stand for a value. True when this was one.
static bool lower_value_builtin(struct fn *fn, const struct call *call, const struct kids *kids,
                                struct ir_value *value)
{
    const char *name = call->callee->name;
    int64_t constant;
    if (!g_str_has_prefix(name, "__builtin_"))
        return false;
    name += strlen("__builtin_");
    if (g_str_has_prefix(name, "expect") && kids->n >= 2) {
        *value = lower_value(fn, kids->at[1]);
    } else if (strcmp(name, "constant_p") == 0 && kids->n == 2) {
        *value = value_const(lower_constant(fn, kids->at[1], &constant), call->type);
    } else if (strcmp(name, "object_size") == 0 || strcmp(name, "dynamic_object_size") == 0) {
        *value = value_const(-1, call->type);
    } else if (strcmp(name, "assume_aligned") == 0 && kids->n >= 2) {
        *value = lower_value(fn, kids->at[1]);
    } else if (strcmp(name, "unreachable") == 0) {
        fn_end(fn, IR_UNREACHABLE, call->at);
        *value = value_unknown(fn, call->type, NULL);
    } else {
        return false;
    }
    return true;
}

static void lower_arguments(struct fn *fn, struct call *call, const struct kids *kids)
{
    call->n = kids->n ? kids->n - 1 : 0;
    call->arguments = IR_NEW(fn->unit, struct ir_value, call->n);
    for (unsigned i = 0; i < call->n; i++)
        call->arguments[i] = lower_value(fn, kids->at[i + 1]);
    call->lock_argument = clang_getNullCursor();
    if (call->callee && call->callee->lock_op) {
        unsigned arg = call->callee->marker ? 0 : call->callee->lock_op->lock_arg;
        if (arg < call->n)
            call->lock_argument = lower_strip(kids->at[arg + 1]);
    }
}

struct ir_value lower_call(struct fn *fn, CXCursor expression)
{
    struct call call = {
        .expression = expression,
        .at = lower_location(fn->l, expression),
        .type = lower_type_of(fn->l, expression),
    };
    struct kids kids;
    struct ir_value value;
    kids_expressions(&kids, expression);
    if (!kids.n) {
        kids_clear(&kids);
        return value_unknown(fn, call.type, NULL);
    }
    call.called = called_expression(kids.at[0]);
    if (call.called.kind == CXCursor_DeclRefExpr) {
        CXCursor decl = clang_getCursorReferenced(call.called);
        if (decl.kind == CXCursor_FunctionDecl)
            call.callee = lower_callee(fn->l, decl);
    }
    if (!call.callee || !lower_value_builtin(fn, &call, &kids, &value)) {
        lower_arguments(fn, &call, &kids);
        if (call.callee && call.callee->lock_op && lock_type_fits(fn, &call))
            value = emit_lock_op_when(fn, &call);
        else if (call.callee && call.callee->atomic_builtin)
            value = lower_sync_builtin(fn, expression, call.callee, call.arguments, call.n);
        else
            value = emit_call(fn, &call);
    }
    kids_clear(&kids);
    return value;
}

static struct ir_value *one_argument(struct fn *fn, struct ir_value value)
{
    struct ir_value *argument = IR_NEW(fn->unit, struct ir_value, 1);
    *argument = value;
    return argument;
}

// The end of a guard's scope: what it took is released.
static void emit_guard_release(struct fn *fn, const struct cleanup *cleanup, struct ir_location at)
{
    struct ir_instruction *in = fn_emit(fn, IR_LOCK_OP, at);
    in->callee = cleanup->lock_op->name;
    in->lock_op = cleanup->lock_op;
    in->action = IR_LOCK_RELEASE;
    in->lock = cleanup->lock;
}

void lower_cleanup_call(struct fn *fn, const struct cleanup *cleanup, struct ir_location at)
{
    const struct ir_variable *variable = cleanup->variable;
    if (cleanup->lock_op) {
        emit_guard_release(fn, cleanup, at);
        return;
    }
    struct ir_value address = {.kind = IR_VALUE_ADDRESS};
    address.path.base = variable->kind;
    address.path.variable = variable;
    address.path.index = variable->index;
    address.type.is_pointer = true;
    address.type.element_size = variable->type.size;
    const char *name = variable->cleanup_function ? variable->cleanup_function : "?";
    const struct lower_callee *callee = lower_callee_named(fn->l, name);
    const struct model_lock_op *op = callee ? callee->lock_op : NULL;
    struct ir_instruction *in = fn_emit(fn, op ? IR_LOCK_OP : IR_CALL, at);
    in->callee = callee ? callee->name : name;
    in->callee_usr = callee ? callee->usr : NULL;
    in->arguments = one_argument(fn, address);
    in->n_arguments = 1;
    if (op) {
        in->lock_op = op;
        in->action = action_of(op);
        in->lock = address;
    } else if (callee && !model_find_function(fn->l->models, name)) {
        lower_want(fn->l, callee->definition);
    }
}
