// See scan_keep.h.
#include "scan_keep.h"

static void tell(struct scan_keep *keep, const char *what, const GError *error)
{
    g_autofree char *text = g_strdup_printf("%s: %s", what, error->message);
    if (!keep->broken)
        keep->note(keep->note_context, text);
    keep->broken = true;
}

static GBytes *get(void *context, const char *key)
{
    struct scan_keep *keep = context;
    g_autoptr(GError) error = NULL;
    GBytes *value = NULL;
    if (!keep->broken && !archive_cache_get(keep->archive, key, &value, &error))
        tell(keep, "results of earlier scans are not used", error);
    return value;
}

static void put(void *context, const struct scan_cache_entry *entries, size_t n)
{
    struct scan_keep *keep = context;
    g_autoptr(GError) error = NULL;
    g_autofree struct archive_cache_row *rows = g_new(struct archive_cache_row, MAX(n, 1));
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct archive_cache_row){entries[i].key, entries[i].value};
    if (!keep->broken && !archive_cache_put(keep->archive, rows, n, LIMIT_CACHE_BYTES, &error))
        tell(keep, "results are not kept for the next scan", error);
}

void scan_keep_init(struct scan_keep *keep, struct archive *archive,
                    void (*note)(void *context, const char *text), void *note_context)
{
    *keep = (struct scan_keep){.cache = {.context = keep, .get = get, .put = put},
                               .archive = archive,
                               .note = note,
                               .note_context = note_context};
}
