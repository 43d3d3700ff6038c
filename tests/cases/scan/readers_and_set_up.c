// What takes long under a lock that is held to read keeps only writers waiting, and where things
// are made or unmade it happens once: a step lower for each. A lock that is kept is as bad as ever.
typedef struct { volatile int count; } rte_rwlock_t;
void rte_rwlock_read_lock(rte_rwlock_t *lock);
void rte_rwlock_read_unlock(rte_rwlock_t *lock);
void rte_rwlock_write_lock(rte_rwlock_t *lock);
void rte_rwlock_write_unlock(rte_rwlock_t *lock);
unsigned sleep(unsigned);
static rte_rwlock_t lock;

void write_it(void)
{
    rte_rwlock_write_lock(&lock);
    sleep(1);
    rte_rwlock_write_unlock(&lock);
}

void read_it(void)
{
    rte_rwlock_read_lock(&lock);
    sleep(1);
    rte_rwlock_read_unlock(&lock);
}

int thing_register(int n)
{
    rte_rwlock_write_lock(&lock);
    sleep(1);
    if (n)
        return -1;
    rte_rwlock_write_unlock(&lock);
    return 0;
}

void thing_dump(void)
{
    rte_rwlock_read_lock(&lock);
    sleep(1);
    rte_rwlock_read_unlock(&lock);
}

// expect: section 13 15 lock=lock scope=singleton
// expect: section 20 22 lock=lock scope=singleton
// expect: section 27 31 lock=lock scope=singleton left-held
// expect: section 37 39 lock=lock scope=singleton
// expect: finding blocking high 14 object=sleep
// expect: finding blocking medium 21 object=sleep
// expect: finding blocking medium 28 object=sleep
// expect: finding lock-leak high 30 object=lock
// expect: finding long-section low 37 object=lock
// expect: finding blocking low 38 object=sleep
