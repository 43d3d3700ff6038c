// text: findings for people, with the source line, a caret and the path that leads there.
#include <string.h>

#include "display.h"
#include "scan_output.h"
#include "source_lines.h"

enum paint { PAINT_PLACE, PAINT_HIGH, PAINT_MEDIUM, PAINT_LOW, PAINT_NOTE, PAINT_CARET };

static const char *const paints[] = {
    [PAINT_PLACE] = "\033[1m",  [PAINT_HIGH] = "\033[1;31m", [PAINT_MEDIUM] = "\033[1;33m",
    [PAINT_LOW] = "\033[1;34m", [PAINT_NOTE] = "\033[36m",   [PAINT_CARET] = "\033[1;36m",
};

enum { INDENT = 7 }; // of what belongs to the line above

struct text_output {
    struct scan_output base;
    struct source_lines source;
};

static const char *on(const struct text_output *text, enum paint paint)
{
    return text->base.options.colour ? paints[paint] : "";
}

static const char *off(const struct text_output *text)
{
    return text->base.options.colour ? "\033[0m" : "";
}

static enum paint severity_paint(enum severity severity)
{
    return severity == SEVERITY_HIGH     ? PAINT_HIGH
           : severity == SEVERITY_MEDIUM ? PAINT_MEDIUM
                                         : PAINT_LOW;
}

// The line, and under it a caret.
static void print_source(struct text_output *text, const char *file, unsigned line, unsigned column)
{
    enum { GUTTER = 9, WIDEST = 200 };
    FILE *out = text->base.options.out;
    unsigned width = text->base.options.width;
    const char *source = source_line(&text->source, text->base.root, file, line);
    int caret;
    if (!source)
        return;
    g_autofree char *shown =
        display_source(source, column, width > 2 * GUTTER ? width - GUTTER : WIDEST, &caret);
    fprintf(out, "%6u | %s\n", line, shown);
    if (caret >= 0)
        fprintf(out, "       | %*s%s^%s\n", caret, "", on(text, PAINT_CARET), off(text));
}

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    struct text_output *text = context;
    FILE *out = text->base.options.out;
    (void)error;
    if ((fact->suppressed || fact->baseline) && !text->base.options.verbose)
        return true;
    const char *mark = fact->suppressed ? " (suppressed)"
                       : fact->baseline ? " (in the baseline)"
                                        : "";
    g_autofree char *place = g_strdup_printf("%s:%u:%u:", fact->file, fact->line, fact->column);
    g_autofree char *words = g_strdup_printf("%s [%s]%s", fact->message, fact->rule, mark);
    const char *severity = severity_name(fact->severity);
    unsigned before = (unsigned)(strlen(place) + strlen(severity)) + 3;
    g_autofree char *wrapped = display_wrap(words, before, INDENT, text->base.options.width);
    fprintf(out, "%s%s%s %s%s:%s %s\n", on(text, PAINT_PLACE), place, off(text),
            on(text, severity_paint(fact->severity)), severity, off(text), wrapped);
    print_source(text, fact->file, fact->line, fact->column);
    for (size_t i = 0; i < fact->n_path; i++) {
        const struct path_step *step = &fact->path[i];
        if (step->line == fact->line && strcmp(step->file, fact->file) == 0)
            continue; // the finding itself has said it
        fprintf(out, "%s%s:%u:%s %snote:%s %s\n", on(text, PAINT_PLACE), step->file, step->line,
                off(text), on(text, PAINT_NOTE), off(text), step->what);
        print_source(text, step->file, step->line, 0);
    }
    if (fact->suggestion && *fact->suggestion) {
        g_autofree char *advice =
            display_wrap(fact->suggestion, INDENT + 7, INDENT + 2, text->base.options.width);
        fprintf(out, "%*s%s=%s try: %s\n", INDENT, "", on(text, PAINT_NOTE), off(text), advice);
    }
    fputc('\n', out);
    return true;
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    struct text_output *text = context;
    (void)error;
    if (fact->status == FILE_SKIPPED && !text->base.options.verbose)
        return true;
    fprintf(text->base.options.out, "%s%s:%s %s: %s\n\n", on(text, PAINT_PLACE), fact->file,
            off(text),
            fact->status == FILE_DEGRADED ? "read as far as it goes"
            : fact->status == FILE_FAILED ? "not read"
                                          : file_status_name(fact->status),
            fact->why ? fact->why : "no reason is known");
    return true;
}

static void text_free(struct scan_output *output)
{
    source_lines_clear(&((struct text_output *)output)->source);
    g_free(output);
}

struct scan_output *scan_text_new(void)
{
    struct text_output *text = g_new0(struct text_output, 1);
    text->base.sink.finding = finding;
    text->base.sink.file = file;
    text->base.free = text_free;
    return &text->base;
}
