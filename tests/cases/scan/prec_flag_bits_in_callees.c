// Whether there is a lock at all is a bit of the object's flags, and two callees ask for it.
#include "lock.h"
#define IS_SHARED(s) ((s)->flags & 16)
struct part { slock_t lock; int used[8]; };
struct set { unsigned flags; int reader; struct part *parts[2]; };

static inline struct part *part_begin(struct set *set)
{
    struct part *part = set->parts[set->reader];
    if (!IS_SHARED(set))
        return part;
    SpinLockAcquire(&part->lock);
    return part;
}

static inline void part_end(struct set *set, struct part *part)
{
    if (!IS_SHARED(set))
        return;
    SpinLockRelease(&part->lock);
}

int both(struct set *set)
{
    struct part *part = part_begin(set);
    int n = part->used[0];
    part_end(set, part);
    return n;
}

int one(struct set *set)
{
    struct part *part = part_begin(set);
    int n = part->used[0];
    if (n < 0)
        return -1;
    part_end(set, part);
    return n;
}

// expect: section 12 - lock=set->parts[]->lock scope=instance left-held
// expect: section 16 20 lock=part->lock scope=instance entered-held left-held
// expect: section 25 27 lock=set->parts[]->lock scope=instance
// expect: section 33 37 lock=set->parts[]->lock scope=instance left-held
// expect: finding lock-leak high 36 object=set->parts[]->lock
