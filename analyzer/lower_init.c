// Declarations and initialisers, and the functions that initialisers store somewhere.
#include <string.h>

#include "lower.h"
#include "overlay.h"

void note_function_use(struct lower *l, const char *usr, const char *name, const char *record,
                       const char *field, const char *variable_usr, struct ir_location at)
{
    struct ir_function_use *use = IR_NEW(l->unit, struct ir_function_use, 1);
    *use = (struct ir_function_use){.function_usr = usr,
                                    .function_name = name,
                                    .record = record,
                                    .field = field,
                                    .variable_usr = variable_usr,
                                    .location = at};
    g_ptr_array_add(l->unit->function_uses, use);
}

void note_stored_function(struct fn *fn, const struct place *place, const struct ir_value *value,
                          struct ir_location at)
{
    if (value->kind != IR_VALUE_FUNCTION)
        return;
    const struct ir_path *path = &place->path;
    const struct ir_step *last = NULL;
    for (unsigned i = 0; i < path->n_steps; i++) {
        if (path->steps[i].kind == IR_STEP_FIELD)
            last = &path->steps[i];
    }
    note_function_use(fn->l, value->function, value->text, last ? last->record : NULL,
                      last ? last->field : NULL, path->variable ? path->variable->usr : NULL, at);
}

// ---- Initialiser lists, as written: with designators, and with braces left out

// Goes through the fields of a record or the elements of an array in step with the list.
struct list_walk {
    struct lower *l;
    const struct lower_type *type;
    const GArray *fields; // NULL for an array
    const struct lower_type *element;
    int64_t next;
    bool lost; // braces were left out: what follows cannot be told apart
};

static struct list_walk walk_list(struct lower *l, const struct lower_type *type)
{
    struct list_walk walk = {.l = l, .type = type};
    if (type->is_record)
        walk.fields = lower_record_fields(l, type);
    else if (type->ir.is_array)
        walk.element = lower_type(l, clang_getArrayElementType(type->canonical));
    else
        walk.lost = true;
    return walk;
}

// `.a.b = v`, `[2] = v`: void in type, the value last.
static bool is_designated(CXCursor item, const struct kids *kids)
{
    return item.kind == CXCursor_UnexposedExpr && kids->n >= 2 &&
           clang_getCursorType(item).kind == CXType_Void;
}

static void set_next_field(struct list_walk *walk, CXCursor field)
{
    for (guint i = 0; walk->fields && i < walk->fields->len; i++) {
        if (clang_equalCursors(g_array_index(walk->fields, CXCursor, i), field))
            walk->next = i;
    }
}

static CXCursor current_field(const struct list_walk *walk)
{
    if (!walk->fields || walk->next < 0 || walk->next >= (int64_t)walk->fields->len)
        return clang_getNullCursor();
    return g_array_index(walk->fields, CXCursor, (guint)walk->next);
}

static bool is_aggregate(const struct lower_type *type)
{
    return type->is_record || type->ir.is_array;
}

// A scalar where a struct or array is due: its braces were left out.
static bool braces_elided(struct lower *l, const struct lower_type *wanted, CXCursor value)
{
    CXCursor inner = lower_strip(value);
    if (!is_aggregate(wanted) || inner.kind == CXCursor_InitListExpr ||
        inner.kind == CXCursor_StringLiteral)
        return false;
    return !is_aggregate(lower_type_of(l, inner));
}

static void init_list(struct fn *fn, struct place place, CXCursor list);

// The part of an initialiser that is one value or an inner list; the write of the whole variable
// has been noted already.
static void init_part(struct fn *fn, struct place place, CXCursor value)
{
    CXCursor inner = lower_strip(value);
    struct ir_location at = lower_location(fn->l, value);
    if (inner.kind == CXCursor_InitListExpr && is_aggregate(place.type)) {
        init_list(fn, place, inner);
        return;
    }
    if (inner.kind == CXCursor_InitListExpr) { // int x = {3}
        struct kids kids;
        kids_expressions(&kids, inner);
        struct ir_value scalar = kids.n ? lower_value(fn, kids.at[0]) : value_const(0, place.type);
        kids_clear(&kids);
        emit_assign(fn, &place, scalar, at);
        return;
    }
    struct ir_value content = lower_value(fn, value);
    emit_assign(fn, &place, content, at);
    note_stored_function(fn, &place, &content, at);
}

static struct place designated_place(struct fn *fn, struct place place, struct list_walk *walk,
                                     const struct kids *kids)
{
    for (unsigned i = 0; i + 1 < kids->n; i++) {
        int64_t index;
        if (kids->at[i].kind == CXCursor_MemberRef) {
            CXCursor field = clang_getCursorReferenced(kids->at[i]);
            if (i == 0)
                set_next_field(walk, field);
            place = place_field(fn, place, lower_field(fn->l, field));
        } else if (place.type->ir.is_array && lower_constant(fn, kids->at[i], &index)) {
            if (i == 0)
                walk->next = index;
            place =
                place_element(fn, place, index,
                              lower_type(fn->l, clang_getArrayElementType(place.type->canonical)));
        }
    }
    return place;
}

static void init_item(struct fn *fn, struct place place, struct list_walk *walk, CXCursor item)
{
    struct kids kids;
    kids_of(&kids, item);
    if (is_designated(item, &kids)) {
        place = designated_place(fn, place, walk, &kids);
        init_part(fn, place, kids.at[kids.n - 1]);
        walk->next++;
        walk->lost = false;
        kids_clear(&kids);
        return;
    }
    kids_clear(&kids);
    CXCursor field = current_field(walk);
    if (walk->lost || (walk->fields && clang_Cursor_isNull(field))) {
        lower_discard(fn, item);
        return;
    }
    struct place part = walk->fields ? place_field(fn, place, lower_field(fn->l, field))
                                     : place_element(fn, place, walk->next, walk->element);
    if (braces_elided(fn->l, part.type, item)) {
        walk->lost = true;
        lower_discard(fn, item);
        return;
    }
    init_part(fn, part, item);
    walk->next++;
}

static void init_list(struct fn *fn, struct place place, CXCursor list)
{
    struct kids kids;
    struct list_walk walk = walk_list(fn->l, place.type);
    kids_expressions(&kids, list);
    for (unsigned i = 0; i < kids.n; i++)
        init_item(fn, place, &walk, kids.at[i]);
    kids_clear(&kids);
}

void lower_initializer(struct fn *fn, struct place place, CXCursor initializer)
{
    CXCursor inner = lower_strip(initializer);
    struct ir_location at = lower_location(fn->l, initializer);
    if (inner.kind == CXCursor_InitListExpr || inner.kind == CXCursor_StringLiteral) {
        emit_access(fn, &place, true, at);
        if (inner.kind == CXCursor_InitListExpr)
            init_part(fn, place, inner);
        else if (!place.type->ir.is_array)
            emit_assign(fn, &place, lower_value(fn, initializer), at);
        return;
    }
    struct ir_value value = lower_value(fn, initializer);
    place_write(fn, place, value, at);
    note_stored_function(fn, &place, &value, at);
}

struct place lower_compound_literal(struct fn *fn, CXCursor literal)
{
    const struct lower_type *type = lower_type_of(fn->l, literal);
    struct place place = place_of_variable(lower_temporary(fn, "literal", type), type);
    struct kids kids;
    kids_expressions(&kids, literal);
    if (kids.n)
        lower_initializer(fn, place, kids.at[kids.n - 1]);
    kids_clear(&kids);
    return place;
}

// ---- Declarations

static enum CXChildVisitResult find_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (!clang_isAttribute(cursor.kind))
        return CXChildVisit_Continue;
    *(bool *)data = true;
    return CXChildVisit_Break;
}

// The function of a cleanup attribute. libclang tells it only by printing the declaration.
static const char *cleanup_function(struct lower *l, CXCursor variable)
{
    bool has_attribute = false;
    clang_visitChildren(variable, find_attribute, &has_attribute);
    if (!has_attribute)
        return NULL;
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(variable);
    CXString printed = clang_getCursorPrettyPrinted(variable, policy);
    const char *text = clang_getCString(printed), *name = NULL;
    const char *at = text ? strstr(text, "cleanup(") : NULL;
    if (at) {
        at += strlen("cleanup(");
        size_t n = 0;
        while (g_ascii_isalnum(at[n]) || at[n] == '_')
            n++;
        g_autofree char *word = g_strndup(at, n);
        name = ir_text(l->unit, word);
    }
    clang_disposeString(printed);
    clang_PrintingPolicy_dispose(policy);
    return name;
}

// A guard is a variable whose initialiser takes a lock by an operation that says so. One that does
// not (QEMU_LOCK_GUARD of a mutex) leaves the cleanup of a marker, which is nothing.
static void push_cleanup(struct fn *fn, const struct ir_variable *variable)
{
    const struct ir_instruction *acquire = fn->last_acquire;
    bool guard = acquire && acquire->lock_op &&
                 (acquire->lock_op->form == MODEL_GUARD || acquire->lock_op->form == MODEL_BLOCK);
    if (!guard && g_str_has_prefix(variable->cleanup_function, MARKER_LEAVE))
        return;
    struct cleanup *cleanup = IR_NEW(fn->unit, struct cleanup, 1);
    cleanup->outer = fn->cleanups;
    cleanup->variable = variable;
    cleanup->depth = fn->cleanups ? fn->cleanups->depth + 1 : 1;
    if (guard) {
        cleanup->lock_op = acquire->lock_op;
        cleanup->lock = acquire->lock;
    }
    fn->cleanups = cleanup;
}

static enum CXChildVisitResult take_labels(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (cursor.kind == CXCursor_AddrLabelExpr)
        lower_take_label_address(data, cursor);
    return CXChildVisit_Recurse;
}

static void declare(struct fn *fn, CXCursor decl)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(decl);
    CXCursor initializer = clang_Cursor_getVarDeclInitializer(decl);
    const struct ir_variable *variable = lower_variable(fn, decl);
    if (storage == CX_SC_Static || storage == CX_SC_Extern) {
        lower_global_initializer(fn->l, decl);
        if (!clang_Cursor_isNull(initializer))
            clang_visitChildren(decl, take_labels, fn);
        return;
    }
    const char *cleanup = cleanup_function(fn->l, decl);
    if (cleanup) {
        ((struct ir_variable *)variable)->cleanup = true;
        ((struct ir_variable *)variable)->cleanup_function = cleanup;
    }
    fn->last_acquire = NULL;
    if (!clang_Cursor_isNull(initializer))
        lower_initializer(fn, place_of_variable(variable, lower_type_of(fn->l, decl)), initializer);
    if (cleanup)
        push_cleanup(fn, variable);
}

void lower_declaration(struct fn *fn, CXCursor statement)
{
    struct kids kids;
    kids_of(&kids, statement);
    for (unsigned i = 0; i < kids.n; i++) {
        if (kids.at[i].kind == CXCursor_VarDecl)
            declare(fn, kids.at[i]);
    }
    kids_clear(&kids);
}

// ---- Globals: nothing is executed, but tables of functions are filled

struct table {
    struct lower *l;
    const char *variable_usr, *record, *field;
    unsigned depth;
};

static void read_table(struct table table, const struct lower_type *type, CXCursor value);

static void read_table_item(struct table table, struct list_walk *walk, CXCursor item)
{
    struct kids kids;
    kids_of(&kids, item);
    CXCursor value = item, field = current_field(walk);
    if (is_designated(item, &kids)) {
        value = kids.at[kids.n - 1];
        if (kids.at[0].kind == CXCursor_MemberRef) {
            set_next_field(walk, clang_getCursorReferenced(kids.at[0]));
            field = clang_getCursorReferenced(
                kids.at[kids.n - 2].kind == CXCursor_MemberRef ? kids.at[kids.n - 2] : kids.at[0]);
        }
    }
    const struct lower_type *type = walk->element;
    if (!clang_Cursor_isNull(field) && field.kind == CXCursor_FieldDecl) {
        const struct lower_field *f = lower_field(table.l, field);
        table.record = f->record;
        table.field = f->name;
        type = f->type;
    }
    walk->next++;
    kids_clear(&kids);
    read_table(table, type, value);
}

static void read_table(struct table table, const struct lower_type *type, CXCursor value)
{
    if (++table.depth > 64)
        return;
    CXCursor inner = lower_strip(value);
    struct kids kids;
    kids_expressions(&kids, inner);
    if (inner.kind == CXCursor_DeclRefExpr) {
        CXCursor decl = clang_getCursorReferenced(inner);
        if (decl.kind == CXCursor_FunctionDecl) {
            const struct lower_callee *callee = lower_callee(table.l, decl);
            note_function_use(table.l, callee->usr, callee->name, table.record, table.field,
                              table.variable_usr, lower_location(table.l, inner));
        }
    } else if (inner.kind == CXCursor_InitListExpr && type && is_aggregate(type)) {
        struct list_walk walk = walk_list(table.l, type);
        for (unsigned i = 0; i < kids.n; i++)
            read_table_item(table, &walk, kids.at[i]);
    } else if (inner.kind == CXCursor_CStyleCastExpr || inner.kind == CXCursor_UnaryOperator ||
               inner.kind == CXCursor_ConditionalOperator) {
        for (unsigned i = 0; i < kids.n; i++)
            read_table(table, type, kids.at[i]);
    }
    kids_clear(&kids);
}

// Numbers need no look: a table of a hundred thousand of them is not rare.
static bool may_hold_functions(const struct lower_type *type)
{
    CXType t = type->canonical;
    while (t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray)
        t = clang_getCanonicalType(clang_getArrayElementType(t));
    return t.kind == CXType_Pointer || t.kind == CXType_Record;
}

void lower_global_initializer(struct lower *l, CXCursor variable)
{
    CXCursor initializer = clang_Cursor_getVarDeclInitializer(variable);
    const struct lower_type *type = lower_type_of(l, variable);
    if (clang_Cursor_isNull(initializer) || !may_hold_functions(type))
        return;
    struct table table = {.l = l, .variable_usr = lower_global(l, variable)->usr};
    read_table(table, type, initializer);
}
