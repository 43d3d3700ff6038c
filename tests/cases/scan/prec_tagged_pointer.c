// A pointer with a tag in its low bits, and the record around a member: no element of any array. The
// element of one is.
#include "lock.h"
struct branch { void *b[2]; int key; };
struct tree { slock_t guard; void *root; struct branch *all; int n; };
extern struct tree *tree;
static inline struct branch *untag(void *p, int tag)
{
    return (struct branch *)((char *)p - tag);
}
void *right(int side)
{
    SpinLockAcquire(&tree->guard);
    void *p = untag(tree->root, side)->b[1];
    SpinLockRelease(&tree->guard);
    return p;
}
void *element(int i)
{
    SpinLockAcquire(&tree->guard);
    void *p = tree->all[i].b[1];
    SpinLockRelease(&tree->guard);
    return p;
}

// expect: section 13 15 lock=tree->guard scope=singleton
// expect: section 20 22 lock=tree->guard scope=singleton
// expect: finding fault-under-lock high 14 object=tree->root->b[1]
// expect: finding fault-under-lock high 21 object=tree->all[].b[1]
