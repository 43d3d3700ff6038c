// switch, labels, goto, asm, and the way out of scopes.
#include <string.h>

#include "lower.h"

void leave_scopes(struct fn *fn, const struct cleanup *until, struct ir_location at)
{
    for (const struct cleanup *c = fn->cleanups; c && c != until; c = c->outer)
        lower_cleanup_call(fn, c, at);
}

// ---- switch

void lower_switch(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_of(&kids, statement);
    if (kids.n != 2) {
        kids_clear(&kids);
        return;
    }
    struct ir_location at = lower_location(fn->l, statement);
    struct jump_target outer_break = fn->break_to;
    GArray *outer_cases = fn->cases;
    struct lower_block *outer_default = fn->default_case, *after = fn_block(fn);
    struct ir_value subject = lower_value(fn, kids.at[0]);
    struct lower_block *head = fn->block;
    head->ir->value = subject;
    fn_end(fn, IR_SWITCH, at);
    fn->break_to = (struct jump_target){after, fn->cleanups};
    fn->cases = g_array_new(FALSE, FALSE, sizeof(struct switch_case));
    fn->default_case = NULL;
    lower_statement(fn, kids.at[1]);
    fn_continue_in(fn, after);

    unsigned n = fn->cases->len;
    struct ir_case *ranges = IR_NEW(fn->unit, struct ir_case, n);
    for (unsigned i = 0; i < n; i++) {
        const struct switch_case *one = &g_array_index(fn->cases, struct switch_case, i);
        ranges[i] = one->range;
        fn_target(head, one->block);
    }
    head->ir->cases = ranges;
    fn_target(head, fn->default_case ? fn->default_case : after);
    g_array_unref(fn->cases);
    fn->cases = outer_cases;
    fn->default_case = outer_default;
    fn->break_to = outer_break;
    kids_clear(&kids);
}

static void enter_case(struct fn *fn, struct lower_block *block)
{
    fn_continue_in(fn, block); // the fall-through
}

// case LOW: or, with GNU ranges, case LOW ... HIGH: — then the statement.
void lower_case(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_expressions(&kids, statement);
    if (kids.n < 2 || !fn->cases) {
        kids_clear(&kids);
        return;
    }
    struct switch_case one = {.block = fn_block(fn)};
    bool known = lower_constant(fn, kids.at[0], &one.range.low);
    one.range.high = one.range.low;
    if (kids.n > 2)
        known = known && lower_constant(fn, kids.at[1], &one.range.high);
    if (!known)
        fn_degrade(fn, lower_location(fn->l, statement), "a case label that is no constant");
    g_array_append_val(fn->cases, one);
    enter_case(fn, one.block);
    lower_statement(fn, kids.at[kids.n - 1]);
    kids_clear(&kids);
}

void lower_default(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_of(&kids, statement);
    if (fn->cases) {
        fn->default_case = fn_block(fn);
        enter_case(fn, fn->default_case);
    }
    for (unsigned i = 0; i < kids.n; i++)
        lower_statement(fn, kids.at[i]);
    kids_clear(&kids);
}

// ---- Labels

// Labels of a function are told apart by name: a reference and a definition are two cursors.
static struct label *find_label(struct fn *fn, const char *name)
{
    struct label *label = g_hash_table_lookup(fn->labels, name);
    if (!label) {
        label = g_new0(struct label, 1);
        label->target.block = fn_block(fn);
        g_hash_table_insert(fn->labels, (gpointer)name, label);
    }
    return label;
}

static CXCursor label_reference(CXCursor cursor)
{
    struct kids kids;
    CXCursor found = clang_getNullCursor();
    kids_of(&kids, cursor);
    for (unsigned i = 0; i < kids.n; i++) {
        if (kids.at[i].kind == CXCursor_LabelRef)
            found = kids.at[i];
    }
    kids_clear(&kids);
    return found;
}

void lower_label(struct fn *fn, CXCursor statement)
{
    struct label *label = find_label(fn, lower_take(fn->l, clang_getCursorSpelling(statement)));
    label->target.cleanups = fn->cleanups;
    label->placed = true;
    fn_continue_in(fn, label->target.block);
    struct kids kids;
    kids_of(&kids, statement);
    for (unsigned i = 0; i < kids.n; i++)
        lower_statement(fn, kids.at[i]);
    kids_clear(&kids);
}

static void pend_goto(struct fn *fn, struct label *label, struct ir_location at)
{
    struct pending_goto *pending = g_new0(struct pending_goto, 1);
    *pending = (struct pending_goto){fn->block, fn->cleanups, label, at};
    g_ptr_array_add(fn->gotos, pending);
}

void lower_goto(struct fn *fn, CXCursor statement)
{
    CXCursor reference = label_reference(statement);
    struct ir_location at = lower_location(fn->l, statement);
    if (clang_Cursor_isNull(reference)) {
        fn_degrade(fn, at, "a goto without a label");
        return;
    }
    struct label *label = find_label(fn, lower_take(fn->l, clang_getCursorSpelling(reference)));
    pend_goto(fn, label, at);
    fn_jump(fn, label->target.block, at);
}

void lower_take_label_address(struct fn *fn, CXCursor expression)
{
    CXCursor reference = label_reference(expression);
    if (!clang_Cursor_isNull(reference))
        find_label(fn, lower_take(fn->l, clang_getCursorSpelling(reference)))->address_taken = true;
}

void lower_indirect_goto(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_expressions(&kids, statement);
    if (kids.n)
        lower_discard(fn, kids.at[0]);
    kids_clear(&kids);
    g_ptr_array_add(fn->computed, fn->block);
    fn_end(fn, IR_COMPUTED, lower_location(fn->l, statement));
}

static unsigned depth_of(const struct cleanup *cleanup)
{
    return cleanup ? cleanup->depth : 0;
}

static const struct cleanup *common(const struct cleanup *a, const struct cleanup *b)
{
    while (a != b) {
        if (depth_of(a) >= depth_of(b))
            a = a->outer;
        else
            b = b->outer;
    }
    return a;
}

static int by_label_block(gconstpointer a, gconstpointer b)
{
    const struct label *const *x = a, *const *y = b;
    return (int)(*x)->target.block->ir->number - (int)(*y)->target.block->ir->number;
}

// In a fixed order: hash tables know none.
static GPtrArray *taken_labels(struct fn *fn)
{
    GPtrArray *taken = g_ptr_array_new();
    GHashTableIter iter;
    gpointer value;
    for (guint i = 0; i < fn->blocks->len; i++)
        ((struct lower_block *)fn->blocks->pdata[i])->ir->number = i;
    g_hash_table_iter_init(&iter, fn->labels);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const struct label *label = value;
        if (label->address_taken && label->placed)
            g_ptr_array_add(taken, value);
    }
    g_ptr_array_sort(taken, by_label_block);
    return taken;
}

void jumps_resolve(struct fn *fn)
{
    for (guint i = 0; i < fn->gotos->len; i++) {
        const struct pending_goto *pending = fn->gotos->pdata[i];
        fn->block = pending->from;
        fn->cleanups = pending->cleanups;
        leave_scopes(fn, common(pending->cleanups, pending->label->target.cleanups),
                     pending->location);
    }
    g_autoptr(GPtrArray) taken = taken_labels(fn);
    for (guint i = 0; i < fn->computed->len; i++) {
        struct lower_block *from = fn->computed->pdata[i];
        for (guint k = 0; k < taken->len; k++)
            fn_target(from, ((struct label *)taken->pdata[k])->target.block);
        if (!taken->len)
            from->ir->kind = IR_UNREACHABLE;
    }
}

// ---- asm

// The labels of `asm goto ("…" : out : in : clobbers : label, label)`, from its text.
static void asm_labels(struct fn *fn, CXCursor statement, struct lower_block *from)
{
    size_t bytes;
    const char *at = lower_spelled(fn->l, statement, &bytes), *end = at ? at + bytes : NULL;
    unsigned colons = 0;
    int depth = 0;
    for (; at && at < end; at++) {
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++)
                at += *at == '\\';
        } else if (*at == '(') {
            depth++;
        } else if (*at == ')' && --depth == 0) {
            return;
        } else if (*at == ':' && depth == 1) {
            colons++;
        } else if (colons == 4 && (g_ascii_isalpha(*at) || *at == '_')) {
            const char *start = at;
            while (at < end && (g_ascii_isalnum(*at) || *at == '_'))
                at++;
            g_autofree char *name = g_strndup(start, (gsize)(at - start));
            fn_target(from, find_label(fn, ir_text(fn->unit, name))->target.block);
            at--;
        }
    }
}

static bool asm_is_goto(struct fn *fn, CXCursor statement)
{
    size_t bytes;
    const char *at = lower_spelled(fn->l, statement, &bytes);
    for (size_t i = 0; at && i + 4 < bytes && at[i] != '('; i++) {
        if (strncmp(at + i, "goto", 4) == 0)
            return true;
    }
    return false;
}

// Operands are read, and lvalues may be written: which of them is an output, libclang does not
// say, but an operand that is read went through a conversion, and an output did not.
static void asm_operand(struct fn *fn, CXCursor operand, struct ir_location at)
{
    CXCursor inner = operand;
    while (inner.kind == CXCursor_ParenExpr) {
        struct kids kids;
        kids_of(&kids, inner);
        CXCursor only = kids.n == 1 ? kids.at[0] : inner;
        kids_clear(&kids);
        if (clang_equalCursors(only, inner))
            break;
        inner = only;
    }
    bool lvalue = inner.kind == CXCursor_DeclRefExpr || inner.kind == CXCursor_MemberRefExpr ||
                  inner.kind == CXCursor_ArraySubscriptExpr ||
                  (inner.kind == CXCursor_UnaryOperator &&
                   clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref);
    const struct lower_type *type = lower_type_of(fn->l, inner);
    if (!lvalue || type->ir.is_array || type->is_function) {
        lower_discard(fn, operand);
        return;
    }
    if (inner.kind == CXCursor_DeclRefExpr &&
        clang_getCursorReferenced(inner).kind == CXCursor_EnumConstantDecl)
        return;
    struct place place = lower_place(fn, inner);
    emit_access(fn, &place, false, at);
    place_write(fn, place, value_unknown(fn, place.type, "asm"), at);
}

void lower_asm(struct fn *fn, CXCursor statement)
{
    struct ir_location at = lower_location(fn->l, statement);
    struct kids kids;
    kids_expressions(&kids, statement);
    for (unsigned i = 0; i < kids.n; i++)
        asm_operand(fn, kids.at[i], at);
    kids_clear(&kids);
    if (asm_is_goto(fn, statement)) {
        struct lower_block *from = fn->block, *after = fn_block(fn);
        fn_target(from, after);
        asm_labels(fn, statement, from);
        fn_end(fn, IR_COMPUTED, at);
        fn_start(fn, after);
    }
}
