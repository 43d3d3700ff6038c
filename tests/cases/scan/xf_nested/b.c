// A lock that another file takes, under one of ours; and the very same one.
#include "a.h"
pthread_spinlock_t big;

void second(void)
{
    pthread_spin_lock(&big);
    stats_bump();
    pthread_spin_unlock(&big);
}

void same(void)
{
    pthread_spin_lock(&stats.lock);
    stats_bump();
    pthread_spin_unlock(&stats.lock);
}

void apart(void)
{
    stats_bump();
    pthread_spin_lock(&big);
    pthread_spin_unlock(&big);
}

// expect: section 7 9 lock=big scope=singleton
// expect: section 14 16 lock=stats.lock scope=singleton
// expect: section 22 23 lock=big scope=singleton
// expect: finding nested-lock medium 8 object=stats.lock
// expect: path nested-lock 8 b.c:7 b.c:8 a.c:5 b.c:9
// expect: finding double-acquire high 15 object=stats.lock
// expect: path double-acquire 15 b.c:14 b.c:15 a.c:5 b.c:16
