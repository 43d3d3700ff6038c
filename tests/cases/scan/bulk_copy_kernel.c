// A kernel's memory does not fault: a copy of some kilobytes is worth knowing, a big one is not good.
typedef struct { int v; } spinlock_t;
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void *memcpy(void *to, const void *from, unsigned long n);
struct ring { spinlock_t lock; char name[32], entry[2048], all[65536]; };

void quiet(struct ring *ring, const char *from)
{
    spin_lock(&ring->lock);
    memcpy(ring->name, from, sizeof ring->name);
    spin_unlock(&ring->lock);
}

void entry(struct ring *ring, const char *from, unsigned long n)
{
    spin_lock(&ring->lock);
    memcpy(ring->entry, from, sizeof ring->entry);
    memcpy(ring->entry, from, n);
    spin_unlock(&ring->lock);
}

void all(struct ring *ring, const char *from)
{
    spin_lock(&ring->lock);
    memcpy(ring->all, from, sizeof ring->all);
    spin_unlock(&ring->lock);
}

// expect: section 10 12 lock=ring->lock scope=instance
// expect: section 17 20 lock=ring->lock scope=instance
// expect: section 25 27 lock=ring->lock scope=instance
// expect: finding bulk-copy low 18,19 object=ring->entry
// expect: finding bulk-copy medium 26 object=ring->all
