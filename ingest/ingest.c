// One file: open, detect, parse, and tell the sink how it ended.
#include "spinfault/ingest.h"

#include "context.h"
#include "formats.h"
#include "settings.h"

const struct ingest_format_info *ingest_formats(size_t *n)
{
    static struct ingest_format_info infos[64];
    static gsize once;
    g_assert(ingest_format_count <= G_N_ELEMENTS(infos));
    if (g_once_init_enter(&once)) {
        for (size_t i = 0; i < ingest_format_count; i++)
            infos[i] = (struct ingest_format_info){ingest_format_table[i]->name,
                                                   ingest_format_table[i]->summary};
        g_once_init_leave(&once, 1);
    }
    *n = ingest_format_count;
    return infos;
}

static bool parse_all(struct ingest *in, const struct ingest_format *format, GError **error)
{
    if (!format->parse(in, error))
        return false;
    if (!reader_drain(in->reader, error))
        return false;
    in->summary.bytes = in->reader->bytes;
    reader_digest(in->reader, in->summary.sha256);
    return true;
}

// What was said about the runs, without what was said to the parser.
static struct setting *run_settings(const struct ingest *in, size_t *n)
{
    struct setting *all = settings_flat(in->settings);
    *n = 0;
    for (guint i = 0; i < in->settings->len; i++)
        if (strcmp(all[i].key, "decimal") != 0 && !g_str_has_prefix(all[i].key, "column:"))
            all[(*n)++] = all[i];
    return all;
}

// The sink hears the end in any case. The first error is the one that is reported.
static bool deliver(struct ingest *in, const struct ingest_format *format, GError **error)
{
    size_t n_settings;
    g_autofree struct setting *settings = run_settings(in, &n_settings);
    struct source_fact source = {.path = in->path,
                                 .format = format->name,
                                 .settings = settings,
                                 .n_settings = n_settings};
    gint64 start = g_get_monotonic_time();
    if (!sink_source_begin(in->sink, &source, error))
        return false;
    in->summary.format = format->name;
    bool ok = parse_all(in, format, error);
    in->summary.seconds = (double)(g_get_monotonic_time() - start) / 1e6;
    bool ended = sink_source_end(in->sink, &in->summary, ok, ok ? error : NULL);
    return ok && ended;
}

bool ingest_reader(struct reader *opened, const char *path, const struct ingest_options *options,
                   const struct fact_sink *sink, struct source_summary *summary, GError **error)
{
    g_autoptr(reader_t) reader = opened;
    g_autoptr(GPtrArray) settings = settings_read(path, options, error);
    if (!settings)
        return false;
    const struct ingest_format *format =
        format_find(options ? options->format : NULL, reader->name, reader_head(reader), error);
    if (!format)
        return false;
    struct ingest in = {
        .path = path, .name = reader->name, .reader = reader, .sink = sink, .settings = settings};
    GError *problem = NULL;
    bool ok = deliver(&in, format, &problem);
    if (summary && (ok || g_error_matches(problem, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE)))
        *summary = in.summary;
    if (problem)
        g_propagate_error(error, problem);
    return ok;
}

bool ingest_file(const char *path, const struct ingest_options *options,
                 const struct fact_sink *sink, struct source_summary *summary, GError **error)
{
    struct reader *reader = reader_open(path, 0, options ? options->progress : NULL,
                                        options ? options->progress_context : NULL, error);
    return reader && ingest_reader(reader, path, options, sink, summary, error);
}
