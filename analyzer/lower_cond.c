// Conditions as control flow: && and || branch, ! swaps the targets, and what is left is a
// comparison or "nonzero". A comparison with zero is NONZERO with the targets as they must be.
#include <string.h>

#include "lower.h"

static bool relation_of(enum CXBinaryOperatorKind kind, enum ir_relation *relation)
{
    switch (kind) {
    case CXBinaryOperator_EQ:
        *relation = IR_EQ;
        return true;
    case CXBinaryOperator_NE:
        *relation = IR_NE;
        return true;
    case CXBinaryOperator_LT:
        *relation = IR_LT;
        return true;
    case CXBinaryOperator_LE:
        *relation = IR_LE;
        return true;
    case CXBinaryOperator_GT:
        *relation = IR_GT;
        return true;
    case CXBinaryOperator_GE:
        *relation = IR_GE;
        return true;
    default:
        return false;
    }
}

static bool holds(int64_t a, enum ir_relation relation, int64_t b)
{
    switch (relation) {
    case IR_EQ:
        return a == b;
    case IR_NE:
        return a != b;
    case IR_LT:
        return a < b;
    case IR_LE:
        return a <= b;
    case IR_GT:
        return a > b;
    case IR_GE:
        return a >= b;
    case IR_NONZERO:
        break;
    }
    return a != 0;
}

static bool is_zero(const struct ir_value *value)
{
    return value->kind == IR_VALUE_CONST && value->constant == 0;
}

static void branch_on(struct fn *fn, struct ir_value value, struct lower_block *yes,
                      struct lower_block *no, struct ir_location at)
{
    if (value.kind == IR_VALUE_CONST)
        fn_jump(fn, value.constant ? yes : no, at);
    else if (value.kind == IR_VALUE_FUNCTION)
        fn_jump(fn, yes, at);
    else
        fn_branch(fn, (struct ir_condition){.relation = IR_NONZERO, .left = value}, yes, no, at);
}

static void branch_comparing(struct fn *fn, const struct kids *kids, enum ir_relation relation,
                             struct lower_block *yes, struct lower_block *no, struct ir_location at)
{
    int64_t zero;
    // `(a && b) != 0`, `!x == 0`: look through to the condition inside.
    if ((relation == IR_EQ || relation == IR_NE) && lower_constant(fn, kids->at[1], &zero) &&
        zero == 0) {
        lower_condition(fn, kids->at[0], relation == IR_NE ? yes : no,
                        relation == IR_NE ? no : yes);
        return;
    }
    struct ir_value left = lower_value(fn, kids->at[0]), right = lower_value(fn, kids->at[1]);
    if (left.kind == IR_VALUE_CONST && right.kind == IR_VALUE_CONST) {
        fn_jump(fn, holds(left.constant, relation, right.constant) ? yes : no, at);
        return;
    }
    if (is_zero(&left) && (relation == IR_EQ || relation == IR_NE)) {
        branch_on(fn, right, relation == IR_NE ? yes : no, relation == IR_NE ? no : yes, at);
        return;
    }
    struct ir_condition condition = {.relation = relation, .left = left, .right = right};
    fn_branch(fn, condition, yes, no, at);
}

static void condition_binary(struct fn *fn, CXCursor expression, const struct kids *kids,
                             struct lower_block *yes, struct lower_block *no)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(expression);
    struct ir_location at = lower_location(fn->l, expression);
    enum ir_relation relation;
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr) {
        struct lower_block *second = fn_block(fn);
        if (kind == CXBinaryOperator_LAnd)
            lower_condition(fn, kids->at[0], second, no);
        else
            lower_condition(fn, kids->at[0], yes, second);
        fn_start(fn, second);
        lower_condition(fn, kids->at[1], yes, no);
    } else if (relation_of(kind, &relation)) {
        branch_comparing(fn, kids, relation, yes, no, at);
    } else if (kind == CXBinaryOperator_Comma) {
        lower_discard(fn, kids->at[0]);
        lower_condition(fn, kids->at[1], yes, no);
    } else {
        branch_on(fn, lower_value(fn, expression), yes, no, at);
    }
}

static void condition_choice(struct fn *fn, const struct kids *kids, struct lower_block *yes,
                             struct lower_block *no)
{
    struct lower_block *first = fn_block(fn), *second = fn_block(fn);
    lower_condition(fn, kids->at[0], first, second);
    fn_start(fn, first);
    lower_condition(fn, kids->at[1], yes, no);
    fn_start(fn, second);
    lower_condition(fn, kids->at[2], yes, no);
}

// __builtin_expect(x, y) is x.
static bool is_expect(struct fn *fn, CXCursor call)
{
    CXCursor callee = clang_getCursorReferenced(call);
    if (callee.kind != CXCursor_FunctionDecl)
        return false;
    return g_str_has_prefix(lower_callee(fn->l, callee)->name, "__builtin_expect");
}

void lower_condition(struct fn *fn, CXCursor expression, struct lower_block *yes,
                     struct lower_block *no)
{
    CXCursor inner = lower_strip(expression);
    struct kids kids;
    if (fn->depth >= LIMIT_AST_DEPTH) {
        branch_on(fn, lower_value(fn, inner), yes, no, lower_location(fn->l, inner));
        return;
    }
    fn->depth++;
    kids_expressions(&kids, inner);
    if (inner.kind == CXCursor_BinaryOperator && kids.n == 2) {
        condition_binary(fn, inner, &kids, yes, no);
    } else if (inner.kind == CXCursor_UnaryOperator && kids.n == 1 &&
               clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_LNot) {
        lower_condition(fn, kids.at[0], no, yes);
    } else if (inner.kind == CXCursor_ConditionalOperator && kids.n == 3) {
        condition_choice(fn, &kids, yes, no);
    } else if (inner.kind == CXCursor_CallExpr && kids.n >= 2 && is_expect(fn, inner)) {
        lower_condition(fn, kids.at[1], yes, no);
    } else if (inner.kind == CXCursor_CStyleCastExpr && kids.n &&
               !lower_type_of(fn->l, inner)->ir.is_pointer &&
               lower_strip(kids.at[kids.n - 1]).kind == CXCursor_BinaryOperator) {
        lower_condition(fn, kids.at[kids.n - 1], yes, no); // (bool) (a && b)
    } else {
        branch_on(fn, lower_value(fn, inner), yes, no, lower_location(fn->l, inner));
    }
    kids_clear(&kids);
    fn->depth--;
}

// ---- Conditions as values

// Both operands known: no branch.
static bool folded(struct fn *fn, CXCursor expression, int64_t *constant)
{
    struct kids kids;
    int64_t a, b = 0;
    enum ir_relation relation;
    bool known = false;
    kids_expressions(&kids, expression);
    if (kids.n == 2 && relation_of(clang_getCursorBinaryOperatorKind(expression), &relation) &&
        lower_constant(fn, kids.at[0], &a) && lower_constant(fn, kids.at[1], &b)) {
        *constant = holds(a, relation, b);
        known = true;
    } else if (kids.n == 1 && lower_constant(fn, kids.at[0], &a)) {
        *constant = !a;
        known = true;
    }
    kids_clear(&kids);
    return known;
}

struct ir_value lower_truth(struct fn *fn, CXCursor expression)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct ir_location at = lower_location(fn->l, expression);
    int64_t constant;
    if (folded(fn, expression, &constant))
        return value_const(constant, type);
    struct place result = place_of_variable(lower_temporary(fn, "truth", type), type);
    struct lower_block *yes = fn_block(fn), *no = fn_block(fn), *after = fn_block(fn);
    lower_condition(fn, expression, yes, no);
    fn_start(fn, yes);
    emit_assign(fn, &result, value_const(1, type), at);
    fn_jump(fn, after, at);
    fn_start(fn, no);
    emit_assign(fn, &result, value_const(0, type), at);
    fn_jump(fn, after, at);
    fn_start(fn, after);
    return value_load(result);
}

static void choose(struct fn *fn, const struct place *result, struct ir_value value,
                   struct lower_block *after, struct ir_location at)
{
    if (!result->type->is_void)
        emit_assign(fn, result, value, at);
    fn_jump(fn, after, at);
}

struct ir_value lower_choice(struct fn *fn, CXCursor expression)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct ir_location at = lower_location(fn->l, expression);
    struct kids kids;
    int64_t constant;
    kids_expressions(&kids, expression);
    if (kids.n != 3) {
        kids_clear(&kids);
        return value_unknown(fn, type, NULL);
    }
    struct ir_value value;
    if (lower_constant(fn, kids.at[0], &constant)) {
        value = lower_value(fn, kids.at[constant ? 1 : 2]);
        kids_clear(&kids);
        return value;
    }
    struct place result = place_of_variable(lower_temporary(fn, "choice", type), type);
    struct lower_block *yes = fn_block(fn), *no = fn_block(fn), *after = fn_block(fn);
    lower_condition(fn, kids.at[0], yes, no);
    fn_start(fn, yes);
    choose(fn, &result, lower_value(fn, kids.at[1]), after, at);
    fn_start(fn, no);
    choose(fn, &result, lower_value(fn, kids.at[2]), after, at);
    fn_start(fn, after);
    kids_clear(&kids);
    return type->is_void ? value_unknown(fn, type, NULL) : value_load(result);
}

// a ?: c, whose children are a, a, a, c: what is common is evaluated once.
struct ir_value lower_elvis(struct fn *fn, CXCursor expression, const struct kids *kids)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct ir_location at = lower_location(fn->l, expression);
    struct place result = place_of_variable(lower_temporary(fn, "choice", type), type);
    struct lower_block *no = fn_block(fn), *after = fn_block(fn);
    struct ir_value common = lower_value(fn, kids->at[0]);
    emit_assign(fn, &result, common, at);
    branch_on(fn, common, after, no, at);
    fn_start(fn, no);
    choose(fn, &result, lower_value(fn, kids->at[3]), after, at);
    fn_start(fn, after);
    return value_load(result);
}
