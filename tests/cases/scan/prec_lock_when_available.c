// Whether there is anything to lock against is asked again at the release, and answered the same.
#include "lock.h"
int smp_running(void);
int shadow(int word);
static slock_t regs_lock;
static int regs[8];

static void take(slock_t *lock)
{
    if (smp_running())
        SpinLockAcquire(lock);
}

static void give(slock_t *lock)
{
    if (smp_running())
        SpinLockRelease(lock);
}

static void regs_take(void)
{
    take(&regs_lock);
}

static void regs_give(void)
{
    give(&regs_lock);
}

static int power(int on)
{
    regs_take();
    regs[0] = on;
    regs_give();
    return regs[1];
}

int program(int word)
{
    int failed = 0;
    regs_take();
    regs[2] = word;
    failed = regs[3];
    regs_give();
    if (failed)
        power(0);
    return failed;
}

int program_twice(int word)
{
    take(&regs_lock);
    regs[2] = word;
    take(&regs_lock);
    regs[2] = word + 1;
    give(&regs_lock);
    return power(1);
}

int forget(int word)
{
    take(&regs_lock);
    if (word < 0)
        return -1;
    give(&regs_lock);
    return 0;
}

// expect: section 11 - lock=lock scope=singleton left-held
// expect: section 14 17 lock=lock scope=singleton entered-held left-held
// expect: section 22 - lock=regs_lock scope=singleton left-held
// expect: section 32 34 lock=regs_lock scope=singleton
// expect: section 41 44 lock=regs_lock scope=singleton
// expect: section 52 56 lock=regs_lock scope=singleton
// expect: section 54 56 lock=regs_lock scope=singleton
// expect: section 62 65 lock=regs_lock scope=singleton left-held
// expect: finding unknown-call low 16 object=smp_running
// expect: finding unknown-call low 34 object=smp_running
// expect: finding unknown-call low 44 object=smp_running
// expect: finding double-acquire high 54 object=regs_lock
// expect: finding unknown-call low 54,56 object=smp_running
// expect: finding lock-leak medium 64 object=regs_lock
// expect: finding unknown-call low 65 object=smp_running
