// What is switched off by #if in this configuration can still take a lock in another.
// Here the branches around it are switched on in the text: the condition of the branch becomes 1,
// those of the branches before it 0, and lines stay where they are.
#include <string.h>

#include "lexindex.h"

// An #if group that is open at some place, as indices into the conditionals.
struct group {
    guint first; // its #if
    guint taken; // the branch that holds the place
};

static const struct lex_conditional *at(const struct lex_result *result, guint i)
{
    return &g_array_index(result->conditionals, struct lex_conditional, i);
}

// The groups around `place`, outermost first.
static GArray *groups_around(const struct lex_result *result, const char *place)
{
    GArray *open = g_array_new(FALSE, FALSE, sizeof(struct group));
    for (guint i = 0; i < result->conditionals->len && at(result, i)->start < place; i++) {
        struct group group = {i, i};
        switch (at(result, i)->branch) {
        case LEX_IF:
            g_array_append_val(open, group);
            break;
        case LEX_ELSE_IF:
        case LEX_ELSE:
            if (open->len)
                g_array_index(open, struct group, open->len - 1).taken = i;
            break;
        case LEX_END_IF:
            if (open->len)
                g_array_set_size(open, open->len - 1);
            break;
        }
    }
    return open;
}

// Which conditionals become "#if 1" and the like: '0', '1', or 0 for those left alone.
static void decide(const struct lex_result *result, const struct group *group,
                   unsigned char *verdicts)
{
    unsigned depth = 0;
    for (guint i = group->first; i <= group->taken; i++) {
        enum lex_branch branch = at(result, i)->branch;
        if (branch == LEX_IF && i != group->first)
            depth++;
        else if (branch == LEX_END_IF)
            depth--;
        else if (depth == 0 && !verdicts[i] && branch != LEX_ELSE)
            verdicts[i] = i == group->taken ? '1' : '0';
    }
}

static const char *line_start(const char *text, size_t bytes, unsigned line)
{
    const char *at = text, *end = text + bytes;
    for (unsigned i = 1; at && i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return at;
}

static char *rewrite(const char *text, size_t bytes, const struct lex_result *result,
                     const unsigned char *verdicts)
{
    GString *out = g_string_sized_new(bytes);
    const char *copied = text;
    for (guint i = 0; i < result->conditionals->len; i++) {
        if (!verdicts[i])
            continue;
        const struct lex_conditional *conditional = at(result, i);
        g_string_append_len(out, copied, conditional->start - copied);
        g_string_append_printf(out, "#%s %c", conditional->branch == LEX_IF ? "if" : "elif",
                               verdicts[i]);
        for (const char *c = conditional->start; c < conditional->end; c++) {
            if (*c == '\n')
                g_string_append_c(out, '\n');
        }
        copied = conditional->end;
    }
    g_string_append_len(out, copied, text + bytes - copied);
    return g_string_free(out, FALSE);
}

char *lex_switch_on(const char *text, size_t bytes, const unsigned *lines, size_t n_lines)
{
    struct lex_result result;
    char *changed = NULL;
    lex_result_init(&result);
    lex_scan(text, bytes, &result);
    GByteArray *verdicts = g_byte_array_new(); // one for each conditional
    g_byte_array_set_size(verdicts, result.conditionals->len + 1);
    memset(verdicts->data, 0, verdicts->len);
    bool any = false;
    for (size_t i = 0; i < n_lines; i++) {
        const char *place = line_start(text, bytes, lines[i]);
        if (!place)
            continue;
        g_autoptr(GArray) groups = groups_around(&result, place);
        for (guint k = 0; k < groups->len; k++)
            decide(&result, &g_array_index(groups, struct group, k), verdicts->data);
        any |= groups->len > 0;
    }
    if (any)
        changed = rewrite(text, bytes, &result, verdicts->data);
    g_byte_array_unref(verdicts);
    lex_result_clear(&result);
    return changed;
}
