// What the archive's tests share: a folder of their own, and facts to feed.
#ifndef TESTS_DB_SUPPORT_H
#define TESTS_DB_SUPPORT_H

#include "spinfault/db.h"

// A new folder, removed by folder_free with what is in it.
char *folder_new(void);
void folder_free(char *folder);
unsigned folder_entries(const char *folder); // how many files are in it
char *in_folder(const char *folder, const char *name);

struct archive *open_ok(const char *path, enum archive_mode mode);
// Fails the test with the message of the error.
#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        bool ok_ = (call);                                                                         \
        g_assert_no_error(error);                                                                  \
        g_assert_true(ok_);                                                                        \
    } while (0)

// A summary whose digest is that of `content`.
struct source_summary summary_of(const char *format, const char *content);

// A benchmark: runs over two preempt modes and two page sizes, with metrics, a series, waits and
// environment. `content` is what makes it a file of its own.
void feed_runs(struct archive *archive, const char *content);
// A profile of `n` samples of two events over a small stack tree, with mmap and lost records.
void feed_profile(struct archive *archive, const char *content, unsigned n);
// A scan of `root` with two sections and a finding per fingerprint.
void feed_scan(struct archive *archive, const char *root, int64_t started_ns,
               const char *const *fingerprints);
// One sample of an event with the frames given leaf first, each "symbol+0xoff (dso)" split by us.
void feed_sample(const struct fact_sink *sink, const char *event, int64_t tid, uint64_t weight,
                 const char *const *symbols);

// The one number of a statement, straight from SQLite.
int64_t number_in(const char *path, const char *sql);
void run_sql(const char *path, const char *sql);

// ---- support_move.c

// A source of what is hard to write down.
void feed_odd(struct archive *archive);
// A new archive of three sources and two scans, with rows in every table of facts.
void fill_archive(const char *path);
// Exports to the file `to`, and returns what is in it.
char *export_of(const char *archive, const char *to);
// Imports into an archive that is sound afterwards.
struct archive_import_counts import_ok(const char *archive, const char *from);
void assert_counts(struct archive_import_counts c, unsigned stored_sources, unsigned known_sources,
                   unsigned stored_scans, unsigned known_scans);
// Line by line, so that a failure tells more than "not equal".
void assert_same(const char *a, const char *b);

#endif
