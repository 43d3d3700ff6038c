// Wrappers of wrappers: nothing here names a lock.
#include "lock.h"
void lock_the_pool(void) { pool_lock(pool); }
void unlock_the_pool(void) { pool_unlock(pool); }
