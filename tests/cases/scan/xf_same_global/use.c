// A global is the same one in every file that declares it.
#include "g.h"

int not_touched(void)
{
    pthread_spin_lock(&ctl->lock);
    int far = ctl_far();
    ctl_unlock();
    return far;
}

int touched_here(void)
{
    ctl->far = 1;
    pthread_spin_lock(&ctl->lock);
    int far = ctl_far();
    ctl_unlock();
    return far;
}

// expect: section 6 8 lock=ctl->lock scope=singleton
// expect: section 15 17 lock=ctl->lock scope=singleton
// expect: finding fault-under-lock medium 7 object=ctl->far
// expect: path fault-under-lock 7 use.c:6 use.c:7 g.c:4 use.c:8 g.c:5
