// .spinfault.ini: what a tree wants every scan of it to know. docs/scan-config.md tells what may
// be in it.
//
// How to add a key: a field in struct scan_settings, a row in the table of scan_config.c, a line in
// docs/scan-config.md and one in the man page.
#ifndef SPINFAULT_CLI_SCAN_CONFIG_H
#define SPINFAULT_CLI_SCAN_CONFIG_H

#include "scan_settings.h"

#define SCAN_CONFIG_NAME ".spinfault.ini"

// The nearest file of that name in the folder of `path` or above; NULL when there is none. The
// caller's.
char *scan_config_find(const char *path);

// Fills `settings`, which is empty. Paths and globs in the file are relative to its folder and come
// out absolute. Errors: NOT_FOUND, IO, LIMIT; DAMAGED with file:line for what is no such file, for
// unknown groups and keys, and for values that cannot be.
bool scan_config_read(const char *path, struct scan_settings *settings, GError **error);

// The patterns that `glob`, said in `folder`, stands for, as scan_options.ignored wants them, are
// added to `patterns`: one with a slash is a path below the folder, one without is a name anywhere
// below it.
void scan_ignore_add(GStrvBuilder *patterns, const char *folder, const char *glob);

#endif
