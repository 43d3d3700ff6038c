// Every element of a list is locked, then every one is unlocked: no element is locked twice. The
// second loop locks one and the same lock in each round.
#include "lock.h"
struct list { struct list *next; };
struct pattern { struct list list; slock_t lock; int n; };
struct set { struct list patterns; slock_t lock; };
#define ENTRY(p) ((struct pattern *)((char *)(p) - offsetof(struct pattern, list)))

int purge(struct set *set)
{
    struct pattern *p;
    for (p = ENTRY(set->patterns.next); &p->list != &set->patterns; p = ENTRY(p->list.next))
        SpinLockAcquire(&p->lock);
    for (p = ENTRY(set->patterns.next); &p->list != &set->patterns; p = ENTRY(p->list.next))
        SpinLockRelease(&p->lock);
    return 0;
}

int again(struct set *set)
{
    struct pattern *p;
    for (p = ENTRY(set->patterns.next); &p->list != &set->patterns; p = ENTRY(p->list.next))
        SpinLockAcquire(&set->lock);
    SpinLockRelease(&set->lock);
    return 0;
}

// expect: section 13 15 lock=p->lock scope=instance left-held
// expect: section 23 24 lock=set->lock scope=instance
// expect: finding double-acquire high 23 object=set->lock
// expect: finding unheld-release medium 24 object=set->lock
