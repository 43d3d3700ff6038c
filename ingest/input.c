// Reads bytes, through libarchive's raw format when the first ones are those of a compressed file.
#include "input.h"

#include "gzip_check.h"
#include "spinfault/base.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_BLOCK (256u << 10)

struct input {
    char *path; // for messages
    int fd;
    uint64_t size;
    char *block; // what was read ahead to see the magic; then libarchive's input buffer
    size_t block_pos, block_len;
    struct archive *archive; // NULL when the content is not compressed
    int read_errno;          // of a read() inside libarchive
    bool ended;              // libarchive has no more
    bool is_gzip;
    struct gzip_check gzip;
};

static const struct {
    const char *bytes;
    size_t len;
} magics[] = {
    {"\x1f\x8b", 2},         // gzip
    {"\xfd\x37zXZ", 5},      // xz
    {"\x28\xb5\x2f\xfd", 4}, // zstd
    {"BZh", 3},              // bzip2
    {"\x04\x22\x4d\x18", 4}, // lz4
};

static ssize_t read_fd(int fd, char *buf, size_t size)
{
    ssize_t n;
    do
        n = read(fd, buf, size);
    while (n < 0 && errno == EINTR);
    return n;
}

static la_ssize_t archive_block(struct archive *a, void *context, const void **data)
{
    struct input *in = context;
    if (in->block_pos < in->block_len) {
        size_t n = in->block_len - in->block_pos;
        *data = in->block + in->block_pos;
        in->block_pos = in->block_len;
        gzip_check_file(&in->gzip, *data, n);
        return (la_ssize_t)n;
    }
    ssize_t n = read_fd(in->fd, in->block, INPUT_BLOCK);
    if (n < 0) {
        in->read_errno = errno;
        archive_set_error(a, errno, "%s", g_strerror(errno));
        return -1;
    }
    *data = in->block;
    gzip_check_file(&in->gzip, in->block, (size_t)n);
    return n;
}

static bool archive_failed(struct input *in, GError **error)
{
    if (in->read_errno)
        return error_from_errno(error, in->read_errno, "read", in->path);
    const char *why = archive_error_string(in->archive);
    return error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s is compressed and damaged (%s); make it again from the original", in->path,
                     why ? why : "no reason given");
}

static bool open_archive(struct input *in, GError **error)
{
    in->is_gzip = memcmp(in->block, "\x1f\x8b", 2) == 0; // the magic has been read
    struct archive *a = in->archive = archive_read_new();
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_lz4(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    struct archive_entry *entry;
    if (archive_read_open(a, in, NULL, archive_block, NULL) < ARCHIVE_WARN)
        return archive_failed(in, error);
    int rc = archive_read_next_header(a, &entry);
    if (rc != ARCHIVE_EOF && rc < ARCHIVE_WARN)
        return archive_failed(in, error);
    in->ended = rc == ARCHIVE_EOF; // nothing was compressed
    in->size = 0;
    return true;
}

static bool is_compressed(const char *data, size_t len)
{
    for (size_t i = 0; i < G_N_ELEMENTS(magics); i++)
        if (len >= magics[i].len && memcmp(data, magics[i].bytes, magics[i].len) == 0)
            return true;
    return false;
}

// A pipe may deliver the magic in pieces.
static bool read_ahead(struct input *in, GError **error)
{
    while (in->block_len < 8) {
        ssize_t n = read_fd(in->fd, in->block + in->block_len, INPUT_BLOCK - in->block_len);
        if (n < 0)
            return error_from_errno(error, errno, "read", in->path);
        if (n == 0)
            break;
        in->block_len += (size_t)n;
    }
    return true;
}

static bool start(struct input *in, GError **error)
{
    struct stat st;
    if (fstat(in->fd, &st) != 0)
        return error_from_errno(error, errno, "read", in->path);
    if (S_ISDIR(st.st_mode))
        return error_set(error, SPINFAULT_ERROR_IO, "%s is a directory; name the files in it",
                         in->path);
    if (S_ISREG(st.st_mode))
        in->size = (uint64_t)st.st_size;
    in->block = g_malloc(INPUT_BLOCK);
    if (!read_ahead(in, error))
        return false;
    return !is_compressed(in->block, in->block_len) || open_archive(in, error);
}

struct input *input_open_fd(int fd, const char *name, GError **error)
{
    struct input *in = g_new0(struct input, 1);
    in->path = g_strdup(name);
    in->fd = fd;
    if (!start(in, error)) {
        input_close(in);
        return NULL;
    }
    return in;
}

struct input *input_open(const char *path, GError **error)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        error_from_errno(error, errno, "read", name);
        return NULL;
    }
    return input_open_fd(fd, name, error);
}

// The end of the content. libarchive may have left the checksum behind it unread.
static bool check_gzip(struct input *in, GError **error)
{
    const void *rest;
    while (archive_block(in->archive, in, &rest) > 0)
        ;
    if (in->read_errno)
        return archive_failed(in, error);
    return gzip_check_passes(&in->gzip) ||
           error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s is compressed and damaged (its checksum is wrong); make it again from the "
                     "original",
                     in->path);
}

static ssize_t read_compressed(struct input *in, char *buf, size_t size, GError **error)
{
    la_ssize_t n = in->ended || size == 0 ? 0 : archive_read_data(in->archive, buf, size);
    if (n < 0) {
        archive_failed(in, error);
        return -1;
    }
    if (in->is_gzip)
        gzip_check_content(&in->gzip, buf, (size_t)n);
    if (n > 0 || size == 0)
        return n;
    in->ended = true;
    return !in->is_gzip || check_gzip(in, error) ? 0 : -1;
}

ssize_t input_read(struct input *in, char *buf, size_t size, GError **error)
{
    if (in->archive)
        return read_compressed(in, buf, size, error);
    if (in->block_pos < in->block_len) {
        size_t n = MIN(size, in->block_len - in->block_pos);
        memcpy(buf, in->block + in->block_pos, n);
        in->block_pos += n;
        return (ssize_t)n;
    }
    ssize_t n = read_fd(in->fd, buf, size);
    if (n < 0)
        error_from_errno(error, errno, "read", in->path);
    return n;
}

uint64_t input_size(const struct input *in)
{
    return in->size;
}

void input_close(struct input *in)
{
    if (!in)
        return;
    if (in->archive)
        archive_read_free(in->archive);
    if (in->fd >= 0)
        close(in->fd);
    g_free(in->block);
    g_free(in->path);
    g_free(in);
}
