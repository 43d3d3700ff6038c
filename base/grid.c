// The two axes of the grid: names of page sizes and of preemption modes, as people write them.
#include "spinfault/base/run_facts.h"

#include "spinfault/base/text.h"

#include <glib.h>

static const struct {
    const char *alias, *name;
    uint64_t bytes;
} pages[] = {
    {"base", "4K", 4096},
    {"4k", "4K", 4096},
    {"4kb", "4K", 4096},
    {"4kib", "4K", 4096},
    {"4096", "4K", 4096},
    {"16k", "16K", 16384},
    {"16kb", "16K", 16384},
    {"64k", "64K", 65536},
    {"64kb", "64K", 65536},
    {"thp", "THP", 0},
    {"transparent", "THP", 0},
    {"2m", "2M", 2u << 20},
    {"2mb", "2M", 2u << 20},
    {"2mib", "2M", 2u << 20},
    {"2048kb", "2M", 2u << 20},
    {"2097152", "2M", 2u << 20},
    {"1g", "1G", 1u << 30},
    {"1gb", "1G", 1u << 30},
    {"1gib", "1G", 1u << 30},
    {"1048576kb", "1G", 1u << 30},
    {"1073741824", "1G", 1u << 30},
};

bool page_parse(const char *text, char name[8], uint64_t *bytes)
{
    g_autofree char *key = g_ascii_strdown(text, -1);
    GString *packed = g_string_new(NULL);
    for (const char *p = key; *p; p++)
        if (*p != ' ')
            g_string_append_c(packed, *p);
    g_autofree char *word = g_string_free(packed, FALSE);
    for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
        if (strcmp(word, pages[i].alias) != 0)
            continue;
        g_strlcpy(name, pages[i].name, 8);
        if (bytes)
            *bytes = pages[i].bytes;
        return true;
    }
    return false;
}

const char *preempt_parse(const char *text)
{
    static const char *const modes[] = {"none", "voluntary", "full", "lazy", "rt"};
    g_autofree char *lower = g_ascii_strdown(text, -1);
    char *word = g_strstrip(lower);
    if (g_str_has_prefix(word, "config_"))
        word += strlen("config_");
    if (g_str_has_prefix(word, "preempt_"))
        word += strlen("preempt_");
    else if (g_str_has_prefix(word, "preempt(") && g_str_has_suffix(word, ")")) {
        word += strlen("preempt(");
        word[strlen(word) - 1] = '\0';
    } else if (strcmp(word, "preempt") == 0) {
        return "full";
    }
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++)
        if (strcmp(word, modes[i]) == 0)
            return modes[i];
    return NULL;
}
