// Loops. A `do … while (0)` is no loop, as its condition is a constant.
#include <string.h>

#include "lower.h"
#include "overlay.h"

struct loop {
    struct jump_target break_to, continue_to; // of the loop around
    struct lower_block *after, *next;
};

static struct loop enter(struct fn *fn)
{
    struct loop loop = {fn->break_to, fn->continue_to, fn_block(fn), fn_block(fn)};
    fn->break_to = (struct jump_target){loop.after, fn->cleanups};
    fn->continue_to = (struct jump_target){loop.next, fn->cleanups};
    return loop;
}

static void leave(struct fn *fn, const struct loop *loop)
{
    fn->break_to = loop->break_to;
    fn->continue_to = loop->continue_to;
}

void lower_while(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_of(&kids, statement);
    if (kids.n == 2) {
        struct loop loop = enter(fn);
        struct lower_block *body = fn_block(fn);
        fn_continue_in(fn, loop.next); // the condition, where `continue` goes
        lower_condition(fn, kids.at[0], body, loop.after);
        fn_start(fn, body);
        lower_statement(fn, kids.at[1]);
        fn_continue_in(fn, loop.next);
        leave(fn, &loop);
        fn_start(fn, loop.after);
    }
    kids_clear(&kids);
}

void lower_do(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_of(&kids, statement);
    if (kids.n == 2) {
        struct loop loop = enter(fn);
        struct lower_block *body = fn_block(fn);
        fn_continue_in(fn, body);
        lower_statement(fn, kids.at[0]);
        fn_continue_in(fn, loop.next);
        lower_condition(fn, kids.at[1], body, loop.after);
        leave(fn, &loop);
        fn_start(fn, loop.after);
    }
    kids_clear(&kids);
}

// ---- for

// libclang leaves out the parts that are empty and does not say which.
struct for_parts {
    CXCursor init, condition, step, body;
};

static unsigned offset_of(CXCursor cursor)
{
    unsigned offset;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), NULL, NULL, NULL,
                               &offset);
    return offset;
}

// Past blanks, comments and literals, so that the semicolons counted are those of the header.
static const char *skip_token(const char *at, const char *end)
{
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        while (at < end && *at != quote)
            at += *at == '\\' && at + 1 < end ? 2 : 1;
        return at < end ? at + 1 : end;
    }
    if (*at == '/' && at + 1 < end && at[1] == '*') {
        const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
        return close ? close + 2 : end;
    }
    if (*at == '/' && at + 1 < end && at[1] == '/') {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        return newline ? newline : end;
    }
    return at + 1;
}

// The offsets of the two semicolons of `for (…;…;…)` in the file; false when the word `for` itself
// comes out of a macro.
static bool find_semicolons(struct fn *fn, CXCursor statement, unsigned semicolons[2])
{
    CXFile file;
    unsigned offset;
    size_t size;
    clang_getExpansionLocation(clang_getCursorLocation(statement), &file, NULL, NULL, &offset);
    const char *text = file ? clang_getFileContents(fn->l->tu, file, &size) : NULL;
    if (!text || offset + 4 > size || strncmp(text + offset, "for", 3) != 0)
        return false;
    if (g_ascii_isalnum(text[offset + 3]) || text[offset + 3] == '_')
        return false;
    const char *at = text + offset + 3, *end = text + size;
    int depth = 0;
    for (unsigned found = 0; at < end; at = skip_token(at, end)) {
        if (*at == '(' || *at == '{' || *at == '[')
            depth++;
        else if ((*at == ')' || *at == '}' || *at == ']') && --depth == 0)
            return false;
        else if (*at == ';' && depth == 1)
            semicolons[found++] = (unsigned)(at - text);
        if (found == 2)
            return true;
    }
    return false;
}

static bool looks_like_step(CXCursor cursor)
{
    CXCursor inner = lower_strip(cursor);
    if (inner.kind == CXCursor_CompoundAssignOperator || inner.kind == CXCursor_CallExpr)
        return true;
    if (inner.kind == CXCursor_UnaryOperator)
        return clang_getCursorUnaryOperatorKind(inner) <= CXUnaryOperator_PreDec;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(inner);
    return kind == CXBinaryOperator_Assign || kind == CXBinaryOperator_Comma;
}

// Without the text, by what parts look like: a declaration or assignment before anything else is
// the start, a step comes last, what is left is the condition.
static void guess_parts(const struct kids *kids, struct for_parts *parts)
{
    unsigned n = kids->n - 1, i = 0;
    if (n > i && (kids->at[i].kind == CXCursor_DeclStmt || looks_like_step(kids->at[i])) && n > 1)
        parts->init = kids->at[i++];
    if (n > i && !looks_like_step(kids->at[i]))
        parts->condition = kids->at[i++];
    if (n > i)
        parts->step = kids->at[i];
}

static void assign_parts(struct fn *fn, CXCursor statement, const struct kids *kids,
                         struct for_parts *parts)
{
    unsigned semicolons[2];
    CXCursor none = clang_getNullCursor();
    *parts = (struct for_parts){none, none, none, kids->at[kids->n - 1]};
    if (kids->n == 4) {
        *parts = (struct for_parts){kids->at[0], kids->at[1], kids->at[2], kids->at[3]};
    } else if (kids->n == 1) {
        return;
    } else if (!find_semicolons(fn, statement, semicolons)) {
        guess_parts(kids, parts);
    } else {
        for (unsigned i = 0; i + 1 < kids->n; i++) {
            unsigned offset = offset_of(kids->at[i]);
            *(offset <= semicolons[0]   ? &parts->init
              : offset <= semicolons[1] ? &parts->condition
                                        : &parts->step) = kids->at[i];
        }
    }
}

// ---- How often

#define SMALL_BOUND 4096

static bool refers_to(CXCursor expression, CXCursor *variable)
{
    CXCursor inner = lower_strip(expression);
    if (inner.kind != CXCursor_DeclRefExpr)
        return false;
    *variable = clang_getCursorReferenced(inner);
    return variable->kind == CXCursor_VarDecl || variable->kind == CXCursor_ParmDecl;
}

// A start that is no constant is 0, and `base` is its text: `p = array`.
static bool starts_at(struct fn *fn, CXCursor init, CXCursor *variable, int64_t *start,
                      const char **base)
{
    struct kids kids;
    CXCursor value = clang_getNullCursor();
    kids_of(&kids, init);
    if (init.kind == CXCursor_DeclStmt && kids.n == 1 && kids.at[0].kind == CXCursor_VarDecl) {
        value = clang_Cursor_getVarDeclInitializer(kids.at[0]);
        *variable = kids.at[0];
    } else if (init.kind == CXCursor_BinaryOperator && kids.n == 2 &&
               clang_getCursorBinaryOperatorKind(init) == CXBinaryOperator_Assign &&
               refers_to(kids.at[0], variable)) {
        value = kids.at[1];
    }
    kids_clear(&kids);
    if (clang_Cursor_isNull(value))
        return false;
    *base = NULL;
    if (lower_constant(fn, value, start))
        return true;
    *start = 0;
    *base = lower_source(fn->l, lower_strip(value));
    return *base != NULL;
}

// A constant, or for a start at `base` a constant number of elements from it: `array + 8`.
static bool is_end(struct fn *fn, CXCursor expression, const char *base, int64_t *end)
{
    if (!base)
        return lower_constant(fn, expression, end);
    struct kids kids;
    CXCursor inner = lower_strip(expression);
    kids_expressions(&kids, inner);
    bool known = kids.n == 2 && inner.kind == CXCursor_BinaryOperator &&
                 clang_getCursorBinaryOperatorKind(inner) == CXBinaryOperator_Add &&
                 g_strcmp0(lower_source(fn->l, lower_strip(kids.at[0])), base) == 0 &&
                 lower_constant(fn, kids.at[1], end);
    kids_clear(&kids);
    return known;
}

static bool ends_at(struct fn *fn, CXCursor condition, CXCursor variable, const char *base,
                    int64_t *end, enum CXBinaryOperatorKind *relation)
{
    struct kids kids;
    CXCursor compared;
    CXCursor inner = lower_strip(condition);
    kids_expressions(&kids, inner);
    *relation = clang_getCursorBinaryOperatorKind(inner);
    bool known = kids.n == 2 && refers_to(kids.at[0], &compared) &&
                 clang_equalCursors(compared, variable) && is_end(fn, kids.at[1], base, end);
    kids_clear(&kids);
    return known;
}

static bool steps_by(struct fn *fn, CXCursor step, CXCursor variable, int64_t *by)
{
    struct kids kids;
    CXCursor stepped;
    CXCursor inner = lower_strip(step);
    kids_expressions(&kids, inner);
    bool known = kids.n && refers_to(kids.at[0], &stepped) && clang_equalCursors(stepped, variable);
    if (inner.kind == CXCursor_UnaryOperator) {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(inner);
        *by = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc ? 1 : -1;
        known = known && kind <= CXUnaryOperator_PreDec;
    } else if (inner.kind == CXCursor_CompoundAssignOperator && kids.n == 2) {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(inner);
        known = known && lower_constant(fn, kids.at[1], by) &&
                (kind == CXBinaryOperator_AddAssign || kind == CXBinaryOperator_SubAssign);
        if (known && kind == CXBinaryOperator_SubAssign)
            *by = -*by;
    } else {
        known = false;
    }
    kids_clear(&kids);
    return known;
}

static bool trip_count(int64_t start, int64_t end, int64_t by, enum CXBinaryOperatorKind relation,
                       uint64_t *count)
{
    __int128 distance = (__int128)end - start, step = by;
    if (relation == CXBinaryOperator_LE)
        distance++;
    else if (relation == CXBinaryOperator_GE)
        distance--;
    else if (relation != CXBinaryOperator_LT && relation != CXBinaryOperator_GT &&
             relation != CXBinaryOperator_NE)
        return false;
    if (step < 0) {
        step = -step;
        distance = -distance;
    }
    if (step == 0)
        return false;
    __int128 trips = distance <= 0 ? 0 : (distance + step - 1) / step;
    *count = (uint64_t)trips;
    return trips <= SMALL_BOUND;
}

static bool touches_counter(const struct ir_instruction *in, const struct ir_variable *counter)
{
    if (in->op == IR_ASSIGN && in->path.variable == counter && in->path.n_steps == 0)
        return true;
    for (unsigned i = 0; i < in->n_arguments; i++) {
        if (in->arguments[i].kind == IR_VALUE_ADDRESS &&
            in->arguments[i].path.variable == counter && in->arguments[i].path.n_steps == 0)
            return true;
    }
    return in->op == IR_ASSIGN && in->value.kind == IR_VALUE_ADDRESS &&
           in->value.path.variable == counter && in->value.path.n_steps == 0;
}

// Whether anything lowered between two instruction numbers changes the counter.
static bool changed_between(const struct fn *fn, const struct ir_variable *counter, unsigned from,
                            unsigned to, unsigned first_block)
{
    for (guint i = first_block; i < fn->blocks->len; i++) {
        const struct lower_block *block = fn->blocks->pdata[i];
        for (guint k = 0; k < block->instructions->len; k++) {
            const struct ir_instruction *in = block->instructions->pdata[k];
            if (in->number >= from && in->number < to && touches_counter(in, counter))
                return true;
        }
    }
    return false;
}

struct bound {
    bool known;
    uint64_t count;
    CXCursor variable;
};

static struct bound bound_of(struct fn *fn, const struct for_parts *parts)
{
    struct bound bound = {0};
    int64_t start, end, by;
    enum CXBinaryOperatorKind relation;
    const char *base;
    bound.known = !clang_Cursor_isNull(parts->init) && !clang_Cursor_isNull(parts->condition) &&
                  !clang_Cursor_isNull(parts->step) &&
                  starts_at(fn, parts->init, &bound.variable, &start, &base) &&
                  ends_at(fn, parts->condition, bound.variable, base, &end, &relation) &&
                  steps_by(fn, parts->step, bound.variable, &by) &&
                  trip_count(start, end, by, relation, &bound.count);
    return bound;
}

// The marker of a block that holds a lock: `for (int __spinfault_block_N … = acquire;;) statement`
// runs the statement once, and `break` and `continue` are ways out of it.
static bool is_guarded_block(const struct kids *kids)
{
    if (kids->n != 2 || kids->at[0].kind != CXCursor_DeclStmt)
        return false;
    struct kids declared;
    kids_of(&declared, kids->at[0]);
    bool marked = false;
    if (declared.n == 1) {
        CXString name = clang_getCursorSpelling(declared.at[0]);
        marked = clang_getCString(name) && g_str_has_prefix(clang_getCString(name), MARKER_BLOCK);
        clang_disposeString(name);
    }
    kids_clear(&declared);
    return marked;
}

static void lower_guarded_block(struct fn *fn, CXCursor statement, const struct kids *kids)
{
    const struct cleanup *outer = fn->cleanups;
    lower_statement(fn, kids->at[0]);
    struct loop loop = enter(fn);
    lower_statement(fn, kids->at[1]);
    fn_continue_in(fn, loop.next);
    fn_continue_in(fn, loop.after);
    leave(fn, &loop);
    leave_scopes(fn, outer, lower_end(fn->l, statement));
    fn->cleanups = outer;
}

void lower_for(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    struct for_parts parts;
    kids_of(&kids, statement);
    if (is_guarded_block(&kids)) {
        lower_guarded_block(fn, statement, &kids);
        kids_clear(&kids);
        return;
    }
    if (!kids.n) {
        kids_clear(&kids);
        return;
    }
    assign_parts(fn, statement, &kids, &parts);
    struct bound bound = bound_of(fn, &parts);
    const struct cleanup *outer = fn->cleanups;
    if (!clang_Cursor_isNull(parts.init))
        lower_statement(fn, parts.init);
    unsigned first_block = fn->blocks->len;
    struct loop loop = enter(fn);
    struct lower_block *head = fn_block(fn), *body = fn_block(fn);
    fn_continue_in(fn, head);
    if (clang_Cursor_isNull(parts.condition))
        fn_jump(fn, body, lower_location(fn->l, statement));
    else
        lower_condition(fn, parts.condition, body, loop.after);
    fn_start(fn, body);
    unsigned from = fn->numbers;
    lower_statement(fn, parts.body);
    unsigned to = fn->numbers;
    fn_continue_in(fn, loop.next);
    if (!clang_Cursor_isNull(parts.step))
        lower_discard(fn, parts.step);
    fn_continue_in(fn, head);
    if (bound.known &&
        !changed_between(fn, lower_variable(fn, bound.variable), from, to, first_block)) {
        head->ir->loop_constant_bound = true;
        head->ir->loop_bound = bound.count;
    }
    leave(fn, &loop);
    fn_start(fn, loop.after);
    if (fn->cleanups != outer) { // for (guard(x); …)
        leave_scopes(fn, outer, lower_end(fn->l, statement));
        fn->cleanups = outer;
    }
    kids_clear(&kids);
}
