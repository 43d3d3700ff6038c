// report_write: model, panels, then the format that was asked for.
#include "spinfault/report.h"

#include <string.h>

#include "document/document.h"
#include "document/page.h"
#include "formats.h"
#include "output.h"

static bool write_html(const struct format_input *in, GString *out, GError **error)
{
    xmlDoc *doc = document_new(in->model, in->panels);
    g_autofree char *text = page_html(doc, in->options->template_dir, error);
    xmlFreeDoc(doc);
    g_string_append(out, text ? text : "");
    return text != NULL;
}

static bool write_markdown(const struct format_input *in, GString *out, GError **error)
{
    xmlDoc *doc = document_new(in->model, in->panels);
    g_autofree char *text = page_markdown(doc, in->options->template_dir, error);
    xmlFreeDoc(doc);
    g_string_append(out, text ? text : "");
    return text != NULL;
}

// To add a format: a function that fills `out`, and a row.
static const struct {
    const char *name;
    bool (*write)(const struct format_input *in, GString *out, GError **error);
} formats[] = {
    {"html", write_html}, {"markdown", write_markdown}, {"json", write_json}, {"csv", write_csv},
    {"svg", write_svg},   {"png", write_png},           {"pdf", write_pdf},
};

static bool write_format(const char *name, const struct format_input *in, GString *out,
                         GError **error)
{
    GString *names = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (strcmp(formats[i].name, name) == 0) {
            g_string_free(names, TRUE);
            return formats[i].write(in, out, error);
        }
        g_string_append_printf(names, "%s%s", i ? ", " : "", formats[i].name);
    }
    error_set(error, SPINFAULT_ERROR_UNKNOWN, "there is no report format %s; there are %s", name,
              names->str);
    g_string_free(names, TRUE);
    return false;
}

static void fill_verdict(const struct report_model *model, struct report_verdict *verdict)
{
    const struct grid *grid = model_grid(model);
    *verdict = (struct report_verdict){.heading = g_strdup(model->heading)};
    verdict->findings_high = model->findings_high;
    if (!grid)
        return;
    verdict->slower = grid->slower;
    verdict->faster = grid->faster;
    verdict->same = grid->same;
    verdict->unsure = grid->unsure;
    verdict->missing = grid->missing;
}

void report_verdict_clear(struct report_verdict *v)
{
    g_clear_pointer(&v->heading, g_free);
}

bool report_write(struct archive *archive, const struct report_options *options,
                  struct report_verdict *verdict, GError **error)
{
    struct report_model *model = model_new(archive, options, error);
    if (!model)
        return false;
    GPtrArray *panels = panels_of(model);
    struct format_input in = {model, panels, options};
    GString *out = g_string_new(NULL);
    bool ok = write_format(options->format ? options->format : "html", &in, out, error) &&
              output_write(options->output, out->str, out->len, error);
    if (ok && verdict)
        fill_verdict(model, verdict);
    g_string_free(out, TRUE);
    g_ptr_array_unref(panels);
    model_free(model);
    return ok;
}
