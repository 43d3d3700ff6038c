// VPP: a macro that takes the variable itself; a lock type that is a pointer; nothing is taken
// without threads, and nothing released.
typedef struct {
    unsigned lock;
} *clib_spinlock_t;
void clib_spinlock_lock_if_init(clib_spinlock_t *p);
void clib_spinlock_unlock_if_init(clib_spinlock_t *p);
#define CLIB_SPINLOCK_LOCK(x)                                                                      \
    {                                                                                              \
        while (__atomic_exchange_n(&(x), 1, __ATOMIC_ACQUIRE))                                     \
            ;                                                                                      \
    }
#define CLIB_SPINLOCK_UNLOCK(x) __atomic_store_n(&(x), 0, __ATOMIC_RELEASE)
void *clib_mem_alloc(unsigned long size);

struct interface {
    clib_spinlock_t lockp;
    unsigned word;
    unsigned counter;
};

void count(struct interface *i)
{
    clib_spinlock_lock_if_init(&i->lockp);
    i->counter++;
    clib_spinlock_unlock_if_init(&i->lockp);
}

void *allocate(struct interface *i)
{
    void *p;
    CLIB_SPINLOCK_LOCK(i->word);
    p = clib_mem_alloc(64);
    CLIB_SPINLOCK_UNLOCK(i->word);
    return p;
}

// expect: section 24 26 lock=i->lockp scope=instance
// expect: section 32 34 lock=i->word scope=instance
// expect: finding alloc medium 33 object=clib_mem_alloc
