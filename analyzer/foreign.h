// What a unit does not hold: functions of other files.
//
// One provider is shared by all workers of a scan. It lowers files on demand, each once while there
// is room to keep it, and hands out summaries of their functions by name. A summary is computed in
// an analysis of its own file and leaves it as a copy that belongs to no unit (foreign_copy.h);
// whoever wants it copies it again, into its own symbol table.
//
// The answers are the same whatever the number of threads and whoever asks first: a summary may
// look through FOREIGN_DEPTH files in a row, and is remembered by function and by how many of these
// hops were left when it was asked for. So files that call each other in a circle come to an end,
// and a thread that waits for another's summary waits only for one with fewer hops left.
//
// What the facts about a unit rest on outside of it is written down: its list of foreign_use, with
// what the functions it asked for rest on in their turn. As long as every question has the same
// answer and every file in the answers (with what it includes) the same text, so have the facts.
#ifndef SPINFAULT_ANALYZER_FOREIGN_H
#define SPINFAULT_ANALYZER_FOREIGN_H

#include <glib.h>
#include <stdbool.h>

#include "front.h"
#include "summary.h"

#define FOREIGN_DEPTH 3u // files that a chain of calls is followed through
// Lowered units that are kept for others: an eighth of the machine's memory, within these.
#define FOREIGN_UNIT_BYTES_LEAST ((uint64_t)96 << 20)
#define FOREIGN_UNIT_BYTES_MOST  ((uint64_t)1 << 30)

enum foreign_question {
    FOREIGN_DEFINITION, // front_find_definition(name): one file, or none
    FOREIGN_MENTIONS,   // front_mentions(name): any number
    FOREIGN_MAY_LOCK,   // front_may_lock(name): the file that defines it, or none
};

struct foreign_use {
    enum foreign_question question;
    const char *name;      // interned: g_intern_string
    const unsigned *files; // what it was answered with: the front's indices, ascending
    unsigned n_files;
};

struct foreign;

// `front`, `models` and `assumptions` are lent and must outlive it.
struct foreign *foreign_new(const struct front *front, const struct model_set *models,
                            const GPtrArray *assumptions);
void foreign_free(struct foreign *foreign); // accepts NULL

// The whole file, lowered; waits when another thread is at it. Lent until it is given back.
const struct ir_unit *foreign_take_unit(struct foreign *foreign, unsigned file);
void foreign_give_unit(struct foreign *foreign, unsigned file);
// The scan itself will take the file: it is worth keeping until then.
void foreign_expect(struct foreign *foreign, unsigned file, bool expected);
// Absolute names of the files that were read when `file` was lowered, itself among them; NULL when
// it was not. Lent by the provider.
const GPtrArray *foreign_includes(struct foreign *foreign, unsigned file);

// ---- For the analysis of a unit.

// Questions asked and their answers, each once, in order of name: what `struct foreign_use` says.
struct foreign_log;
struct foreign_log *foreign_log_new(void);
void foreign_log_free(struct foreign_log *log); // accepts NULL
// Lent by the log; `*n` of them.
const struct foreign_use *const *foreign_log_uses(struct foreign_log *log, unsigned *n);

// May the function take or release a lock: by what its text says, or because it was found to? False
// for a name nobody defines. `log`: where it is noted that the text was asked; or NULL.
bool foreign_may_lock(struct foreign *foreign, const char *name, struct foreign_log *log);
// It was found that it does: see scan_result.h. False when that is no news. What was answered up to
// now is forgotten otherwise, and no thread may be asking.
bool foreign_add_locker(struct foreign *foreign, const char *name);

struct analysis;
// The summary of what another file defines under `name`, in terms of the analysis' own symbols.
// `deep`: it is called under a lock, so what it calls matters as well. NULL: nobody defines it, or
// too many files lie between. Lent by the analysis.
const struct summary *foreign_summary(struct analysis *analysis, const char *name, bool deep);
// The same for a function that is static in `file`, by its usr.
const struct summary *foreign_static_summary(struct analysis *analysis, unsigned file,
                                             const char *usr);
// Files that mention the identifier, ascending; noted like every question. Lent by the provider.
const unsigned *foreign_mentions(struct analysis *analysis, const char *name, unsigned *n);
bool foreign_is_candidate(const struct foreign *foreign, unsigned file); // names a lock
// Is it the file of that name (front_file_name)?
bool foreign_is_file(const struct foreign *foreign, unsigned file, const char *name);
// Somebody defines it, but no hop is left to get there.
bool foreign_too_far(const struct analysis *analysis, const char *name);

#endif
