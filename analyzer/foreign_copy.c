// See foreign_copy.h.
#include "foreign_copy.h"

struct foreign_copy {
    struct symbol_table *table;
    struct summary *summary;
    GStringChunk *text;
    GPtrArray *memory;
};

struct copier {
    struct symbol_table *table;
    struct foreign_copy *home; // owns what symbols point to; NULL: it is owned already
    GHashTable *symbols;       // struct symbol* -> its copy
    GHashTable *things;        // variable, step, or where a value came from -> its copy
};

// ---- What symbols point to.

static const char *copy_text(const struct copier *copier, const char *text)
{
    return text && copier->home ? g_string_chunk_insert_const(copier->home->text, text) : text;
}

static struct ir_location copy_location(const struct copier *copier, struct ir_location location)
{
    location.file = copy_text(copier, location.file);
    return location;
}

static void *keep(const struct copier *copier, const void *thing, size_t bytes, const void *key)
{
    void *copy = thing ? g_memdup2(thing, bytes) : g_malloc0(bytes);
    g_ptr_array_add(copier->home->memory, copy);
    if (key)
        g_hash_table_insert(copier->things, (gpointer)key, copy);
    return copy;
}

static const struct ir_variable *copy_variable(const struct copier *copier,
                                               const struct ir_variable *variable)
{
    if (!copier->home || !variable)
        return variable;
    struct ir_variable *copy = g_hash_table_lookup(copier->things, variable);
    if (copy)
        return copy;
    copy = keep(copier, variable, sizeof *variable, variable);
    copy->name = copy_text(copier, variable->name);
    copy->usr = copy_text(copier, variable->usr);
    copy->type.name = copy_text(copier, variable->type.name);
    copy->location = copy_location(copier, variable->location);
    copy->cleanup_function = copy_text(copier, variable->cleanup_function);
    return copy;
}

static const struct ir_step *copy_step(const struct copier *copier, const struct ir_step *step)
{
    if (!copier->home || !step)
        return step;
    struct ir_step *copy = g_hash_table_lookup(copier->things, step);
    if (copy)
        return copy;
    copy = keep(copier, step, sizeof *step, step);
    copy->field = copy_text(copier, step->field);
    copy->record = copy_text(copier, step->record);
    copy->index_text = copy_text(copier, step->index_text);
    copy->type_name = copy_text(copier, step->type_name);
    copy->index_value = NULL; // the symbol has it
    return copy;
}

// Of an argument, what a model's flags are read from.
static const struct ir_value *copy_arguments(const struct copier *copier,
                                             const struct ir_instruction *call)
{
    struct ir_value *copy = keep(copier, NULL, sizeof *copy * MAX(call->n_arguments, 1), NULL);
    for (unsigned i = 0; i < call->n_arguments; i++) {
        bool constant = call->arguments[i].kind == IR_VALUE_CONST;
        copy[i].kind = constant ? IR_VALUE_CONST : IR_VALUE_UNKNOWN;
        copy[i].constant = constant ? call->arguments[i].constant : 0;
    }
    return copy;
}

// Room for a call everywhere, for one place of a function may be both: what a call returned, and
// what it left unknown.
static const void *copy_origin(const struct copier *copier, const struct symbol *symbol)
{
    if (!copier->home || !symbol->what)
        return symbol->what;
    struct ir_instruction *copy = g_hash_table_lookup(copier->things, symbol->what);
    if (!copy)
        copy = keep(copier, NULL, sizeof *copy, symbol->what);
    if ((symbol->kind != SYMBOL_RESULT && symbol->kind != SYMBOL_TEMPORARY) || copy->callee)
        return copy;
    const struct ir_instruction *call = symbol->what;
    copy->op = call->op;
    copy->number = call->number;
    copy->location = copy_location(copier, call->location);
    copy->callee = copy_text(copier, call->callee);
    copy->arguments = copy_arguments(copier, call);
    copy->n_arguments = call->n_arguments;
    return copy;
}

static const void *copy_what(const struct copier *copier, const struct symbol *symbol)
{
    switch (symbol->kind) {
    case SYMBOL_FIELD: // interned for the whole process
    case SYMBOL_TEXT:
    case SYMBOL_INDEX: // a number
        return symbol->what;
    case SYMBOL_VARIABLE:
        return copy_variable(copier, symbol->what);
    default:
        return copy_origin(copier, symbol);
    }
}

static const struct symbol *copy_symbol(const struct copier *copier, const struct symbol *symbol)
{
    if (!symbol)
        return NULL;
    const struct symbol *copy = g_hash_table_lookup(copier->symbols, symbol);
    if (copy)
        return copy;
    const struct symbol *a = copy_symbol(copier, symbol->a), *b = copy_symbol(copier, symbol->b);
    copy = symbol_import(copier->table, symbol, a, b, copy_what(copier, symbol),
                         copy_step(copier, symbol->step));
    g_hash_table_insert(copier->symbols, (gpointer)symbol, (gpointer)copy);
    return copy;
}

// ---- The summary.

static GPtrArray *copy_places(const struct copier *copier, const GPtrArray *places)
{
    GPtrArray *copy = g_ptr_array_new();
    for (guint i = 0; i < places->len; i++)
        g_ptr_array_add(copy, (gpointer)copy_symbol(copier, places->pdata[i]));
    return copy;
}

static GArray *copy_locations(const struct copier *copier, const GArray *locations)
{
    GArray *copy = g_array_new(FALSE, FALSE, sizeof(struct ir_location));
    for (guint i = 0; i < locations->len; i++) {
        struct ir_location at =
            copy_location(copier, g_array_index(locations, struct ir_location, i));
        g_array_append_val(copy, at);
    }
    return copy;
}

static void copy_when(const struct copier *copier, struct summary_when *when)
{
    for (unsigned i = 0; i < when->n; i++)
        when->told[i].test = copy_symbol(copier, when->told[i].test);
}

static struct summary_outcome copy_outcome(const struct copier *copier,
                                           const struct summary_outcome *outcome)
{
    struct summary_outcome copy = *outcome;
    copy.taken = copy_places(copier, outcome->taken);
    copy.dropped = copy_places(copier, outcome->dropped);
    copy.ops = g_ptr_array_new();
    g_ptr_array_extend(copy.ops, outcome->ops, NULL, NULL); // the models', of the whole scan
    copy.dropped_ops = g_ptr_array_new();
    g_ptr_array_extend(copy.dropped_ops, outcome->dropped_ops, NULL, NULL);
    copy.taken_at = copy_locations(copier, outcome->taken_at);
    copy.dropped_at = copy_locations(copier, outcome->dropped_at);
    copy.value = copy_symbol(copier, outcome->value);
    copy_when(copier, &copy.when);
    return copy;
}

static struct summary_deed copy_deed(const struct copier *copier, const struct summary_deed *deed)
{
    struct summary_deed copy = *deed;
    copy.witness = copy_text(copier, deed->witness);
    copy.at = copy_location(copier, deed->at);
    copy.pointer = copy_text(copier, deed->pointer);
    copy.candidate = copy_text(copier, deed->candidate);
    copy.place = copy_symbol(copier, deed->place);
    copy_when(copier, &copy.when);
    return copy;
}

// What a caller can make use of.
static void copy_touched(const struct copier *copier, const struct flow_map *touched,
                         struct flow_map *copy)
{
    *copy = (struct flow_map){0};
    for (unsigned i = 0; i < flow_map_size(touched); i++) {
        const struct flow_entry *entry = flow_map_at(touched, i);
        if (entry->detail == TOUCH_VALUE || entry->key->kind == SYMBOL_SWEEP ||
            symbol_on_stack(entry->key))
            continue;
        struct flow_entry added = {.key = copy_symbol(copier, entry->key),
                                   .detail = entry->detail,
                                   .flags = entry->flags};
        flow_map_set(copy, &added);
    }
}

static struct summary *copy_summary(const struct copier *copier, const struct summary *summary)
{
    struct summary *copy = g_memdup2(summary, sizeof *summary);
    copy->function = NULL;
    copy->accesses = g_array_new(FALSE, FALSE, sizeof(struct summary_access));
    for (guint i = 0; i < summary->accesses->len; i++) {
        struct summary_access access = g_array_index(summary->accesses, struct summary_access, i);
        access.place = copy_symbol(copier, access.place);
        access.length = copy_symbol(copier, access.length);
        access.location = copy_location(copier, access.location);
        access.function = copy_text(copier, access.function);
        g_array_append_val(copy->accesses, access);
    }
    copy_touched(copier, &summary->touched, &copy->touched);
    for (unsigned i = 0; i < summary->n_outcomes; i++)
        copy->outcomes[i] = copy_outcome(copier, &summary->outcomes[i]);
    copy->deeds = g_array_new(FALSE, FALSE, sizeof(struct summary_deed));
    for (guint i = 0; i < summary->deeds->len; i++) {
        struct summary_deed deed =
            copy_deed(copier, &g_array_index(summary->deeds, struct summary_deed, i));
        g_array_append_val(copy->deeds, deed);
    }
    copy->unknown = copy_text(copier, summary->unknown);
    copy->indirect = copy_text(copier, summary->indirect);
    return copy;
}

static struct summary *copy_into(struct symbol_table *table, struct foreign_copy *home,
                                 const struct summary *summary)
{
    g_autoptr(GHashTable) symbols = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) things = g_hash_table_new(NULL, NULL);
    struct copier copier = {table, home, symbols, things};
    return copy_summary(&copier, summary);
}

struct foreign_copy *foreign_copy_new(const struct summary *summary)
{
    struct foreign_copy *copy = g_new0(struct foreign_copy, 1);
    copy->table = symbol_table_new();
    copy->text = g_string_chunk_new(512);
    copy->memory = g_ptr_array_new_with_free_func(g_free);
    copy->summary = copy_into(copy->table, copy, summary);
    return copy;
}

void foreign_copy_free(struct foreign_copy *copy)
{
    if (!copy)
        return;
    summary_free(copy->summary);
    symbol_table_free(copy->table);
    g_string_chunk_free(copy->text);
    g_ptr_array_unref(copy->memory);
    g_free(copy);
}

struct summary *foreign_copy_import(const struct foreign_copy *copy, struct symbol_table *table)
{
    return copy_into(table, NULL, copy->summary);
}
