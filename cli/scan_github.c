// github: workflow commands, which GitHub Actions shows as annotations of the lines of a change. Of
// a step it shows the first ten errors and the first ten warnings, so the most severe come first
// and files that could not be read last.
#include <stdlib.h>
#include <string.h>

#include "scan_output.h"

// "%", CR and LF end a command's data; ":" and "," end a property too.
static void print_escaped(FILE *out, const char *text, bool property)
{
    for (const char *p = text; *p; p++) {
        if (strchr("%\r\n", *p) || (property && strchr(":,", *p)))
            fprintf(out, "%%%02X", (unsigned char)*p);
        else
            fputc(*p, out);
    }
}

struct github_output {
    struct scan_output base;
    GPtrArray *held[SEVERITY_HIGH + 1]; // char*, by severity
};

static void hold(struct github_output *github, enum severity severity, const char *level,
                 const char *file, unsigned line, unsigned column, const char *title,
                 const char *message)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "::%s file=", level);
    print_escaped(out, file, true);
    if (line)
        fprintf(out, ",line=%u", line);
    if (column)
        fprintf(out, ",col=%u", column);
    fputs(",title=", out);
    print_escaped(out, title, true);
    fputs("::", out);
    print_escaped(out, message, false);
    fputc('\n', out);
    fclose(out);
    g_ptr_array_add(github->held[severity], text);
}

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    static const char *const levels[] = {"notice", "notice", "warning", "error"};
    struct github_output *github = context;
    (void)error;
    if (fact->suppressed || fact->baseline)
        return true;
    GString *message = g_string_new(fact->message);
    for (size_t i = 0; i < fact->n_path; i++)
        g_string_append_printf(message, "\n%s:%u: %s", fact->path[i].file, fact->path[i].line,
                               fact->path[i].what);
    if (fact->suggestion && *fact->suggestion)
        g_string_append_printf(message, "\nTry: %s", fact->suggestion);
    hold(github, fact->severity, levels[fact->severity], fact->file, fact->line, fact->column,
         fact->rule, message->str);
    g_string_free(message, TRUE);
    return true;
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    (void)error;
    if (fact->status != FILE_SKIPPED)
        hold(context, SEVERITY_NONE, "warning", fact->file, 0, 0,
             fact->status == FILE_FAILED ? "not read" : "read as far as it goes",
             fact->why ? fact->why : "no reason is known");
    return true;
}

static bool scan_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    struct github_output *github = context;
    (void)summary;
    (void)error;
    for (int severity = SEVERITY_HIGH; ok && severity >= SEVERITY_NONE; severity--)
        for (guint i = 0; i < github->held[severity]->len; i++)
            fputs(github->held[severity]->pdata[i], github->base.options.out);
    return true;
}

static void github_free(struct scan_output *output)
{
    struct github_output *github = (struct github_output *)output;
    for (int severity = SEVERITY_NONE; severity <= SEVERITY_HIGH; severity++)
        g_ptr_array_unref(github->held[severity]);
    g_free(github);
}

struct scan_output *scan_github_new(void)
{
    struct github_output *github = g_new0(struct github_output, 1);
    for (int severity = SEVERITY_NONE; severity <= SEVERITY_HIGH; severity++)
        github->held[severity] = g_ptr_array_new_with_free_func(free);
    github->base.sink.finding = finding;
    github->base.sink.file = file;
    github->base.sink.scan_end = scan_end;
    github->base.free = github_free;
    return &github->base;
}
