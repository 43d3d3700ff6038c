// Colour and progress, for people at a terminal only.
#include "terminal.h"

#include <string.h>
#include <unistd.h>

#include "spinfault/base.h"

bool terminal_colour(FILE *out)
{
    const char *no_color = g_getenv("NO_COLOR"), *term = g_getenv("TERM");
    bool wanted = !no_color || !*no_color; // no-color.org: any non-empty value
    return wanted && isatty(fileno(out)) && term && strcmp(term, "dumb") != 0;
}

void progress_init(struct progress *progress, bool quiet)
{
    *progress = (struct progress){
        .enabled = !quiet && isatty(STDERR_FILENO),
        .started_us = g_get_monotonic_time(),
    };
    g_mutex_init(&progress->lock);
}

static void hide(struct progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}

static char *amount(uint64_t value, const char *unit)
{
    return strcmp(unit, "bytes") == 0 ? text_bytes(value) : text_with_commas(value);
}

void progress_show(struct progress *progress, uint64_t done, uint64_t total, const char *unit,
                   const char *label)
{
    enum { APPEARS_US = 1000000, INTERVAL_US = 100000, LABEL_MAX = 48 };
    if (!progress->enabled)
        return;
    g_mutex_lock(&progress->lock);
    int64_t now = g_get_monotonic_time();
    if (now - progress->started_us >= APPEARS_US && now - progress->shown_us >= INTERVAL_US) {
        g_autofree char *shown = amount(done, unit);
        g_autofree char *of = total ? amount(total, unit) : NULL;
        size_t length = label ? strlen(label) : 0;
        fprintf(stderr, "\r\033[K%s%s%s%s%s  %s%s", shown, of ? " of " : "", of ? of : "",
                strcmp(unit, "bytes") == 0 ? "" : " ", strcmp(unit, "bytes") == 0 ? "" : unit,
                length > LABEL_MAX ? "…" : "",
                label ? label + (length > LABEL_MAX ? length - LABEL_MAX : 0) : "");
        fflush(stderr);
        progress->visible = true;
        progress->shown_us = now;
    }
    g_mutex_unlock(&progress->lock);
}

void progress_hide(struct progress *progress)
{
    if (!progress->enabled)
        return;
    g_mutex_lock(&progress->lock);
    hide(progress);
    g_mutex_unlock(&progress->lock);
}

void progress_clear(struct progress *progress)
{
    hide(progress);
    g_mutex_clear(&progress->lock);
}
