// Which symbols wait for a spinlock, and when two spellings name the same function.
#include <string.h>

#include "model/model.h"

// Whole names. The kernel's and the usual libraries' slow paths; a name that only takes a lock
// (and may not wait) is not here unless waiting happens in it.
static const char *const waiters[] = {
    "s_lock",
    "perform_spin_delay",
    "queued_spin_lock_slowpath",
    "native_queued_spin_lock_slowpath",
    "__pv_queued_spin_lock_slowpath",
    "do_raw_spin_lock",
    "_raw_spin_lock",
    "_raw_spin_lock_irq",
    "_raw_spin_lock_irqsave",
    "_raw_spin_lock_bh",
    "__raw_spin_lock",
    "queued_write_lock_slowpath",
    "queued_read_lock_slowpath",
    "pthread_spin_lock",
    "__pthread_spin_lock",
    "spin_lock_wait",
    "spin_wait",
    "ngx_spinlock",
    "ngx_shmtx_lock",
    "rte_spinlock_lock",
    "clib_spinlock_lock",
    "ck_spinlock_fas_lock",
    "ck_spinlock_fas_lock_eb",
    "ucs_spin_lock",
    "osq_lock",
    "_mtx_lock_spin_cookie",
};

// Length of a symbol without the suffixes that compilers add to clones and parts of functions.
static size_t plain_length(const char *symbol)
{
    static const char *const suffixes[] = {".isra.", ".constprop.", ".part.", ".cold",
                                           ".llvm.", ".lto_priv.",  "@"};
    size_t n = strlen(symbol);
    if (!strpbrk(symbol, ".@")) // as most are
        return n;
    for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        const char *at = strstr(symbol, suffixes[i]);
        if (at && at > symbol && (size_t)(at - symbol) < n)
            n = (size_t)(at - symbol);
    }
    return n;
}

bool symbol_equal(const char *symbol, const char *function)
{
    size_t n = plain_length(symbol);
    return strlen(function) == n && strncmp(symbol, function, n) == 0;
}

bool symbol_waits(const char *symbol)
{
    size_t n = plain_length(symbol);
    for (size_t i = 0; i < G_N_ELEMENTS(waiters); i++)
        if (waiters[i][0] == symbol[0] && strncmp(symbol, waiters[i], n) == 0 && !waiters[i][n])
            return true;
    return false;
}
