// What a callee walks over is one finding, whatever of it is touched; so is what a loop walks over.
#include "lock.h"
struct node { struct node *left, *right, *parent; int color, key; };
struct zone { slock_t lock; struct node *root; };
extern struct zone *zone;
static void insert(struct node **root, struct node *node)
{
    struct node *p = *root;
    while (p->left) {
        p->color = 1;
        p->parent->right->color = 0;
        p->right->key = 3;
        p = p->key < node->key ? p->left : p->right;
    }
    p->left = node;
}
void add(struct node *node)
{
    SpinLockAcquire(&zone->lock);
    insert(&zone->root, node);
    SpinLockRelease(&zone->lock);
}
int count(void)
{
    int n = 0;
    SpinLockAcquire(&zone->lock);
    for (struct node *p = zone->root; p; p = p->left)
        n += p->key + p->right->key + p->parent->right->color;
    SpinLockRelease(&zone->lock);
    return n;
}

// expect: section 19 21 lock=zone->lock scope=singleton
// expect: section 26 29 lock=zone->lock scope=singleton
// expect: finding fault-under-lock high 20 object=p->color
// expect: finding loop medium 27 object=zone->lock
// expect: finding fault-under-lock high 28 object=p->key
