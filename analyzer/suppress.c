// See suppress.h. Comments are found by their words, wherever they stand.
#include "suppress.h"

#include <string.h>

#define MARK "spinfault: ok("

struct suppression {
    unsigned line;
    char *rule;
    bool reason, used;
};

static void suppression_clear(gpointer data)
{
    g_free(((struct suppression *)data)->rule);
}

// Is there more than the end of the comment behind the parenthesis?
static bool has_reason(const char *text, const char *end)
{
    for (; text < end; text++) {
        if (end - text >= 2 && text[0] == '*' && text[1] == '/')
            return false;
        if (!g_ascii_isspace(*text))
            return true;
    }
    return false;
}

static void read_line(GArray *found, const char *start, const char *end, unsigned line)
{
    for (const char *at = start; (at = g_strstr_len(at, end - at, MARK)) != NULL;) {
        at += strlen(MARK);
        const char *close = memchr(at, ')', (size_t)(end - at));
        if (!close)
            return;
        struct suppression added = {line, g_strndup(at, (gsize)(close - at)),
                                    has_reason(close + 1, end), false};
        g_strstrip(added.rule);
        g_array_append_val(found, added);
        at = close;
    }
}

static GArray *read_suppressions(const char *text)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct suppression));
    g_array_set_clear_func(found, suppression_clear);
    unsigned line = 1;
    for (const char *start = text; *start; line++) {
        const char *end = strchr(start, '\n');
        end = end ? end : start + strlen(start);
        read_line(found, start, end, line);
        start = *end ? end + 1 : end;
    }
    return found;
}

void suppress_apply(struct scan_result *result, const char *file, const char *text)
{
    if (!text || !strstr(text, MARK))
        return;
    g_autoptr(GArray) found = read_suppressions(text);
    for (guint i = 0; i < result->findings->len; i++) {
        struct finding_fact *finding = result->findings->pdata[i];
        for (guint k = 0; k < found->len && strcmp(finding->file, file) == 0; k++) {
            struct suppression *one = &g_array_index(found, struct suppression, k);
            bool here = finding->line == one->line || finding->line == one->line + 1;
            if (!here || (strcmp(one->rule, "*") != 0 && strcmp(one->rule, finding->rule) != 0))
                continue;
            finding->suppressed = true;
            one->used = true;
        }
    }
    for (guint k = 0; k < found->len; k++) {
        const struct suppression *one = &g_array_index(found, struct suppression, k);
        g_autofree char *note = NULL;
        if (!one->used)
            note = g_strdup_printf("%s:%u: the suppression of %s suppresses nothing; remove it",
                                   file, one->line, one->rule);
        else if (!one->reason)
            note = g_strdup_printf("%s:%u: the suppression of %s gives no reason; add one", file,
                                   one->line, one->rule);
        if (note)
            g_ptr_array_add(result->notes, (gpointer)scan_result_text(result, note));
    }
}
