// archive export --format folded, flamegraph, inferno: one profile as folded stacks.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive_actions.h"
#include "fold.h"
#include "say.h"

// The samples of one event of a source, out of all.
struct chosen {
    struct fact_sink sink;
    const struct fact_sink *to;
    const char *event; // or NULL
};

static bool pass_on(void *context, const struct sample_fact *sample, GError **error)
{
    const struct chosen *c = context;
    bool same = c->event ? slice_equal(sample->event, slice_from(c->event)) : !sample->event.data;
    return !same || sink_sample(c->to, sample, error);
}

static const struct profile_row *profile_of_id(const struct archive_call *call,
                                               const GPtrArray *profiles, GError **error)
{
    uint64_t id = 0;
    bool number = slice_to_u64(slice_from(call->profile), &id);
    for (guint i = 0; number && i < profiles->len; i++) {
        const struct profile_row *p = profiles->pdata[i];
        if (p->id == (int64_t)id)
            return p;
    }
    error_set(error, SPINFAULT_ERROR_NOT_FOUND,
              "%s has no profile %s; \"spinfault archive list profiles\" shows what it has",
              archive_path(call->archive), call->profile);
    return NULL;
}

// Without --profile: the one there is, or the first event of the one source there is, which is what
// tools that know one event only would take.
static const struct profile_row *choose(const struct archive_call *call, const GPtrArray *profiles,
                                        GError **error)
{
    const struct profile_row *first = NULL;
    if (call->profile)
        return profile_of_id(call, profiles, error);
    for (guint i = 0; i < profiles->len; i++) {
        const struct profile_row *p = profiles->pdata[i];
        if (first && p->source_id != first->source_id) {
            error_set(error, SPINFAULT_ERROR_USAGE,
                      "%s holds profiles of several files; choose one with --profile ID "
                      "(\"spinfault archive list profiles\" shows them)",
                      archive_path(call->archive));
            return NULL;
        }
        if (!first || p->id < first->id)
            first = p;
    }
    if (!first)
        error_set(error, SPINFAULT_ERROR_NOT_FOUND, "%s holds no profile",
                  archive_path(call->archive));
    return first;
}

static void tell_choice(const struct archive_call *call, const GPtrArray *profiles,
                        const struct profile_row *chosen)
{
    if (call->profile || profiles->len < 2 || call->context->quiet)
        return;
    g_autofree char *line =
        g_strdup_printf("%s has %u events; these are the stacks of the first, %s (profile "
                        "%" G_GINT64_FORMAT "); --profile ID chooses another",
                        chosen->path, profiles->len, chosen->event ? chosen->event : "[no name]",
                        chosen->id);
    say_error(line);
}

static bool read_style(const struct archive_call *call, struct fold_style *style, GError **error)
{
    const char *root = call->root ? call->root : "comm";
    const char *annotate = call->annotate ? call->annotate : "";
    *style = (struct fold_style){.addresses = call->addresses};
    if (strcmp(call->format, "flamegraph") == 0)
        style->names = FOLD_FLAMEGRAPH;
    else if (strcmp(call->format, "inferno") == 0)
        style->names = FOLD_INFERNO;
    if (strcmp(root, "pid") == 0)
        style->root = FOLD_PID;
    else if (strcmp(root, "tid") == 0)
        style->root = FOLD_TID;
    else if (strcmp(root, "comm") != 0)
        return error_set(error, SPINFAULT_ERROR_USAGE, "--root is comm, pid or tid, not \"%s\"",
                         root);
    style->kernel = strcmp(annotate, "kernel") == 0 || strcmp(annotate, "all") == 0;
    style->jit = strcmp(annotate, "jit") == 0 || strcmp(annotate, "all") == 0;
    if (*annotate && !style->kernel && !style->jit)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--annotate is kernel, jit or all, not \"%s\"", annotate);
    return true;
}

bool archive_write_folded(const struct archive_call *call, FILE *out, GError **error)
{
    struct fold_style style;
    if (!read_style(call, &style, error))
        return false;
    g_autoptr(GPtrArray) profiles = archive_profiles(call->archive, error);
    const struct profile_row *profile = profiles ? choose(call, profiles, error) : NULL;
    if (!profile)
        return false;
    tell_choice(call, profiles, profile);
    struct folder *folder = folder_new(&style);
    struct chosen chosen = {.to = folder_sink(folder), .event = profile->event};
    chosen.sink = (struct fact_sink){.context = &chosen, .sample = pass_on};
    bool ok = archive_tell_samples(call->archive, profile->source_id, &chosen.sink, error);
    errno = 0;
    if (ok && !folder_write(folder, out))
        ok = error_from_errno(error, errno ? errno : EIO, "write", "the export");
    folder_free(folder);
    return ok;
}
