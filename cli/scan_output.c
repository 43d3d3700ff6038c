// The table of scan formats, and what they share.
#include "scan_output.h"

#include <string.h>

#include "command.h"

static const struct scan_format formats[] = {
    {"text", true, scan_text_new},      {"json", false, scan_json_new},
    {"sarif", false, scan_sarif_new},   {"gcc", false, scan_gcc_new},
    {"github", false, scan_github_new},
};

const struct scan_format scan_sections_format = {"sections", true, scan_sections_new};

const struct scan_format *scan_format_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

char *scan_format_names(void)
{
    GString *names = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "", formats[i].name);
    return g_string_free(names, FALSE);
}

struct scan_output *scan_output_new(const struct scan_format *format,
                                    const struct scan_output_options *options)
{
    struct scan_output *output = format->create();
    output->options = *options;
    output->sink.context = output;
    if (!output->sink.scan_begin)
        output->sink.scan_begin = scan_output_begin;
    return output;
}

void scan_output_free(struct scan_output *output)
{
    if (!output)
        return;
    g_free(output->root);
    if (output->free)
        output->free(output);
    else
        g_free(output);
}

bool scan_output_begin(void *context, const struct scan_fact *scan, GError **error)
{
    struct scan_output *output = context;
    (void)error;
    output->root = g_strdup(scan->root);
    return true;
}

int scan_output_status(const struct scan_summary *summary,
                       const struct scan_output_options *options)
{
    if (options->fail_on == SEVERITY_NONE)
        return STATUS_FINE;
    for (int severity = (int)options->fail_on; severity <= SEVERITY_HIGH; severity++)
        if (summary->findings[severity] > 0)
            return STATUS_FINDINGS;
    return summary->failed || summary->degraded ? STATUS_UNSURE : STATUS_FINE;
}

static void append_count(GString *text, unsigned n, const char *one, const char *many)
{
    g_autofree char *number = text_with_commas(n);
    g_string_append_printf(text, "%s %s", number, n == 1 ? one : many);
}

char *scan_output_counts(const struct scan_summary *summary, bool verbose)
{
    const unsigned *by = summary->findings;
    GString *text = g_string_new(NULL);
    append_count(text, by[SEVERITY_HIGH] + by[SEVERITY_MEDIUM] + by[SEVERITY_LOW], "finding",
                 "findings");
    g_string_append_printf(text, ": %u high, %u medium, %u low", by[SEVERITY_HIGH],
                           by[SEVERITY_MEDIUM], by[SEVERITY_LOW]);
    if (summary->suppressed)
        g_string_append_printf(text, "; %u suppressed", summary->suppressed);
    if (summary->baseline)
        g_string_append_printf(text, "; %u in the baseline", summary->baseline);
    g_string_append(text, ". ");
    append_count(text, summary->sections, "section", "sections");
    g_string_append(text, ".\n");
    append_count(text, summary->files, "file", "files");
    g_string_append_printf(text, ": %u parsed, %u with errors, %u failed, %u skipped",
                           summary->parsed, summary->degraded, summary->failed, summary->skipped);
    unsigned looked_at = summary->parsed + summary->failed + summary->skipped;
    if (looked_at < summary->files) {
        g_string_append(text, "; ");
        append_count(text, summary->files - looked_at, "takes no lock", "take no lock");
    }
    if (verbose)
        g_string_append_printf(text, "; %u cached; %.1f s", summary->cached, summary->seconds);
    g_string_append_c(text, '.');
    return g_string_free(text, FALSE);
}
