// One function definition.
#include <string.h>

#include "lower.h"

static void declare_parameters(struct fn *fn, CXCursor definition)
{
    int n = clang_Cursor_getNumArguments(definition);
    struct ir_function *ir = fn->ir;
    ir->n_params = n > 0 ? (unsigned)n : 0;
    ir->params = IR_NEW(fn->unit, const struct ir_variable *, ir->n_params);
    for (unsigned i = 0; i < ir->n_params; i++) {
        CXCursor decl = clang_Cursor_getArgument(definition, i);
        struct ir_variable *v = IR_NEW(fn->unit, struct ir_variable, 1);
        v->name = lower_take(fn->l, clang_getCursorSpelling(decl));
        v->kind = IR_BASE_PARAM;
        v->index = i;
        v->type = lower_type_of(fn->l, decl)->ir;
        v->location = lower_location(fn->l, decl);
        g_hash_table_insert(fn->locals, (gpointer)decl.data[0], v);
        ir->params[i] = v;
    }
}

static void lower_body(struct fn *fn, CXCursor definition)
{
    struct kids kids;
    kids_of(&kids, definition);
    for (unsigned i = 0; i < kids.n; i++) {
        if (kids.at[i].kind == CXCursor_CompoundStmt)
            lower_statement(fn, kids.at[i]);
    }
    kids_clear(&kids);
}

// What an error hid is missing from the function it is in.
static void check_errors(struct fn *fn)
{
    const struct ir_location *start = &fn->ir->location, *end = &fn->ir->end;
    for (guint i = 0; i < fn->l->errors->len; i++) {
        const struct lower_error *error = &g_array_index(fn->l->errors, struct lower_error, i);
        struct ir_location at = {.file = error->file, .line = error->line};
        if (error->line >= start->line && error->line <= end->line &&
            strcmp(error->file, start->file) == 0)
            fn_degrade(fn, at, "an error hides a part of this function");
    }
}

void lower_function(struct lower *l, CXCursor definition)
{
    const struct lower_callee *callee = lower_callee(l, definition);
    struct ir_function *ir = IR_NEW(l->unit, struct ir_function, 1);
    ir->name = callee->name;
    ir->usr = callee->usr;
    ir->location = lower_location(l, definition);
    ir->end = lower_end(l, definition);
    ir->is_static = clang_Cursor_getStorageClass(definition) == CX_SC_Static;
    ir->is_inline = clang_Cursor_isFunctionInlined(definition);
    ir->from_header =
        !clang_Location_isFromMainFile(clang_getRangeStart(clang_getCursorExtent(definition)));
    ir->no_return = callee->no_return;
    ir->return_type = lower_type(l, clang_getCursorResultType(definition))->ir;
    struct fn fn;
    fn_init(&fn, l, ir);
    declare_parameters(&fn, definition);
    lower_body(&fn, definition);
    check_errors(&fn);
    fn_finish(&fn);
    g_ptr_array_add(l->unit->functions, ir);
}
