// Scans, told again, oldest first.
#include "replay.h"

static bool tell_rows(struct archive *from, int64_t id, const struct fact_sink *to, GError **error)
{
    g_autoptr(GPtrArray) files = archive_scan_files(from, id, error);
    g_autoptr(GPtrArray) sections = files ? archive_sections(from, id, error) : NULL;
    g_autoptr(GPtrArray) findings = sections ? archive_findings(from, id, error) : NULL;
    bool ok = findings != NULL;
    for (guint i = 0; ok && i < files->len; i++)
        ok = sink_file(to, files->pdata[i], error);
    for (guint i = 0; ok && i < sections->len; i++)
        ok = sink_section(to, sections->pdata[i], error);
    for (guint i = 0; ok && i < findings->len; i++)
        ok = sink_finding(to, findings->pdata[i], error);
    return ok;
}

static bool tell_scan(struct archive *from, const struct scan_row *row, const struct fact_sink *to,
                      GError **error)
{
    const struct scan_fact scan = {row->root, row->version, row->commit, row->started_ns};
    if (!sink_scan_begin(to, &scan, error))
        return false;
    bool ok = tell_rows(from, row->id, to, error);
    return sink_scan_end(to, &row->summary, ok, ok ? error : NULL) && ok;
}

static bool replay_scan(struct archive *from, const struct scan_row *row, struct replay_target *to,
                        GError **error)
{
    static const struct fact_sink nobody = {0};
    g_autoptr(GError) inner = NULL;
    g_autofree char *what = g_strdup_printf("scan %" G_GINT64_FORMAT, row->id);
    bool readable = !to->left_out || tell_scan(from, row, &nobody, &inner);
    if (!readable && replay_pass_over(to, what, inner))
        return true;
    if (readable && tell_scan(from, row, to->sink, &inner)) {
        to->stored_scans++;
        return true;
    }
    if (g_error_matches(inner, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE)) {
        to->known_scans++;
        return true;
    }
    g_propagate_error(error, g_steal_pointer(&inner));
    return false;
}

bool replay_scans(struct archive *from, struct replay_target *to, GError **error)
{
    g_autoptr(GError) inner = NULL;
    g_autoptr(GPtrArray) scans = archive_scans(from, &inner);
    if (!scans && replay_pass_over(to, "the list of scans", inner))
        return true;
    if (!scans) {
        g_propagate_error(error, g_steal_pointer(&inner));
        return false;
    }
    for (guint i = scans->len; i-- > 0;)
        if (!replay_scan(from, scans->pdata[i], to, error))
            return false;
    return true;
}
