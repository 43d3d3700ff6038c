// Statements.
#include "lower.h"

static void lower_compound(struct fn *fn, CXCursor statement)
{
    const struct cleanup *outer = fn->cleanups;
    struct kids kids;
    kids_of(&kids, statement);
    for (unsigned i = 0; i < kids.n; i++)
        lower_statement(fn, kids.at[i]);
    kids_clear(&kids);
    if (fn->cleanups != outer) {
        leave_scopes(fn, outer, lower_end(fn->l, statement));
        fn->cleanups = outer;
    }
}

static void lower_if(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_of(&kids, statement);
    if (kids.n < 2) { // a condition that did not parse
        fn_degrade(fn, lower_location(fn->l, statement), "an if without a condition");
        for (unsigned i = 0; i < kids.n; i++)
            lower_statement(fn, kids.at[i]);
        kids_clear(&kids);
        return;
    }
    struct lower_block *yes = fn_block(fn), *after = fn_block(fn);
    struct lower_block *no = kids.n > 2 ? fn_block(fn) : after;
    lower_condition(fn, kids.at[0], yes, no);
    fn_start(fn, yes);
    lower_statement(fn, kids.at[1]);
    fn_continue_in(fn, after);
    if (kids.n > 2) {
        fn_start(fn, no);
        lower_statement(fn, kids.at[2]);
        fn_continue_in(fn, after);
    }
    fn_start(fn, after);
    kids_clear(&kids);
}

// [[attributes]] and what libclang does not name: the statements inside.
static void lower_inside(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_expressions(&kids, statement);
    for (unsigned i = 0; i < kids.n; i++)
        lower_statement(fn, kids.at[i]);
    kids_clear(&kids);
}

static void lower_by_kind(struct fn *fn, CXCursor statement)
{
    switch (statement.kind) {
    case CXCursor_CompoundStmt:
        lower_compound(fn, statement);
        break;
    case CXCursor_DeclStmt:
        lower_declaration(fn, statement);
        break;
    case CXCursor_IfStmt:
        lower_if(fn, statement);
        break;
    case CXCursor_WhileStmt:
        lower_while(fn, statement);
        break;
    case CXCursor_DoStmt:
        lower_do(fn, statement);
        break;
    case CXCursor_ForStmt:
        lower_for(fn, statement);
        break;
    case CXCursor_SwitchStmt:
        lower_switch(fn, statement);
        break;
    case CXCursor_CaseStmt:
        lower_case(fn, statement);
        break;
    case CXCursor_DefaultStmt:
        lower_default(fn, statement);
        break;
    case CXCursor_LabelStmt:
        lower_label(fn, statement);
        break;
    case CXCursor_GotoStmt:
        lower_goto(fn, statement);
        break;
    case CXCursor_IndirectGotoStmt:
        lower_indirect_goto(fn, statement);
        break;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt: {
        struct jump_target to =
            statement.kind == CXCursor_BreakStmt ? fn->break_to : fn->continue_to;
        struct ir_location at = lower_location(fn->l, statement);
        if (to.block) {
            leave_scopes(fn, to.cleanups, at);
            fn_jump(fn, to.block, at);
        }
        break;
    }
    case CXCursor_ReturnStmt:
        lower_return(fn, statement);
        break;
    case CXCursor_NullStmt:
        break;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        lower_asm(fn, statement);
        break;
    default:
        if (clang_isExpression(statement.kind))
            lower_discard(fn, statement);
        else if (clang_isStatement(statement.kind))
            lower_inside(fn, statement);
        break;
    }
}

void lower_statement(struct fn *fn, CXCursor statement)
{
    if (fn->depth >= LIMIT_AST_DEPTH || fn->blocks->len > LIMIT_BLOCKS) {
        fn_degrade(fn, lower_location(fn->l, statement), "nested deeper than LIMIT_AST_DEPTH");
        return;
    }
    fn->depth++;
    lower_by_kind(fn, statement);
    fn->depth--;
}

struct ir_value lower_statement_expression(struct fn *fn, CXCursor expression)
{
    const struct lower_type *type = lower_type_of(fn->l, expression);
    const struct cleanup *outer = fn->cleanups;
    struct ir_value value = value_unknown(fn, type, NULL);
    struct kids body, kids;
    kids_of(&body, expression);
    CXCursor compound = body.n ? body.at[0] : clang_getNullCursor();
    kids_clear(&body);
    if (clang_Cursor_isNull(compound))
        return value;
    kids_of(&kids, compound);
    for (unsigned i = 0; i < kids.n; i++) {
        if (i + 1 == kids.n && clang_isExpression(kids.at[i].kind))
            value = lower_value(fn, kids.at[i]);
        else
            lower_statement(fn, kids.at[i]);
    }
    kids_clear(&kids);
    leave_scopes(fn, outer, lower_end(fn->l, compound));
    fn->cleanups = outer;
    return value;
}

void lower_return(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    struct ir_location at = lower_location(fn->l, statement);
    kids_expressions(&kids, statement);
    struct ir_value value = {0};
    bool has_value = kids.n > 0;
    if (has_value)
        value = lower_value(fn, kids.at[0]);
    kids_clear(&kids);
    leave_scopes(fn, NULL, at);
    fn->block->ir->has_value = has_value;
    fn->block->ir->value = value;
    fn_end(fn, IR_RETURN, at);
}
