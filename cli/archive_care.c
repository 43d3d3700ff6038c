// archive backup, rebuild, export and import.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "archive_actions.h"
#include "say.h"

enum status archive_back_up(const struct archive_call *call, GError **error)
{
    const char *to = call->arguments[0];
    if (!archive_backup(call->archive, to, error))
        return STATUS_TROUBLE;
    if (!call->context->quiet)
        printf("%s is a copy of %s.\n", to, archive_path(call->archive));
    return STATUS_FINE;
}

enum status archive_make_anew(const struct archive_call *call, GError **error)
{
    if (!archive_rebuild(call->archive, error))
        return STATUS_TROUBLE;
    if (!call->context->quiet)
        printf("%s: derived views and tables made anew.\n", archive_path(call->archive));
    return STATUS_FINE;
}

static bool export_to(const struct archive_call *call, FILE *out, GPtrArray *left_out,
                      GError **error)
{
    if (strcmp(call->format, "json") == 0)
        return archive_export(call->archive, out, left_out, error);
    return archive_write_folded(call, out, error);
}

// Whole or not at all: under another name until it is complete.
static bool export_to_file(const struct archive_call *call, const char *path, GPtrArray *left_out,
                           GError **error)
{
    g_autofree char *part = g_strdup_printf("%s.part-%d", path, (int)getpid());
    FILE *out = fopen(part, "wxe");
    if (!out)
        return error_from_errno(error, errno, "write", path);
    bool ok = export_to(call, out, left_out, error);
    if (!ok)
        g_prefix_error(error, "%s: ", path);
    if (ok && fsync(fileno(out)) != 0)
        ok = error_from_errno(error, errno, "write", path);
    if (fclose(out) != 0 && ok)
        ok = error_from_errno(error, errno, "write", path);
    if (ok && g_rename(part, path) != 0)
        ok = error_from_errno(error, errno, "write", path);
    if (!ok)
        g_unlink(part);
    return ok;
}

static bool check_format(const char *format, GError **error)
{
    if (strcmp(format, "json") == 0 || strcmp(format, "folded") == 0 ||
        strcmp(format, "flamegraph") == 0 || strcmp(format, "inferno") == 0)
        return true;
    return error_set(error, SPINFAULT_ERROR_USAGE,
                     "--format of an export is json, folded, flamegraph or inferno, not \"%s\"",
                     format);
}

enum status archive_write_out(const struct archive_call *call, GError **error)
{
    const char *to = call->n_arguments ? call->arguments[0] : "-";
    g_autoptr(GPtrArray) left_out = call->salvage ? g_ptr_array_new_with_free_func(g_free) : NULL;
    if (!check_format(call->format, error))
        return STATUS_TROUBLE;
    bool ok = strcmp(to, "-") == 0 ? export_to(call, stdout, left_out, error)
                                   : export_to_file(call, to, left_out, error);
    for (guint i = 0; left_out && i < left_out->len; i++) {
        g_autofree char *line = g_strdup_printf("left out: %s", (char *)left_out->pdata[i]);
        say_error(line);
    }
    if (!ok)
        return STATUS_TROUBLE;
    return left_out && left_out->len ? STATUS_UNSURE : STATUS_FINE;
}

static void print_import(const struct archive_call *call, const char *from,
                         const struct archive_import_counts *c)
{
    if (call->context->quiet)
        return;
    printf("%s: %u %s and %u %s stored; %u and %u were there already.\n", from, c->stored_sources,
           c->stored_sources == 1 ? "source" : "sources", c->stored_scans,
           c->stored_scans == 1 ? "scan" : "scans", c->known_sources, c->known_scans);
}

enum status archive_take_in(const struct archive_call *call, GError **error)
{
    for (unsigned i = 0; i < call->n_arguments; i++) {
        struct archive_import_counts counts = {0};
        bool ok = archive_import(call->archive, call->arguments[i], &counts, error);
        if (ok || counts.stored_sources || counts.stored_scans)
            print_import(call, call->arguments[i], &counts);
        if (!ok)
            return STATUS_TROUBLE;
    }
    return STATUS_FINE;
}
