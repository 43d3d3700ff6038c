// nginx: ngx_unlock is a plain store behind a macro; a slab's memory is shared and unmapped in a
// worker until it touches it.
typedef volatile unsigned long ngx_atomic_t;
typedef struct {
    ngx_atomic_t *lock;
} ngx_shmtx_t;
typedef struct {
    unsigned long start;
    ngx_shmtx_t mutex;
} ngx_slab_pool_t;

void ngx_spinlock(ngx_atomic_t *lock, long value, unsigned long spin);
#define ngx_cmp_set(lock, old, set) __sync_bool_compare_and_swap(lock, old, set)
#define ngx_trylock(lock) (*(lock) == 0 && ngx_cmp_set(lock, 0, 1))
#define ngx_unlock(lock)  *(lock) = 0
void ngx_shmtx_lock(ngx_shmtx_t *mtx);
unsigned long ngx_shmtx_trylock(ngx_shmtx_t *mtx);
void ngx_shmtx_unlock(ngx_shmtx_t *mtx);
void ngx_rwlock_rlock(ngx_atomic_t *lock);
void ngx_rwlock_wlock(ngx_atomic_t *lock);
void ngx_rwlock_unlock(ngx_atomic_t *lock);
void ngx_rwlock_downgrade(ngx_atomic_t *lock);
void *ngx_slab_alloc_locked(ngx_slab_pool_t *pool, unsigned long size);
void *ngx_slab_alloc(ngx_slab_pool_t *pool, unsigned long size);

struct node {
    unsigned key;
    struct node *next;
};

struct node *insert(ngx_slab_pool_t *pool, unsigned key)
{
    struct node *node;
    ngx_shmtx_lock(&pool->mutex);
    node = ngx_slab_alloc_locked(pool, sizeof *node);
    if (node)
        node->key = key;
    ngx_shmtx_unlock(&pool->mutex);
    return node;
}

void count(ngx_atomic_t *lock, unsigned long *counter)
{
    ngx_spinlock(lock, 1, 1024);
    (*counter)++;
    ngx_unlock(lock);
}

int try_count(ngx_atomic_t *lock, unsigned long *counter)
{
    if (!ngx_trylock(lock))
        return 0;
    (*counter)++;
    ngx_unlock(lock);
    return 1;
}

void reread(ngx_atomic_t *lock, unsigned long *counter)
{
    ngx_rwlock_wlock(lock);
    *counter = 0;
    ngx_rwlock_downgrade(lock);
    (*counter)++;
    ngx_rwlock_unlock(lock);
}

// The pool's mutex is taken by ngx_slab_alloc again.
void *wrong(ngx_slab_pool_t *pool, ngx_shmtx_t *other)
{
    void *p = 0;
    if (ngx_shmtx_trylock(other)) {
        p = ngx_slab_alloc(pool, 64);
        ngx_shmtx_unlock(other);
    }
    return p;
}

void *ngx_slab_calloc_locked(ngx_slab_pool_t *pool, unsigned long size);
void ngx_slab_free_locked(ngx_slab_pool_t *pool, void *p);

// Zeroed memory is mapped, and a slab is no heap.
void renew(ngx_slab_pool_t *pool, struct node *old)
{
    ngx_shmtx_lock(&pool->mutex);
    struct node *node = ngx_slab_calloc_locked(pool, sizeof *node);
    if (node)
        node->key = 1;
    ngx_slab_free_locked(pool, old);
    ngx_shmtx_unlock(&pool->mutex);
}

// expect: section 34 38 lock=pool->mutex scope=instance
// expect: section 44 46 lock=lock scope=instance
// expect: section 51 54 lock=lock scope=instance
// expect: section 60 64 lock=lock scope=instance
// expect: section 71 73 lock=other scope=instance
// expect: section 84 89 lock=pool->mutex scope=instance
// expect: finding fault-under-lock medium 37 object=node->key
// expect: finding blocking high 72 object=ngx_slab_alloc
