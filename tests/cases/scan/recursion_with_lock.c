// A function that calls itself with the lock held and takes it: it waits for itself.
#include "lock.h"
struct node { struct node *left, *right; int n; };
struct tree { slock_t guard; struct node *root; };
void lock_each(struct tree *tree, int depth)
{
    SpinLockAcquire(&tree->guard);
    if (depth > 0)
        lock_each(tree, depth - 1);
    SpinLockRelease(&tree->guard);
}

// expect: section 7 10 lock=tree->guard scope=instance
// expect: finding double-acquire high 9 object=tree->guard
