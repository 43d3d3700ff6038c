// What a run has besides its columns.
#ifndef SPINFAULT_DB_RUN_TAGS_H
#define SPINFAULT_DB_RUN_TAGS_H

#include "filter.h"

// Adds a tag; takes `value`. Runs without tags share the table `none`, and get one of their own
// here.
void run_add_tag(struct run_row *run, GHashTable *none, const char *key, char *value);
// Fills the tags of `runs` (of struct run_row, by id), which the filter has chosen.
bool run_tags_read(struct archive *archive, const struct filter *f, GHashTable *none,
                   GPtrArray *runs, GError **error);

#endif
