// A reader becomes a writer, if nobody else reads, and lets go of the lock as a reader on one way.
#include <stddef.h>
#define HA_RWLOCK_RDLOCK(lbl, l)    do { } while (0)
#define HA_RWLOCK_RDUNLOCK(lbl, l)  do { } while (0)
#define HA_RWLOCK_WRUNLOCK(lbl, l)  do { } while (0)
#define HA_RWLOCK_WRTORD(lbl, l)    do { } while (0)
#define HA_RWLOCK_TRYRDTOWR(lbl, l) 0
#define container_of(p, type, name) ((type *)(((char *)(p)) - offsetof(type, name)))
struct node { struct node *next; };
struct entry { int key; struct node node; };
struct tree { unsigned long lock; int changes; };
struct node *lookup(struct tree *t, int key);
struct entry *entry_new(void);
void insert(struct tree *t, struct entry *e);

static struct entry *entry_get(struct tree *t, int key, int given_up_by)
{
    struct entry *e = NULL;
    struct node *n;
    int changes;
    HA_RWLOCK_RDLOCK(LBL, &t->lock);
    changes = t->changes;
    n = lookup(t, key);
    if (n)
        e = container_of(n, struct entry, node);
    if (!e) {
        if (HA_RWLOCK_TRYRDTOWR(LBL, &t->lock) != 0) {
            HA_RWLOCK_RDUNLOCK(LBL, &t->lock);
            return NULL;
        }
        if (t->changes != changes) {
            n = lookup(t, key);
            if (n) {
                e = container_of(n, struct entry, node);
                HA_RWLOCK_WRTORD(LBL, &t->lock);
            }
        }
    }
    if (!e) {
        e = entry_new();
        if (e == NULL) {
            if (given_up_by)
                HA_RWLOCK_RDUNLOCK(LBL, &t->lock);
            else
                HA_RWLOCK_WRUNLOCK(LBL, &t->lock);
            return NULL;
        }
        insert(t, e);
        HA_RWLOCK_WRTORD(LBL, &t->lock);
    }
    HA_RWLOCK_RDUNLOCK(LBL, &t->lock);
    return e;
}

struct entry *entry_find(struct tree *t, int key) { return entry_get(t, key, key & 1); }

// What the lock's mode is depends on the way here, and so does the release.
int tree_count(struct tree *t, int write)
{
    HA_RWLOCK_RDLOCK(LBL, &t->lock);
    if (write && HA_RWLOCK_TRYRDTOWR(LBL, &t->lock) != 0)
        write = 0;
    int n = t->changes;
    if (write) {
        t->changes = 0;
        HA_RWLOCK_WRUNLOCK(LBL, &t->lock);
    } else {
        HA_RWLOCK_RDUNLOCK(LBL, &t->lock);
    }
    return n;
}

// expect: finding wrong-lock-released high 43 object=t->lock
// expect: finding unknown-call low 23 object=lookup
// expect: finding unknown-call low 40 object=entry_new
// expect: finding unknown-call low 48 object=insert
