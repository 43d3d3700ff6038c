// What files and directories hold now, each looked at once: what a result was made from is compared
// with it.
//
// A file's state is its bytes and what its #include lines could mean: which of the places that the
// compiler looks in have a file of that name. So a header that comes to stand before another one
// changes the state of all that include it, and so does one that was missing. It is also noticed
// for #include_next and __has_include. It is not for a name that a macro gives.
#ifndef SPINFAULT_ANALYZER_CONTENT_H
#define SPINFAULT_ANALYZER_CONTENT_H

#include "compdb.h"

struct content;

struct content *content_new(void);
void content_free(struct content *content); // accepts NULL

// Reads those of `paths` (char*, absolute) that were not read before, by `jobs` threads.
void content_read(struct content *content, const GPtrArray *paths, unsigned jobs);

// ---- Of files that were read. From one thread.

// SHA-256 of the bytes; "" when there is no such file.
const char *content_digest(const struct content *content, const char *path);
// Nothing that was made from it can be kept: it changed since this `content` was made, so that it
// is unknown what was read of it before, or it has #embed.
bool content_is_unfit(const struct content *content, const char *path);
// It includes by the name that a macro gives, which only the compiler can follow.
bool content_is_opaque(const struct content *content, const char *path);

struct include_dirs;
// Where a file that is compiled as `entry` says finds what it includes. Lent.
const struct include_dirs *content_dirs(struct content *content, const struct compdb_entry *entry);
// The state of `path` for such a file, in hex. Lent.
const char *content_state(struct content *content, const struct include_dirs *dirs,
                          const char *path);
// Where what the entry's own arguments include is found, fed to `digest`.
void content_feed_forced(struct content *content, const struct compdb_entry *entry,
                         struct digest *digest);

#endif
