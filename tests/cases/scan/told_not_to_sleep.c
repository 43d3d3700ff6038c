// A flag says whether the callee waits: the caller that passes it sleeps, the other one does not,
// two calls away as well as one.
typedef struct { int v; } spinlock_t;
struct mutex { int v; };
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
void msleep(unsigned ms);
#define WAIT   0x1
#define URGENT 0x2
struct queue { spinlock_t lock; struct mutex big; int n; };

static int post(struct queue *q, int what, int flags)
{
    q->n += what;
    if (flags & URGENT)
        q->n++;
    if (flags & WAIT) {
        mutex_lock(&q->big);
        q->n--;
        mutex_unlock(&q->big);
    }
    return q->n;
}

static int post_all(struct queue *q, int flags)
{
    return post(q, 1, flags) + post(q, 2, flags & ~URGENT);
}

void quiet(struct queue *q)
{
    spin_lock(&q->lock);
    post(q, 1, 0);
    post(q, 1, URGENT);
    post_all(q, URGENT);
    spin_unlock(&q->lock);
}

void fires(struct queue *q, int flags)
{
    spin_lock(&q->lock);
    post(q, 1, WAIT);
    post(q, 1, WAIT | URGENT);
    post(q, 1, flags);
    spin_unlock(&q->lock);
}

static void pause(struct queue *q, int atomic)
{
    if (!atomic)
        msleep(1);
    q->n++;
}

void fires_unless_atomic(struct queue *q)
{
    spin_lock(&q->lock);
    pause(q, 1);
    pause(q, 0);
    spin_unlock(&q->lock);
}

// expect: section 34 38 lock=q->lock scope=instance
// expect: section 43 47 lock=q->lock scope=instance
// expect: section 59 62 lock=q->lock scope=instance
// expect: finding blocking high 44,45,46 object=post
// expect: finding blocking high 61 object=pause
