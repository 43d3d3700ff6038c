// Lines of source files. Findings come ordered by file, so one file at a time is kept.
#include "source_lines.h"

#include <glib/gstdio.h>
#include <string.h>

#include "spinfault/base.h"

static void load(struct source_lines *source, const char *path)
{
    g_autofree char *text = NULL;
    GStatBuf info;
    if (g_stat(path, &info) != 0 || info.st_size > LIMIT_SOURCE_BYTES ||
        !g_file_get_contents(path, &text, NULL, NULL))
        return;
    source->lines = g_strsplit(text, "\n", -1);
    source->n_lines = g_strv_length(source->lines);
}

const char *source_line(struct source_lines *source, const char *root, const char *file,
                        unsigned line)
{
    g_autofree char *path =
        g_path_is_absolute(file) || !root ? g_strdup(file) : g_build_filename(root, file, NULL);
    if (g_strcmp0(path, source->path) != 0) {
        source_lines_clear(source);
        source->path = g_steal_pointer(&path);
        load(source, source->path);
    }
    if (line == 0 || line > source->n_lines)
        return NULL;
    char *text = source->lines[line - 1];
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '\r')
        text[length - 1] = '\0';
    return text;
}

void source_lines_clear(struct source_lines *source)
{
    g_clear_pointer(&source->path, g_free);
    g_clear_pointer(&source->lines, g_strfreev);
    source->n_lines = 0;
}
