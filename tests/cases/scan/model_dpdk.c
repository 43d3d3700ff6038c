// DPDK: tries of spinlocks and reader-writer locks say the opposite of each other; memory of the
// environment layer is resident; some locks take no argument.
typedef struct {
    volatile int locked;
} rte_spinlock_t;
typedef struct {
    rte_spinlock_t sl;
    int user, count;
} rte_spinlock_recursive_t;
typedef struct {
    int cnt;
} rte_rwlock_t;
static inline void rte_spinlock_lock(rte_spinlock_t *sl)
{
    int expected = 0;
    while (!__atomic_compare_exchange_n(&sl->locked, &expected, 1, 0, 2, 0))
        expected = 0;
}
static inline void rte_spinlock_unlock(rte_spinlock_t *sl)
{
    __atomic_store_n(&sl->locked, 0, 3);
}
static inline int rte_spinlock_trylock(rte_spinlock_t *sl)
{
    int expected = 0;
    return __atomic_compare_exchange_n(&sl->locked, &expected, 1, 0, 2, 0);
}
void rte_spinlock_recursive_lock(rte_spinlock_recursive_t *slr);
void rte_spinlock_recursive_unlock(rte_spinlock_recursive_t *slr);
int rte_rwlock_write_trylock(rte_rwlock_t *rwl);
void rte_rwlock_write_unlock(rte_rwlock_t *rwl);
void rte_mcfg_tailq_write_lock(void);
void rte_mcfg_tailq_write_unlock(void);
void *rte_zmalloc(const char *type, unsigned long size, unsigned align);
int rte_log(unsigned level, unsigned type, const char *format, ...);

struct stats {
    rte_spinlock_t lock;
    rte_spinlock_recursive_t again;
    rte_rwlock_t rw;
    unsigned packets;
};

int try_both(struct stats *s)
{
    if (rte_spinlock_trylock(&s->lock)) {
        s->packets++;
        rte_spinlock_unlock(&s->lock);
        return 1;
    }
    if (rte_rwlock_write_trylock(&s->rw) == 0) {
        s->packets--;
        rte_rwlock_write_unlock(&s->rw);
        return 2;
    }
    return 0;
}

void twice(struct stats *s)
{
    rte_spinlock_recursive_lock(&s->again);
    rte_spinlock_recursive_lock(&s->again);
    s->packets++;
    rte_spinlock_recursive_unlock(&s->again);
    rte_spinlock_recursive_unlock(&s->again);
}

void register_one(int fail)
{
    rte_mcfg_tailq_write_lock();
    if (fail) {
        rte_log(4, 0, "no room\n");
        rte_mcfg_tailq_write_unlock();
        return;
    }
    rte_mcfg_tailq_write_unlock();
}

void *grow(struct stats *s)
{
    unsigned *p;
    rte_spinlock_lock(&s->lock);
    p = rte_zmalloc("table", 1 << 20, 64);
    if (p)
        p[0] = s->packets;
    rte_spinlock_unlock(&s->lock);
    return p;
}

// expect: section 46 48 lock=s->lock scope=instance
// expect: section 51 53 lock=s->rw scope=instance
// expect: section 61 65 lock=s->again scope=instance
// expect: section 62 64 lock=s->again scope=instance
// expect: section 70 73,76 lock=mem_config->qlock scope=singleton
// expect: section 82 86 lock=s->lock scope=instance
// expect: finding log medium 72 object=rte_log
// expect: finding alloc medium 83 object=rte_zmalloc
