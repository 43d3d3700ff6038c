#include "a.h"
struct stats stats;
void stats_bump(void)
{
    pthread_spin_lock(&stats.lock);
    stats.n++;
    pthread_spin_unlock(&stats.lock);
}

// expect: section 5 7 lock=stats.lock scope=singleton
// expect: none
