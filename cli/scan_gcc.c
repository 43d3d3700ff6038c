// gcc: one line a finding, as compilers print them, so that editors can jump there.
#include "scan_output.h"

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    struct scan_output *output = context;
    (void)error;
    if (fact->suppressed || fact->baseline)
        return true;
    fprintf(output->options.out, "%s:%u:%u: %s: %s [%s]\n", fact->file, fact->line,
            MAX(fact->column, 1), fact->severity == SEVERITY_HIGH ? "error" : "warning",
            fact->message, fact->rule);
    for (size_t i = 0; i < fact->n_path; i++)
        fprintf(output->options.out, "%s:%u:1: note: %s\n", fact->path[i].file, fact->path[i].line,
                fact->path[i].what);
    return true;
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    struct scan_output *output = context;
    (void)error;
    if (fact->status != FILE_SKIPPED)
        fprintf(output->options.out, "%s:1:1: warning: %s: %s [%s]\n", fact->file,
                fact->status == FILE_FAILED ? "not read" : "read as far as it goes",
                fact->why ? fact->why : "no reason is known", file_status_name(fact->status));
    return true;
}

struct scan_output *scan_gcc_new(void)
{
    struct scan_output *output = g_new0(struct scan_output, 1);
    output->sink.finding = finding;
    output->sink.file = file;
    return output;
}
