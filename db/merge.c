// Merging: the rows of another archive are copied in SQL, with that archive attached beside ours.
//
// Only what is new is copied, known by content: a source by its digest, a scan by its tree and
// time. Its rows get new numbers, and the rows they refer to (strings, hosts, …) are found here or
// made. So each table whose rows have numbers gets a temporary one, map_TABLE, from the number
// there to the number here, and every column that refers to such a table goes through its map.
// Which column refers to what is asked of the schema: a new table needs only its place in the list
// below.
//
// All of it is one transaction. The other archive is only read, and is verified before, so that
// damage does not spread.
#include "merge.h"

#include "query.h"
#include "rebuild.h"

#include <sys/stat.h>

// A table, and when a row there (o) is the same as a row here (m).
struct identity {
    const char *table, *same;
};

// What is put in whole.
static const struct identity roots[] = {
    {"source", "m.sha256 = o.sha256"},
    {"scan", "m.root = o.root AND m.started_ns = o.started_ns"},
};

// Rows that are values. The comparisons are those of their unique indexes.
static const struct identity lookups[] = {
    {"string", "m.text = o.text"},
    {"host", "coalesce(m.name, '') = coalesce(o.name, '') AND "
             "coalesce(m.instance, '') = coalesce(o.instance, '') AND "
             "coalesce(m.arch, '') = coalesce(o.arch, '') AND "
             "coalesce(m.vcpus, 0) = coalesce(o.vcpus, 0)"},
    {"workload", "m.benchmark = o.benchmark AND coalesce(m.name, '') = coalesce(o.name, '')"},
    {"metric_kind", "m.name = o.name AND coalesce(m.unit, '') = coalesce(o.unit, '') AND "
                    "coalesce(m.source_unit, '') = coalesce(o.source_unit, '') AND "
                    "m.better = o.better AND m.provenance = o.provenance"},
    {"environment_key", "m.name = o.name AND m.origin = o.origin AND m.scope = o.scope AND "
                        "coalesce(m.unit, '') = coalesce(o.unit, '')"},
};

// The other tables of facts, each after the one that its rows belong to.
static const char *const belongings[] = {
    "source_tag",   "skipped",     "run",          "run_tag",        "metric",    "series",
    "series_point", "wait_sample", "environment",  "profile",        "thread",    "frame",
    "stack_block",  "sample",      "side_record",  "sample_extra",   "scan_file", "section",
    "section_call", "finding",     "finding_step", "section_access",
};

// A table, as the schema has it.
struct shape {
    const char *table;
    GPtrArray *columns; // char*
    GPtrArray *maps;    // of each column: the table whose map its number goes through, or NULL
    guint owner;        // the column that says what a row belongs to
    bool numbered;      // its key is one number, "id"
};

static void shape_free(gpointer p)
{
    struct shape *s = p;
    g_ptr_array_unref(s->columns);
    g_ptr_array_unref(s->maps);
    g_free(s);
}

static bool run_sql(struct archive *a, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool run_sql(struct archive *a, GError **error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *sql = g_strdup_vprintf(format, list);
    va_end(list);
    return archive_execute(a, sql, error);
}

// A reference may lead on: the source of a sample_extra is that of its sample.
static struct shape *shape_of(struct archive *a, const char *table, GError **error)
{
    struct shape *s = g_new0(struct shape, 1);
    struct query q;
    *s = (struct shape){table, g_ptr_array_new_with_free_func(g_free),
                        g_ptr_array_new_with_free_func(g_free), G_MAXUINT, false};
    query_begin(&q, a,
                "WITH RECURSIVE reference (\"column\", \"table\", \"to\") AS ("
                "  SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?1) UNION"
                "  SELECT r.\"column\", k.\"table\", k.\"to\" FROM reference r "
                "  JOIN pragma_foreign_key_list(r.\"table\") k ON k.\"from\" = r.\"to\"), "
                "keys (\"table\") AS MATERIALIZED ("
                "  SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c "
                "  WHERE m.type = 'table' AND c.pk GROUP BY m.name "
                "  HAVING count(*) = 1 AND max(c.name) = 'id') "
                "SELECT c.name, CASE WHEN c.name = 'id' AND ?1 IN (SELECT \"table\" FROM keys) "
                "THEN ?1 ELSE (SELECT r.\"table\" FROM reference r WHERE r.\"column\" = c.name AND "
                "r.\"to\" = 'id' AND r.\"table\" IN (SELECT \"table\" FROM keys)) END, "
                "EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1) k WHERE k.\"from\" = c.name AND "
                "k.on_delete = 'CASCADE') FROM pragma_table_info(?1) c ORDER BY c.cid");
    query_text(&q, table);
    while (query_row(&q)) {
        char *map = query_get_text(&q, 1);
        if (query_get_int(&q, 2) && s->owner == G_MAXUINT)
            s->owner = s->columns->len;
        s->numbered = s->numbered || g_strcmp0(map, table) == 0;
        g_ptr_array_add(s->columns, query_get_text(&q, 0));
        g_ptr_array_add(s->maps, map);
    }
    if (query_end(&q, error))
        return s;
    shape_free(s);
    return NULL;
}

static bool make_map(struct archive *a, const char *table, GError **error)
{
    return run_sql(a, error,
                   "CREATE TEMP TABLE map_%s (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)",
                   table);
}

// New numbers follow the highest that was ever used, in the order of the old ones.
static bool number_rows(struct archive *a, const char *table, const char *chosen, GError **error)
{
    return make_map(a, table, error) &&
           run_sql(
               a, error,
               "INSERT INTO temp.map_%1$s (old, new) SELECT o.id, row_number() OVER (ORDER BY "
               "o.id) + max((SELECT coalesce(max(id), 0) FROM main.%1$s), coalesce((SELECT seq "
               "FROM main.sqlite_sequence WHERE name = '%1$s'), 0)) FROM other.%1$s o WHERE %2$s",
               table, chosen);
}

static bool choose_root(struct archive *a, const struct identity *root, GError **error)
{
    g_autofree char *is_new =
        g_strdup_printf("NOT EXISTS (SELECT 1 FROM main.%s m WHERE %s)", root->table, root->same);
    return number_rows(a, root->table, is_new, error);
}

// What the rows of a table are chosen by: the map of what they belong to, or, of a root, its own.
static char *chosen_rows(const struct shape *s)
{
    bool root = s->owner == G_MAXUINT;
    return g_strdup_printf("temp.map_%s w CROSS JOIN other.%s o ON o.%s = w.old",
                           root ? s->table : (const char *)s->maps->pdata[s->owner], s->table,
                           root ? "id" : (const char *)s->columns->pdata[s->owner]);
}

static bool number_belongings(struct archive *a, const struct shape *s, GError **error)
{
    const char *owner = s->maps->pdata[s->owner];
    g_autofree char *chosen = g_strdup_printf("o.%s IN (SELECT old FROM temp.map_%s)",
                                              (char *)s->columns->pdata[s->owner], owner);
    return number_rows(a, s->table, chosen, error);
}

// Only rows that the chosen ones refer to are taken over.
static bool map_lookup(struct archive *a, const struct identity *lookup, const GPtrArray *shapes,
                       GError **error)
{
    if (!make_map(a, lookup->table, error) ||
        !archive_execute(a, "CREATE TEMP TABLE used (id INTEGER PRIMARY KEY)", error))
        return false;
    for (guint i = 0; i < shapes->len; i++) {
        const struct shape *s = shapes->pdata[i];
        g_autofree char *rows = chosen_rows(s);
        for (guint c = 0; c < s->columns->len; c++)
            if (g_strcmp0(s->maps->pdata[c], lookup->table) == 0 &&
                !run_sql(a, error,
                         "INSERT OR IGNORE INTO temp.used SELECT o.\"%1$s\" FROM %2$s "
                         "WHERE o.\"%1$s\" IS NOT NULL",
                         (char *)s->columns->pdata[c], rows))
                return false;
    }
    g_autoptr(GString) columns = g_string_new(NULL);
    struct shape *own = shape_of(a, lookup->table, error);
    if (!own)
        return false;
    for (guint c = 1; c < own->columns->len; c++)
        g_string_append_printf(columns, "%s\"%s\"", c > 1 ? ", " : "",
                               (char *)own->columns->pdata[c]);
    shape_free(own);
    return run_sql(
        a, error,
        "INSERT INTO main.%1$s (%2$s) SELECT %2$s FROM other.%1$s WHERE id IN (SELECT id "
        "FROM temp.used) ORDER BY id ON CONFLICT DO NOTHING;"
        "INSERT INTO temp.map_%1$s (old, new) SELECT o.id, m.id FROM temp.used u "
        "CROSS JOIN other.%1$s o ON o.id = u.id CROSS JOIN main.%1$s m ON %3$s;"
        "DROP TABLE temp.used",
        lookup->table, columns->str, lookup->same);
}

static bool copy_rows(struct archive *a, const struct shape *s, GError **error)
{
    g_autoptr(GString) columns = g_string_new(NULL);
    g_autoptr(GString) values = g_string_new(NULL);
    g_autofree char *rows = chosen_rows(s);
    for (guint c = 0; c < s->columns->len; c++) {
        const char *name = s->columns->pdata[c], *map = s->maps->pdata[c];
        const char *comma = c ? ", " : "";
        g_string_append_printf(columns, "%s\"%s\"", comma, name);
        if (map)
            g_string_append_printf(values, "%s(SELECT new FROM temp.map_%s WHERE old = o.\"%s\")",
                                   comma, map, name);
        else
            g_string_append_printf(values, "%so.\"%s\"", comma, name);
    }
    return run_sql(a, error, "INSERT INTO main.%s (%s) SELECT %s FROM %s", s->table, columns->str,
                   values->str, rows);
}

static bool read_shapes(struct archive *a, GPtrArray *shapes, GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(roots) + G_N_ELEMENTS(belongings); i++) {
        struct shape *s =
            shape_of(a,
                     i < G_N_ELEMENTS(roots) ? roots[i].table : belongings[i - G_N_ELEMENTS(roots)],
                     error);
        if (!s)
            return false;
        g_ptr_array_add(shapes, s);
    }
    return true;
}

static bool count_rows(struct archive *a, const char *table, unsigned *stored, unsigned *known,
                       GError **error)
{
    g_autofree char *map = g_strdup_printf("SELECT count(*) FROM temp.map_%s", table);
    g_autofree char *all = g_strdup_printf("SELECT count(*) FROM other.%s", table);
    int64_t fresh, there;
    if (!archive_number(a, map, &fresh, error) || !archive_number(a, all, &there, error))
        return false;
    *stored = (unsigned)fresh;
    *known = (unsigned)(there - fresh);
    return true;
}

static bool choose(struct archive *into, struct archive_import_counts *c, GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(roots); i++)
        if (!choose_root(into, &roots[i], error))
            return false;
    return count_rows(into, "source", &c->stored_sources, &c->known_sources, error) &&
           count_rows(into, "scan", &c->stored_scans, &c->known_scans, error);
}

static bool copy_all(struct archive *into, const GPtrArray *shapes, GError **error)
{
    for (guint i = G_N_ELEMENTS(roots); i < shapes->len; i++) {
        const struct shape *s = shapes->pdata[i];
        if (s->numbered && !number_belongings(into, s, error))
            return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(lookups); i++)
        if (!map_lookup(into, &lookups[i], shapes, error))
            return false;
    int64_t newest_profile;
    if (!archive_number(into, "SELECT coalesce(max(id), 0) FROM main.profile", &newest_profile,
                        error))
        return false;
    for (guint i = 0; i < shapes->len; i++)
        if (!copy_rows(into, shapes->pdata[i], error))
            return false;
    return rebuild_profile_functions(into, newest_profile, error);
}

static bool is_sound(struct archive *from, GError **error)
{
    g_autoptr(GPtrArray) problems = archive_verify(from, error);
    if (!problems)
        return false;
    return problems->len == 0 ||
           error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s is damaged (%s); import what \"spinfault archive export --salvage\" can "
                     "save of it",
                     from->path, (char *)problems->pdata[0]);
}

static bool attach(struct archive *into, const struct archive *from, GError **error)
{
    struct query q;
    g_autofree char *name = archive_attach_name(from);
    query_begin(&q, into, "ATTACH ? AS other");
    query_text(&q, name);
    return query_run(&q, error);
}

// The temporary tables are gone when the transaction was rolled back.
static void detach(struct archive *into)
{
    g_autoptr(GString) sql = g_string_new(NULL);
    struct query q;
    query_begin_text(&q, into, "SELECT name FROM temp.sqlite_schema WHERE type = 'table'");
    while (query_row(&q)) {
        g_autofree char *name = query_get_text(&q, 0);
        g_string_append_printf(sql, "DROP TABLE temp.\"%s\";", name);
    }
    query_end(&q, NULL);
    sqlite3_exec(into->db, sql->str, NULL, NULL, NULL);
    sqlite3_exec(into->db, "DETACH other", NULL, NULL, NULL);
}

static bool merge_inside(struct archive *into, struct archive *from, const GPtrArray *shapes,
                         struct archive_import_counts *counts, GError **error)
{
    if (!choose(into, counts, error))
        return false;
    if (counts->stored_sources + counts->stored_scans == 0)
        return true;
    // All references are made here, of rows that are there: see store_frames_and_samples().
    sqlite3_db_config(into->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
    bool ok = is_sound(from, error) && copy_all(into, shapes, error);
    sqlite3_db_config(into->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    return ok;
}

static bool merge_open(struct archive *into, struct archive *from,
                       struct archive_import_counts *counts, GError **error)
{
    g_autoptr(GPtrArray) shapes = g_ptr_array_new_with_free_func(shape_free);
    // Attached in the transaction: when it begins it takes the locks of writers of all files.
    if (!archive_begin(into, error))
        return false;
    struct archive_import_counts found = {0};
    bool ok = read_shapes(into, shapes, error) && attach(into, from, error) &&
              merge_inside(into, from, shapes, &found, error) && archive_commit(into, error);
    if (ok)
        *counts = found;
    else
        archive_rollback(into);
    detach(into);
    return ok;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool merge_archive(struct archive *into, const char *path, struct archive_import_counts *counts,
                   GError **error)
{
    if (is_same_file(into->path, path))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "%s is the archive itself; name another one to import", path);
    struct archive *from = archive_open(path, ARCHIVE_READ, error);
    bool ok = from && (!from->db || merge_open(into, from, counts, error));
    archive_close(from);
    return ok;
}
