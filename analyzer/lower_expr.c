// Expressions.
#include <string.h>

#include "lower.h"

bool lower_at_limit(struct fn *fn, CXCursor cursor)
{
    if (fn->depth < LIMIT_AST_DEPTH)
        return false;
    fn_degrade(fn, lower_location(fn->l, cursor), "nested deeper than LIMIT_AST_DEPTH");
    return true;
}

CXCursor lower_strip(CXCursor expression)
{
    for (unsigned i = 0; i < LIMIT_AST_DEPTH; i++) {
        if (expression.kind != CXCursor_ParenExpr && expression.kind != CXCursor_UnexposedExpr)
            break;
        if (lower_is_broken(expression))
            break;
        struct kids kids;
        kids_of(&kids, expression);
        CXCursor only = kids.at[0];
        bool transparent = kids.n == 1 && clang_isExpression(only.kind);
        kids_clear(&kids);
        if (!transparent)
            break;
        expression = only;
    }
    return expression;
}

static enum CXChildVisitResult find_broken(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    bool *found = data;
    *found = clang_isExpression(cursor.kind) && lower_is_broken(cursor);
    return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

// What libclang itself can tell: literals, sizeof, offsetof, enumerators. It must not be asked
// about an expression with an error anywhere in it: it crashes.
static bool evaluate(CXCursor expression, int64_t *value)
{
    bool broken = lower_is_broken(expression);
    if (!broken)
        clang_visitChildren(expression, find_broken, &broken);
    if (broken)
        return false;
    CXEvalResult result = clang_Cursor_Evaluate(expression);
    if (!result)
        return false;
    bool is_int = clang_EvalResult_getKind(result) == CXEval_Int;
    if (is_int && clang_EvalResult_isUnsignedInt(result))
        *value = (int64_t)clang_EvalResult_getAsUnsigned(result);
    else if (is_int)
        *value = clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return is_int;
}

bool lower_constant(struct fn *fn, CXCursor expression, int64_t *value)
{
    CXCursor inner = lower_strip(expression);
    (void)fn;
    return evaluate(inner, value);
}

static struct ir_value evaluated(struct fn *fn, CXCursor expression)
{
    int64_t constant;
    const struct lower_type *type = lower_type_of(fn->l, expression);
    return evaluate(expression, &constant) ? value_const(constant, type)
                                           : value_unknown(fn, type, NULL);
}

// ---- Names

static struct ir_value function_value(struct fn *fn, CXCursor function,
                                      const struct lower_type *type)
{
    const struct lower_callee *callee = lower_callee(fn->l, function);
    struct ir_value value = {.kind = IR_VALUE_FUNCTION, .type = type->ir};
    value.path.base = IR_BASE_UNKNOWN;
    value.function = callee->usr;
    value.text = callee->name;
    // Its address is taken, so it may be called from anywhere: a candidate must have a body.
    lower_want(fn->l, callee->definition);
    return value;
}

static struct ir_value reference_value(struct fn *fn, CXCursor expression)
{
    CXCursor decl = clang_getCursorReferenced(expression);
    const struct lower_type *type = lower_type_of(fn->l, expression);
    if (decl.kind == CXCursor_EnumConstantDecl)
        return value_const(clang_getEnumConstantDeclValue(decl), type);
    if (decl.kind == CXCursor_FunctionDecl)
        return function_value(fn, decl, type);
    return place_read(fn, lower_place(fn, expression), lower_location(fn->l, expression));
}

// ---- Operators

static const char *operator_text(enum CXBinaryOperatorKind kind)
{
    switch (kind) {
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        return "*";
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        return "/";
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign:
        return "%";
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        return "+";
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        return "-";
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_ShlAssign:
        return "<<";
    case CXBinaryOperator_Shr:
    case CXBinaryOperator_ShrAssign:
        return ">>";
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        return "&";
    case CXBinaryOperator_Xor:
    case CXBinaryOperator_XorAssign:
        return "^";
    case CXBinaryOperator_Or:
    case CXBinaryOperator_OrAssign:
        return "|";
    default:
        return "?";
    }
}

static bool is_comparison(enum CXBinaryOperatorKind kind)
{
    return kind >= CXBinaryOperator_LT && kind <= CXBinaryOperator_NE;
}

static struct ir_value negate(struct fn *fn, struct ir_value value, const struct lower_type *type)
{
    if (value.kind == IR_VALUE_CONST)
        return value_const((int64_t)(0 - (uint64_t)value.constant), type);
    g_autofree char *text = ir_value_text(&value);
    g_autofree char *negated = g_strdup_printf("-%s", text);
    return value_unknown(fn, type, negated);
}

// a OP b for what is neither assignment, comparison nor logic.
static struct ir_value arithmetic(struct fn *fn, const char *operator, struct ir_value a,
                                  struct ir_value b, const struct lower_type *type)
{
    bool add = operator[0] == '+', sub = operator[0] == '-';
    if (type->ir.is_pointer && (add || sub)) {
        bool pointer_first = a.type.is_pointer || a.type.is_array;
        struct ir_value pointer = pointer_first ? a : b, index = pointer_first ? b : a;
        return pointer_add(fn, pointer, sub ? negate(fn, index, type) : index, type);
    }
    return value_binary(fn, &a, operator, & b, type);
}

// The value of an assignment: the new content, known by what is best known.
static struct ir_value assigned(struct place place, struct ir_value value)
{
    if (value.kind == IR_VALUE_CONST || value.kind == IR_VALUE_CALL ||
        value.kind == IR_VALUE_FUNCTION)
        return value;
    return place.type->is_record ? value : value_load(place);
}

static struct ir_value lower_assignment(struct fn *fn, CXCursor expression, const struct kids *kids)
{
    struct ir_value value = lower_value(fn, kids->at[1]);
    struct place place = lower_place(fn, kids->at[0]);
    struct ir_location at = lower_location(fn->l, expression);
    place_write(fn, place, value, at);
    note_stored_function(fn, &place, &value, at);
    return assigned(place, value);
}

static struct ir_value lower_compound_assignment(struct fn *fn, CXCursor expression,
                                                 const struct kids *kids)
{
    struct ir_value operand = lower_value(fn, kids->at[1]);
    struct place place = lower_place(fn, kids->at[0]);
    struct ir_location at = lower_location(fn->l, expression);
    struct ir_value old = place_read(fn, place, at);
    const char *operator= operator_text(clang_getCursorBinaryOperatorKind(expression));
    place_write(fn, place, arithmetic(fn, operator, old, operand, place.type), at);
    return value_load(place);
}

static struct ir_value lower_binary(struct fn *fn, CXCursor expression)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(expression);
    if (is_comparison(kind) || kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return lower_truth(fn, expression);
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct kids kids;
    struct ir_value value = value_unknown(fn, type, NULL);
    kids_expressions(&kids, expression);
    if (kids.n != 2) {
        fn_degrade(fn, lower_location(fn->l, expression), "an operator without two operands");
    } else if (kind == CXBinaryOperator_Assign) {
        value = lower_assignment(fn, expression, &kids);
    } else if (kind > CXBinaryOperator_Assign && kind < CXBinaryOperator_Comma) {
        value = lower_compound_assignment(fn, expression, &kids);
    } else if (kind == CXBinaryOperator_Comma) {
        lower_discard(fn, kids.at[0]);
        value = lower_value(fn, kids.at[1]);
    } else {
        struct ir_value a = lower_value(fn, kids.at[0]);
        struct ir_value b = lower_value(fn, kids.at[1]);
        value = arithmetic(fn, operator_text(kind), a, b, type);
    }
    kids_clear(&kids);
    return value;
}

// ++ and --. What a postfix one gives is the new content moved back by one.
static struct ir_value lower_step(struct fn *fn, CXCursor expression, CXCursor operand,
                                  bool increment, bool postfix)
{
    struct place place = lower_place(fn, operand);
    struct ir_location at = lower_location(fn->l, expression);
    struct ir_value one = value_const(1, place.type);
    struct ir_value old = place_read(fn, place, at);
    place_write(fn, place, arithmetic(fn, increment ? "+" : "-", old, one, place.type), at);
    struct ir_value now = value_load(place);
    return postfix ? arithmetic(fn, increment ? "-" : "+", now, one, place.type) : now;
}

static struct ir_value lower_address(struct fn *fn, CXCursor expression, CXCursor operand)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    CXCursor inner = lower_strip(operand);
    if (inner.kind == CXCursor_DeclRefExpr) {
        CXCursor decl = clang_getCursorReferenced(inner);
        if (decl.kind == CXCursor_FunctionDecl)
            return function_value(fn, decl, type);
    }
    struct ir_value value = value_address(lower_place(fn, operand), type);
    if (value.kind == IR_VALUE_UNKNOWN && !value.text)
        value.text = lower_source(fn->l, expression);
    return value;
}

static struct ir_value lower_unary(struct fn *fn, CXCursor expression)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct kids kids;
    kids_expressions(&kids, expression);
    CXCursor operand = kids.n ? kids.at[0] : clang_getNullCursor();
    kids_clear(&kids);
    if (clang_Cursor_isNull(operand))
        return value_unknown(fn, type, NULL);
    struct ir_value value;
    switch (clang_getCursorUnaryOperatorKind(expression)) {
    case CXUnaryOperator_PostInc:
        return lower_step(fn, expression, operand, true, true);
    case CXUnaryOperator_PostDec:
        return lower_step(fn, expression, operand, false, true);
    case CXUnaryOperator_PreInc:
        return lower_step(fn, expression, operand, true, false);
    case CXUnaryOperator_PreDec:
        return lower_step(fn, expression, operand, false, false);
    case CXUnaryOperator_AddrOf:
        return lower_address(fn, expression, operand);
    case CXUnaryOperator_Deref:
        value = type->is_function ? lower_value(fn, operand) : value_unknown(fn, type, NULL);
        return type->is_function
                   ? value
                   : place_read(fn, lower_place(fn, expression), lower_location(fn->l, expression));
    case CXUnaryOperator_LNot:
        return lower_truth(fn, expression);
    case CXUnaryOperator_Minus:
        return negate(fn, lower_value(fn, operand), type);
    case CXUnaryOperator_Not:
        value = lower_value(fn, operand);
        if (value.kind == IR_VALUE_CONST)
            return value_const(~value.constant, type);
        return value_unknown(fn, type, NULL);
    default: // plus, __extension__, __real
        value = lower_value(fn, operand);
        value.type = type->ir;
        return value;
    }
}

// ---- Casts and the many faces of UnexposedExpr

static struct ir_value converted(struct ir_value value, const struct lower_type *type)
{
    bool array = value.type.is_array;
    uint64_t count = value.type.count, element = value.type.element_size;
    value.type = type->ir;
    // The mark of a decayed array survives conversions that keep its element.
    if (array && type->ir.is_pointer && type->ir.element_size == element) {
        value.type.is_array = true;
        value.type.count = count;
    }
    return value;
}

static bool spelled(struct fn *fn, CXCursor expression, const char *word)
{
    size_t bytes, n = strlen(word);
    const char *text = lower_spelled(fn->l, expression, &bytes);
    return text && bytes >= n && memcmp(text, word, n) == 0;
}

static struct ir_value lower_choose_expr(struct fn *fn, const struct kids *kids)
{
    int64_t condition = 0;
    lower_constant(fn, kids->at[0], &condition);
    return lower_value(fn, kids->at[condition ? 1 : 2]);
}

static struct ir_value lower_unexposed(struct fn *fn, CXCursor expression)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct kids kids;
    struct ir_value value;
    kids_of(&kids, expression);
    if (lower_is_broken(expression)) {
        for (unsigned i = 0; i < kids.n; i++) {
            if (clang_isExpression(kids.at[i].kind))
                lower_discard(fn, kids.at[i]);
        }
        value = value_unknown(fn, type, lower_source(fn->l, expression));
    } else if (kids.n == 1 && clang_isExpression(kids.at[0].kind)) {
        const struct lower_type *inner = lower_type_of(fn->l, kids.at[0]);
        value = lower_value(fn, kids.at[0]);
        if (inner->is_va_list &&
            !type->is_va_list) // va_arg: the list is read, what is in it is not known
            value = value_unknown(fn, type, "va_arg");
        value = converted(value, type);
    } else if (kids.n && lower_atomic_expression(fn, expression, &kids, &value)) {
        value.type = type->ir;
    } else if (kids.n == 4 && clang_isExpression(kids.at[0].kind)) {
        value = lower_elvis(fn, expression, &kids);
    } else if (kids.n == 3 && spelled(fn, expression, "__builtin_choose_expr")) {
        value = lower_choose_expr(fn, &kids);
    } else {
        // offsetof, __builtin_types_compatible_p, a recovered error: nothing that is evaluated at
        // run time, unless it has sub-expressions.
        value = evaluated(fn, expression);
        if (value.kind != IR_VALUE_CONST) {
            for (unsigned i = 0; i < kids.n; i++) {
                if (clang_isExpression(kids.at[i].kind))
                    lower_discard(fn, kids.at[i]);
            }
        }
    }
    kids_clear(&kids);
    return value;
}

static struct ir_value lower_cast(struct fn *fn, CXCursor expression)
{
    struct kids kids;
    kids_expressions(&kids, expression);
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct ir_value value =
        kids.n ? lower_value(fn, kids.at[kids.n - 1]) : value_unknown(fn, type, NULL);
    kids_clear(&kids);
    return converted(value, type);
}

// _Generic: the association whose type is the result's; only that one is evaluated.
CXCursor lower_generic_choice(CXCursor expression)
{
    struct kids kids;
    kids_expressions(&kids, expression);
    CXCursor chosen = kids.n > 1 ? kids.at[1] : clang_getNullCursor();
    CXType wanted = clang_getCanonicalType(clang_getCursorType(expression));
    for (unsigned i = 1; i < kids.n; i++) {
        if (clang_equalTypes(clang_getCanonicalType(clang_getCursorType(kids.at[i])), wanted)) {
            chosen = kids.at[i];
            break;
        }
    }
    kids_clear(&kids);
    return chosen;
}

static struct ir_value lower_generic(struct fn *fn, CXCursor expression)
{
    CXCursor chosen = lower_generic_choice(expression);
    return clang_Cursor_isNull(chosen) ? value_unknown(fn, lower_type_of(fn->l, expression), NULL)
                                       : lower_value(fn, chosen);
}

static struct ir_value string_literal(struct fn *fn, CXCursor expression)
{
    struct place place = {.type = lower_type_of(fn->l, expression)};
    place.path.base = IR_BASE_STRING;
    return place_read(fn, place, lower_location(fn->l, expression));
}

static struct ir_value value_of_kind(struct fn *fn, CXCursor expression)
{
    switch (expression.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: // sizeof, alignof: not evaluated
        return evaluated(fn, expression);
    case CXCursor_FloatingLiteral:
    case CXCursor_ImaginaryLiteral:
        return value_unknown(fn, lower_type_of(fn->l, expression), NULL);
    case CXCursor_StringLiteral:
        return string_literal(fn, expression);
    case CXCursor_DeclRefExpr:
        return reference_value(fn, expression);
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CompoundLiteralExpr:
        return place_read(fn, lower_place(fn, expression), lower_location(fn->l, expression));
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return lower_binary(fn, expression);
    case CXCursor_UnaryOperator:
        return lower_unary(fn, expression);
    case CXCursor_ConditionalOperator:
        return lower_choice(fn, expression);
    case CXCursor_CallExpr:
        return lower_call(fn, expression);
    case CXCursor_CStyleCastExpr:
    case CXCursor_ParenExpr:
        return lower_cast(fn, expression);
    case CXCursor_StmtExpr:
        return lower_statement_expression(fn, expression);
    case CXCursor_GenericSelectionExpr:
        return lower_generic(fn, expression);
    case CXCursor_AddrLabelExpr:
        lower_take_label_address(fn, expression);
        return value_unknown(fn, lower_type_of(fn->l, expression), "label");
    default:
        return lower_unexposed(fn, expression);
    }
}

struct ir_value lower_value(struct fn *fn, CXCursor expression)
{
    if (lower_at_limit(fn, expression))
        return value_unknown(fn, lower_type_of(fn->l, expression), NULL);
    fn->depth++;
    struct ir_value value = value_of_kind(fn, expression);
    fn->depth--;
    return value;
}

void lower_discard(struct fn *fn, CXCursor expression)
{
    (void)lower_value(fn, expression);
}
