// See scan_merge.h.
#include "scan_merge.h"

#include <string.h>

#include "scan_tried.h"
#include "spinfault/base.h"

#define PLACES_NAMED 4u // of the others, in the message
#define PLACES_SHOWN 8u // on the path

static bool may_merge(const struct finding_fact *finding)
{
    return !finding->suppressed && finding->acquire_line && !tried_is_misuse(finding) &&
           strcmp(finding->rule, "debug") != 0;
}

static char *key_of(const struct finding_fact *finding)
{
    return g_strdup_printf("%s %u", finding->fingerprint, finding->acquire_line);
}

static bool is_graver(const struct finding_fact *a, const struct finding_fact *b)
{
    return a->severity != b->severity ? a->severity > b->severity : a->confidence > b->confidence;
}

static const struct finding_fact *gravest_of(const GPtrArray *same)
{
    const struct finding_fact *gravest = same->pdata[0];
    for (guint i = 1; i < same->len; i++) {
        if (is_graver(same->pdata[i], gravest))
            gravest = same->pdata[i];
    }
    return gravest;
}

static char *message_of(const GPtrArray *same, const struct finding_fact *gravest)
{
    GString *text = g_string_new(gravest->message);
    g_string_append_printf(text, "; so at %u more place%s: ", same->len - 1,
                           same->len > 2 ? "s" : "");
    unsigned named = 0;
    for (guint i = 0; i < same->len; i++) {
        const struct finding_fact *other = same->pdata[i];
        if (other == gravest)
            continue;
        if (named == PLACES_NAMED) {
            g_string_append(text, ", …");
            break;
        }
        bool renamed = strcmp(other->object, gravest->object) != 0;
        g_string_append_printf(text, "%s%s%sline %u", named++ ? ", " : "",
                               renamed ? other->object : "", renamed ? "() in " : "", other->line);
    }
    return g_string_free(text, FALSE);
}

// The others' places stand before the releases, which end the path.
static void add_places(struct finding_fact *merged, const GPtrArray *same,
                       const struct finding_fact *gravest, GPtrArray *memory)
{
    size_t n = merged->n_path, before = n;
    while (before > 0 && (strcmp(merged->path[before - 1].what, "released") == 0 ||
                          strcmp(merged->path[before - 1].what, "lets go of the lock") == 0))
        before--;
    struct path_step *path = g_new(struct path_step, n + PLACES_SHOWN);
    g_ptr_array_add(memory, path);
    memcpy(path, merged->path, before * sizeof *path);
    size_t to = before;
    for (guint i = 0; i < same->len && to < before + PLACES_SHOWN; i++) {
        const struct finding_fact *other = same->pdata[i];
        if (other != gravest)
            path[to++] = (struct path_step){other->file, other->line, "the same again"};
    }
    memcpy(path + to, merged->path + before, (n - before) * sizeof *path);
    merged->path = path;
    merged->n_path = to + n - before;
}

static struct finding_fact *merge(const GPtrArray *same, GPtrArray *memory)
{
    const struct finding_fact *gravest = gravest_of(same);
    struct finding_fact *merged = g_memdup2(gravest, sizeof *gravest);
    char *message = message_of(same, gravest);
    g_ptr_array_add(memory, merged);
    g_ptr_array_add(memory, message);
    merged->message = message;
    add_places(merged, same, gravest, memory);
    return merged;
}

void merge_findings(GPtrArray *findings, GPtrArray *memory)
{
    g_autoptr(GHashTable) groups =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < findings->len; i++) {
        if (!may_merge(findings->pdata[i]))
            continue;
        g_autofree char *key = key_of(findings->pdata[i]);
        GPtrArray *same = g_hash_table_lookup(groups, key);
        if (!same) {
            same = g_ptr_array_new();
            g_hash_table_insert(groups, g_steal_pointer(&key), same);
        }
        g_ptr_array_add(same, findings->pdata[i]);
    }
    guint kept = 0;
    for (guint i = 0; i < findings->len; i++) {
        struct finding_fact *finding = findings->pdata[i];
        g_autofree char *key = may_merge(finding) ? key_of(finding) : NULL;
        const GPtrArray *same = key ? g_hash_table_lookup(groups, key) : NULL;
        if (!same || same->len == 1)
            findings->pdata[kept++] = finding;
        else if (gravest_of(same) == finding)
            findings->pdata[kept++] = merge(same, memory);
    }
    g_ptr_array_set_size(findings, (gint)kept);
}
