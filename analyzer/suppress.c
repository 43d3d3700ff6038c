// See suppress.h. Comments are told from code and literals; what #if switches off is not.
#include "suppress.h"

#include <string.h>

#include "spinfault/analyzer.h"

#define MARK "spinfault: ok("

struct comment {
    const char *start, *end;
    unsigned first, last; // lines
    bool alone;           // nothing stands before it on its line
};

struct suppression {
    unsigned line, last; // covers the lines from its own to this one
    char *rule;
    bool reason, used;
};

static void suppression_clear(gpointer data)
{
    g_free(((struct suppression *)data)->rule);
}

// ---- Comments

struct scanner {
    const char *at;
    unsigned line;
    bool code; // something stands on this line
};

static void skip_literal(struct scanner *s)
{
    char quote = *s->at++;
    for (; *s->at && *s->at != quote && *s->at != '\n'; s->at++) {
        if (s->at[0] == '\\' && s->at[1]) {
            s->at++;
            s->line += *s->at == '\n';
        }
    }
    if (*s->at == quote)
        s->at++;
}

static struct comment take_comment(struct scanner *s)
{
    bool block = s->at[1] == '*';
    struct comment found = {.start = s->at, .first = s->line, .alone = !s->code};
    for (s->at += 2; *s->at; s->at++) {
        if (block ? s->at[0] == '*' && s->at[1] == '/' : *s->at == '\n' && s->at[-1] != '\\')
            break;
        s->line += *s->at == '\n';
    }
    found.end = s->at;
    found.last = s->line;
    if (block && *s->at)
        s->at += 2;
    s->code = !found.alone;
    return found;
}

static GArray *find_comments(const char *text)
{
    GArray *comments = g_array_new(FALSE, FALSE, sizeof(struct comment));
    struct scanner s = {text, 1, false};
    while (*s.at) {
        if (s.at[0] == '/' && (s.at[1] == '*' || s.at[1] == '/')) {
            struct comment comment = take_comment(&s);
            g_array_append_val(comments, comment);
        } else if (*s.at == '"' || *s.at == '\'') {
            s.code = true;
            skip_literal(&s);
        } else {
            if (*s.at == '\n')
                s.line++;
            s.code = *s.at != '\n' && (s.code || !g_ascii_isspace(*s.at));
            s.at++;
        }
    }
    return comments;
}

// Comments below one another are one.
static void join_comments(GArray *comments)
{
    for (guint i = comments->len; i-- > 1;) {
        struct comment *above = &g_array_index(comments, struct comment, i - 1);
        const struct comment *below = &g_array_index(comments, struct comment, i);
        if (below->alone && above->alone && below->first == above->last + 1)
            above->last = below->last;
    }
}

// ---- What they say

static bool is_rule(const char *name)
{
    size_t n;
    const struct rule_info *rules = analyzer_rules(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rules[i].name, name) == 0)
            return true;
    }
    return strcmp(name, "*") == 0;
}

static bool has_reason(const char *from, const char *end)
{
    for (; from < end; from++) {
        if (g_ascii_isalnum(*from) || (*from & 0x80))
            return true;
    }
    return false;
}

static unsigned line_at(const struct comment *comment, const char *at)
{
    unsigned line = comment->first;
    for (const char *p = comment->start; p < at; p++)
        line += *p == '\n';
    return line;
}

static void read_comment(GArray *found, const struct comment *comment)
{
    for (const char *at = comment->start;
         (at = g_strstr_len(at, comment->end - at, MARK)) != NULL;) {
        unsigned line = line_at(comment, at);
        at += strlen(MARK);
        const char *close = memchr(at, ')', (size_t)(comment->end - at));
        if (!close)
            return;
        const char *next = g_strstr_len(close, comment->end - close, MARK);
        bool reason = has_reason(close + 1, next ? next : comment->end);
        g_autofree char *list = g_strndup(at, (gsize)(close - at));
        g_auto(GStrv) rules = g_strsplit(list, ",", -1);
        for (char **rule = rules; *rule; rule++) {
            struct suppression added = {line, comment->last + 1, g_strdup(g_strstrip(*rule)),
                                        reason, false};
            g_array_append_val(found, added);
        }
        at = close;
    }
}

static GArray *read_suppressions(const char *text)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct suppression));
    g_array_set_clear_func(found, suppression_clear);
    g_autoptr(GArray) comments = find_comments(text);
    join_comments(comments);
    for (guint i = 0; i < comments->len; i++)
        read_comment(found, &g_array_index(comments, struct comment, i));
    return found;
}

// ---- What they do

static void suppress(struct finding_fact *finding, GArray *suppressions)
{
    for (guint i = 0; i < suppressions->len; i++) {
        struct suppression *one = &g_array_index(suppressions, struct suppression, i);
        if (finding->line < one->line || finding->line > one->last ||
            (strcmp(one->rule, "*") != 0 && strcmp(one->rule, finding->rule) != 0))
            continue;
        finding->suppressed = true;
        one->used = true;
    }
}

static char *note_for(const struct suppress_file *file, const struct suppression *one)
{
    if (!is_rule(one->rule))
        return g_strdup_printf("%s:%u: there is no rule \"%s\" to suppress; \"spinfault explain\" "
                               "lists them",
                               file->name, one->line, one->rule);
    if (!one->used && !file->unsure)
        return g_strdup_printf("%s:%u: the suppression of %s suppresses nothing; remove it",
                               file->name, one->line, one->rule);
    if (one->used && !one->reason)
        return g_strdup_printf("%s:%u: the suppression of %s gives no reason; add one", file->name,
                               one->line, one->rule);
    return NULL;
}

void suppress_apply(const struct suppress_file *file, const GPtrArray *findings, GPtrArray *notes)
{
    if (!file->text || !strstr(file->text, MARK))
        return;
    g_autoptr(GArray) suppressions = read_suppressions(file->text);
    for (guint i = 0; i < findings->len; i++) {
        struct finding_fact *finding = findings->pdata[i];
        if (strcmp(finding->file, file->name) == 0)
            suppress(finding, suppressions);
    }
    for (guint i = 0; i < suppressions->len; i++) {
        char *note = note_for(file, &g_array_index(suppressions, struct suppression, i));
        if (note)
            g_ptr_array_add(notes, note);
    }
}
