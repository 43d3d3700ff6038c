// On the way where the pointer is null nobody goes behind it; on the other it was touched.
#include "lock.h"
struct node { int key; struct node *next; };
struct table { slock_t guard; int n; struct node **buckets; };
extern struct table *table;
void remove_key(int key, int bucket)
{
    struct node *node = table->buckets[bucket];
    while (node) {
        if (node->key == key)
            break;
        node = node->next;
    }
    SpinLockAcquire(&table->guard);
    if (node) {
        node->key = 0;
        table->n--;
    }
    SpinLockRelease(&table->guard);
}

// expect: section 14 19 lock=table->guard scope=singleton
// expect: none
