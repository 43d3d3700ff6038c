// Is the archive what it says it is? SQLite knows whether its pages, indexes and CHECKs are in
// order; whether a source still has all its facts only its recorded counts and sums can tell.
#include "query.h"

#include "intern.h"
#include "stack_block.h"

// One question: rows are what is wrong, and `say` makes a sentence of one.
struct question {
    const char *sql;
    const char *say; // %1 … %4 are the row's columns
};

#define COUNT(table, of, column, what)                                                             \
    {"SELECT o.id, o.path, o." column ", coalesce(c.n, 0) FROM source o LEFT JOIN "                \
     "(SELECT " of " AS id, count(*) AS n FROM " table " GROUP BY 1) c ON c.id = o.id "            \
     "WHERE o." column " <> coalesce(c.n, 0)",                                                     \
     "source %1 (%2) says it has %3 " what ", but %4 are there"}

static const struct question questions[] = {
    COUNT("run", "source_id", "runs", "runs"),
    COUNT("metric m JOIN run r ON r.id = m.run_id", "r.source_id", "metrics", "metrics"),
    COUNT("series_point p JOIN series e ON e.id = p.series_id JOIN run r ON r.id = e.run_id",
          "r.source_id", "points", "points of series"),
    COUNT("sample", "source_id", "samples", "samples"),
    COUNT("side_record", "source_id", "side_records", "side records"),
    COUNT("wait_sample", "source_id", "waits", "wait-event samples"),
    COUNT("environment", "source_id", "environment", "environment facts"),
    {"SELECT id, path FROM source WHERE sha256 = printf('%064d', 0)",
     "source %1 (%2) was never completed"},
    {"SELECT p.id, p.source_id, p.samples, coalesce(c.n, 0) FROM profile p LEFT JOIN "
     "(SELECT profile_id, count(*) AS n FROM sample GROUP BY 1) c ON c.profile_id = p.id "
     "WHERE p.samples <> coalesce(c.n, 0)",
     "profile %1 (of source %2) says it has %3 samples, but %4 are there"},
    {"SELECT p.id, p.source_id, p.weight, coalesce(c.w, 0) FROM profile p LEFT JOIN "
     "(SELECT profile_id, sum(weight) AS w FROM sample GROUP BY 1) c ON c.profile_id = p.id "
     "WHERE p.weight <> coalesce(c.w, 0)",
     "profile %1 (of source %2) says it weighs %3, but its samples weigh %4"},
    {"SELECT s.id, s.root, s.stored_sections, coalesce(c.n, 0) FROM scan s LEFT JOIN "
     "(SELECT scan_id, count(*) AS n FROM section GROUP BY 1) c ON c.scan_id = s.id "
     "WHERE s.stored_sections <> coalesce(c.n, 0)",
     "scan %1 (%2) says it has %3 sections, but %4 are there"},
    {"SELECT s.id, s.root, s.stored_findings, coalesce(c.n, 0) FROM scan s LEFT JOIN "
     "(SELECT scan_id, count(*) AS n FROM finding GROUP BY 1) c ON c.scan_id = s.id "
     "WHERE s.stored_findings <> coalesce(c.n, 0)",
     "scan %1 (%2) says it has %3 findings, but %4 are there"},
    {"SELECT s.source_id, count(*) FROM sample s LEFT JOIN "
     "(SELECT source_id AS id, sum(nodes) AS n FROM stack_block GROUP BY 1) b ON b.id = "
     "s.source_id "
     "WHERE s.node > coalesce(b.n, 0) GROUP BY 1",
     "%2 samples of source %1 name a stack that is not there"},
};

static char *sentence(const char *say, const struct query *q)
{
    GString *out = g_string_new(NULL);
    for (; *say; say++) {
        if (*say != '%') {
            g_string_append_c(out, *say);
            continue;
        }
        g_autofree char *text = query_get_text(q, *++say - '1');
        g_string_append(out, text ? text : "nothing");
    }
    return g_string_free(out, false);
}

static bool ask(struct archive *archive, const struct question *question, GPtrArray *problems,
                GError **error)
{
    struct query q;
    query_begin(&q, archive, question->sql);
    while (query_row(&q))
        g_ptr_array_add(problems, sentence(question->say, &q));
    return query_end(&q, error);
}

static bool check_pages(struct archive *archive, GPtrArray *problems, GError **error)
{
    struct query q;
    query_begin(&q, archive, "PRAGMA integrity_check(50)");
    while (query_row(&q)) {
        g_autofree char *text = query_get_text(&q, 0);
        if (g_strcmp0(text, "ok") == 0)
            continue;
        g_strdelimit(text, "\n", ' ');
        g_ptr_array_add(problems, g_strdup(text));
    }
    return query_end(&q, error);
}

static bool check_references(struct archive *archive, GPtrArray *problems, GError **error)
{
    static const struct question lost = {
        "SELECT \"table\", count(*), parent FROM pragma_foreign_key_check GROUP BY 1, 3",
        "%2 rows of table %1 refer to rows of %3 that are not there",
    };
    return ask(archive, &lost, problems, error);
}

// Blocks must unpack, and each node's frame must be there.
static bool check_stacks(struct archive *archive, int64_t source_id, GPtrArray *problems,
                         GError **error)
{
    g_autoptr(GError) inner = NULL;
    g_autoptr(GArray) nodes = stack_blocks_read(archive, source_id, &inner);
    if (!nodes && !g_error_matches(inner, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED)) {
        g_propagate_error(error, g_steal_pointer(&inner));
        return false;
    }
    if (!nodes) {
        g_ptr_array_add(problems, g_strdup_printf("the stack tree of source %" G_GINT64_FORMAT
                                                  " can't be unpacked",
                                                  source_id));
        return true;
    }
    struct query q;
    int64_t most = 0, lost = 0;
    query_begin(&q, archive, "SELECT coalesce(max(id), 0) FROM frame WHERE source_id = ?");
    query_int(&q, source_id);
    while (query_row(&q))
        most = query_get_int(&q, 0);
    if (!query_end(&q, error))
        return false;
    for (guint i = 1; i < nodes->len; i++) {
        uint32_t frame = g_array_index(nodes, struct node_key, i).frame;
        lost += frame == 0 || frame > most;
    }
    if (lost)
        g_ptr_array_add(problems,
                        g_strdup_printf("%" G_GINT64_FORMAT " nodes of the stack tree of source "
                                        "%" G_GINT64_FORMAT " name a frame that is not there",
                                        lost, source_id));
    return true;
}

static bool check_all_stacks(struct archive *archive, GPtrArray *problems, GError **error)
{
    g_autoptr(GArray) sources = g_array_new(false, false, sizeof(int64_t));
    struct query q;
    query_begin(&q, archive, "SELECT DISTINCT source_id FROM stack_block ORDER BY 1");
    while (query_row(&q)) {
        int64_t id = query_get_int(&q, 0);
        g_array_append_val(sources, id);
    }
    bool ok = query_end(&q, error);
    for (guint i = 0; ok && i < sources->len; i++)
        ok = check_stacks(archive, g_array_index(sources, int64_t, i), problems, error);
    return ok;
}

GPtrArray *archive_verify(struct archive *archive, GError **error)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) inner = NULL;
    if (!archive->db)
        return g_steal_pointer(&problems);
    bool ok = check_pages(archive, problems, &inner) &&
              check_references(archive, problems, &inner) &&
              check_all_stacks(archive, problems, &inner);
    for (size_t i = 0; ok && i < G_N_ELEMENTS(questions); i++)
        ok = ask(archive, &questions[i], problems, &inner);
    // A file so damaged that a question fails is answered by what was found before it.
    if (ok || problems->len > 0) {
        if (!ok)
            g_ptr_array_add(problems, g_strdup(inner->message));
        return g_steal_pointer(&problems);
    }
    g_propagate_error(error, g_steal_pointer(&inner));
    return NULL;
}
