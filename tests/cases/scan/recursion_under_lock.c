// A function that calls itself under the lock walks a tree: from node to node, page to page.
#include "lock.h"
struct node { struct node *left, *right; int n; };
struct tree { slock_t guard; struct node *root; };
extern struct tree *tree;
static int sum(const struct node *node)
{
    return node ? node->n + sum(node->left) + sum(node->right) : 0;
}
int total(void)
{
    SpinLockAcquire(&tree->guard);
    int n = sum(tree->root);
    SpinLockRelease(&tree->guard);
    return n;
}

// expect: section 12 14 lock=tree->guard scope=singleton
// expect: finding fault-under-lock high 13 object=tree->root->left
