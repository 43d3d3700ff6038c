// Without threads the structs have no locks in them, though the macros that take one are there, and
// a part of the function is for another configuration.
#ifndef WITH_THREADS
#define LOCK_MEMBER(name)
#define HA_SPIN_LOCK(lbl, l)   do { } while (0)
#define HA_SPIN_UNLOCK(lbl, l) do { } while (0)
#endif
struct server {
    LOCK_MEMBER(lock)
    int state;
    int proto;
};
struct tree {
    LOCK_MEMBER(lock)
    struct server *first;
};
int server_can(struct server *s);

int server_set(struct tree *t, struct server *s, int state)
{
    HA_SPIN_LOCK(SERVER_LOCK, &s->lock);
    if (state > s->state) {
        HA_SPIN_UNLOCK(TREE_LOCK, &t->lock);
        return -1;
    }
    s->state = state;
    HA_SPIN_UNLOCK(SERVER_LOCK, &s->lock);
    return 0;
}

void server_proto(struct server *s, int proto)
{
#ifdef WITH_CRYPTO
    HA_SPIN_LOCK(SERVER_LOCK, &s->lock);
    if (!server_can(s))
        return;
    s->proto = proto;
    HA_SPIN_UNLOCK(SERVER_LOCK, &s->lock);
#else
    s->proto = 0;
#endif
}

// expect: file degraded
// expect: section 19 23 lock=t->lock scope=instance entered-held left-held
// expect: section 21 27 lock=s->lock scope=instance left-held
// expect: section 34 38 lock=s->lock scope=instance left-held
// expect: finding nested-lock low 21 object=s->lock
// expect: finding lock-leak high 24 object=s->lock
// expect: finding unknown-call low 35 object=server_can
// expect: finding lock-leak high 36 object=s->lock
