// Folded stacks.
//
// The format has no escapes: a ';' in a name would make a frame of its own, so it becomes ':', and
// line ends and other control characters become '?'.
//
// The FlameGraph style follows what stackcollapse-perf.pl does with names, and inferno after it:
// what people have as flame graphs of earlier recordings was made by them.
#include "fold.h"

#include "fold_names.h"

#include <string.h>

struct folder {
    struct fold_style style;
    struct fact_sink sink;
    GHashTable *stacks; // char* -> uint64_t*
    GString *line;      // of the sample
    GPtrArray *parts;   // GString: names of one frame
};

static bool is_unknown(struct slice s)
{
    return s.len == 0 || slice_is(s, "[unknown]");
}

static void append_clean(GString *to, struct slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if (c == ';')
            c = ':';
        else if ((unsigned char)c < ' ' || c == 0x7f)
            c = '?';
        g_string_append_c(to, c);
    }
}

static struct slice base_name(struct slice path)
{
    const char *slash = path.len ? memrchr(path.data, '/', path.len) : NULL;
    if (!slash)
        return path;
    return (struct slice){slash + 1, (size_t)(path.data + path.len - slash) - 1};
}

// "[libc.so.6]", "[unknown]", "[unknown <7f12>]"
static void append_nameless(const struct fold_style *style, GString *to,
                            const struct frame_fact *frame)
{
    struct slice dso = base_name(frame->dso);
    bool bracketed = dso.len > 1 && dso.data[0] == '[' && style->names == FOLD_RAW;
    if (is_unknown(frame->dso))
        dso = SLICE("unknown");
    if (!bracketed)
        g_string_append_c(to, '[');
    append_clean(to, dso);
    if (style->addresses && frame->has_ip)
        g_string_append_printf(to, " <%" G_GINT64_MODIFIER "x>", frame->ip);
    if (!bracketed)
        g_string_append_c(to, ']');
}

// Frames that Java's compilers joined: "a->b" is b, inlined into a.
static void split_arrows(struct folder *f, struct slice symbol)
{
    const char *p = symbol.data, *end = p + symbol.len, *arrow;
    while ((arrow = memmem(p, (size_t)(end - p), "->", 2))) {
        if (arrow > p) {
            GString *part = g_string_new(NULL);
            append_clean(part, (struct slice){p, (size_t)(arrow - p)});
            g_ptr_array_add(f->parts, part);
        }
        p = arrow + 2;
    }
    if (p < end) {
        GString *part = g_string_new(NULL);
        append_clean(part, (struct slice){p, (size_t)(end - p)});
        g_ptr_array_add(f->parts, part);
    }
}

// --- frames ------------------------------------------------------------------------------------

static bool is_kernel(const struct fold_style *style, struct slice dso)
{
    struct slice name = base_name(dso);
    if (style->names != FOLD_FLAMEGRAPH && slice_ends(dso, ".ko"))
        return true;
    return !is_unknown(dso) && ((dso.data[0] == '[' && !memmem(dso.data, dso.len, "unknown", 7)) ||
                                slice_is(name, "vmlinux") || slice_starts(name, "vmlinux-"));
}

static bool is_jit(struct slice dso)
{
    struct slice name = base_name(dso);
    return (slice_starts(dso, "/tmp/perf-") && slice_ends(dso, ".map")) ||
           (slice_starts(name, "jitted-") && slice_ends(name, ".so"));
}

static void name_frame(struct folder *f, const struct frame_fact *frame, struct slice comm)
{
    g_ptr_array_set_size(f->parts, 0);
    if (is_unknown(frame->symbol)) {
        GString *part = g_string_new(NULL);
        append_nameless(&f->style, part, frame);
        g_ptr_array_add(f->parts, part);
    } else if (f->style.names == FOLD_RAW) {
        GString *part = g_string_new(NULL);
        append_clean(part, frame->symbol);
        g_ptr_array_add(f->parts, part);
    } else if (frame->symbol.data[0] != '(') {
        split_arrows(f, frame->symbol);
        // A thread with its number in the name is not called "java" any more.
        bool java = slice_is(comm, "java") && f->style.root == FOLD_COMM;
        for (guint i = 0; i < f->parts->len; i++)
            (f->style.names == FOLD_INFERNO ? fold_tidy_inferno : fold_tidy)(f->parts->pdata[i],
                                                                             java);
    }
    for (guint i = 0; i < f->parts->len; i++) {
        GString *part = f->parts->pdata[i];
        if (i > 0)
            g_string_append(part, "_[i]");
        else if (f->style.kernel && is_kernel(&f->style, frame->dso))
            g_string_append(part, "_[k]");
        else if (f->style.jit && is_jit(frame->dso))
            g_string_append(part, "_[j]");
    }
}

static void append_root(struct folder *f, const struct sample_fact *s)
{
    struct slice comm = s->comm;
    gsize from = f->line->len;
    if (comm.len > 0)
        append_clean(f->line, comm);
    else if (s->fields & SAMPLE_TID)
        g_string_append_printf(f->line, ":%" G_GINT64_FORMAT, s->tid);
    else
        g_string_append(f->line, "[unknown]");
    for (gsize i = from; f->style.names != FOLD_RAW && i < f->line->len; i++)
        if (f->line->str[i] == ' ')
            f->line->str[i] = '_';
    if (f->style.root == FOLD_COMM)
        return;
    if (s->fields & SAMPLE_PID)
        g_string_append_printf(f->line, "-%" G_GINT64_FORMAT, s->pid);
    else
        g_string_append(f->line, "-?");
    if (f->style.root == FOLD_TID && (s->fields & SAMPLE_TID))
        g_string_append_printf(f->line, "/%" G_GINT64_FORMAT, s->tid);
    else if (f->style.root == FOLD_TID)
        g_string_append(f->line, "/?");
}

static bool sample(void *context, const struct sample_fact *s, GError **error)
{
    (void)error;
    struct folder *f = context;
    g_string_truncate(f->line, 0);
    append_root(f, s);
    for (size_t i = s->n_frames; i-- > 0;) {
        name_frame(f, &s->frames[i], s->comm);
        for (guint k = 0; k < f->parts->len; k++) {
            const GString *part = f->parts->pdata[k];
            g_string_append_c(f->line, ';');
            g_string_append_len(f->line, part->str, (gssize)part->len);
        }
    }
    uint64_t *weight = g_hash_table_lookup(f->stacks, f->line->str);
    if (!weight) {
        weight = g_new0(uint64_t, 1);
        g_hash_table_insert(f->stacks, g_strdup(f->line->str), weight);
    }
    *weight += s->weight;
    return true;
}

static void free_string(gpointer s)
{
    g_string_free(s, TRUE);
}

struct folder *folder_new(const struct fold_style *style)
{
    struct folder *f = g_new0(struct folder, 1);
    f->style = *style;
    f->stacks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    f->line = g_string_new(NULL);
    f->parts = g_ptr_array_new_with_free_func(free_string);
    f->sink = (struct fact_sink){.context = f, .sample = sample};
    return f;
}

const struct fact_sink *folder_sink(struct folder *folder)
{
    return &folder->sink;
}

static int compare(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool folder_write(const struct folder *folder, FILE *out)
{
    guint n;
    g_autofree gpointer *stacks = g_hash_table_get_keys_as_array(folder->stacks, &n);
    qsort(stacks, n, sizeof *stacks, compare);
    for (guint i = 0; i < n; i++)
        fprintf(out, "%s %" G_GUINT64_FORMAT "\n", (const char *)stacks[i],
                *(const uint64_t *)g_hash_table_lookup(folder->stacks, stacks[i]));
    return fflush(out) == 0 && !ferror(out);
}

void folder_free(struct folder *folder)
{
    if (!folder)
        return;
    g_hash_table_unref(folder->stacks);
    g_string_free(folder->line, TRUE);
    g_ptr_array_unref(folder->parts);
    g_free(folder);
}
