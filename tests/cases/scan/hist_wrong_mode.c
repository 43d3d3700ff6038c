// A lock of readers and writers is let go of in the mode it was not taken in.
#define HA_RWLOCK_WRLOCK(lbl, l)    do { } while (0)
#define HA_RWLOCK_WRUNLOCK(lbl, l)  do { } while (0)
#define HA_RWLOCK_RDLOCK(lbl, l)    do { } while (0)
#define HA_RWLOCK_RDUNLOCK(lbl, l)  do { } while (0)
#define HA_RWLOCK_SKLOCK(lbl, l)    do { } while (0)
#define HA_RWLOCK_SKTORD(lbl, l)    do { } while (0)
struct tree {
    unsigned long lock;
    int first;
};
int tree_pick(int);

int tree_take(struct tree *t)
{
    int first;
    HA_RWLOCK_WRLOCK(LBPRM_LOCK, &t->lock);
    first = t->first;
    if (first < 0) {
        HA_RWLOCK_RDUNLOCK(LBPRM_LOCK, &t->lock);
        return -1;
    }
    t->first = -1;
    HA_RWLOCK_WRUNLOCK(LBPRM_LOCK, &t->lock);
    return first;
}

int tree_look(struct tree *t, int write)
{
    int first;
    if (write)
        HA_RWLOCK_WRLOCK(LBPRM_LOCK, &t->lock);
    else
        HA_RWLOCK_RDLOCK(LBPRM_LOCK, &t->lock);
    first = t->first;
    if (write)
        HA_RWLOCK_WRUNLOCK(LBPRM_LOCK, &t->lock);
    else
        HA_RWLOCK_RDUNLOCK(LBPRM_LOCK, &t->lock);
    return first;
}

int tree_seek(struct tree *t)
{
    int first;
    HA_RWLOCK_SKLOCK(LBPRM_LOCK, &t->lock);
    first = t->first;
    HA_RWLOCK_SKTORD(LBPRM_LOCK, &t->lock);
    first += t->first;
    HA_RWLOCK_RDUNLOCK(LBPRM_LOCK, &t->lock);
    return first;
}

// expect: finding wrong-lock-released high 20 object=t->lock
