// The schema is made at once in its newest version; an older archive gets the steps it lacks, in
// order. All of it is one transaction, so that an archive is of one version or of the other.
// Derived views and tables carry the digest of the text that made them and are made anew when it
// differs, which needs no new version.
#include "migrate.h"

#include "query.h"
#include "rebuild.h"

// Steps from version 1 upwards: {2, migration_2_sql}, …. tests/data/db has an archive of every
// version, as the program of its time made it (tests/db/make_archive.c).
static const struct migration *const steps = NULL;

bool archive_inspect(struct archive *archive, enum archive_state *state, GError **error)
{
    int64_t id, version, objects;
    if (!archive_number(archive, "PRAGMA application_id", &id, error) ||
        !archive_number(archive, "PRAGMA user_version", &version, error) ||
        !archive_number(archive, "SELECT count(*) FROM sqlite_schema", &objects, error))
        return false;
    if (id == 0 && version == 0 && objects == 0) {
        *state = ARCHIVE_EMPTY;
        return true;
    }
    if (id != ARCHIVE_APPLICATION_ID)
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s is an SQLite file of another program, not a spinfault archive",
                         archive->path);
    if (version > ARCHIVE_VERSION)
        return error_set(error, SPINFAULT_ERROR_NEWER,
                         "%s was written by a newer spinfault (schema %d, this one knows %d); "
                         "use that version",
                         archive->path, (int)version, ARCHIVE_VERSION);
    *state = version < ARCHIVE_VERSION ? ARCHIVE_OLDER : ARCHIVE_CURRENT;
    return true;
}

static bool set_version(struct archive *archive, int version, GError **error)
{
    // PRAGMA takes no bound values; this is a number of ours.
    g_autofree char *pragma = g_strdup_printf("PRAGMA user_version = %d", version);
    if (!archive_execute(archive, pragma, error))
        return false;
    struct query q;
    query_begin(&q, archive,
                "INSERT INTO schema_history (version, program, applied_ns) VALUES (?, ?, ?)");
    query_int(&q, version);
    query_text(&q, SPINFAULT_VERSION);
    query_int(&q, g_get_real_time() * 1000);
    return query_run(&q, error);
}

static bool create(struct archive *archive, GError **error)
{
    g_autofree char *pragma = g_strdup_printf("PRAGMA application_id = %d", ARCHIVE_APPLICATION_ID);
    return archive_execute(archive, pragma, error) && archive_execute(archive, schema_sql, error) &&
           set_version(archive, ARCHIVE_VERSION, error);
}

static bool step_all(struct archive *archive, const struct migration *list, size_t n, int target,
                     GError **error)
{
    int64_t version;
    if (!archive_number(archive, "PRAGMA user_version", &version, error))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct migration *m = &list[i];
        if (m->version <= version || m->version > target)
            continue;
        bool ok = m->sql ? archive_execute(archive, m->sql, error) : m->run(archive, error);
        if (!ok || !set_version(archive, m->version, error)) {
            g_prefix_error(error, "migration of %s to schema %d: ", archive->path, m->version);
            return false;
        }
        version = m->version;
    }
    if (version != target)
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s says it has schema %d, from which there is no way to %d",
                         archive->path, (int)version, target);
    return true;
}

static bool derived_is_current(struct archive *archive, bool *current, GError **error)
{
    int64_t there;
    *current = false;
    if (!archive_number(archive, "SELECT count(*) FROM sqlite_schema WHERE name = 'derived'",
                        &there, error))
        return false;
    if (!there)
        return true;
    char hex[DIGEST_HEX_BYTES];
    digest_bytes(derived_sql, strlen(derived_sql), hex);
    struct query q;
    query_begin(&q, archive, "SELECT digest FROM derived");
    while (query_row(&q)) {
        g_autofree char *digest = query_get_text(&q, 0);
        *current = g_strcmp0(digest, hex) == 0;
    }
    return query_end(&q, error);
}

static bool upgrade_inside(struct archive *archive, const struct migration *list, size_t n,
                           int target, GError **error)
{
    // Asked again under the lock: another process may have been faster.
    enum archive_state state = ARCHIVE_EMPTY;
    bool current;
    if (!archive_inspect(archive, &state, error))
        return false;
    bool ok =
        state == ARCHIVE_EMPTY ? create(archive, error) : step_all(archive, list, n, target, error);
    if (!ok || !derived_is_current(archive, &current, error))
        return false;
    return current || archive_make_derived(archive, error);
}

bool archive_upgrade_by(struct archive *archive, const struct migration *list, size_t n, int target,
                        GError **error)
{
    if (!archive_execute(archive, "BEGIN IMMEDIATE", error))
        return false;
    if (upgrade_inside(archive, list, n, target, error) &&
        archive_execute(archive, "COMMIT", error))
        return true;
    archive_rollback(archive);
    return false;
}

bool archive_upgrade(struct archive *archive, GError **error)
{
    return archive_upgrade_by(archive, steps, 0, ARCHIVE_VERSION, error);
}

bool archive_make_derived(struct archive *archive, GError **error)
{
    // Every view is derived; so are these tables, of this and of earlier versions.
    static const char *const tables[] = {"profile_function", "scan_cache", "derived"};
    g_autoptr(GPtrArray) drops = g_ptr_array_new_with_free_func(g_free);
    struct query q;
    query_begin(&q, archive, "SELECT name FROM sqlite_schema WHERE type = 'view'");
    while (query_row(&q)) {
        g_autofree char *name = query_get_text(&q, 0);
        char *sql = sqlite3_mprintf("DROP VIEW \"%w\"", name);
        g_ptr_array_add(drops, g_strdup(sql));
        sqlite3_free(sql);
    }
    if (!query_end(&q, error))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        g_ptr_array_add(drops, g_strdup_printf("DROP TABLE IF EXISTS %s", tables[i]));
    for (guint i = 0; i < drops->len; i++)
        if (!archive_execute(archive, drops->pdata[i], error))
            return false;
    if (!archive_execute(archive, derived_sql, error) ||
        !archive_execute(archive, "CREATE TABLE derived (digest TEXT NOT NULL) STRICT", error))
        return false;
    char hex[DIGEST_HEX_BYTES];
    digest_bytes(derived_sql, strlen(derived_sql), hex);
    query_begin(&q, archive, "INSERT INTO derived (digest) VALUES (?)");
    query_text(&q, hex);
    return query_run(&q, error) && rebuild_profile_functions(archive, 0, error);
}
