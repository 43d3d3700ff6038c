// A callee that follows pointers from one object to the next is one finding, however many objects
// it comes to; and a string is no list of objects, also when its bytes are walked over.
#include "lock.h"
struct node { struct node *left, *right, *parent; int color; char pad[200]; };
struct tree { slock_t lock; char pad[8192]; struct node *root; };

static void unlink(struct tree *tree, struct node *node)
{
    node->left->parent = node->parent;
    node->right->parent = node->parent;
    node->parent->left = node->left;
    tree->root->color = 0;
}

void drop(struct tree *tree)
{
    SpinLockAcquire(&tree->lock);
    unlink(tree, tree->root->left);
    SpinLockRelease(&tree->lock);
}

static char *spell(char *to, const char *from, int n)
{
    while (n--) {
        *to++ = *from >> 4;
        *to++ = *from++ & 15;
    }
    return to;
}

void write_names(struct tree *tree, char *to, const char *from, int n)
{
    SpinLockAcquire(&tree->lock);
    for (int i = 0; i < n; i++)
        to = spell(to, from, 4);
    SpinLockRelease(&tree->lock);
}

// expect: section 17 19 lock=tree->lock scope=instance
// expect: section 33 36 lock=tree->lock scope=instance
// expect: finding fault-under-lock medium 18 object=tree->root->left->left
// expect: finding fault-under-lock low 18 object=tree->root
// expect: finding fault-under-lock medium 18 object=tree->root->left
// expect: finding loop low 34 object=tree->lock
