// The symbol table, and what can be asked of a symbol. See flow_symbol.h.
#include "flow_symbol.h"

#include <string.h>

#define SYMBOL_DEPTH 24u // deeper expressions become OPAQUE: a pointer that walks without a loop
#define MEMORY_BYTES 65536u

struct symbol_table {
    GHashTable *symbols; // struct symbol* -> itself
    GHashTable *globals; // name across units (char*) -> the struct ir_variable* that stands for it
    GPtrArray *memory;
    size_t used;
    unsigned next_id;
};

static guint symbol_hash(gconstpointer key)
{
    const struct symbol *s = key;
    uint64_t h = (uint64_t)s->kind * 0x9e3779b97f4a7c15u;
    h = (h ^ (s->a ? s->a->id + 1 : 0)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 29) ^ (s->b ? s->b->id + 1 : 0)) * 0xc4ceb9fe1a85ec53u;
    h = (h ^ (uint64_t)s->number) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 31) ^ (uintptr_t)s->what) * 0xff51afd7ed558ccdu;
    return (guint)(h ^ (h >> 32));
}

static gboolean symbol_same(gconstpointer x, gconstpointer y)
{
    const struct symbol *a = x, *b = y;
    return a->kind == b->kind && a->a == b->a && a->b == b->b && a->number == b->number &&
           a->what == b->what;
}

struct symbol_table *symbol_table_new(void)
{
    struct symbol_table *table = g_new0(struct symbol_table, 1);
    table->symbols = g_hash_table_new(symbol_hash, symbol_same);
    table->globals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    table->memory = g_ptr_array_new_with_free_func(g_free);
    table->used = MEMORY_BYTES;
    return table;
}

void symbol_table_free(struct symbol_table *table)
{
    if (!table)
        return;
    g_hash_table_unref(table->symbols);
    g_hash_table_unref(table->globals);
    g_ptr_array_unref(table->memory);
    g_free(table);
}

static struct symbol *table_alloc(struct symbol_table *table)
{
    if (table->used + sizeof(struct symbol) > MEMORY_BYTES) {
        g_ptr_array_add(table->memory, g_malloc(MEMORY_BYTES));
        table->used = 0;
    }
    struct symbol *block = table->memory->pdata[table->memory->len - 1];
    struct symbol *symbol = &block[table->used / sizeof *block];
    table->used += sizeof(struct symbol);
    return symbol;
}

static bool has_origin(const struct symbol *symbol)
{
    switch (symbol->kind) {
    case SYMBOL_PHI:
    case SYMBOL_RESULT:
    case SYMBOL_OPAQUE:
    case SYMBOL_INSTANCE:
    case SYMBOL_LOAD:
        return symbol->what != NULL;
    default:
        return false;
    }
}

static uint64_t origin_bit(const void *what)
{
    return UINT64_C(1) << ((((uintptr_t)what >> 4) * 0x9e3779b97f4a7c15u) >> 58);
}

static const struct symbol *intern(struct symbol_table *table, struct symbol wanted)
{
    struct symbol *found = g_hash_table_lookup(table->symbols, &wanted);
    if (found)
        return found;
    wanted.depth = 1 + MAX(wanted.a ? wanted.a->depth : 0, wanted.b ? wanted.b->depth : 0);
    if (wanted.depth > SYMBOL_DEPTH && wanted.kind != SYMBOL_TEST) {
        // Too deep to be worth naming: one unknown place for all of them.
        wanted = (struct symbol){.kind = symbol_is_place(&wanted) ? SYMBOL_DEREF : SYMBOL_OPAQUE,
                                 .number = -1};
        if (wanted.kind == SYMBOL_DEREF)
            wanted.a = intern(table, (struct symbol){.kind = SYMBOL_OPAQUE, .number = -1});
        return intern(table, wanted);
    }
    wanted.roots = (wanted.a ? wanted.a->roots : 0) | (wanted.b ? wanted.b->roots : 0);
    if (has_origin(&wanted))
        wanted.roots |= origin_bit(wanted.what);
    wanted.id = ++table->next_id;
    struct symbol *symbol = table_alloc(table);
    *symbol = wanted;
    g_hash_table_add(table->symbols, symbol);
    return symbol;
}

const struct symbol *symbol_make(struct symbol_table *table, enum symbol_kind kind,
                                 const struct symbol *a, const struct symbol *b, int64_t number,
                                 const void *what)
{
    return intern(table,
                  (struct symbol){.kind = kind, .a = a, .b = b, .number = number, .what = what});
}

// Names of linkage are unique; those of static variables hold only the last part of their file's.
#define EXTERNAL_USR "c:@"

static const struct ir_variable *canonical(struct symbol_table *table,
                                           const struct ir_variable *variable)
{
    bool external = g_str_has_prefix(variable->usr, EXTERNAL_USR);
    g_autofree char *key = external || !variable->location.file
                               ? g_strdup(variable->usr)
                               : g_strconcat(variable->location.file, " ", variable->usr, NULL);
    const struct ir_variable *known = g_hash_table_lookup(table->globals, key);
    if (!known)
        g_hash_table_insert(table->globals, g_steal_pointer(&key), (gpointer)variable);
    return known ? known : variable;
}

const struct symbol *symbol_variable(struct symbol_table *table, const struct ir_variable *variable)
{
    struct symbol wanted = {.kind = SYMBOL_VARIABLE, .what = variable};
    const struct symbol *found = g_hash_table_lookup(table->symbols, &wanted);
    if (found)
        return found;
    bool lasting = variable->kind != IR_BASE_LOCAL && variable->kind != IR_BASE_PARAM;
    if (lasting && variable->usr)
        wanted.what = canonical(table, variable);
    return intern(table, wanted);
}

const struct symbol *symbol_const(struct symbol_table *table, int64_t number)
{
    return symbol_make(table, SYMBOL_CONST, NULL, NULL, number, NULL);
}

const struct symbol *symbol_bits(struct symbol_table *table, const struct symbol *value,
                                 int64_t mask)
{
    if (value->kind == SYMBOL_BITS) {
        mask &= value->number;
        value = value->a;
    }
    if (value->kind == SYMBOL_CONST || mask == 0)
        return symbol_const(table, mask ? value->number & mask : 0);
    return symbol_make(table, SYMBOL_BITS, value, NULL, mask, NULL);
}

const struct symbol *symbol_import(struct symbol_table *table, const struct symbol *symbol,
                                   const struct symbol *a, const struct symbol *b, const void *what,
                                   const struct ir_step *step)
{
    if (symbol->kind == SYMBOL_VARIABLE)
        return symbol_variable(table, what);
    struct symbol copy = *symbol;
    copy.a = a;
    copy.b = b;
    copy.what = what;
    copy.step = step;
    return intern(table, copy);
}

const struct symbol *symbol_deref(struct symbol_table *table, const struct symbol *pointer)
{
    g_assert(pointer);
    if (pointer->kind == SYMBOL_ADDRESS)
        return pointer->a;
    return symbol_make(table, SYMBOL_DEREF, pointer, NULL, 0, NULL);
}

const struct symbol *symbol_address(struct symbol_table *table, const struct symbol *place)
{
    g_assert(place);
    if (place->kind == SYMBOL_DEREF)
        return place->a;
    return symbol_make(table, SYMBOL_ADDRESS, place, NULL, 0, NULL);
}

const struct symbol *symbol_field(struct symbol_table *table, const struct symbol *record,
                                  const struct ir_step *step)
{
    return intern(table, (struct symbol){.kind = SYMBOL_FIELD,
                                         .a = record,
                                         .number = (int64_t)step->offset,
                                         .what = g_intern_string(step->field),
                                         .step = step});
}

const struct symbol *symbol_index(struct symbol_table *table, const struct symbol *array,
                                  const struct ir_step *step, const struct symbol *index)
{
    int64_t number = step->index;
    if (index && index->kind == SYMBOL_CONST) {
        number = index->number;
        index = NULL;
    }
    g_assert(array);
    // p[0] is *p.
    if (!index && number == 0 && array->kind == SYMBOL_DEREF)
        return array;
    return intern(table, (struct symbol){.kind = SYMBOL_INDEX,
                                         .a = array,
                                         .b = index,
                                         .number = index ? 0 : number,
                                         // Steps of different size are different places.
                                         .what = (const void *)(uintptr_t)step->size,
                                         .step = step});
}

// What `a ? b : c` gives: lowering put it into a variable that nobody wrote down.
static bool is_of_temporary(const struct symbol *symbol)
{
    return symbol->kind == SYMBOL_PHI && symbol->a->kind == SYMBOL_VARIABLE &&
           ((const struct ir_variable *)symbol->a->what)->location.line == 0;
}

void symbol_set_alias(const struct symbol *symbol, const char *alias)
{
    // Not part of the identity; the table owns the symbol and hands it out as const.
    if ((symbol->kind == SYMBOL_RESULT || symbol->kind == SYMBOL_OPAQUE ||
         symbol->kind == SYMBOL_INSTANCE || is_of_temporary(symbol)) &&
        !symbol->alias)
        ((struct symbol *)symbol)->alias = g_intern_string(alias);
}

bool symbol_is_place(const struct symbol *symbol)
{
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_TEMPORARY:
    case SYMBOL_STRING:
    case SYMBOL_DEREF:
    case SYMBOL_FIELD:
    case SYMBOL_INDEX:
        return true;
    default:
        return false;
    }
}

bool symbol_mentions(const struct symbol *symbol, const void *what)
{
    if (!symbol || !(symbol->roots & origin_bit(what)))
        return false;
    if (has_origin(symbol) && symbol->what == what)
        return true;
    return symbol_mentions(symbol->a, what) || symbol_mentions(symbol->b, what);
}

bool symbol_contains(const struct symbol *symbol, const struct symbol *part)
{
    if (!symbol || symbol->id < part->id || symbol->depth <= part->depth)
        return symbol == part; // parts are created before the whole
    return symbol_contains(symbol->a, part) || symbol_contains(symbol->b, part);
}

bool symbol_on_stack(const struct symbol *place)
{
    const struct symbol *root = symbol_root(place);
    if (root->kind == SYMBOL_TEMPORARY)
        return true;
    if (root->kind != SYMBOL_VARIABLE)
        return false;
    const struct ir_variable *variable = root->what;
    return variable->kind == IR_BASE_LOCAL || variable->kind == IR_BASE_PARAM;
}

bool symbol_reads_memory(const struct symbol *symbol)
{
    if (!symbol)
        return false;
    if (symbol->kind == SYMBOL_TEXT || (symbol->kind == SYMBOL_LOAD && !symbol_on_stack(symbol->a)))
        return true;
    return symbol_reads_memory(symbol->a) || symbol_reads_memory(symbol->b);
}

const struct symbol *symbol_replace(struct symbol_table *table, const struct symbol *symbol,
                                    const struct symbol *from, const struct symbol *to)
{
    if (!symbol_contains(symbol, from))
        return symbol;
    if (symbol == from)
        return to;
    const struct symbol *a = symbol->a ? symbol_replace(table, symbol->a, from, to) : NULL;
    const struct symbol *b = symbol->b ? symbol_replace(table, symbol->b, from, to) : NULL;
    if (symbol->kind == SYMBOL_DEREF)
        return symbol_deref(table, a);
    if (symbol->kind == SYMBOL_ADDRESS)
        return symbol_address(table, a);
    if (symbol->kind == SYMBOL_INDEX && symbol->step)
        return symbol_index(table, a, symbol->step, b);
    struct symbol changed = *symbol;
    changed.a = a;
    changed.b = b;
    return intern(table, changed);
}

static bool is_runtime_index(const struct symbol *symbol)
{
    return symbol->kind == SYMBOL_INDEX && symbol->b;
}

static int64_t index_offset(const struct symbol *index)
{
    return index->number * (int64_t)(uintptr_t)index->what;
}

struct symbol_range symbol_range(const struct symbol *place, uint64_t bytes)
{
    int64_t offset = 0;
    while (place->kind == SYMBOL_FIELD || (place->kind == SYMBOL_INDEX && !place->b)) {
        offset += place->kind == SYMBOL_FIELD ? place->number : index_offset(place);
        place = place->a;
    }
    return (struct symbol_range){place, offset, offset + (int64_t)MAX(bytes, 1), true};
}

bool symbol_range_widen(struct symbol_range *range)
{
    const struct symbol *index = range->region;
    if (!is_runtime_index(index))
        return false;
    struct symbol_range outer = symbol_range(index->a, 0);
    uint64_t count = index->step ? index->step->count : 0;
    uint64_t size = (uint64_t)(uintptr_t)index->what;
    range->bounded = range->bounded && count > 0 && size > 0;
    range->region = outer.region;
    range->low = outer.low + (index->step && index->step->count ? range->low : 0);
    range->high = outer.low + range->high;
    if (range->bounded)
        range->high += (int64_t)((count - 1) * size);
    return true;
}

const struct symbol *symbol_root(const struct symbol *place)
{
    while (place->kind == SYMBOL_FIELD || place->kind == SYMBOL_INDEX)
        place = place->a;
    return place;
}

const struct symbol *symbol_runtime_index(const struct symbol *place)
{
    const struct symbol *found = NULL;
    for (; place->kind == SYMBOL_FIELD || place->kind == SYMBOL_INDEX; place = place->a) {
        if (is_runtime_index(place))
            found = place;
    }
    return found;
}

uint64_t symbol_region_align(const struct symbol *place, const struct symbol *region)
{
    uint64_t align = 0;
    for (; place != region && place; place = place->a) {
        // A record that starts the region lends it its alignment.
        if (place->kind == SYMBOL_FIELD && place->step && symbol_range(place->a, 1).low == 0)
            align = MAX(align, place->step->record_align);
    }
    if (region->kind == SYMBOL_VARIABLE)
        align = MAX(align, ((const struct ir_variable *)region->what)->type.align);
    return align;
}

// A member of a record without layout, for a header that was not found: its offset says nothing.
static bool is_somewhere(const struct symbol *place)
{
    for (; place->kind == SYMBOL_FIELD || place->kind == SYMBOL_INDEX; place = place->a) {
        if (place->kind == SYMBOL_FIELD && place->step && place->step->record_size == 0)
            return true;
    }
    return false;
}

bool symbol_same_place(const struct symbol *a, const struct symbol *b)
{
    if (a == b)
        return true;
    if (is_somewhere(a) || is_somewhere(b))
        return false;
    struct symbol_range x = symbol_range(a, 1), y = symbol_range(b, 1);
    return x.region == y.region && x.low == y.low;
}

// ---- Text.

static void append_symbol(GString *text, const struct symbol *symbol);

// The base of a step: "p->" when it is *p, else "x.".
static void append_base(GString *text, const struct symbol *base, bool field)
{
    // Some bytes off and then a member: the record around, or a pointer with a tag.
    if (field && base->kind == SYMBOL_INDEX && (uintptr_t)base->what == 1 &&
        base->a->kind == SYMBOL_DEREF) {
        if (!base->b)
            g_string_append(text, "container_of(");
        append_symbol(text, base->a->a);
        g_string_append(text, base->b ? "->" : ")->");
        return;
    }
    if (base->kind == SYMBOL_DEREF) {
        bool starred = base->a->kind == SYMBOL_LOAD && base->a->a->kind == SYMBOL_DEREF;
        g_string_append(text, starred ? "(" : "");
        append_symbol(text, base->a);
        g_string_append(text, starred ? ")" : "");
        if (field)
            g_string_append(text, "->");
        return;
    }
    append_symbol(text, base);
    if (field)
        g_string_append_c(text, '.');
}

static void append_callee(GString *text, const struct symbol *symbol)
{
    const struct ir_instruction *in = symbol->what;
    if (symbol->alias)
        g_string_append(text, symbol->alias);
    else if (symbol->kind == SYMBOL_RESULT && in->callee)
        g_string_append_printf(text, "%s()", in->callee);
    else if (symbol->a)
        append_symbol(text, symbol->a);
    else
        g_string_append_c(text, '?');
}

static void append_field(GString *text, const struct symbol *symbol)
{
    const char *name = symbol->what;
    if (name && *name) {
        append_base(text, symbol->a, true);
        g_string_append(text, name);
    } else { // an anonymous member
        append_symbol(text, symbol->a);
    }
}

static void append_symbol(GString *text, const struct symbol *symbol)
{
    switch (symbol->kind) {
    case SYMBOL_VARIABLE: {
        const struct ir_variable *variable = symbol->what;
        g_string_append(text, variable->name ? variable->name : "?");
        break;
    }
    case SYMBOL_STRING:
        g_string_append(text, "\"\"");
        break;
    case SYMBOL_DEREF:
        g_string_append_c(text, '*');
        append_symbol(text, symbol->a);
        break;
    case SYMBOL_FIELD:
        append_field(text, symbol);
        break;
    case SYMBOL_INDEX:
        append_base(text, symbol->a, false);
        // Bytes into an element: a record found by its offset.
        if ((uintptr_t)symbol->what == 1 && symbol->a->kind == SYMBOL_INDEX)
            break;
        if (symbol->step && symbol->step->constant_index)
            g_string_append_printf(text, "[%" G_GINT64_FORMAT "]", symbol->number);
        else
            g_string_append(text, "[]");
        break;
    case SYMBOL_ADDRESS:
        g_string_append_c(text, '&');
        append_symbol(text, symbol->a);
        break;
    case SYMBOL_PHI:
        if (symbol->alias) {
            g_string_append(text, symbol->alias);
            break;
        }
        append_symbol(text, symbol->a);
        break;
    case SYMBOL_LOAD:
    case SYMBOL_SWEEP:
        append_symbol(text, symbol->a);
        break;
    case SYMBOL_TEMPORARY:
    case SYMBOL_RESULT:
    case SYMBOL_OPAQUE:
    case SYMBOL_INSTANCE:
        append_callee(text, symbol);
        break;
    case SYMBOL_CONST:
        g_string_append_printf(text, "%" G_GINT64_FORMAT, symbol->number);
        break;
    case SYMBOL_BITS:
        append_symbol(text, symbol->a);
        g_string_append_printf(text, " & 0x%" G_GINT64_MODIFIER "x", (guint64)symbol->number);
        break;
    case SYMBOL_TEXT:
        g_string_append(text, symbol->what);
        break;
    case SYMBOL_TEST:
        append_symbol(text, symbol->a);
        g_string_append(text, symbol->number == IR_EQ ? " == " : " < ");
        append_symbol(text, symbol->b);
        break;
    }
}

char *symbol_text(const struct symbol *symbol)
{
    GString *text = g_string_new(NULL);
    append_symbol(text, symbol);
    return g_string_free(text, FALSE);
}

char *symbol_lock_text(const struct symbol *place)
{
    return symbol_text(place->kind == SYMBOL_DEREF ? place->a : place);
}
