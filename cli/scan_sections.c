// --list-sections: every critical section, what it touches and what it calls, in 100 columns
// or those of a narrower terminal.
#include <string.h>

#include "display.h"
#include "scan_output.h"

enum {
    WIDEST = 100,
    NARROWEST = 60,
    LINE = 8,
    SCOPE = 9,
    COST = 6,
    RESIDENCY = 9, // "may-fault": only that has more behind it
    WHY = 14,
    PAGES = 17,
};

struct sections_output {
    struct scan_output base;
    bool has_header;
};

static unsigned total_width(const struct sections_output *sections)
{
    unsigned width = sections->base.options.width;
    return width ? CLAMP(width, NARROWEST, WIDEST) : WIDEST;
}

// A cell and a blank.
static void print_cell(FILE *out, const char *text, unsigned width, bool keep_end)
{
    g_autofree char *cell = display_fit(text, width, keep_end);
    fprintf(out, "%s ", cell);
}

// Place, function and lock share what the numbers leave.
static void print_names(const struct sections_output *sections, const char *place,
                        const char *function, const char *lock)
{
    unsigned left = total_width(sections) - SCOPE - COST - 4;
    unsigned wide = left * 2 / 5, middle = left / 4;
    FILE *out = sections->base.options.out;
    print_cell(out, place, wide, true);
    print_cell(out, function, middle, false);
    print_cell(out, lock, left - wide - middle, false);
}

static void print_header(const struct sections_output *sections)
{
    print_names(sections, "SECTION", "FUNCTION", "LOCK");
    fprintf(sections->base.options.out, "%-*s %*s\n", SCOPE, "SCOPE", COST, "COST");
}

static void print_section_line(const struct sections_output *sections,
                               const struct section_fact *fact)
{
    g_autofree char *place = fact->n_release_lines
                                 ? g_strdup_printf("%s:%u-%u", fact->file, fact->acquire_line,
                                                   fact->release_lines[fact->n_release_lines - 1])
                                 : g_strdup_printf("%s:%u", fact->file, fact->acquire_line);
    print_names(sections, place, fact->function, fact->lock);
    fprintf(sections->base.options.out, "%-*s %*u\n", SCOPE, lock_scope_name(fact->scope), COST,
            fact->cost);
}

static unsigned object_width(const struct sections_output *sections)
{
    return total_width(sections) - LINE - 7 - RESIDENCY - 1 - WHY - 1 - PAGES - 1;
}

static void print_access(const struct sections_output *sections, const struct access_fact *access)
{
    FILE *out = sections->base.options.out;
    fprintf(out, "%*u %-5s ", LINE, access->line, access->write ? "write" : "read");
    print_cell(out, access->object, object_width(sections), true);
    fputs(residency_name(access->residency), out);
    if (access->why != WHY_NONE)
        fprintf(out, " %s", fault_why_name(access->why));
    if (access->pages_4k) {
        g_autofree char *pages = text_with_commas(access->pages_4k);
        fprintf(out, "%*s %s %s", WHY - (int)strlen(fault_why_name(access->why)), "", pages,
                access->pages_4k == 1 ? "page" : "pages");
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
        print_header(sections);
    sections->has_header = true;
    print_section_line(sections, fact);
    if (fact->entered_held || fact->left_held)
        fprintf(out, "         %s%s%s\n", fact->entered_held ? "the caller holds the lock" : "",
                fact->entered_held && fact->left_held ? "; " : "",
                fact->left_held ? "the caller gets the lock back held" : "");
    for (size_t i = 0; i < fact->n_accesses; i++)
        if (!seen_before(fact, i))
            print_access(sections, &fact->accesses[i]);
    for (size_t i = 0; i < fact->n_calls; i++) {
        fprintf(out, "%8u call  ", fact->calls[i].line);
        print_cell(out, fact->calls[i].name, object_width(sections), false);
        fprintf(out, "%s\n", call_effect_name(fact->calls[i].effect));
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
