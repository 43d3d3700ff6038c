// Makes the archive that is kept of this version of the schema: make_archive FILE.
//
// When ARCHIVE_VERSION is raised, the program before the change has made vN.db; what it is to hold
// from then on is in vN.jsonl:
//
//     cmake --build build/dev --target make_archive && build/dev/tests/db/make_archive v2.db
//     spinfault archive export --archive v2.db tests/data/db/v2.jsonl
//     gzip -9n v2.db && mv v2.db.gz tests/data/db
#include "support.h"

int main(int argc, char **argv)
{
    if (argc != 2 || g_file_test(argv[1], G_FILE_TEST_EXISTS)) {
        fprintf(stderr, "usage: make_archive FILE, which must not exist\n");
        return 2;
    }
    GError *error = NULL;
    struct archive *a = open_ok(argv[1], ARCHIVE_WRITE);
    feed_runs(a, "one");
    feed_profile(a, "p", 40);
    feed_odd(a);
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", NULL});
    feed_scan(a, "/src/pg", 2000, (const char *const[]){"aa11", "bb22", NULL});
    g_autoptr(GBytes) kept = g_bytes_new_static("kept", 4);
    const struct archive_cache_row row = {"key", kept};
    assert_ok(archive_cache_put(a, &row, 1, 1000, &error), error);
    archive_close(a);
    return 0;
}
