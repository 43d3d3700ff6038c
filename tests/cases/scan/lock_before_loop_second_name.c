// A local that becomes the lock's object in a loop, once more: the lock that was taken before the
// loop stays the one that is released after it.
typedef struct { int v; } spinlock_t;
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void __spinfault_debug_held(void);
struct device { spinlock_t outer, inner; int waiting; };
struct peer { struct device *device; };
int next(void);

void drain(struct peer *peer)
{
    struct device *device = peer->device;
    spin_lock(&device->outer);
    while (next()) {
        if (next() == 1)
            continue;
        spin_lock(&device->inner);
        if (next() == 2) {
            struct device *again = peer->device;
            if (next() == 3)
                again->waiting++;
        }
        __spinfault_debug_held();
        spin_unlock(&device->inner);
    }
    __spinfault_debug_held();
    spin_unlock(&device->outer);
}

struct node { spinlock_t lock; struct node *next; int n; };

void walk(struct node *node)
{
    spin_lock(&node->lock);
    while (node->next) {
        struct node *next_node = node->next;
        spin_lock(&next_node->lock);
        spin_unlock(&node->lock);
        node = next_node;
        node->n++;
    }
    spin_unlock(&node->lock);
}

// expect: section 14 28 lock=peer->device->outer scope=instance
// expect: section 18 25 lock=peer->device->inner scope=instance
// expect: section 35 39,43 lock=node->lock scope=instance
// expect: section 38 39,43 lock=node->lock scope=instance
// expect: finding long-section low 14 object=peer->device->outer
// expect: finding loop low 15 object=peer->device->outer
// expect: finding unknown-call low 15,16,19,21 object=next
// expect: finding nested-lock low 18 object=peer->device->inner
// expect: finding unknown-call low 19,21 object=next
// expect: debug 24 held=peer->device->outer,peer->device->inner
// expect: debug 27 held=peer->device->outer
// expect: finding nested-lock low 38 object=node->next->lock
