// What the user says about a run: `--set KEY=VALUE` and the sidecar file NAME.spinfault.ini.
#ifndef SPINFAULT_INGEST_SETTINGS_H
#define SPINFAULT_INGEST_SETTINGS_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base.h"
#include "spinfault/ingest.h"

// A setting of our own, freed by setting_free(). Pages and preemption modes get the names of the
// grid; a value that reads as a number is one.
struct setting *setting_new(const char *key, const char *value);
void setting_free(gpointer setting);
GPtrArray *settings_new(void); // frees its settings
// Sets `key` in `settings`, over what was there.
void settings_set(GPtrArray *settings, const char *key, const char *value);
void settings_unset(GPtrArray *settings, const char *key);
const char *settings_get(const GPtrArray *settings, const char *key); // NULL: not there

// As an array, which is the caller's; its text stays that of `settings`.
struct setting *settings_flat(const GPtrArray *settings);

// The sidecar beside `path` (none for "-") and then `options`. Errors: USAGE for a page or preempt
// value that is none, DAMAGED for a sidecar that cannot be read.
GPtrArray *settings_read(const char *path, const struct ingest_options *options, GError **error);
// Copies of `base`, replaced and completed by `over`.
GPtrArray *settings_merge(const struct setting *base, size_t n, const GPtrArray *over);

#endif
