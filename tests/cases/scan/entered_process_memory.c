// A callee that lets go of its caller's lock for a while says which lock it is: what the project's
// locks guard, and who holds it how, is known in every function that is entered with it.
typedef struct { volatile int count; } rte_rwlock_t;
void rte_rwlock_read_lock(rte_rwlock_t *lock);
void rte_rwlock_read_unlock(rte_rwlock_t *lock);
struct entry { struct entry *next; long address; };
struct queue { rte_rwlock_t lock; char pad[8192]; struct entry *first; };

static void wait_for_entry(struct queue *queue)
{
    rte_rwlock_read_unlock(&queue->lock);
    rte_rwlock_read_lock(&queue->lock);
}

static long find(struct queue *queue, long address)
{
    for (struct entry *entry = queue->first; entry; entry = entry->next) {
        if (entry->address == address)
            return address;
    }
    wait_for_entry(queue);
    return 0;
}

long translate(struct queue *queue, long address)
{
    rte_rwlock_read_lock(&queue->lock);
    long found = find(queue, address);
    rte_rwlock_read_unlock(&queue->lock);
    return found;
}

// expect: quiet fault-under-lock
// expect: section 12 - lock=queue->lock scope=instance entered-held left-held
// expect: section 15 21 lock=queue->lock scope=instance entered-held left-held
// expect: section 21 - lock=queue->lock scope=instance entered-held left-held
// expect: section 27 28,29 lock=queue->lock scope=instance
// expect: section 28 29 lock=queue->lock scope=instance
