// A reader of a sequence counter takes no lock: it reads again when somebody wrote.
#include "lock.h"
struct clock { unsigned sequence; long seconds, parts; };
extern struct clock *wall;
long read_clock(void)
{
    unsigned before;
    long seconds;
    do {
        before = __atomic_load_n(&wall->sequence, __ATOMIC_ACQUIRE);
        seconds = wall->seconds;
        __spinfault_debug_held();
    } while ((before & 1) || __atomic_load_n(&wall->sequence, __ATOMIC_RELAXED) != before);
    return seconds;
}
void count(void)
{
    __atomic_fetch_add(&wall->sequence, 1, __ATOMIC_RELAXED);
}

// expect: debug 12 held=
// expect: none
