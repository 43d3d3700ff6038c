// Expressions that stand for a place.
#include <string.h>

#include "lower.h"

// Where members are put that no declaration has.
#define MISSING_MEMBERS      ((uint64_t)1 << 32)
#define MISSING_MEMBER_BYTES 4096u

static struct place reference_place(struct fn *fn, CXCursor expression)
{
    CXCursor decl = clang_getCursorReferenced(expression);
    const struct lower_type *type = lower_type_of(fn->l, expression);
    if (decl.kind != CXCursor_VarDecl && decl.kind != CXCursor_ParmDecl)
        return place_unknown(type);
    // A reference to an array of unknown bound may know it by now: the declaration's type is it.
    return place_of_variable(lower_variable(fn, decl), type);
}

static struct place member_place(struct fn *fn, CXCursor expression)
{
    struct kids kids;
    kids_expressions(&kids, expression);
    CXCursor base = kids.n ? kids.at[0] : clang_getNullCursor();
    kids_clear(&kids);
    CXCursor decl = clang_getCursorReferenced(expression);
    if (clang_Cursor_isNull(base) || decl.kind != CXCursor_FieldDecl)
        return place_unknown(lower_type_of(fn->l, expression));
    const struct lower_type *base_type = lower_type_of(fn->l, base);
    const struct lower_field *field = lower_field(fn->l, decl);
    struct place place;
    if (base_type->ir.is_pointer) {
        const struct lower_type *record =
            lower_type(fn->l, clang_getPointeeType(base_type->canonical));
        place = place_deref(fn, lower_value(fn, base), record);
    } else {
        place = lower_place(fn, base);
    }
    place = place_field(fn, place, field);
    place.is_bitfield = clang_Cursor_isBitField(decl);
    return place;
}

static struct place subscript_place(struct fn *fn, CXCursor expression)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    struct kids kids;
    kids_expressions(&kids, expression);
    if (kids.n != 2) {
        kids_clear(&kids);
        return place_unknown(type);
    }
    const struct lower_type *second = lower_type_of(fn->l, kids.at[1]);
    bool swapped = second->ir.is_pointer || second->ir.is_array; // 2[array]
    struct ir_value a = lower_value(fn, kids.at[0]), b = lower_value(fn, kids.at[1]);
    kids_clear(&kids);
    return place_index(fn, swapped ? b : a, swapped ? a : b, type);
}

// A value where a place is wanted: a struct that a call, an assignment or ?: gives.
static struct place place_of_value(struct fn *fn, CXCursor expression)
{
    struct ir_value value = lower_value(fn, expression);
    const struct lower_type *type = lower_type_of(fn->l, expression);
    if (value.kind == IR_VALUE_LOAD)
        return (struct place){.path = value.path, .type = type};
    if (value.kind == IR_VALUE_CALL)
        return (struct place){.path = {.base = IR_BASE_CALL, .index = value.index}, .type = type};
    return place_unknown(type);
}

// The member that the struct does not have: what is written after the last `.` or `->`.
static const char *written_member(struct fn *fn, CXCursor expression, bool *arrow)
{
    size_t bytes;
    const char *text = lower_written(fn->l, expression, &bytes), *end = text + bytes, *at = end;
    while (at > text && (g_ascii_isalnum(at[-1]) || at[-1] == '_'))
        at--;
    const char *name = at;
    while (at > text && g_ascii_isspace(at[-1]))
        at--;
    *arrow = at - text >= 2 && at[-1] == '>' && at[-2] == '-';
    if (name == end || g_ascii_isdigit(*name) || (!*arrow && (at == text || at[-1] != '.')))
        return NULL;
    g_autofree char *member = g_strndup(name, (gsize)(end - name));
    return ir_text(fn->unit, member);
}

// `p->lock` where the declaration of the struct lacks that member (another configuration has it):
// still one and the same place wherever it is written. Members are told apart by their offsets, so
// it gets one past all others.
static bool missing_member(struct fn *fn, CXCursor expression, struct place *place)
{
    struct kids kids;
    bool arrow;
    kids_expressions(&kids, expression);
    CXCursor base = kids.n == 1 ? kids.at[0] : clang_getNullCursor();
    kids_clear(&kids);
    const char *name = clang_Cursor_isNull(base) ? NULL : written_member(fn, expression, &arrow);
    if (!name)
        return false;
    const struct lower_type *type = lower_type_of(fn->l, expression);
    CXType pointer = clang_getCanonicalType(clang_getCursorType(base));
    struct lower_field field = {
        .name = name,
        .record = "",
        .offset = MISSING_MEMBERS + (uint64_t)(g_str_hash(name) & 0xffff) * MISSING_MEMBER_BYTES,
        .type = type,
    };
    if (!arrow)
        *place = lower_place(fn, base);
    else
        *place = place_deref(fn, lower_value(fn, base),
                             lower_type(fn->l, clang_getPointeeType(pointer)));
    *place = place_field(fn, *place, &field);
    return true;
}

static struct place transparent_place(struct fn *fn, CXCursor expression)
{
    struct place missing;
    if (lower_is_broken(expression) && missing_member(fn, expression, &missing))
        return missing;
    struct kids kids;
    kids_of(&kids, expression);
    bool one = kids.n == 1 && clang_isExpression(kids.at[0].kind) && !lower_is_broken(expression);
    CXCursor inner = kids.at[0];
    kids_clear(&kids);
    if (one)
        return lower_place(fn, inner);
    return place_of_value(fn, expression);
}

static struct place deref_place(struct fn *fn, CXCursor expression)
{
    struct kids kids;
    kids_expressions(&kids, expression);
    CXCursor operand = kids.n ? kids.at[0] : clang_getNullCursor();
    kids_clear(&kids);
    const struct lower_type *type = lower_type_of(fn->l, expression);
    if (clang_Cursor_isNull(operand))
        return place_unknown(type);
    return place_deref(fn, lower_value(fn, operand), type);
}

static struct place place_of_kind(struct fn *fn, CXCursor expression)
{
    switch (expression.kind) {
    case CXCursor_DeclRefExpr:
        return reference_place(fn, expression);
    case CXCursor_MemberRefExpr:
        return member_place(fn, expression);
    case CXCursor_ArraySubscriptExpr:
        return subscript_place(fn, expression);
    case CXCursor_CompoundLiteralExpr:
        return lower_compound_literal(fn, expression);
    case CXCursor_StringLiteral:
        return (struct place){.path.base = IR_BASE_STRING,
                              .type = lower_type_of(fn->l, expression)};
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(expression) == CXUnaryOperator_Deref)
            return deref_place(fn, expression);
        return transparent_place(fn, expression);
    case CXCursor_GenericSelectionExpr: {
        CXCursor chosen = lower_generic_choice(expression);
        return clang_Cursor_isNull(chosen) ? place_unknown(lower_type_of(fn->l, expression))
                                           : lower_place(fn, chosen);
    }
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        return transparent_place(fn, expression);
    default:
        return place_of_value(fn, expression);
    }
}

struct place lower_place(struct fn *fn, CXCursor expression)
{
    if (lower_at_limit(fn, expression))
        return place_unknown(lower_type_of(fn->l, expression));
    fn->depth++;
    struct place place = place_of_kind(fn, expression);
    fn->depth--;
    return place;
}
