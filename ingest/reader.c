// Chunks, lines, encodings.
#include "reader.h"

#include "input.h"
#include "utf16.h"

#define CHUNK_BYTES (256u << 10)
#define MIN_ROOM    4096u

struct chunk {
    struct chunk *older;
    size_t size;
    char data[];
};

struct reader_private {
    struct input *input;
    char *name;
    size_t chunk_bytes;
    struct chunk *chunk; // being read; older ones hold lines that were not released
    struct chunk *spare;
    size_t held;
    bool eof;
    bool started; // the encoding is known
    bool is_utf16;
    struct utf16 utf16;
    char *raw; // UTF-16 before it is decoded
    struct digest *digest;
    reader_progress progress;
    void *progress_context;
};

static struct chunk *chunk_new(struct reader_private *p, size_t size)
{
    struct chunk *c = p->spare;
    if (c && c->size >= size) {
        p->spare = NULL;
    } else {
        c = g_malloc(sizeof *c + size);
        c->size = size;
    }
    c->older = p->chunk;
    return c;
}

static void chunk_drop(struct reader_private *p, struct chunk *c)
{
    if (!p->spare && c->size <= 2 * p->chunk_bytes)
        p->spare = c;
    else
        g_free(c);
}

// Reads content into `buf`, and counts it.
static ssize_t read_content(struct reader *r, char *buf, size_t size, GError **error)
{
    struct reader_private *p = r->private;
    ssize_t n = input_read(p->input, buf, size, error);
    if (n > 0) {
        digest_update(p->digest, buf, (size_t)n);
        r->bytes += (uint64_t)n;
        if (p->progress)
            p->progress(p->progress_context, r->bytes, input_size(p->input));
    }
    if (n == 0)
        p->eof = true;
    return n;
}

// Appends to the text in [data, data + *len); `size` is the room there is.
static bool append_text(struct reader *r, char *data, size_t *len, size_t size, GError **error)
{
    struct reader_private *p = r->private;
    if (!p->is_utf16) {
        ssize_t n = read_content(r, data + *len, size - *len, error);
        if (n > 0)
            *len += (size_t)n;
        return n >= 0;
    }
    size_t room = (size - *len - 8) / 2;
    ssize_t n = read_content(r, p->raw, MIN(room, p->chunk_bytes), error);
    if (n < 0)
        return false;
    *len += n > 0 ? utf16_decode(&p->utf16, (unsigned char *)p->raw, (size_t)n, data + *len)
                  : utf16_finish(&p->utf16, data + *len);
    return true;
}

// UTF-16 tells itself by its mark, or by the zero bytes of its Latin letters.
static bool looks_utf16(const unsigned char *d, size_t len, struct utf16 *u, size_t *mark)
{
    *mark = 0;
    if (len >= 2 && ((d[0] == 0xFF && d[1] == 0xFE) || (d[0] == 0xFE && d[1] == 0xFF))) {
        u->big_endian = d[0] == 0xFE;
        *mark = 2;
        return true;
    }
    if (len < 4 || (d[0] == 0) == (d[1] == 0))
        return false;
    u->big_endian = d[0] == 0;
    for (size_t i = 0; i + 1 < MIN(len, 64); i += 2)
        if ((d[i] == 0) == (d[i + 1] == 0) || (d[i] == 0) != u->big_endian)
            return false;
    return true;
}

// Looks at the first bytes, which are already in the chunk.
static size_t start_text(struct reader_private *p, char *data, size_t len)
{
    size_t mark;
    p->started = true;
    if (len >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) {
        memmove(data, data + 3, len - 3);
        return len - 3;
    }
    if (!looks_utf16((unsigned char *)data, len, &p->utf16, &mark))
        return len;
    p->is_utf16 = true;
    p->raw = g_malloc(MAX(p->chunk_bytes, len));
    memcpy(p->raw, data + mark, len - mark);
    return utf16_decode(&p->utf16, (unsigned char *)p->raw, len - mark, data);
}

// Puts more text behind what is left of the current chunk: into its room, or else into a new chunk.
// Pipes give little at a time. Sets `eof` when there is none.
static bool fill(struct reader *r, GError **error)
{
    struct reader_private *p = r->private;
    size_t left = (size_t)(r->end - r->pos);
    if (left > LIMIT_LINE_BYTES)
        return error_set(error, SPINFAULT_ERROR_LIMIT,
                         "%s:%" G_GUINT64_FORMAT ": line longer than %u bytes (LIMIT_LINE_BYTES); "
                         "is this a text file?",
                         r->name, r->line + 1, LIMIT_LINE_BYTES);
    size_t used = (size_t)(r->end - p->chunk->data);
    if (p->chunk->size - used >= MIN_ROOM) {
        bool more = append_text(r, p->chunk->data, &used, p->chunk->size, error);
        r->end = p->chunk->data + used;
        return more;
    }
    struct chunk *c = chunk_new(p, MAX(p->chunk_bytes, 2 * left) + 16);
    if (left > 0)
        memcpy(c->data, r->pos, left);
    p->chunk = c;
    p->held += c->size;
    size_t len = left;
    bool ok = append_text(r, c->data, &len, c->size, error);
    r->pos = c->data;
    r->end = c->data + len;
    return ok;
}

// The head must be in one piece, and decoding UTF-16 there must not overflow.
static bool read_head(struct reader *r, GError **error)
{
    struct reader_private *p = r->private;
    struct chunk *c = p->chunk = chunk_new(p, MAX(p->chunk_bytes, (size_t)3 * LIMIT_DETECT_BYTES));
    size_t len = 0;
    p->held = c->size;
    while (len < LIMIT_DETECT_BYTES && !p->eof) {
        ssize_t n = read_content(r, c->data + len, LIMIT_DETECT_BYTES - len, error);
        if (n < 0)
            return false;
        len += (size_t)n;
    }
    len = start_text(p, c->data, len);
    c->size = MAX(len, MIN(c->size, p->chunk_bytes));
    r->pos = c->data;
    r->end = c->data + len;
    return true;
}

static struct reader *reader_new(struct input *input, const char *name, size_t chunk,
                                 reader_progress progress, void *progress_context, GError **error)
{
    struct reader *r = g_new0(struct reader, 1);
    struct reader_private *p = r->private = g_new0(struct reader_private, 1);
    p->input = input;
    r->name = p->name = g_strdup(name);
    p->chunk_bytes = chunk ? chunk : CHUNK_BYTES;
    p->digest = digest_new();
    p->progress = progress;
    p->progress_context = progress_context;
    if (!read_head(r, error)) {
        reader_close(r);
        return NULL;
    }
    return r;
}

struct reader *reader_open(const char *path, size_t chunk, reader_progress progress,
                           void *progress_context, GError **error)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    struct input *input = input_open(path, error);
    return input ? reader_new(input, name, chunk, progress, progress_context, error) : NULL;
}

struct reader *reader_open_fd(int fd, const char *name, GError **error)
{
    struct input *input = input_open_fd(fd, name, error);
    return input ? reader_new(input, name, 0, NULL, NULL, error) : NULL;
}

struct slice reader_head(struct reader *r)
{
    return (struct slice){r->pos, MIN((size_t)(r->end - r->pos), LIMIT_DETECT_BYTES)};
}

bool reader_next(struct reader *r, struct slice *line, GError **error)
{
    struct reader_private *p = r->private;
    while (!reader_next_here(r, line)) {
        if (!p->eof) {
            if (!fill(r, error))
                return false;
            continue;
        }
        if (r->pos == r->end)
            return false;
        *line = (struct slice){r->pos, (size_t)(r->end - r->pos)};
        r->pos = r->end;
        r->line++;
        r->cut = true;
        return true;
    }
    return true;
}

void reader_release(struct reader *r)
{
    struct reader_private *p = r->private;
    struct chunk *c = p->chunk->older;
    p->chunk->older = NULL;
    while (c) {
        struct chunk *older = c->older;
        chunk_drop(p, c);
        c = older;
    }
    p->held = p->chunk->size;
}

size_t reader_held(const struct reader *r)
{
    return r->private->held;
}

bool reader_rest(struct reader *r, struct slice *text, GError **error)
{
    struct reader_private *p = r->private;
    size_t len = (size_t)(r->end - r->pos), size = MAX(2 * len, p->chunk_bytes) + 64;
    struct chunk *c = g_malloc(sizeof *c + size);
    memcpy(c->data, r->pos, len);
    while (!p->eof) {
        if (len > LIMIT_DOCUMENT_BYTES) {
            g_free(c);
            return error_set(error, SPINFAULT_ERROR_LIMIT,
                             "%s is larger than %u bytes (LIMIT_DOCUMENT_BYTES)", r->name,
                             LIMIT_DOCUMENT_BYTES);
        }
        if (size - len < size / 4) {
            size *= 2;
            c = g_realloc(c, sizeof *c + size);
        }
        if (!append_text(r, c->data, &len, size - 1, error)) {
            g_free(c);
            return false;
        }
    }
    c->size = size;
    c->older = p->chunk;
    p->chunk = c;
    p->held += size;
    c->data[len] = '\0';
    r->pos = r->end = c->data + len;
    *text = (struct slice){c->data, len};
    return true;
}

bool reader_drain(struct reader *r, GError **error)
{
    while (!r->private->eof) {
        r->pos = r->end;
        reader_release(r);
        if (!fill(r, error))
            return false;
    }
    return true;
}

void reader_digest(struct reader *r, char hex[DIGEST_HEX_BYTES])
{
    digest_finish(r->private->digest, hex);
    r->private->digest = NULL;
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    struct reader_private *p = r->private;
    while (p->chunk) {
        struct chunk *older = p->chunk->older;
        g_free(p->chunk);
        p->chunk = older;
    }
    g_free(p->spare);
    g_free(p->raw);
    digest_free(p->digest);
    input_close(p->input);
    g_free(p->name);
    g_free(p);
    g_free(r);
}
