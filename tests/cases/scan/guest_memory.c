// Memory that a guest writes may be unmapped in the process that reads it, though that process made
// all else that its locks guard.
typedef struct { volatile int locked; } rte_spinlock_t;
void rte_spinlock_lock(rte_spinlock_t *lock);
void rte_spinlock_unlock(rte_spinlock_t *lock);
struct vring_avail { unsigned short flags, index, ring[]; };
struct queue_stats { long packets; };
struct queue { rte_spinlock_t lock; char pad[8192]; struct vring_avail *avail; struct queue_stats *stats; };

int next_of(struct queue *queue)
{
    rte_spinlock_lock(&queue->lock);
    int next = queue->avail->index;
    queue->stats->packets++;
    rte_spinlock_unlock(&queue->lock);
    return next;
}

// expect: section 12 15 lock=queue->lock scope=instance
// expect: finding fault-under-lock medium 13 object=queue->avail->index
