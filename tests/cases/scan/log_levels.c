// A log that is written when something is wrong, or when somebody is debugging, is not what a
// section costs: one step below a log that belongs to the usual course of things.
typedef struct { volatile int locked; } rte_spinlock_t;
void rte_spinlock_lock(rte_spinlock_t *lock);
void rte_spinlock_unlock(rte_spinlock_t *lock);
int rte_log(unsigned level, unsigned type, const char *format, ...);
enum { LEVEL_ERROR = 4, LEVEL_INFO = 7, LEVEL_DEBUG = 8 };
static rte_spinlock_t lock;
static int used;

static void complain(void)
{
    rte_log(LEVEL_ERROR, 0, "no room\n");
}

void errors(void)
{
    rte_spinlock_lock(&lock);
    if (used > 100)
        complain();
    rte_spinlock_unlock(&lock);
}

void debugging(void)
{
    rte_spinlock_lock(&lock);
    rte_log(LEVEL_DEBUG, 0, "used %d\n", used);
    rte_spinlock_unlock(&lock);
}

void usual(void)
{
    rte_spinlock_lock(&lock);
    rte_log(LEVEL_INFO, 0, "used %d\n", used);
    rte_spinlock_unlock(&lock);
}

void any(unsigned level)
{
    rte_spinlock_lock(&lock);
    rte_log(level, 0, "used %d\n", used);
    rte_spinlock_unlock(&lock);
}

// expect: section 18 21 lock=lock scope=singleton
// expect: section 26 28 lock=lock scope=singleton
// expect: section 33 35 lock=lock scope=singleton
// expect: section 40 42 lock=lock scope=singleton
// expect: finding log medium 20 object=complain
// expect: finding log medium 27 object=rte_log
// expect: finding log high 34 object=rte_log
// expect: finding log high 41 object=rte_log
