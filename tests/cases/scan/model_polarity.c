// Tries of one meaning in many polarities: every function here is right, so nothing is said.
typedef struct { int v; } ucs_spinlock_t, opal_atomic_lock_t, ofi_spin_t, os_spinlock_t, malloc_mutex_t,
    WT_SPINLOCK, lck_spin_t;
struct ovs_spin { int v; };
int ucs_spin_try_lock(ucs_spinlock_t *lock);
void ucs_spin_unlock(ucs_spinlock_t *lock);
int opal_atomic_trylock(opal_atomic_lock_t *lock);
void opal_atomic_unlock(opal_atomic_lock_t *lock);
int ofi_spin_trylock(ofi_spin_t *lock);
void ofi_spin_unlock(ofi_spin_t *lock);
int os_spin_trylock(os_spinlock_t *lock);
void os_spin_unlock(os_spinlock_t *lock);
_Bool malloc_mutex_trylock(void *thread, malloc_mutex_t *mutex);
void malloc_mutex_unlock(void *thread, malloc_mutex_t *mutex);
int __wt_spin_trylock(void *session, WT_SPINLOCK *t);
void __wt_spin_unlock(void *session, WT_SPINLOCK *t);
int ovs_spin_trylock(const struct ovs_spin *spin);
void ovs_spin_unlock(const struct ovs_spin *spin);
int lck_spin_try_lock(lck_spin_t *lock);
void lck_spin_unlock(lck_spin_t *lock);

int ucx(ucs_spinlock_t *lock, int *n)
{
    if (!ucs_spin_try_lock(lock))
        return 0;
    ++*n;
    ucs_spin_unlock(lock);
    return 1;
}

int openmpi(opal_atomic_lock_t *lock, int *n)
{
    if (opal_atomic_trylock(lock))
        return 0;
    ++*n;
    opal_atomic_unlock(lock);
    return 1;
}

int libfabric(ofi_spin_t *lock, int *n)
{
    int busy = ofi_spin_trylock(lock);
    if (busy)
        return busy;
    ++*n;
    ofi_spin_unlock(lock);
    return 0;
}

int pmdk(os_spinlock_t *lock, int *n)
{
    if (os_spin_trylock(lock) == 0) {
        ++*n;
        os_spin_unlock(lock);
    }
    return 0;
}

int jemalloc(void *thread, malloc_mutex_t *mutex, int *n)
{
    if (malloc_mutex_trylock(thread, mutex))
        return 0;
    ++*n;
    malloc_mutex_unlock(thread, mutex);
    return 1;
}

int wiredtiger(void *session, WT_SPINLOCK *t, int *n)
{
    if (__wt_spin_trylock(session, t) != 0)
        return 16;
    ++*n;
    __wt_spin_unlock(session, t);
    return 0;
}

int openvswitch(const struct ovs_spin *spin, int *n)
{
    int got = !ovs_spin_trylock(spin);
    if (got) {
        ++*n;
        ovs_spin_unlock(spin);
    }
    return got;
}

int xnu(lck_spin_t *lock, int *n)
{
    if (lck_spin_try_lock(lock) == 0)
        return 0;
    ++*n;
    lck_spin_unlock(lock);
    return 1;
}

// expect: section 24 27 lock=lock scope=instance
// expect: section 33 36 lock=lock scope=instance
// expect: section 42 46 lock=lock scope=instance
// expect: section 52 54 lock=lock scope=instance
// expect: section 61 64 lock=mutex scope=instance
// expect: section 70 73 lock=t scope=instance
// expect: section 79 82 lock=spin scope=instance
// expect: section 89 92 lock=lock scope=instance
// expect: none
