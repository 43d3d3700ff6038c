// Settings of a source and of its only run, together.
#ifndef SPINFAULT_DB_TAGS_H
#define SPINFAULT_DB_TAGS_H

#include "query.h"

GHashTable *tags_new(void); // char* -> char*, both owned
// What is known of a whole source: what was said of it, and, when it has a single run, that run's
// grid columns and tags. Page sizes and preemption modes are normalised. NULL on error.
GHashTable *tags_of_source(struct archive *archive, int64_t source_id, GError **error);
// A table of tags by source for results that have many rows of one.
struct tag_cache {
    int64_t source_id;
    GHashTable *tags;
};
GHashTable *tag_cache_get(struct tag_cache *cache, struct archive *archive, int64_t source_id,
                          GError **error); // a new reference
void tag_cache_clear(struct tag_cache *cache);

#endif
