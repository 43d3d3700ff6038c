// github: workflow commands, which GitHub Actions shows as annotations of the lines of a change.
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

static void print_annotation(FILE *out, const char *level, const char *file, unsigned line,
                             unsigned column, const char *title, const char *message)
{
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
}

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    static const char *const levels[] = {"notice", "notice", "warning", "error"};
    struct scan_output *output = context;
    (void)error;
    if (fact->suppressed || fact->baseline)
        return true;
    GString *message = g_string_new(fact->message);
    for (size_t i = 0; i < fact->n_path; i++)
        g_string_append_printf(message, "\n%s:%u: %s", fact->path[i].file, fact->path[i].line,
                               fact->path[i].what);
    if (fact->suggestion && *fact->suggestion)
        g_string_append_printf(message, "\nTry: %s", fact->suggestion);
    print_annotation(output->options.out, levels[fact->severity], fact->file, fact->line,
                     fact->column, fact->rule, message->str);
    g_string_free(message, TRUE);
    return true;
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    struct scan_output *output = context;
    (void)error;
    if (fact->status != FILE_SKIPPED)
        print_annotation(output->options.out, "warning", fact->file, 0, 0,
                         fact->status == FILE_FAILED ? "not read" : "read as far as it goes",
                         fact->why ? fact->why : "no reason is known");
    return true;
}

struct scan_output *scan_github_new(void)
{
    struct scan_output *output = g_new0(struct scan_output, 1);
    output->sink.finding = finding;
    output->sink.file = file;
    return output;
}
