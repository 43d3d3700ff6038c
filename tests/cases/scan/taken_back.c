// A callee that lets go of its caller's lock and takes it back does not wait for its caller, however
// many calls lie between; a reader that reads again waits for itself only if a writer comes between.
typedef struct { volatile int count; } rte_rwlock_t;
void rte_rwlock_read_lock(rte_rwlock_t *lock);
void rte_rwlock_read_unlock(rte_rwlock_t *lock);
void rte_rwlock_write_lock(rte_rwlock_t *lock);
void rte_rwlock_write_unlock(rte_rwlock_t *lock);
struct queue { rte_rwlock_t lock; int n; };

static void wait_for(struct queue *queue)
{
    rte_rwlock_read_unlock(&queue->lock);
    rte_rwlock_read_lock(&queue->lock);
}

static int find(struct queue *queue, int n)
{
    if (queue->n == n)
        return n;
    wait_for(queue);
    return queue->n;
}

int first(struct queue *queue)
{
    rte_rwlock_read_lock(&queue->lock);
    int n = find(queue, 1);
    rte_rwlock_read_unlock(&queue->lock);
    return n;
}

static int count(struct queue *queue)
{
    rte_rwlock_read_lock(&queue->lock);
    int n = queue->n;
    rte_rwlock_read_unlock(&queue->lock);
    return n;
}

int read_twice(struct queue *queue)
{
    rte_rwlock_read_lock(&queue->lock);
    int n = count(queue);
    rte_rwlock_read_unlock(&queue->lock);
    return n;
}

int write_and_read(struct queue *queue)
{
    rte_rwlock_write_lock(&queue->lock);
    int n = count(queue);
    rte_rwlock_write_unlock(&queue->lock);
    return n;
}

// expect: section 13 - lock=queue->lock scope=instance entered-held left-held
// expect: section 16 20 lock=queue->lock scope=instance entered-held left-held
// expect: section 20 - lock=queue->lock scope=instance entered-held left-held
// expect: section 26 27,28 lock=queue->lock scope=instance
// expect: section 27 28 lock=queue->lock scope=instance
// expect: section 34 36 lock=queue->lock scope=instance
// expect: section 42 44 lock=queue->lock scope=instance
// expect: section 50 52 lock=queue->lock scope=instance
// expect: finding double-acquire medium 43 object=queue->lock
// expect: finding double-acquire high 51 object=queue->lock
