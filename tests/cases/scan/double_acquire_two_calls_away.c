// A lock that is taken two calls away is the one that the callee in between passes on.
typedef struct { int v; } spinlock_t;
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
struct queue { spinlock_t lock; int n; };
struct port { spinlock_t lock; struct queue free, used; };

static void enter(spinlock_t *l) { spin_lock(l); }
static void leave(spinlock_t *l) { spin_unlock(l); }

static void recycle(struct port *port)
{
    enter(&port->free.lock);
    port->free.n++;
    leave(&port->free.lock);
}

static void give_back(struct port *port)
{
    recycle(port);
    enter(&port->used.lock);
    port->used.n--;
    leave(&port->used.lock);
}

void another(struct port *port)
{
    enter(&port->lock);
    recycle(port);
    leave(&port->lock);
}

void second(struct port *port)
{
    enter(&port->used.lock);
    give_back(port);
    leave(&port->used.lock);
}

// expect: section 13 15 lock=port->free.lock scope=instance
// expect: section 21 23 lock=port->used.lock scope=instance
// expect: section 28 30 lock=port->lock scope=instance
// expect: section 35 37 lock=port->used.lock scope=instance
// expect: finding nested-lock low 29 object=port->free.lock
// expect: finding double-acquire high 36 object=port->used.lock
