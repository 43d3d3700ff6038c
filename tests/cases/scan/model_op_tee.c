// OP-TEE: the lock is a plain integer, the masked exceptions go from acquire to release, and the
// inner try tells the opposite of the outer one.
#include <stdbool.h>
#include <stdint.h>
bool cpu_spin_trylock(unsigned int *lock);
unsigned int __cpu_spin_trylock(unsigned int *lock);
uint32_t cpu_spin_lock_xsave(unsigned int *lock);
void cpu_spin_unlock_xrestore(unsigned int *lock, uint32_t exceptions);
void cpu_spin_unlock(unsigned int *lock);
void __cpu_spin_unlock(unsigned int *lock);
void trace_printf(const char *function, int line, int level, bool ok, const char *format, ...);

static unsigned int lock;
static int users;

int enter(void)
{
    uint32_t exceptions = cpu_spin_lock_xsave(&lock);
    int n = ++users;
    if (n > 8)
        trace_printf(__func__, __LINE__, 1, true, "%d users", n);
    cpu_spin_unlock_xrestore(&lock, exceptions);
    return n;
}

bool outer(void)
{
    if (!cpu_spin_trylock(&lock))
        return false;
    users--;
    cpu_spin_unlock(&lock);
    return true;
}

bool inner(void)
{
    if (__cpu_spin_trylock(&lock))
        return false;
    users--;
    __cpu_spin_unlock(&lock);
    return true;
}

// expect: section 18 22 lock=lock scope=singleton
// expect: section 28 31 lock=lock scope=singleton
// expect: section 37 40 lock=lock scope=singleton
// expect: finding log high 21 object=trace_printf
