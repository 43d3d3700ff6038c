// --list-sections: every critical section, what it touches and what it calls, in 100 columns.
#include <string.h>

#include "scan_output.h"

enum { WIDE_PLACE = 34, WIDE_FUNCTION = 24, WIDE_LOCK = 22, WIDE_OBJECT = 36, WIDE_WHY = 16 };

struct sections_output {
    struct scan_output base;
    bool has_header;
};

// Pads to `width` characters. What is too long loses its beginning (a path's end tells more) or its
// end.
static void print_cell(FILE *out, const char *text, int width, bool keep_end)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    int length = (int)g_utf8_strlen(valid, -1);
    if (width == 0 || length <= width) { // 0: whatever it takes
        fprintf(out, "%s%*s", valid, MAX(width - length, 0), "");
    } else if (keep_end) {
        fprintf(out, "…%s", g_utf8_offset_to_pointer(valid, length - width + 1));
    } else {
        g_autofree char *start = g_utf8_substring(valid, 0, width - 1);
        fprintf(out, "%s…", start);
    }
}

static void print_header(FILE *out)
{
    print_cell(out, "SECTION", WIDE_PLACE, false);
    fputc(' ', out);
    print_cell(out, "FUNCTION", WIDE_FUNCTION, false);
    fputc(' ', out);
    print_cell(out, "LOCK", WIDE_LOCK, false);
    fprintf(out, " %-9s %6s\n", "SCOPE", "COST");
}

static void print_section_line(FILE *out, const struct section_fact *fact)
{
    g_autofree char *place = fact->n_release_lines
                                 ? g_strdup_printf("%s:%u-%u", fact->file, fact->acquire_line,
                                                   fact->release_lines[fact->n_release_lines - 1])
                                 : g_strdup_printf("%s:%u", fact->file, fact->acquire_line);
    print_cell(out, place, WIDE_PLACE, true);
    fputc(' ', out);
    print_cell(out, fact->function, WIDE_FUNCTION, false);
    fputc(' ', out);
    print_cell(out, fact->lock, WIDE_LOCK, false);
    fprintf(out, " %-9s %6u\n", lock_scope_name(fact->scope), fact->cost);
}

static void print_access(FILE *out, const struct access_fact *access)
{
    fprintf(out, "%8u %-5s ", access->line, access->write ? "write" : "read");
    print_cell(out, access->object, WIDE_OBJECT, false);
    if (access->why == WHY_NONE) {
        fprintf(out, " %s", residency_name(access->residency));
    } else {
        fprintf(out, " %-14s ", residency_name(access->residency));
        print_cell(out, fault_why_name(access->why), access->pages_4k ? WIDE_WHY : 0, false);
    }
    if (access->pages_4k) {
        g_autofree char *pages = text_with_commas(access->pages_4k);
        fprintf(out, " %s pages", pages);
    }
    fputc('\n', out);
}

// The same object with the same residency is one line, at its first access.
static bool seen_before(const struct section_fact *fact, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (fact->accesses[j].write == fact->accesses[i].write &&
            fact->accesses[j].residency == fact->accesses[i].residency &&
            strcmp(fact->accesses[j].object, fact->accesses[i].object) == 0)
            return true;
    return false;
}

static bool section(void *context, const struct section_fact *fact, GError **error)
{
    struct sections_output *sections = context;
    FILE *out = sections->base.options.out;
    (void)error;
    if (!sections->has_header)
        print_header(out);
    sections->has_header = true;
    print_section_line(out, fact);
    if (fact->entered_held || fact->left_held)
        fprintf(out, "         %s%s%s\n", fact->entered_held ? "the caller holds the lock" : "",
                fact->entered_held && fact->left_held ? "; " : "",
                fact->left_held ? "the caller gets the lock back held" : "");
    for (size_t i = 0; i < fact->n_accesses; i++)
        if (!seen_before(fact, i))
            print_access(out, &fact->accesses[i]);
    for (size_t i = 0; i < fact->n_calls; i++) {
        fprintf(out, "%8u call  ", fact->calls[i].line);
        print_cell(out, fact->calls[i].name, WIDE_OBJECT, false);
        fprintf(out, " %s\n", call_effect_name(fact->calls[i].effect));
    }
    return true;
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    struct scan_output *output = context;
    (void)error;
    if (fact->status != FILE_SKIPPED)
        fprintf(output->options.out, "%s: %s: %s\n", fact->file, file_status_name(fact->status),
                fact->why ? fact->why : "no reason is known");
    return true;
}

struct scan_output *scan_sections_new(void)
{
    struct sections_output *sections = g_new0(struct sections_output, 1);
    sections->base.sink.section = section;
    sections->base.sink.file = file;
    return &sections->base;
}
