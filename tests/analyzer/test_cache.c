// The cache: what makes a kept result good again, and what does not.
#include <string.h>

#include "model.h"
#include "scan_pack.h"
#include "scratch.h"
#include "spinfault/analyzer.h"

// A store in memory.
struct store {
    struct scan_cache cache;
    GHashTable *values; // key -> GBytes*
    unsigned puts, uses;
};

static GBytes *on_get(void *context, const char *key)
{
    struct store *store = context;
    GBytes *value = g_hash_table_lookup(store->values, key);
    return value ? g_bytes_ref(value) : NULL;
}

static void on_put(void *context, const struct scan_cache_entry *entries, size_t n)
{
    struct store *store = context;
    for (size_t i = 0; i < n; i++) {
        store->uses += !entries[i].value;
        store->puts += entries[i].value != NULL;
        if (entries[i].value)
            g_hash_table_replace(store->values, g_strdup(entries[i].key),
                                 g_bytes_ref(entries[i].value));
    }
}

// A tree, what it is scanned with, and what the last scan said.
struct fixture {
    char *dir;
    struct store store;
    struct scan_options options;
    GString *text;
    struct scan_summary summary;
    char *own, *shared; // -I of two folders
    const char *args[4];
};

static bool on_section(void *context, const struct section_fact *s, GError **error)
{
    (void)error;
    GString *text = context;
    g_string_append_printf(text, "section %s:%u %s %s %s %u\n%s\n", s->file, s->acquire_line,
                           s->function, s->lock, s->api, s->cost, s->excerpt);
    for (size_t i = 0; i < s->n_release_lines; i++)
        g_string_append_printf(text, "  released %u\n", s->release_lines[i]);
    for (size_t i = 0; i < s->n_accesses; i++)
        g_string_append_printf(text, "  access %u %s %d %u %" G_GUINT64_FORMAT "\n",
                               s->accesses[i].line, s->accesses[i].object, s->accesses[i].residency,
                               s->accesses[i].write, s->accesses[i].pages_4k);
    for (size_t i = 0; i < s->n_calls; i++)
        g_string_append_printf(text, "  call %u %s %d\n", s->calls[i].line, s->calls[i].name,
                               s->calls[i].effect);
    return true;
}

static bool on_finding(void *context, const struct finding_fact *f, GError **error)
{
    (void)error;
    GString *text = context;
    g_string_append_printf(text, "finding %s:%u:%u %s %s %s %s %s%s\n", f->file, f->line, f->column,
                           f->rule, f->object, f->message, f->suggestion, f->fingerprint,
                           f->suppressed ? " suppressed" : "");
    for (size_t i = 0; i < f->n_path; i++)
        g_string_append_printf(text, "  %s:%u %s\n", f->path[i].file, f->path[i].line,
                               f->path[i].what);
    return true;
}

static bool on_file(void *context, const struct file_fact *f, GError **error)
{
    (void)error;
    g_string_append_printf(context, "file %s %d %s\n", f->file, f->status, f->why);
    return true;
}

static void on_note(void *context, const char *note)
{
    g_string_append_printf(context, "note %s\n", note);
}

static const char HEADER[] = "typedef unsigned char slock_t;\n"
                             "void SpinLockAcquire(volatile slock_t *lock);\n"
                             "void SpinLockRelease(volatile slock_t *lock);\n"
                             "struct pool { slock_t guard; int first; };\n"
                             "extern struct pool *pool;\n";
static const char SOURCE[] = "#include \"lock.h\"\n"
                             "#include <%s.h>\n"
                             "extern struct { int next; char data[60]; } slots[NSLOTS];\n"
                             "int take_%s(void)\n"
                             "{\n"
                             "    SpinLockAcquire(&pool->guard);\n"
                             "    int i = pool->first;\n"
                             "    pool->first = slots[i].next;\n"
                             "    SpinLockRelease(&pool->guard);\n"
                             "    return i;\n"
                             "}\n";

// The clock of file systems has ticks; what changes in the tick a scan begins in is not kept.
static void settle(void)
{
    g_usleep(25000);
}

static void put_file(struct fixture *f, const char *name, const char *text)
{
    g_free(scratch_write(f->dir, name, text));
    settle();
}

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){.dir = scratch_new(), .args = {NULL, NULL, "-DNSLOTS=1000"}};
    f->args[0] = f->own = g_strconcat("-I", f->dir, "/own", NULL);
    f->args[1] = f->shared = g_strconcat("-I", f->dir, "/shared", NULL);
    f->store.cache = (struct scan_cache){&f->store, on_get, on_put};
    f->store.values =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    f->text = g_string_new(NULL);
    f->options = (struct scan_options){.clang_args = f->args, .cache = &f->store.cache};
    put_file(f, "lock.h", HEADER);
    put_file(f, "own/nothing.h", "");
    for (const char *name = "abc"; *name; name++) {
        const char word[] = {*name, 0};
        g_autofree char *source = g_strdup_printf(SOURCE, word, word);
        g_autofree char *path = g_strdup_printf("%c.c", *name);
        g_autofree char *header = g_strdup_printf("shared/%c.h", *name);
        put_file(f, path, source);
        put_file(f, header, "// nothing\n");
    }
}

static void fixture_clear(struct fixture *f)
{
    g_hash_table_unref(f->store.values);
    g_string_free(f->text, TRUE);
    g_free(f->own);
    g_free(f->shared);
    scratch_free(f->dir);
}

// Scans; the result is what was said, the caller's.
static char *scan(struct fixture *f)
{
    const char *paths[] = {f->dir, NULL};
    const struct fact_sink sink = {.context = f->text,
                                   .section = on_section,
                                   .finding = on_finding,
                                   .file = on_file};
    g_autoptr(GError) error = NULL;
    g_string_truncate(f->text, 0);
    f->options.paths = paths;
    f->options.note = on_note;
    f->options.note_context = f->text;
    bool ok = scan_run(&f->options, &sink, &f->summary, &error);
    g_assert_no_error(error);
    g_assert_true(ok);
    return g_strdup(f->text->str);
}

// Scans with and without the store: the same is said, and `cached` results were kept.
static void check(struct fixture *f, unsigned cached)
{
    g_autofree char *warm = scan(f);
    unsigned parsed = f->summary.parsed;
    g_assert_cmpuint(f->summary.cached, ==, cached);
    f->options.cache = NULL;
    g_autofree char *cold = scan(f);
    f->options.cache = &f->store.cache;
    g_assert_cmpstr(warm, ==, cold);
    g_assert_cmpuint(parsed, ==, f->summary.parsed);
    g_assert_cmpuint(f->summary.cached, ==, 0);
}

static void test_same(void)
{
    struct fixture f;
    fixture_init(&f);
    check(&f, 0);
    g_assert_cmpuint(f.summary.sections, ==, 3);
    g_assert_cmpuint(f.summary.findings[SEVERITY_HIGH], ==, 3);
    g_assert_cmpuint(f.summary.degraded, ==, 0);
    g_assert_cmpuint(f.store.puts, ==, 6); // of each the unit and the result
    check(&f, 3);
    g_assert_cmpuint(f.store.puts, ==, 6);
    g_assert_cmpuint(f.store.uses, ==, 6);
    f.options.jobs = 1;
    check(&f, 3);
    fixture_clear(&f);
}

static void test_text_changes(void)
{
    struct fixture f;
    fixture_init(&f);
    check(&f, 0);
    put_file(&f, "shared/b.h", "// another comment\n");
    check(&f, 2); // its user alone
    check(&f, 3);
    g_autofree char *header = g_strconcat(HEADER, "// more\n", NULL);
    put_file(&f, "lock.h", header);
    check(&f, 0); // used by all
    g_autofree char *source = g_strdup_printf(SOURCE, "c", "other");
    put_file(&f, "c.c", source);
    check(&f, 2);
    // The text as it was before is known still.
    g_autofree char *before = g_strdup_printf(SOURCE, "c", "c");
    put_file(&f, "c.c", before);
    put_file(&f, "lock.h", HEADER);
    check(&f, 0);
    fixture_clear(&f);
}

// A header that comes to stand before another, or appears where none was.
static void test_new_headers(void)
{
    struct fixture f;
    fixture_init(&f);
    put_file(&f, "a.c",
             "#include \"lock.h\"\n#include \"missing.h\"\n"
             "#if __has_include(<perhaps.h>)\n#include <perhaps.h>\n#endif\n"
             "int get(void)\n{\n    SpinLockAcquire(&pool->guard);\n    int i = pool->first;\n"
             "    SpinLockRelease(&pool->guard);\n    return i;\n}\n");
    check(&f, 0);
    g_assert_cmpuint(f.summary.degraded, ==, 1);
    check(&f, 3);
    put_file(&f, "shared/perhaps.h", "\n");
    check(&f, 2);
    put_file(&f, "shared/missing.h", "\n");
    check(&f, 2);
    g_assert_cmpuint(f.summary.degraded, ==, 0);
    put_file(&f, "own/b.h", "\n");
    check(&f, 2);
    put_file(&f, "own/lock.h", HEADER); // found after the one beside the source
    check(&f, 0);
    check(&f, 3);
    put_file(&f, "own/unrelated.h", "\n");
    check(&f, 3);
    fixture_clear(&f);
}

// `helper` is called under the lock in a.c, and defined elsewhere or nowhere.
static const char CALLER[] = "#include \"lock.h\"\n"
                             "void helper(int *p);\n"
                             "int get(int *p)\n"
                             "{\n"
                             "    SpinLockAcquire(&pool->guard);\n"
                             "    helper(p);\n"
                             "    SpinLockRelease(&pool->guard);\n"
                             "    return 0;\n"
                             "}\n";
static const char HELPER[] = "#include \"helper.h\"\n"
                             "void helper(int *p)\n"
                             "{\n"
                             "    *p = deeper(p);\n"
                             "}\n";

static void test_callees_change(void)
{
    struct fixture f;
    fixture_init(&f);
    put_file(&f, "a.c", CALLER);
    check(&f, 0);
    check(&f, 3);
    put_file(&f, "helper.h", "int deeper(int *p);\n");
    put_file(&f, "helper.c", HELPER);
    check(&f, 2);
    check(&f, 3);
    put_file(&f, "deeper.c", "int deeper(int *p)\n{\n    return p[1];\n}\n");
    check(&f, 2);
    check(&f, 3);
    put_file(&f, "deeper.c", "int deeper(int *p)\n{\n    return p[2000];\n}\n");
    check(&f, 2);
    put_file(&f, "helper.h", "int deeper(int *p);\n#define deeper(p) 1\n");
    check(&f, 2);
    // Somebody else's definition comes first by name.
    put_file(&f, "before.c", "void helper(int *p)\n{\n}\n");
    check(&f, 2);
    check(&f, 3);
    put_file(&f, "unrelated.c", "void unrelated(int *p)\n{\n}\n");
    check(&f, 3);
    fixture_clear(&f);
}

// What is called outside of a section matters only once it takes a lock.
static void test_callee_locks(void)
{
    struct fixture f;
    fixture_init(&f);
    put_file(&f, "a.c",
             "#include \"lock.h\"\nvoid helper(int *p);\n"
             "int get(int *p)\n{\n    helper(p);\n    return *p;\n}\n"
             "int other(void)\n{\n    SpinLockAcquire(&pool->guard);\n"
             "    SpinLockRelease(&pool->guard);\n    return 0;\n}\n");
    put_file(&f, "helper.c", "void helper(int *p)\n{\n    *p = 1;\n}\n");
    check(&f, 0);
    check(&f, 3);
    put_file(&f, "helper.c",
             "#include \"lock.h\"\nvoid helper(int *p)\n{\n    SpinLockAcquire(&pool->guard);\n"
             "    *p = 1;\n    SpinLockRelease(&pool->guard);\n}\n");
    check(&f, 2);
    check(&f, 4);
    fixture_clear(&f);
}

static void test_options_change(void)
{
    struct fixture f;
    fixture_init(&f);
    check(&f, 0);
    const char *assumptions[] = {"NBuffers=15728640", NULL};
    f.options.assumptions = assumptions;
    check(&f, 0);
    check(&f, 3);
    f.options.assumptions = NULL;
    check(&f, 3);
    f.args[2] = "-DNSLOTS=2000";
    check(&f, 0);
    f.args[2] = "-DNSLOTS=1000";
    check(&f, 3);
    static const char model[] = "<model name=\"mine\" title=\"Mine\"><function "
                                "names=\"nothing_calls_this\" effects=\"pure\"/></model>\n";
    g_autofree char *path = scratch_write(f.dir, "mine.xml", model);
    const char *models[] = {path, NULL};
    f.options.models = models;
    check(&f, 0);
    check(&f, 3);
    fixture_clear(&f);
}

static void test_suppressions(void)
{
    struct fixture f;
    fixture_init(&f);
    put_file(&f, "shared/b.h",
             "extern struct { int next; char data[60]; } more[1000];\n"
             "static int in_header(int i)\n{\n    SpinLockAcquire(&pool->guard);\n"
             "    pool->first = more[i].next; /* spinfault: ok(fault-under-lock) few */\n"
             "    SpinLockRelease(&pool->guard);\n    return i;\n}\n");
    put_file(&f, "b.c",
             "#include \"lock.h\"\n#include <b.h>\n"
             "int use_it(int i);\nint use_it(int i)\n{\n    return in_header(i);\n}\n");
    g_autofree char *source = g_strdup_printf(SOURCE, "a", "a");
    g_autofree char *text = g_strconcat(source, "/* spinfault: ok(alloc) there is none */\n", NULL);
    put_file(&f, "a.c", text);
    check(&f, 0);
    unsigned suppressed = f.summary.suppressed;
    g_assert_cmpuint(suppressed, >, 0);
    g_autofree char *warm = scan(&f);
    g_assert_cmpuint(f.summary.cached, ==, 3);
    g_assert_cmpuint(f.summary.suppressed, ==, suppressed);
    g_assert_nonnull(strstr(warm, "suppresses nothing"));
    fixture_clear(&f);
}

// What changed after it was looked at may be neither what was parsed nor what is there now.
static void change_header(void *context, unsigned done, unsigned total, const char *file)
{
    (void)total;
    (void)file;
    struct fixture *f = context;
    if (done == 1)
        g_free(scratch_write(f->dir, "lock.h", "typedef int slock_t;\n"));
}

static void test_changes_meanwhile(void)
{
    struct fixture f;
    fixture_init(&f);
    f.options.progress = change_header;
    f.options.progress_context = &f;
    g_autofree char *said = scan(&f);
    g_assert_cmpuint(f.store.puts, ==, 0);
    f.options.progress = NULL;
    settle();
    check(&f, 0);
    fixture_clear(&f);
}

static void test_failures_are_not_kept(void)
{
    struct fixture f;
    fixture_init(&f);
    g_autofree char *source = g_strdup_printf(SOURCE, "a", "a");
    g_autofree char *crash = g_strconcat(source, "#pragma clang __debug crash\n", NULL);
    put_file(&f, "a.c", crash);
    check(&f, 0);
    g_assert_cmpuint(f.summary.failed, ==, 1);
    check(&f, 2);
    g_assert_cmpuint(f.summary.failed, ==, 1);
    fixture_clear(&f);
}

static void damage(struct fixture *f, size_t at, bool cut)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, f->store.values);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        size_t n;
        char *data = g_memdup2(g_bytes_get_data(value, &n), g_bytes_get_size(value));
        data[at % n] ^= 0x21;
        g_hash_table_iter_replace(&iter, g_bytes_new_take(data, cut ? at % n : n));
    }
}

static void test_damage_is_a_miss(void)
{
    struct fixture f;
    fixture_init(&f);
    for (size_t at = 0; at < 2000; at += 397) {
        g_free(scan(&f));
        damage(&f, at, at % 2);
        check(&f, 0);
    }
    fixture_clear(&f);
}

// ---- Reading what nobody wrote

static struct scan_result *some_result(void)
{
    static const unsigned lines[] = {7, 9};
    static const struct access_fact access = {.line = 3, .object = "p->x", .bytes = 1ull << 40};
    static const struct call_fact call = {4, "f", EFFECT_BLOCKS};
    static const struct path_step step = {"a.c", 3, "acquired"};
    static struct section_fact section = {.file = "a.c",
                                          .function = "g",
                                          .lock = "p->x",
                                          .release_lines = lines,
                                          .n_release_lines = 2,
                                          .accesses = &access,
                                          .n_accesses = 1,
                                          .calls = &call,
                                          .n_calls = 1};
    static struct finding_fact finding = {.rule = "loop",
                                          .file = "a.c",
                                          .function = "g",
                                          .lock = "",
                                          .object = "",
                                          .message = "m",
                                          .fingerprint = "00",
                                          .path = &step,
                                          .n_path = 1};
    struct scan_result *result = scan_result_new();
    g_ptr_array_add(result->sections, &section);
    g_ptr_array_add(result->findings, &finding);
    g_ptr_array_add(result->notes, (gpointer) "a.c:1: note");
    result->has_file = true;
    result->file = (struct file_fact){"a.c", FILE_DEGRADED, "why"};
    return result;
}

static GBytes *packed(const struct scan_result *result)
{
    struct pack pack;
    pack_init(&pack);
    scan_pack(&pack, result);
    return pack_finish(&pack);
}

static struct scan_result *unpacked(GBytes *bytes)
{
    struct unpack unpack;
    if (!unpack_init(&unpack, bytes))
        return NULL;
    struct scan_result *result = scan_unpack(&unpack);
    unpack_clear(&unpack);
    return result;
}

static void test_round_trip(void)
{
    struct scan_result *result = some_result();
    g_autoptr(GBytes) bytes = packed(result);
    struct scan_result *back = unpacked(bytes);
    g_assert_nonnull(back);
    const struct section_fact *section = back->sections->pdata[0];
    g_assert_cmpuint(section->release_lines[1], ==, 9);
    g_assert_cmpuint(section->accesses[0].bytes, ==, 1ull << 40);
    g_assert_null(section->excerpt);
    g_assert_cmpint(section->calls[0].effect, ==, EFFECT_BLOCKS);
    g_autoptr(GBytes) again = packed(back);
    g_assert_true(g_bytes_equal(bytes, again));
    scan_result_free(back);
    scan_result_free(result);
}

// Bytes whose check sum is right and whose content is not.
static GBytes *forged(const guint8 *data, size_t n)
{
    char sum[DIGEST_HEX_BYTES];
    guint8 *copy = g_memdup2(data, n);
    digest_bytes(copy + 16, n - 16, sum);
    memcpy(copy, sum, 16);
    return g_bytes_new_take(copy, n);
}

static void test_forged(void)
{
    struct scan_result *result = some_result();
    g_autoptr(GBytes) bytes = packed(result);
    size_t n;
    const guint8 *good = g_bytes_get_data(bytes, &n);
    unsigned refused = 0;
    for (size_t at = 16; at < n; at++) {
        for (unsigned value = 0; value < 256; value += 15) {
            g_autofree guint8 *copy = g_memdup2(good, n);
            copy[at] = (guint8)value;
            g_autoptr(GBytes) changed = forged(copy, n);
            g_autoptr(GBytes) cut = forged(copy, at);
            struct scan_result *one = unpacked(changed), *other = unpacked(cut);
            refused += !one + !other;
            scan_result_free(one);
            scan_result_free(other);
        }
    }
    g_assert_cmpuint(refused, >, 17 * (n - 16));
    scan_result_free(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cache/same", test_same);
    g_test_add_func("/cache/text-changes", test_text_changes);
    g_test_add_func("/cache/new-headers", test_new_headers);
    g_test_add_func("/cache/callees-change", test_callees_change);
    g_test_add_func("/cache/callee-locks", test_callee_locks);
    g_test_add_func("/cache/options-change", test_options_change);
    g_test_add_func("/cache/suppressions", test_suppressions);
    g_test_add_func("/cache/changes-meanwhile", test_changes_meanwhile);
    g_test_add_func("/cache/failures-are-not-kept", test_failures_are_not_kept);
    g_test_add_func("/cache/damage-is-a-miss", test_damage_is_a_miss);
    g_test_add_func("/cache/round-trip", test_round_trip);
    g_test_add_func("/cache/forged", test_forged);
    return g_test_run();
}
