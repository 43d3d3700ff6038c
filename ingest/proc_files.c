// Files of /proc and settings of a server, as they are: vmstat, meminfo, a process's smaps and
// status, and postgresql.conf. Facts of the environment, not of a run. A file name that says
// "before" or "after" is believed.
#include "formats.h"
#include "lines.h"

struct parser {
    struct ingest *in;
    const char *scope, *source, *phase;
    char *mapping;      // of smaps: "7fb3e887f000-7fb40ae95000 /dev/zero"
    GHashTable *values; // of postgresql.conf: the last one wins
    GPtrArray *order;
};

static const char *phase_of(const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    return strstr(name, "before") ? "before" : strstr(name, "after") ? "after" : NULL;
}

static bool give(struct parser *p, const char *key, struct slice value, const char *unit,
                 GError **error)
{
    g_autofree char *text = text_printable(slice_trim(value));
    struct environment_fact fact = {.scope = p->scope,
                                    .source = p->source,
                                    .key = key,
                                    .value = text,
                                    .unit = unit,
                                    .phase = p->phase};
    return ingest_environment(p->in, &fact, error);
}

static bool is_name(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!g_ascii_isalnum(s.data[i]) && !strchr("_()-.", s.data[i]))
            return false;
    return s.len > 0 && !g_ascii_isdigit(s.data[0]);
}

// A last line without its end may lack digits; "kB" behind them says that it does not.
static bool is_cut(struct parser *p, struct slice line)
{
    bool cut = p->in->reader->cut && !slice_ends(line, " kB");
    p->in->summary.truncated |= cut;
    return cut;
}

// "pgfault 558514"
static bool vmstat_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice s = line, name = line_word(&s), value = line_word(&s);
    uint64_t number;
    if (name.len == 0)
        return true;
    if (is_cut(p, line))
        return ingest_skip(p->in, p->in->reader->line, "cut off", line, error);
    if (!is_name(name) || !slice_to_u64(value, &number) || slice_trim(s).len > 0)
        return ingest_skip(p->in, p->in->reader->line, "no counter", line, error);
    g_autofree char *key = slice_dup(name);
    return give(p, key, value, NULL, error);
}

// "HugePages_Total:     276", "MemTotal:       24683656 kB", "VmRSS:	   18448 kB"
static bool colon_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice s = line;
    const char *colon = line.len ? memchr(line.data, ':', line.len) : NULL;
    if (slice_trim(line).len == 0)
        return true;
    if (is_cut(p, line))
        return ingest_skip(p->in, p->in->reader->line, "cut off", line, error);
    if (!colon)
        return ingest_skip(p->in, p->in->reader->line, "no \"Name: value\"", line, error);
    struct slice name = slice_trim(line_field(&s, ':')), value = line_word(&s);
    struct slice unit = slice_trim(s);
    if (!is_name(name) || value.len == 0)
        return ingest_skip(p->in, p->in->reader->line, "no \"Name: value\"", line, error);
    bool has_unit = slice_is(unit, "kB");
    struct slice all =
        has_unit || unit.len == 0
            ? value
            : (struct slice){value.data, (size_t)(unit.data + unit.len - value.data)};
    g_autofree char *plain = slice_dup(name);
    g_autofree char *key =
        p->mapping ? g_strdup_printf("%s/%s", p->mapping, plain) : g_strdup(plain);
    return give(p, key, all, has_unit ? "kB" : NULL, error);
}

// "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages:276", as grep prints files
static bool sysfs_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice value = line, path = line_field(&value, ':');
    if (slice_trim(line).len == 0)
        return true;
    if (!slice_starts(path, "/") || path.len == line.len)
        return ingest_skip(p->in, p->in->reader->line, "no \"/FILE:VALUE\"", line, error);
    g_autofree char *key = text_printable(path);
    return give(p, key, value, NULL, error);
}

// "7fb3e887f000-7fb40ae95000 rw-s 00000000 00:01 82      /dev/zero (deleted)"
static bool is_mapping(struct slice line)
{
    struct slice s = line, range = line_word(&s), prot = line_word(&s);
    const char *dash = range.len ? memchr(range.data, '-', range.len) : NULL;
    uint64_t v;
    return dash && prot.len == 4 && strchr("r-", prot.data[0]) &&
           slice_to_hex((struct slice){range.data, (size_t)(dash - range.data)}, &v);
}

static bool smaps_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    if (!is_mapping(line))
        return colon_line(p, line, error);
    struct slice s = line, range = line_word(&s), prot = line_word(&s);
    for (int i = 0; i < 3; i++)
        line_word(&s);
    g_autofree char *a = slice_dup(range), *b = slice_dup(prot);
    g_autofree char *path = text_printable(slice_trim(s));
    g_free(p->mapping);
    p->mapping = g_strdup_printf("%s %s%s%s", a, b, *path ? " " : "", path);
    return true;
}

// "shared_buffers = 128MB   # comment", "name value", "name = 'it''s'"
static bool conf_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice s = slice_trim(line);
    size_t n = 0;
    if (s.len == 0 || s.data[0] == '#')
        return true;
    while (n < s.len && (g_ascii_isalnum(s.data[n]) || s.data[n] == '_' || s.data[n] == '.'))
        n++;
    struct slice name = {s.data, n}, rest = slice_trim((struct slice){s.data + n, s.len - n});
    if (rest.len > 0 && rest.data[0] == '=')
        rest = slice_trim((struct slice){rest.data + 1, rest.len - 1});
    if (n == 0 || !is_name(name))
        return ingest_skip(p->in, p->in->reader->line, "no \"name = value\"", line, error);
    GString *value = g_string_new(NULL);
    if (rest.len > 0 && rest.data[0] == '\'') {
        for (size_t i = 1; i < rest.len; i++) {
            if (rest.data[i] == '\'' && (i + 1 >= rest.len || rest.data[i + 1] != '\''))
                break;
            if ((rest.data[i] == '\'' || rest.data[i] == '\\') && i + 1 < rest.len)
                i++;
            g_string_append_c(value, rest.data[i]);
        }
    } else {
        struct slice plain = line_field(&rest, '#');
        g_string_append_len(value, plain.data, (gssize)plain.len);
        g_strchomp(value->str);
    }
    char *key = slice_dup(name);
    if (!g_hash_table_contains(p->values, key))
        g_ptr_array_add(p->order, g_strdup(key));
    g_hash_table_insert(p->values, key, g_string_free(value, FALSE));
    return true;
}

static bool parse_lines(struct ingest *in, const char *scope, const char *source,
                        line_callback each, GError **error)
{
    struct parser p = {.in = in,
                       .scope = scope,
                       .source = source,
                       .phase = phase_of(in->name),
                       .values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                       .order = g_ptr_array_new_with_free_func(g_free)};
    bool ok = lines_each(in, each, &p, error);
    for (guint i = 0; ok && i < p.order->len; i++)
        ok = give(&p, p.order->pdata[i],
                  slice_from(g_hash_table_lookup(p.values, p.order->pdata[i])), NULL, error);
    g_hash_table_unref(p.values);
    g_ptr_array_unref(p.order);
    g_free(p.mapping);
    if (ok && in->summary.records == 0)
        return ingest_damaged(in, 0, error, "nothing of %s in it", source);
    return ok;
}

static bool parse_vmstat(struct ingest *in, GError **error)
{
    return parse_lines(in, "host", "/proc/vmstat", vmstat_line, error);
}

static bool parse_meminfo(struct ingest *in, GError **error)
{
    return parse_lines(in, "host", "/proc/meminfo", colon_line, error);
}

static bool parse_status(struct ingest *in, GError **error)
{
    return parse_lines(in, "process", "/proc/PID/status", colon_line, error);
}

static bool parse_smaps(struct ingest *in, GError **error)
{
    return parse_lines(in, "process", "/proc/PID/smaps", smaps_line, error);
}

static bool parse_sysfs(struct ingest *in, GError **error)
{
    return parse_lines(in, "host", "/sys", sysfs_line, error);
}

static bool parse_conf(struct ingest *in, GError **error)
{
    return parse_lines(in, "server", "postgresql.conf", conf_line, error);
}

// A line that begins with `key`.
static bool has_line(struct slice head, const char *key)
{
    struct slice rest = head, line;
    while (head_line(&rest, &line))
        if (slice_starts(line, key))
            return true;
    return false;
}

static int detect_vmstat(struct slice head)
{
    return (has_line(head, "nr_free_pages ") + has_line(head, "pgfault ") +
            has_line(head, "pgmajfault ")) >= 2
               ? 95
               : 0;
}

static int detect_meminfo(struct slice head)
{
    return has_line(head, "MemTotal:") || (has_line(head, "HugePages_Total:") && !is_mapping(head))
               ? 90
               : 0;
}

static int detect_status(struct slice head)
{
    return has_line(head, "VmRSS:") && (has_line(head, "VmPTE:") || has_line(head, "Name:")) ? 90
                                                                                             : 0;
}

static int detect_smaps(struct slice head)
{
    return is_mapping(head) && has_line(head, "Rss:") ? 95 : 0;
}

static int detect_sysfs(struct slice head)
{
    return slice_starts(head, "/sys/") && line_has(head, ":") ? 85 : 0;
}

static int detect_conf(struct slice head)
{
    static const char *const names[] = {"shared_buffers",   "max_connections", "huge_pages",
                                        "listen_addresses", "max_wal_size",    "log_timezone"};
    int found = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *set = g_strconcat(names[i], " =", NULL);
        g_autofree char *unset = g_strconcat("#", names[i], " =", NULL);
        found += has_line(head, set) || has_line(head, unset);
    }
    return found >= 2 ? 85 : line_has(head, "PostgreSQL configuration file") ? 80 : 0;
}

const struct ingest_format format_vmstat = {
    .name = "vmstat",
    .summary = "/proc/vmstat: counters of the whole host",
    .detect = detect_vmstat,
    .parse = parse_vmstat,
};
const struct ingest_format format_meminfo = {
    .name = "meminfo",
    .summary = "/proc/meminfo",
    .detect = detect_meminfo,
    .parse = parse_meminfo,
};
const struct ingest_format format_status = {
    .name = "status",
    .summary = "/proc/PID/status: memory of a process",
    .detect = detect_status,
    .parse = parse_status,
};
const struct ingest_format format_smaps = {
    .name = "smaps",
    .summary = "/proc/PID/smaps: the mappings of a process",
    .detect = detect_smaps,
    .parse = parse_smaps,
};
const struct ingest_format format_sysfs = {
    .name = "sysfs",
    .summary = "files of /sys with their contents, as `grep . /sys/…/*` prints them",
    .detect = detect_sysfs,
    .parse = parse_sysfs,
};
const struct ingest_format format_postgresql_conf = {
    .name = "postgresql.conf",
    .summary = "settings of a PostgreSQL server",
    .detect = detect_conf,
    .parse = parse_conf,
};
