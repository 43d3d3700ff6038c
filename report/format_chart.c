// One chart as a file: SVG, PNG; and all of them as PDF, one a page.
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "draw.h"
#include "formats.h"

#define WIDTH     760.0
#define PNG_SCALE 2.0

static const struct panel *panel_asked(const struct format_input *in, GError **error)
{
    const char *name = in->options->chart;
    GString *names = g_string_new(NULL);
    const struct panel *found = NULL;
    for (guint i = 0; i < in->panels->len && !found; i++) {
        const struct panel *panel = g_ptr_array_index(in->panels, i);
        if (!panel->scene)
            continue;
        if (!name || strcmp(panel->name, name) == 0)
            found = panel;
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", panel->name);
    }
    if (!found && names->len)
        error_set(error, SPINFAULT_ERROR_UNKNOWN, "this report has no chart %s; it has %s", name,
                  names->str);
    else if (!found)
        error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                  "this report has no charts: the archive has "
                  "neither runs nor profiles");
    g_string_free(names, TRUE);
    return found;
}

static cairo_status_t append(void *out, const unsigned char *data, unsigned len)
{
    g_string_append_len(out, (const char *)data, len);
    return CAIRO_STATUS_SUCCESS;
}

static bool check(cairo_status_t status, GError **error)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    return error_set(error, SPINFAULT_ERROR_IO, "cannot draw the chart: %s",
                     cairo_status_to_string(status));
}

// Draws one scene on a page of its own and lets go of the surface.
static bool draw_on(cairo_surface_t *surface, const struct scene *scene, double scale,
                    GError **error)
{
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    draw_scene(cr, scene, WIDTH);
    cairo_show_page(cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    return check(status, error);
}

bool write_svg(const struct format_input *in, GString *out, GError **error)
{
    const struct panel *panel = panel_asked(in, error);
    if (!panel)
        return false;
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(append, out, WIDTH, draw_height(panel->scene));
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    bool ok = draw_on(surface, panel->scene, 1, error);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    draw_name_ids(out, panel->scene->id);
    return ok;
}

bool write_png(const struct format_input *in, GString *out, GError **error)
{
    const struct panel *panel = panel_asked(in, error);
    if (!panel)
        return false;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(WIDTH * PNG_SCALE),
                                   (int)ceil(draw_height(panel->scene) * PNG_SCALE));
    bool ok = draw_on(surface, panel->scene, PNG_SCALE, error) &&
              check(cairo_surface_write_to_png_stream(surface, append, out), error);
    cairo_surface_destroy(surface);
    return ok;
}

bool write_pdf(const struct format_input *in, GString *out, GError **error)
{
    const struct panel *first = panel_asked(in, error);
    if (!first)
        return false;
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, out, WIDTH, draw_height(first->scene));
    // The date of writing would make every file another one.
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, in->model->title);
    bool ok = true;
    for (guint i = 0; i < in->panels->len && ok; i++) {
        const struct panel *panel = g_ptr_array_index(in->panels, i);
        if (!panel->scene || (in->options->chart && panel != first))
            continue;
        cairo_pdf_surface_set_size(surface, WIDTH, draw_height(panel->scene));
        ok = draw_on(surface, panel->scene, 1, error);
    }
    cairo_surface_finish(surface);
    ok = ok && check(cairo_surface_status(surface), error);
    cairo_surface_destroy(surface);
    return ok;
}
