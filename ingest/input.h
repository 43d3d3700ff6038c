// The bytes of a file, a pipe or standard input, decompressed when they are compressed.
#ifndef SPINFAULT_INGEST_INPUT_H
#define SPINFAULT_INGEST_INPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct input;

// "-" is standard input. Errors: NOT_FOUND, IO (also: a directory).
struct input *input_open(const char *path, GError **error);
// The same for an open descriptor, which is taken over; `name` is for messages.
struct input *input_open_fd(int fd, const char *name, GError **error);
// Up to `size` bytes; 0 at the end, -1 with `error` set (IO, DAMAGED).
ssize_t input_read(struct input *in, char *buf, size_t size, GError **error);
// Size of the file, 0 when it is not known in advance (a pipe, a compressed file).
uint64_t input_size(const struct input *in);
void input_close(struct input *in); // accepts NULL

typedef struct input input_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(input_t, input_close)

#endif
