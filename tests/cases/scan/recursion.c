// Functions that call each other come to an end.
#include "lock.h"
struct node { struct node *left, *right; int value; };
struct tree { slock_t guard; struct node *root; };
static int depth(struct node *node)
{
    if (!node)
        return 0;
    int left = depth(node->left), right = depth(node->right);
    return 1 + (left > right ? left : right);
}
int measure(struct tree *tree)
{
    SpinLockAcquire(&tree->guard);
    int d = depth(tree->root);
    SpinLockRelease(&tree->guard);
    return d;
}

// expect: section 14 16 lock=tree->guard scope=instance
// expect: finding fault-under-lock high 15 object=tree->root->left
