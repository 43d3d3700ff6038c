// Zephyr: a key goes from the acquire to the release; K_SPINLOCK is a loop of one round, and return
// out of it keeps the lock.
typedef struct z_spinlock_key {
    int key;
} k_spinlock_key_t;
struct k_spinlock {
    int locked;
};
k_spinlock_key_t k_spin_lock(struct k_spinlock *l);
int k_spin_trylock(struct k_spinlock *l, k_spinlock_key_t *key);
void k_spin_unlock(struct k_spinlock *l, k_spinlock_key_t key);
int k_sleep(long timeout);
#define K_SPINLOCK(lck)                                                                            \
    for (k_spinlock_key_t i_ = {0}, key_ = k_spin_lock(lck); !i_.key;                              \
         k_spin_unlock((lck), key_), i_.key = 1)

static struct k_spinlock lock;
static int value;

void plain(void)
{
    k_spinlock_key_t key = k_spin_lock(&lock);
    value++;
    k_spin_unlock(&lock, key);
}

int tried(void)
{
    k_spinlock_key_t key;
    if (k_spin_trylock(&lock, &key) < 0)
        return -1;
    value++;
    k_spin_unlock(&lock, key);
    return 0;
}

void block(void)
{
    K_SPINLOCK(&lock) {
        value++;
        if (value > 3)
            continue;
        k_sleep(1);
    }
    k_sleep(2);
}

void leaving(void)
{
    K_SPINLOCK(&lock) {
        if (value)
            return;
        value = 1;
    }
}

// expect: section 22 24 lock=lock scope=singleton
// expect: section 30 33 lock=lock scope=singleton
// expect: section 39 39 lock=lock scope=singleton
// expect: section 50 50 lock=lock scope=singleton left-held
// expect: finding blocking high 43 object=k_sleep
// expect: finding lock-leak high 52 object=lock
