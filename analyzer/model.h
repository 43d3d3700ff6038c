// Models: what lock and memory APIs do, read from XML (analyzer/models/*.xml, schema model.rng).
// A set of models is read-only once loaded and may be used from many threads.
#ifndef SPINFAULT_ANALYZER_MODEL_H
#define SPINFAULT_ANALYZER_MODEL_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base.h"

// How a try tells that it got the lock, or what it wanted of it.
enum model_acquired { ACQUIRED_ALWAYS, ACQUIRED_WHEN_NONZERO, ACQUIRED_WHEN_ZERO };
// A CHANGE keeps the lock and goes to its mode; one that is a try leaves it as it was when it
// fails.
enum model_action { MODEL_ACQUIRE, MODEL_TRY, MODEL_RELEASE, MODEL_CHANGE };
// A GUARD is released at the end of the scope it stands in, a BLOCK after the statement that
// follows it; neither has a release of its own.
enum model_form { MODEL_FUNCTION, MODEL_MACRO, MODEL_GUARD, MODEL_BLOCK };

// What the locks of a project guard, as far as a fault can come of it.
enum model_guarded {
    GUARDED_ANY,     // nothing is known: shared memory of several processes, perhaps
    GUARDED_PROCESS, // objects of one process: mapped since a thread of it made them
    GUARDED_WIRED,   // a kernel's memory: never unmapped
};

struct model_lock_op {
    unsigned id;                // index in the set: what the marker function's first argument says
    const char *model, *family; // "postgresql", "SpinLock"
    const char *name;           // "SpinLockAcquire"
    enum model_action action;
    enum model_form form;
    unsigned lock_arg;   // which argument is the lock
    bool lock_is_object; // the macro takes the lock itself, not its address
    enum model_acquired acquired;
    bool fails_negative; // a try that fails gives less than 0, and not just any other value
    enum lock_mode mode;
    bool mode_given;          // of a release: it lets go of that mode only
    bool returns_state;       // LockBufHdr: the result is what the release takes
    const char *lock_type;    // "slock_t"; or NULL
    bool sleeps;              // not a spinlock at all: calling it under one is `blocking`
    bool recursive;           // its holder may take it again
    bool lock_behind_pointer; // the argument is the address of a pointer to the lock
    bool only_type;           // an operation only where the argument points to `lock_type`
    int bit_arg;  // argument that says which bit of the word is the lock; -1: the word is
    int when_arg; // acquires only when this argument is not 0; -1: always
    enum model_guarded guarded;
    const char *global; // takes no argument: the lock is this one; or NULL
    const char *set_up; // patterns of functions that run when things are made or unmade; or NULL
};

// Effects of a function that is not analysed itself.
enum model_effect_bits {
    MODEL_PURE = 1 << 0, // touches nothing but its arguments' values
    MODEL_SYSCALL = 1 << 1,
    MODEL_BLOCKS = 1 << 2,
    MODEL_ALLOCATES = 1 << 3,
    MODEL_LOGS = 1 << 4,
    MODEL_NO_RETURN = 1 << 5, // exit, abort, longjmp
    MODEL_MAY_ERROR = 1 << 6, // may leave by longjmp: ereport(ERROR), palloc
    MODEL_FREES = 1 << 7,
    MODEL_CRASHES = 1 << 8,    // ends the process at once: abort, a failed assertion
    MODEL_FORKS = 1 << 9,      // returns 0 in a new process, which has page tables of its own
    MODEL_EXITS = 1 << 10,     // ends the process in order: exit
    MODEL_COMPLAINS = 1 << 11, // logs, but only what is unusual: an error, or debugging
};
#define MODEL_EFFECTS 12u
// Where memory that a function returns comes from, or what it does to memory it is given.
enum model_memory {
    MEMORY_NONE,
    MEMORY_SHARED,     // shared between processes, unmapped in each until touched
    MEMORY_FRESH_HEAP, // private, untouched
    MEMORY_MAPPING,    // mmap: flags decide
    MEMORY_RESIDENT,   // returned mapped and writable
};

struct model_function {
    const char *model, *name;
    unsigned effects; // enum model_effect_bits
    enum model_memory returns;
    // Which argument is written or read through, and how many bytes: -1 when there is none.
    int writes_arg, reads_arg; // memcpy(dst 0, src 1, n 2)
    int length_arg;            // bytes; with `length_max` when it is a string bounded by it
    int resident_arg;          // makes this memory resident in this process (memset, mlock, …)
    bool resident_for_write;   // also the first write no longer faults
    bool resident_but_files;   // but for those of files
    // madvise(address, n, advice): resident only when this argument is one of these constants.
    int advice_arg; // -1: always
    int64_t advice_read, advice_write;
    int resident_all_arg;    // mlockall(flags): all that the process has, or will have; -1: no
    int no_return_level_arg; // ereport(level, …): does not return when the constant is >= level
    int no_return_level;
    const char *no_return_values; // and for these: " -1 1 2 "; or NULL
    bool is_macro;                // also found where it is a macro
    bool asks_context;            // not 0 where nothing may sleep: in_atomic()
    bool fallback;                // only where no body is at hand
    bool given; // by the user: meant for this project, also for its static functions
    // log(level, …): a constant level that is not among these is unusual.
    int level_arg; // -1: none
    int usual_low, usual_high;
    // kmalloc(size, gfp): when the argument is a constant, what it does depends on these bits.
    int flag_arg; // -1: none
    uint64_t flag_bits;
    unsigned effects_with, effects_without;
};

struct model_set;
// Built-in models and the files given (NULL-terminated, or NULL). Errors: DAMAGED with file:line.
struct model_set *model_set_load(const char *const *files, GError **error);
void model_set_free(struct model_set *models); // accepts NULL

const struct model_lock_op *model_lock_op_by_id(const struct model_set *models, unsigned id);
unsigned model_lock_op_count(const struct model_set *models);
// By the name used in a call; NULL when the models say nothing.
const struct model_lock_op *model_find_lock_op(const struct model_set *models, const char *name);
unsigned model_function_count(const struct model_set *models);
const struct model_function *model_function_at(const struct model_set *models, unsigned i);
const struct model_function *model_find_function(const struct model_set *models, const char *name);
// What a call does, enum model_effect_bits. `flags`: the value of its flag_arg where that is a
// constant, else NULL.
unsigned model_call_effects(const struct model_function *function, const int64_t *flags);
// The same of the effects of a call that logs at the given level.
unsigned model_level_effects(const struct model_function *function, unsigned effects,
                             int64_t level);
// Does the function, by the habit of the lock's project, make or unmake things?
bool model_is_set_up(const struct model_lock_op *op, const char *function);
// Pointers that are shared memory: global names ("BufferDescriptors") and type names.
bool model_global_is_shared(const struct model_set *models, const char *name);
// What a name of the API stands for, for files whose headers are missing.
bool model_find_constant(const struct model_set *models, const char *name, int64_t *value);
// C text that stands in for a header that is not to be found; NULL: none.
const char *model_find_declarations(const struct model_set *models, const char *header);
// All names that take a lock, for the lexical index. NULL-terminated, lent.
const char *const *model_acquire_names(const struct model_set *models);
// Distinguishes sets in cache keys: hex digest of all model text.
const char *model_set_digest(const struct model_set *models);

#endif
