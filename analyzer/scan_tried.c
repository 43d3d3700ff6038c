// Severity of what happens under a lock that nobody spins for. See scan_tried.h.
#include "scan_tried.h"

#include <string.h>

#include "spinfault/base.h"

bool tried_is_misuse(const struct finding_fact *finding)
{
    static const char *const rules[] = {"lock-leak",      "double-acquire",      "double-release",
                                        "unheld-release", "wrong-lock-released", NULL};
    return g_strv_contains(rules, finding->rule);
}

void tried_lower(const GPtrArray *sections, const GPtrArray *findings)
{
    g_autoptr(GHashTable) tried = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) spun_for = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < sections->len; i++) {
        const struct section_fact *section = sections->pdata[i];
        // A function that is entered with the lock says nothing about how it was taken.
        if (section->mode == MODE_TRY && section->scope == SCOPE_SINGLETON)
            g_hash_table_add(tried, (gpointer)section->lock);
        else if (section->mode != MODE_TRY && !section->entered_held)
            g_hash_table_add(spun_for, (gpointer)section->lock);
    }
    for (guint i = 0; i < findings->len; i++) {
        struct finding_fact *finding = findings->pdata[i];
        if (g_hash_table_contains(tried, finding->lock) &&
            !g_hash_table_contains(spun_for, finding->lock) && !tried_is_misuse(finding))
            finding->severity = MIN(finding->severity, SEVERITY_LOW);
    }
}
