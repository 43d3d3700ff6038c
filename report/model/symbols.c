// Symbols by number.
#include "model/symbols.h"

struct symbols *symbols_new(const struct stack_tree *tree)
{
    struct symbols *symbols = g_new0(struct symbols, 1);
    symbols->of = g_new0(guint, tree->n + 1);
    symbols->names = g_ptr_array_new();
    // The tree shares its texts, mostly: a pointer that was seen before needs no look at the text.
    g_autoptr(GHashTable) by_pointer = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autoptr(GHashTable) by_text = g_hash_table_new(g_str_hash, g_str_equal);
    for (size_t i = 0; i < tree->n; i++) {
        const char *symbol = tree->nodes[i].symbol;
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(by_pointer, symbol));
        if (!number) {
            number = GPOINTER_TO_UINT(g_hash_table_lookup(by_text, symbol));
            if (!number) {
                g_ptr_array_add(symbols->names, (char *)symbol);
                number = symbols->names->len;
                g_hash_table_insert(by_text, (char *)symbol, GUINT_TO_POINTER(number));
            }
            g_hash_table_insert(by_pointer, (char *)symbol, GUINT_TO_POINTER(number));
        }
        symbols->of[i] = number - 1;
    }
    return symbols;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    g_free(symbols->of);
    g_ptr_array_unref(symbols->names);
    g_free(symbols);
}
