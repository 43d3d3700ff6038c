// Baselines. A fingerprint says rule, function, lock and object, not the line; where one function
// has several such findings, the count says how many are known, and one more is new.
#include "scan_baseline.h"

#include <string.h>

#define FIRST_LINE "# spinfault baseline 1"

struct baseline_entry {
    unsigned count;
    char *rule, *file, *function;
};

static void entry_free(void *data)
{
    struct baseline_entry *entry = data;
    g_free(entry->rule);
    g_free(entry->file);
    g_free(entry->function);
    g_free(entry);
}

static bool scan_begin(void *context, const struct scan_fact *scan, GError **error)
{
    struct scan_baseline *baseline = context;
    return sink_scan_begin(baseline->next, scan, error);
}

static void about_to_show(const struct scan_baseline *baseline)
{
    if (baseline->shows)
        baseline->shows(baseline->shows_context);
}

static bool section(void *context, const struct section_fact *fact, GError **error)
{
    struct scan_baseline *baseline = context;
    about_to_show(baseline);
    return sink_section(baseline->next, fact, error);
}

static bool file(void *context, const struct file_fact *fact, GError **error)
{
    struct scan_baseline *baseline = context;
    about_to_show(baseline);
    return sink_file(baseline->next, fact, error);
}

static void remember(struct scan_baseline *baseline, const struct finding_fact *fact)
{
    struct baseline_entry *entry = g_hash_table_lookup(baseline->found, fact->fingerprint);
    if (!entry) {
        entry = g_new0(struct baseline_entry, 1);
        entry->rule = g_strdup(fact->rule);
        // Printable, so that no name can hold the end of a line.
        entry->file = text_printable(slice_from(fact->file));
        entry->function = text_printable(slice_from(fact->function));
        g_hash_table_insert(baseline->found, g_strdup(fact->fingerprint), entry);
    }
    entry->count++;
}

// Takes one of the known findings with this fingerprint, when there is one left.
static bool take_known(struct scan_baseline *baseline, const char *fingerprint)
{
    if (!baseline->known)
        return false;
    unsigned left = GPOINTER_TO_UINT(g_hash_table_lookup(baseline->known, fingerprint));
    if (left == 0)
        return false;
    g_hash_table_replace(baseline->known, g_strdup(fingerprint), GUINT_TO_POINTER(left - 1));
    return true;
}

static bool finding(void *context, const struct finding_fact *fact, GError **error)
{
    struct scan_baseline *baseline = context;
    struct finding_fact marked = *fact;
    about_to_show(baseline);
    if (!fact->suppressed && baseline->found)
        remember(baseline, fact);
    if (!fact->suppressed && take_known(baseline, fact->fingerprint)) {
        marked.baseline = true;
        // Counted here, subtracted from the analyzer's counts at the end.
        baseline->summary.findings[fact->severity]++;
        baseline->summary.baseline++;
    }
    return sink_finding(baseline->next, &marked, error);
}

static bool scan_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    struct scan_baseline *baseline = context;
    struct scan_summary counted = baseline->summary;
    baseline->summary = *summary;
    baseline->summary.baseline += counted.baseline;
    for (int i = SEVERITY_NONE; i <= SEVERITY_HIGH; i++)
        baseline->summary.findings[i] -= MIN(counted.findings[i], summary->findings[i]);
    about_to_show(baseline);
    return sink_scan_end(baseline->next, &baseline->summary, ok, error);
}

void scan_baseline_init(struct scan_baseline *baseline, const struct fact_sink *next)
{
    *baseline = (struct scan_baseline){
        .sink = {.context = baseline,
                 .scan_begin = scan_begin,
                 .section = section,
                 .finding = finding,
                 .file = file,
                 .scan_end = scan_end},
        .next = next,
    };
}

static bool read_line(struct scan_baseline *baseline, const char *path, size_t number,
                      const char *line, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", 3);
    uint64_t count;
    if (g_strv_length(words) < 2 || !slice_to_u64(slice_from(words[1]), &count) || count == 0 ||
        count > G_MAXUINT)
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s:%zu is no line of a baseline (FINGERPRINT COUNT RULE FILE FUNCTION); "
                         "write the file anew with --write-baseline",
                         path, number);
    g_hash_table_replace(baseline->known, g_strdup(words[0]), GUINT_TO_POINTER((unsigned)count));
    return true;
}

bool scan_baseline_read(struct scan_baseline *baseline, const char *path, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) io = NULL;
    if (!g_file_get_contents(path, &text, NULL, &io))
        return error_set(error,
                         g_error_matches(io, G_FILE_ERROR, G_FILE_ERROR_NOENT)
                             ? SPINFAULT_ERROR_NOT_FOUND
                             : SPINFAULT_ERROR_IO,
                         "cannot read the baseline %s: %s", path, io->message);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    if (!g_str_has_prefix(lines[0] ? lines[0] : "", FIRST_LINE))
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s does not begin with \"%s\"; make one with --write-baseline", path,
                         FIRST_LINE);
    baseline->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 1; lines[i]; i++)
        if (*g_strstrip(lines[i]) && lines[i][0] != '#' &&
            !read_line(baseline, path, i + 1, lines[i], error))
            return false;
    return true;
}

void scan_baseline_record(struct scan_baseline *baseline)
{
    baseline->found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
}

static int compare_fingerprints(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool scan_baseline_write(struct scan_baseline *baseline, const char *path, GError **error)
{
    GString *text = g_string_new(FIRST_LINE "\n# fingerprint, count, rule, file, function\n");
    guint n;
    g_autofree const char **keys =
        (const char **)g_hash_table_get_keys_as_array(baseline->found, &n);
    qsort(keys, n, sizeof(*keys), compare_fingerprints);
    for (guint i = 0; i < n; i++) {
        const struct baseline_entry *entry = g_hash_table_lookup(baseline->found, keys[i]);
        g_string_append_printf(text, "%s %u %s %s %s\n", keys[i], entry->count, entry->rule,
                               entry->file, entry->function);
    }
    g_autoptr(GError) io = NULL;
    bool ok = g_file_set_contents(path, text->str, (gssize)text->len, &io);
    g_string_free(text, TRUE);
    return ok || error_set(error, SPINFAULT_ERROR_IO, "cannot write the baseline %s: %s", path,
                           io->message);
}

void scan_baseline_clear(struct scan_baseline *baseline)
{
    g_clear_pointer(&baseline->known, g_hash_table_unref);
    g_clear_pointer(&baseline->found, g_hash_table_unref);
}
