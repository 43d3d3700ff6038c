// What cursors stand for: places in files, types, fields, variables, functions. Everything is asked
// of libclang once and remembered by the address of the declaration or type.
#include "lower.h"

#include <string.h>

#include "compdb.h"
#include "overlay.h"

const char *lower_take(struct lower *l, CXString text)
{
    const char *kept = ir_text(l->unit, clang_getCString(text) ? clang_getCString(text) : "");
    clang_disposeString(text);
    return kept;
}

const char *lower_file(struct lower *l, CXFile file)
{
    if (!file)
        return "";
    const char *known = g_hash_table_lookup(l->files, file);
    if (known)
        return known;
    CXString text = clang_getFileName(file);
    g_autofree char *path =
        g_canonicalize_filename(clang_getCString(text) ? clang_getCString(text) : "", l->directory);
    clang_disposeString(text);
    g_autofree char *name = compdb_relative(l->root, path);
    known = ir_text(l->unit, name);
    g_hash_table_insert(l->files, file, (gpointer)known);
    return known;
}

static struct ir_location at_location(struct lower *l, CXSourceLocation at)
{
    CXFile file;
    struct ir_location location = {0};
    clang_getExpansionLocation(at, &file, &location.line, &location.column, NULL);
    location.file = lower_file(l, file);
    return location;
}

struct ir_location lower_location(struct lower *l, CXCursor cursor)
{
    return at_location(l, clang_getCursorLocation(cursor));
}

struct ir_location lower_end(struct lower *l, CXCursor cursor)
{
    return at_location(l, clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

const char *lower_spelled(struct lower *l, CXCursor cursor, size_t *bytes)
{
    CXFile file;
    unsigned offset;
    size_t size;
    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL, NULL,
                              &offset);
    const char *text = file ? clang_getFileContents(l->tu, file, &size) : NULL;
    if (!text || offset >= size)
        return NULL;
    *bytes = size - offset;
    return text + offset;
}

const char *lower_written(struct lower *l, CXCursor cursor, size_t *bytes)
{
    CXSourceRange extent = clang_getCursorExtent(cursor);
    CXFile file, end_file;
    unsigned from, to;
    size_t size;
    clang_getFileLocation(clang_getRangeStart(extent), &file, NULL, NULL, &from);
    clang_getFileLocation(clang_getRangeEnd(extent), &end_file, NULL, NULL, &to);
    const char *text = file ? clang_getFileContents(l->tu, file, &size) : NULL;
    bool somewhere = text && file == end_file && from < to && to <= size;
    *bytes = somewhere ? to - from : 0;
    return somewhere ? text + from : "";
}

#define SOURCE_TEXT 60

const char *lower_source(struct lower *l, CXCursor cursor)
{
    CXSourceRange extent = clang_getCursorExtent(cursor);
    CXFile file, end_file;
    unsigned from, to;
    size_t size;
    clang_getExpansionLocation(clang_getRangeStart(extent), &file, NULL, NULL, &from);
    clang_getExpansionLocation(clang_getRangeEnd(extent), &end_file, NULL, NULL, &to);
    const char *text = file ? clang_getFileContents(l->tu, file, &size) : NULL;
    if (!text || file != end_file || from >= to || to > size)
        return NULL;
    GString *out = g_string_new(NULL);
    for (unsigned i = from; i < to && out->len < SOURCE_TEXT; i++) {
        bool blank = g_ascii_isspace(text[i]) || text[i] == '\\';
        if (!blank)
            g_string_append_c(out, text[i]);
        else if (out->len && out->str[out->len - 1] != ' ')
            g_string_append_c(out, ' ');
    }
    const char *kept =
        g_utf8_validate(out->str, (gssize)out->len, NULL) ? ir_text(l->unit, out->str) : NULL;
    g_string_free(out, TRUE);
    return kept;
}

bool lower_is_broken(CXCursor expression)
{
    return clang_getCursorType(expression).kind == CXType_Dependent;
}

// ---- Types

static const char *without_keyword(const char *name)
{
    static const char *const words[] = {"const ", "volatile ", "struct ", "union ", "enum "};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_str_has_prefix(name, words[i]))
            return without_keyword(name + strlen(words[i]));
    }
    return name;
}

static uint64_t known_size(long long size)
{
    return size > 0 ? (uint64_t)size : 0; // incomplete, dependent, void
}

static void describe_pointer(struct lower_type *t, CXType pointee)
{
    t->ir.is_pointer = true;
    t->ir.element_size = known_size(clang_Type_getSizeOf(pointee));
    enum CXTypeKind kind = clang_getCanonicalType(pointee).kind;
    t->ir.is_function_pointer = kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

static void describe(struct lower_type *t)
{
    switch (t->canonical.kind) {
    case CXType_Pointer:
        describe_pointer(t, clang_getPointeeType(t->canonical));
        break;
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
        t->ir.is_array = true;
        t->ir.element_size =
            known_size(clang_Type_getSizeOf(clang_getArrayElementType(t->canonical)));
        t->ir.count = known_size(clang_getArraySize(t->canonical));
        break;
    case CXType_Record:
        t->is_record = true;
        break;
    case CXType_Void:
        t->is_void = true;
        break;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        t->is_function = true;
        break;
    default:
        break;
    }
}

static void type_free(gpointer data)
{
    struct lower_type *t = data;
    if (t->fields)
        g_array_unref(t->fields);
}

const struct lower_type *lower_type(struct lower *l, CXType type)
{
    if (!l->types)
        l->types = g_hash_table_new_full(NULL, NULL, NULL, type_free);
    struct lower_type *t = g_hash_table_lookup(l->types, type.data[0]);
    if (t)
        return t;
    t = IR_NEW(l->unit, struct lower_type, 1);
    g_hash_table_insert(l->types, type.data[0], t);
    t->type = type;
    t->canonical = clang_getCanonicalType(type);
    const char *spelled = lower_take(l, clang_getTypeSpelling(type));
    t->ir.name = ir_text(l->unit, without_keyword(spelled));
    // Only in the middle of a name does "va_list" matter: __va_list_tag, __builtin_va_list.
    t->is_va_list = strstr(t->ir.name, "va_list") != NULL;
    t->is_volatile = clang_isVolatileQualifiedType(t->canonical);
    describe(t);
    // "<builtin fn type>" and its like in what did not parse: libclang crashes when asked for
    // sizes.
    bool placeholder = t->ir.name[0] == '<';
    if (!t->is_function && !t->is_void && !placeholder) {
        t->ir.size = known_size(clang_Type_getSizeOf(type));
        t->ir.align = known_size(clang_Type_getAlignOf(type));
    }
    if (t->is_record) {
        CXCursor decl = clang_getTypeDeclaration(t->canonical);
        bool unnamed = clang_Cursor_isAnonymous(decl);
        t->record = unnamed ? "" : lower_take(l, clang_getCursorSpelling(decl));
        if (strchr(t->record, '('))
            t->record = "";
        // typedef struct { … } Name: the name people know it by.
        if (!t->record[0] && !strchr(t->ir.name, '('))
            t->record = t->ir.name;
    }
    return t;
}

const struct lower_type *lower_type_of(struct lower *l, CXCursor cursor)
{
    return lower_type(l, clang_getCursorType(cursor));
}

// ---- Fields

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
    g_array_append_val((GArray *)data, field);
    return CXVisit_Continue;
}

const GArray *lower_record_fields(struct lower *l, const struct lower_type *type)
{
    (void)l;
    struct lower_type *t = (struct lower_type *)type;
    if (!t->fields) {
        t->fields = g_array_new(FALSE, FALSE, sizeof(CXCursor));
        clang_Type_visitFields(t->canonical, add_field, t->fields);
    }
    return t->fields;
}

static bool record_is_unnamed_member(CXCursor record)
{
    return clang_Cursor_isAnonymousRecordDecl(record);
}

// An unnamed struct or union has no step of its own: the offset counts from the named record
// around it, which is what one writes `p->field` for.
struct layout {
    struct lower *l;
    CXCursor wanted;
    uint64_t offset;
};

static enum CXVisitorResult lay_out(CXCursor field, CXClientData data)
{
    struct layout *layout = data;
    const struct ir_type *type = &lower_type_of(layout->l, field)->ir;
    uint64_t align = MAX(type->align, 1), size = type->size ? type->size : sizeof(void *);
    layout->offset = (layout->offset + align - 1) / align * align;
    if (clang_equalCursors(field, layout->wanted))
        return CXVisit_Break;
    layout->offset += size;
    return CXVisit_Continue;
}

// A record with a member of unknown type has no layout. Its members are not one for all that.
static uint64_t guessed_offset(struct lower *l, CXCursor parent, CXCursor field)
{
    struct layout layout = {l, field, 0};
    if (parent.kind == CXCursor_StructDecl)
        clang_Type_visitFields(clang_getCursorType(parent), lay_out, &layout);
    return layout.offset;
}

const struct lower_field *lower_field(struct lower *l, CXCursor field)
{
    struct lower_field *f = g_hash_table_lookup(l->fields, field.data[0]);
    if (f)
        return f;
    f = IR_NEW(l->unit, struct lower_field, 1);
    g_hash_table_insert(l->fields, (gpointer)field.data[0], f);
    f->name = lower_take(l, clang_getCursorSpelling(field));
    f->type = lower_type_of(l, field);
    f->size = f->type->ir.size;
    CXCursor own_type = clang_getTypeDeclaration(f->type->canonical);
    f->anonymous = f->type->is_record && record_is_unnamed_member(own_type) &&
                   (!f->name[0] || strchr(f->name, '('));
    CXCursor parent = clang_getCursorSemanticParent(field);
    long long bits = clang_Cursor_getOffsetOfField(field);
    while (record_is_unnamed_member(parent)) {
        CXCursor outer = clang_getCursorSemanticParent(parent);
        if (outer.kind != CXCursor_StructDecl && outer.kind != CXCursor_UnionDecl)
            break;
        long long through =
            f->name[0] ? clang_Type_getOffsetOf(clang_getCursorType(outer), f->name) : -1;
        if (through >= 0)
            bits = through;
        parent = outer;
    }
    const struct lower_type *record = lower_type_of(l, parent);
    f->record = record->record ? record->record : "";
    f->record_size = record->ir.size;
    f->record_align = record->ir.align;
    f->offset = bits >= 0 ? (uint64_t)bits / 8 : guessed_offset(l, parent, field);
    return f;
}

// ---- Functions

struct attribute_search {
    struct lower *l;
    const char *const *words;
    bool found;
};

static bool text_starts_with_word(const char *text, size_t bytes, const char *word)
{
    size_t n = strlen(word);
    while (bytes && *text == '_') {
        text++;
        bytes--;
    }
    return bytes >= n && strncmp(text, word, n) == 0;
}

static enum CXChildVisitResult find_no_return(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct attribute_search *search = data;
    if (cursor.kind == CXCursor_CompoundStmt)
        return CXChildVisit_Break;
    if (!clang_isAttribute(cursor.kind))
        return CXChildVisit_Continue;
    size_t bytes;
    const char *text = lower_spelled(search->l, cursor, &bytes);
    for (const char *const *word = search->words; text && *word; word++)
        search->found |= text_starts_with_word(text, bytes, *word);
    return search->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

static bool function_is_no_return(struct lower *l, CXCursor function)
{
    static const char *const words[] = {"noreturn", "Noreturn", NULL};
    // The GNU attribute is part of the type, C11's keyword and C23's attribute are not.
    CXString type = clang_getTypeSpelling(clang_getCursorType(function));
    bool in_type = clang_getCString(type) && strstr(clang_getCString(type), "noreturn");
    clang_disposeString(type);
    if (in_type)
        return true;
    struct attribute_search search = {l, words, false};
    clang_visitChildren(function, find_no_return, &search);
    return search.found;
}

// Markers stand for what the macro was (overlay.h).
static void recognise_marker(struct lower *l, struct lower_callee *callee)
{
    if (g_str_has_prefix(callee->name, MARKER_CALL)) {
        callee->name += strlen(MARKER_CALL);
        return;
    }
    bool direct = g_str_has_prefix(callee->name, MARKER_OP);
    if (!direct && !g_str_has_prefix(callee->name, MARKER_RAW))
        return;
    const char *digits = strrchr(callee->name, '_') + 1;
    callee->lock_op = model_lock_op_by_id(l->models, (unsigned)g_ascii_strtoull(digits, NULL, 10));
    callee->marker = direct && callee->lock_op;
    if (callee->lock_op)
        callee->name = ir_text(l->unit, callee->lock_op->name);
}

const struct lower_callee *lower_callee(struct lower *l, CXCursor function)
{
    struct lower_callee *callee = g_hash_table_lookup(l->callees, function.data[0]);
    if (callee)
        return callee;
    callee = IR_NEW(l->unit, struct lower_callee, 1);
    g_hash_table_insert(l->callees, (gpointer)function.data[0], callee);
    callee->name = lower_take(l, clang_getCursorSpelling(function));
    callee->usr = lower_take(l, clang_getCursorUSR(function));
    callee->definition = clang_getNullCursor();
    callee->lock_op = model_find_lock_op(l->models, callee->name);
    callee->atomic_builtin = g_str_has_prefix(callee->name, "__sync_") ||
                             strcmp(callee->name, "__atomic_test_and_set") == 0 ||
                             strcmp(callee->name, "__atomic_clear") == 0;
    recognise_marker(l, callee);
    const struct model_function *model = model_find_function(l->models, callee->name);
    callee->no_return =
        function_is_no_return(l, function) || (model && (model->effects & MODEL_NO_RETURN));
    CXCursor definition = clang_getCursorDefinition(function);
    if (!clang_Cursor_isNull(definition))
        callee->definition = definition;
    return callee;
}

static enum CXChildVisitResult add_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct lower *l = data;
    if (cursor.kind == CXCursor_FunctionDecl) {
        const char *name = lower_take(l, clang_getCursorSpelling(cursor));
        CXCursor *kept = IR_NEW(l->unit, CXCursor, 1);
        *kept = cursor;
        g_hash_table_insert(l->by_name, (gpointer)name, kept);
    }
    return CXChildVisit_Continue;
}

const struct lower_callee *lower_callee_named(struct lower *l, const char *name)
{
    if (!l->by_name) {
        l->by_name = g_hash_table_new(g_str_hash, g_str_equal);
        clang_visitChildren(clang_getTranslationUnitCursor(l->tu), add_function, l);
    }
    const CXCursor *function = g_hash_table_lookup(l->by_name, name);
    return function ? lower_callee(l, *function) : NULL;
}

void lower_want(struct lower *l, CXCursor definition)
{
    if (clang_Cursor_isNull(definition) ||
        !g_hash_table_add(l->queued, (gpointer)definition.data[0]))
        return;
    g_array_append_val(l->queue, definition);
}

// ---- Variables

static struct ir_variable *variable_new(struct lower *l, CXCursor decl)
{
    struct ir_variable *v = IR_NEW(l->unit, struct ir_variable, 1);
    v->name = lower_take(l, clang_getCursorSpelling(decl));
    v->type = lower_type_of(l, decl)->ir;
    v->location = lower_location(l, decl);
    return v;
}

static enum ir_base_kind kind_of_variable(CXCursor decl, bool *local)
{
    CXCursor parent = clang_getCursorSemanticParent(decl);
    bool inside = parent.kind == CXCursor_FunctionDecl;
    *local = false;
    if (clang_getCursorTLSKind(decl) != CXTLS_None)
        return IR_BASE_THREAD_LOCAL;
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(decl);
    if (!inside || storage == CX_SC_Extern)
        return IR_BASE_GLOBAL;
    if (storage == CX_SC_Static)
        return IR_BASE_STATIC_LOCAL;
    *local = true;
    return IR_BASE_LOCAL;
}

static const struct ir_variable *outliving(struct lower *l, CXCursor decl, enum ir_base_kind kind)
{
    struct ir_variable *v = variable_new(l, decl);
    v->usr = lower_take(l, clang_getCursorUSR(decl));
    v->kind = kind;
    g_hash_table_insert(l->variables, (gpointer)decl.data[0], v);
    return v;
}

const struct ir_variable *lower_global(struct lower *l, CXCursor decl)
{
    bool local;
    const struct ir_variable *v = g_hash_table_lookup(l->variables, decl.data[0]);
    return v ? v : outliving(l, decl, kind_of_variable(decl, &local));
}

const struct ir_variable *lower_variable(struct fn *fn, CXCursor decl)
{
    const struct ir_variable *known = g_hash_table_lookup(fn->locals, decl.data[0]);
    if (!known)
        known = g_hash_table_lookup(fn->l->variables, decl.data[0]);
    if (known)
        return known;
    bool local;
    enum ir_base_kind kind = kind_of_variable(decl, &local);
    if (!local)
        return outliving(fn->l, decl, kind);
    struct ir_variable *v = variable_new(fn->l, decl);
    v->kind = kind;
    g_hash_table_insert(fn->locals, (gpointer)decl.data[0], v);
    return v;
}

const struct ir_variable *lower_temporary(struct fn *fn, const char *name,
                                          const struct lower_type *type)
{
    struct ir_variable *v = IR_NEW(fn->unit, struct ir_variable, 1);
    v->name = ir_text(fn->unit, name);
    v->kind = IR_BASE_LOCAL;
    v->type = type->ir;
    return v;
}

// ---- Children

static enum CXChildVisitResult add_kid(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct kids *kids = data;
    if (kids->n == kids->room) {
        CXCursor *more = g_new(CXCursor, (gsize)kids->room * 2);
        memcpy(more, kids->at, sizeof(CXCursor) * kids->n);
        if (kids->at != kids->few)
            g_free(kids->at);
        kids->at = more;
        kids->room *= 2;
    }
    kids->at[kids->n++] = cursor;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult add_expression(CXCursor cursor, CXCursor parent, CXClientData data)
{
    return clang_isExpression(cursor.kind) || clang_isStatement(cursor.kind)
               ? add_kid(cursor, parent, data)
               : CXChildVisit_Continue;
}

void kids_of(struct kids *kids, CXCursor cursor)
{
    *kids = (struct kids){.at = kids->few, .room = G_N_ELEMENTS(kids->few)};
    clang_visitChildren(cursor, add_kid, kids);
}

void kids_expressions(struct kids *kids, CXCursor cursor)
{
    *kids = (struct kids){.at = kids->few, .room = G_N_ELEMENTS(kids->few)};
    clang_visitChildren(cursor, add_expression, kids);
}

void kids_clear(struct kids *kids)
{
    if (kids->at != kids->few)
        g_free(kids->at);
}
