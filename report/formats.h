// The formats of a report. Each fills `out` with the whole result.
#ifndef SPINFAULT_REPORT_FORMATS_H
#define SPINFAULT_REPORT_FORMATS_H

#include "charts/panel.h"
#include "model/model.h"

struct format_input {
    struct report_model *model;
    const GPtrArray *panels; // of struct panel
    const struct report_options *options;
};

bool write_json(const struct format_input *in, GString *out, GError **error);
bool write_csv(const struct format_input *in, GString *out, GError **error);
bool write_svg(const struct format_input *in, GString *out, GError **error);
bool write_png(const struct format_input *in, GString *out, GError **error);
bool write_pdf(const struct format_input *in, GString *out, GError **error);

#endif
