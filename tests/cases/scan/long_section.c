// Many calls that nobody has seen: together they are a long section.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern void one(int), two(int), three(int), four(int);
void rebuild(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    one(1);
    two(2);
    three(3);
    four(4);
    SpinLockRelease(&pool->guard);
}

// expect: section 7 12 lock=pool->guard scope=instance
// expect: finding long-section low 7 object=pool->guard
// expect: finding unknown-call low 8 object=one
// expect: finding unknown-call low 9 object=two
// expect: finding unknown-call low 10 object=three
// expect: finding unknown-call low 11 object=four
