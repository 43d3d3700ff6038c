// The reader: every way to cut a file into chunks gives the same lines; encodings, compression,
// limits and what cannot be read.
#include "support.h"

#include "reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <unistd.h>

// The lines of a file, joined with "|"; "(cut)" behind a last line without its end.
static char *lines_of(const char *path, size_t chunk, bool release)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(reader_t) r = reader_open(path, chunk, NULL, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(struct slice));
    GString *out = g_string_new(NULL);
    struct slice line;
    while (reader_next(r, &line, &error)) {
        if (release) {
            g_string_append_len(out, line.data, (gssize)line.len);
            g_string_append(out, r->cut ? "(cut)" : "|");
            reader_release(r);
        } else {
            g_array_append_val(kept, line);
        }
    }
    g_assert_no_error(error);
    // Lines that were not released are still there.
    for (guint i = 0; i < kept->len; i++) {
        struct slice s = g_array_index(kept, struct slice, i);
        g_string_append_len(out, s.data, (gssize)s.len);
        g_string_append(out, r->cut && i + 1 == kept->len ? "(cut)" : "|");
    }
    return g_string_free(out, FALSE);
}

static void check_lines(const void *data, size_t len, const char *expected)
{
    g_autofree char *path = write_file("lines.txt", data, len);
    for (size_t chunk = 1; chunk < 80; chunk++) {
        g_autofree char *a = lines_of(path, chunk, true);
        g_autofree char *b = lines_of(path, chunk, false);
        g_assert_cmpstr(a, ==, expected);
        g_assert_cmpstr(b, ==, expected);
    }
}

static void test_lines(void)
{
    static const char text[] = "one\n\ntwo with more\r\nthree\r\n\r\nlast";
    check_lines(text, sizeof text - 1, "one||two with more|three||last(cut)");
    check_lines("a\n", 2, "a|");
    check_lines("\n", 1, "|");
}

static void test_beyond_head(void)
{
    // Larger than what is read to detect the format, so that chunks really follow.
    GString *text = g_string_new(NULL), *expected = g_string_new(NULL);
    for (unsigned i = 0; text->len < (size_t)3 * LIMIT_DETECT_BYTES; i++) {
        g_string_append_printf(text, "line %u %.*s\n", i, (int)(i % 50),
                               "..................................................");
        g_string_append_printf(expected, "line %u %.*s|", i, (int)(i % 50),
                               "..................................................");
    }
    g_autofree char *path = write_text("long.txt", text->str);
    static const size_t chunks[] = {1000, 4096, 65536, 65537, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(chunks); i++) {
        g_autofree char *a = lines_of(path, chunks[i], true);
        g_autofree char *b = lines_of(path, chunks[i], false);
        g_assert_cmpstr(a, ==, expected->str);
        g_assert_cmpstr(b, ==, expected->str);
    }
    g_string_free(text, TRUE);
    g_string_free(expected, TRUE);
}

static gpointer feed(gpointer data)
{
    static const char piece[] = "some line of a pipe\nand";
    int fd = GPOINTER_TO_INT(data);
    for (int i = 0; i < 20000; i++)
        if (write(fd, piece, sizeof piece - 1) != (ssize_t)sizeof piece - 1)
            break;
    close(fd);
    return NULL;
}

// A pipe gives what it has: lines arrive in pieces, and memory does not grow with their number.
static void test_pipe(void)
{
    int fds[2];
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(pipe(fds), ==, 0);
    GThread *writer = g_thread_new("writer", feed, GINT_TO_POINTER(fds[1]));
    g_autoptr(reader_t) r = reader_open_fd(fds[0], "a pipe", &error);
    g_assert_no_error(error);
    struct slice line;
    uint64_t lines = 0;
    while (reader_next(r, &line, &error)) {
        g_assert_true(slice_ends(line, "some line of a pipe") || r->cut);
        g_assert_cmpuint(reader_held(r), <, 2u << 20);
        reader_release(r);
        lines++;
    }
    g_assert_no_error(error);
    g_assert_true(r->cut);
    g_assert_cmpuint(lines, ==, 20001);
    g_thread_join(writer);
}

static void test_encodings(void)
{
    check_lines("\xEF\xBB\xBFx\ny\n", 7, "x|y|");
    check_lines("\xFF\xFEx\0\n\0\xE4\0\n\0", 10, "x|\xC3\xA4|");
    check_lines("\xFE\xFF\0x\0\n\xD8\x3D\xDE\x00\0\n", 12, "x|\xF0\x9F\x98\x80|");
    check_lines("x\0=\0"
                "1\0\n\0",
                8, "x=1|");                                  // without a mark
    check_lines("\xFF\xFE\x3D\xD8\n\0", 6, "\xEF\xBF\xBD|"); // half a pair
}

static void write_compressed(const char *path, int (*filter)(struct archive *), const char *text)
{
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    g_assert_cmpint(filter(a), >=, ARCHIVE_WARN);
    archive_write_set_format_raw(a);
    g_assert_cmpint(archive_write_open_filename(a, path), ==, ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(a, entry);
    archive_write_data(a, text, strlen(text));
    archive_entry_free(entry);
    archive_write_close(a);
    archive_write_free(a);
}

static void test_compressed(void)
{
    static int (*const filters[])(
        struct archive *) = {archive_write_add_filter_gzip, archive_write_add_filter_xz,
                             archive_write_add_filter_zstd, archive_write_add_filter_bzip2};
    g_autofree char *path = write_text("packed", "");
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < 20000; i++)
        g_string_append_printf(text, "line %u\n", i * 7919);
    for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
        write_compressed(path, filters[i], text->str);
        g_autofree char *lines = lines_of(path, 0, true);
        g_strdelimit(lines, "|", '\n');
        g_assert_cmpstr(lines, ==, text->str);
        // Cut in the middle it is damaged, not short.
        g_autofree char *bytes = NULL;
        gsize len;
        g_assert_true(g_file_get_contents(path, &bytes, &len, NULL));
        g_autofree char *half = write_file("half", bytes, len / 2);
        g_autoptr(GError) error = NULL;
        g_autoptr(reader_t) r = reader_open(half, 0, NULL, NULL, &error);
        struct slice line;
        while (r && reader_next(r, &line, &error))
            reader_release(r);
        g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    }
    g_string_free(text, TRUE);
}

static void test_digest(void)
{
    // Of every length around a block, in pieces of every size.
    unsigned char data[300];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 37);
    for (size_t len = 0; len <= sizeof data; len++) {
        g_autofree char *expected = g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, len);
        for (size_t piece = 1; piece < 140; piece += 13) {
            char hex[DIGEST_HEX_BYTES];
            struct digest *d = digest_new();
            for (size_t at = 0; at < len; at += piece)
                digest_update(d, data + at, MIN(piece, len - at));
            digest_finish(d, hex);
            g_assert_cmpstr(hex, ==, expected);
        }
    }
}

static void test_content_digest(void)
{
    // That of the content: the same for a file and for its compressed form.
    g_autofree char *plain = write_text("plain", "a\nb\n");
    g_autofree char *packed = write_text("packed", "");
    write_compressed(packed, archive_write_add_filter_gzip, "a\nb\n");
    g_autofree char *expected = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "a\nb\n", -1);
    const char *paths[] = {plain, packed};
    for (size_t i = 0; i < 2; i++) {
        char hex[DIGEST_HEX_BYTES];
        g_autoptr(reader_t) r = reader_open(paths[i], 0, NULL, NULL, NULL);
        g_assert_true(reader_drain(r, NULL));
        reader_digest(r, hex);
        g_assert_cmpstr(hex, ==, expected);
        g_assert_cmpuint(r->bytes, ==, 4);
    }
}

static void test_line_limit(void)
{
    size_t len = LIMIT_LINE_BYTES + LIMIT_LINE_BYTES / 2;
    char *big = g_malloc(len);
    memset(big, 'x', len);
    g_autofree char *path = write_file("big.txt", big, len);
    g_free(big);
    g_autoptr(GError) error = NULL;
    g_autoptr(reader_t) r = reader_open(path, 0, NULL, NULL, &error);
    struct slice line;
    g_assert_false(reader_next(r, &line, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "LIMIT_LINE_BYTES"));
}

static void check_error(const char *path, enum spinfault_error code, const char *says)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *facts = facts_of(path, 0, NULL, &error);
    g_assert_null(facts);
    g_assert_error(error, SPINFAULT_ERROR, (int)code);
    if (!strstr(error->message, says))
        g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, says));
}

static void test_bad_input(void)
{
    g_autofree char *empty = write_text("empty", "");
    g_autofree char *binary = write_file("binary",
                                         "\x7f"
                                         "ELF\0\0\0\1\2",
                                         9);
    g_autofree char *prose = write_text("prose", "Once upon a time\nthere was a lock.\n");
    g_autofree char *secret = write_text("secret", "x\n");
    g_autofree char *folder = g_path_get_dirname(empty);
    check_error(empty, SPINFAULT_ERROR_DAMAGED, "is empty");
    check_error(binary, SPINFAULT_ERROR_UNKNOWN, "binary");
    check_error(prose, SPINFAULT_ERROR_UNKNOWN, "--as FORMAT");
    check_error(folder, SPINFAULT_ERROR_IO, "is a directory");
    check_error("/nowhere/at/all", SPINFAULT_ERROR_NOT_FOUND, "No such file");
    g_assert_cmpint(chmod(secret, 0), ==, 0);
    if (access(secret, R_OK) != 0) // root may read everything
        check_error(secret, SPINFAULT_ERROR_IO, "Permission denied");
    g_autofree char *message = error_of_text("x\n", "no-such-format");
    g_assert_nonnull(strstr(message, "perf-script"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ingest/reader/lines", test_lines);
    g_test_add_func("/ingest/reader/beyond-head", test_beyond_head);
    g_test_add_func("/ingest/reader/pipe", test_pipe);
    g_test_add_func("/ingest/reader/encodings", test_encodings);
    g_test_add_func("/ingest/reader/compressed", test_compressed);
    g_test_add_func("/ingest/reader/digest", test_digest);
    g_test_add_func("/ingest/reader/content-digest", test_content_digest);
    g_test_add_func("/ingest/reader/line-limit", test_line_limit);
    g_test_add_func("/ingest/reader/bad-input", test_bad_input);
    return g_test_run();
}
