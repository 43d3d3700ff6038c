// See spin_word.h.
#include "spin_word.h"

#include <string.h>

enum change { CHANGE_SET, CHANGE_SWAP, CHANGE_ADD, CHANGE_SUBTRACT };

struct spin_words {
    GHashTable *changes; // "word change number" as a set
};

// "record.field" of the last field, or the variable; NULL for what only a pointer leads to.
static char *word_of(const struct ir_path *path)
{
    for (unsigned i = path->n_steps; i-- > 0;) {
        const struct ir_step *step = &path->steps[i];
        if (step->kind == IR_STEP_FIELD)
            return g_strdup_printf("%s.%s", step->record ? step->record : "", step->field);
        if (step->kind == IR_STEP_DEREF)
            return NULL;
    }
    if (!path->variable || path->base == IR_BASE_PARAM || path->base == IR_BASE_LOCAL)
        return NULL;
    return g_strdup(path->variable->usr ? path->variable->usr : path->variable->name);
}

static char *change_text(const char *word, enum change change, int64_t number)
{
    return g_strdup_printf("%s %d %" G_GINT64_FORMAT, word, (int)change, number);
}

static bool names(const struct ir_instruction *in, const char *part)
{
    return in->callee && strstr(in->callee, part);
}

// What the instruction writes, as far as it is a constant; false: nothing that counts.
static bool change_of(const struct ir_instruction *in, enum change *change, int64_t *number)
{
    *change = CHANGE_SET;
    *number = in->op == IR_ATOMIC && in->atomic == IR_ATOMIC_CLEAR ? 0 : in->value.constant;
    if (in->op == IR_ATOMIC && in->atomic == IR_ATOMIC_CLEAR)
        return true;
    if (in->value.kind != IR_VALUE_CONST)
        return false;
    if (in->op == IR_ASSIGN)
        return true;
    if (in->op != IR_ATOMIC)
        return false;
    if (in->atomic == IR_ATOMIC_FETCH) {
        *change = names(in, "sub") ? CHANGE_SUBTRACT : CHANGE_ADD;
        return names(in, "sub") || names(in, "add");
    }
    *change = in->atomic == IR_ATOMIC_CAS ? CHANGE_SWAP : CHANGE_SET;
    return in->atomic == IR_ATOMIC_STORE || in->atomic == IR_ATOMIC_EXCHANGE ||
           in->atomic == IR_ATOMIC_CAS;
}

static void note_block(struct spin_words *words, const struct ir_block *block)
{
    for (unsigned k = 0; k < block->n_instructions; k++) {
        const struct ir_instruction *in = block->instructions[k];
        enum change change;
        int64_t number;
        if (!change_of(in, &change, &number))
            continue;
        g_autofree char *word = word_of(&in->path);
        if (word)
            g_hash_table_add(words->changes, change_text(word, change, number));
    }
}

struct spin_words *spin_words_new(const struct ir_unit *unit)
{
    struct spin_words *words = g_new0(struct spin_words, 1);
    words->changes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        for (unsigned b = 0; b < function->n_blocks; b++)
            note_block(words, function->blocks[b]);
    }
    return words;
}

void spin_words_free(struct spin_words *words)
{
    if (!words)
        return;
    g_hash_table_unref(words->changes);
    g_free(words);
}

static bool has(const struct spin_words *words, const char *word, enum change change,
                int64_t number)
{
    g_autofree char *text = change_text(word, change, number);
    return g_hash_table_contains(words->changes, text);
}

bool spin_words_given_back(const struct spin_words *words, const struct ir_instruction *swap,
                           int64_t free)
{
    g_autofree char *word = word_of(&swap->path);
    if (!word || has(words, word, CHANGE_SET, free))
        return true;
    // A pointer that others may swap out is a letter box; an owner alone gives back what it holds.
    if (swap->value.type.is_pointer)
        return false;
    if (has(words, word, CHANGE_SWAP, free))
        return true;
    // A writer's share that is taken off again. One that is also added is a count.
    int64_t share = swap->value.constant;
    return swap->value.kind == IR_VALUE_CONST && has(words, word, CHANGE_SUBTRACT, share) &&
           !has(words, word, CHANGE_ADD, share);
}
