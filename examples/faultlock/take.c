// The critical section this program is about. Whoever pops the free list writes to the slot it
// takes, with the lock held. The slot's page may not be mapped in this process yet, and then the
// holder goes through the kernel's fault handler while everybody else spins.
#include "take.h"

#include <sched.h>
#include <time.h>

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline int pop(struct pool *pool, unsigned owner)
{
    int head = pool->free_head; // beside the lock word: its page is mapped
    if (head == LIST_END)
        return LIST_END;
    pool->slots[head].owner = owner; // the first touch of this slot by this process
    pool->free_head = pool->slots[head].next_free;
    return head;
}

// ---- Pure spinning.
static void init_spin(struct pool *pool)
{
    pthread_spin_init(&pool->spin, PTHREAD_PROCESS_SHARED);
}

static int take_spin(struct pool *pool, unsigned owner, struct hold *hold, uint64_t *sleeps)
{
    (void)sleeps;
    pthread_spin_lock(&pool->spin);
    hold->begin = now_ns(); /* spinfault: ok(syscall) answered by the vDSO */
    int head = pop(pool, owner);
    hold->end = now_ns(); /* spinfault: ok(syscall) answered by the vDSO */
    pthread_spin_unlock(&pool->spin);
    return head;
}

// ---- Spinning with back-off: a hundred looks, then sleeps that grow from 1 ms, as databases do.
static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static void init_backoff(struct pool *pool)
{
    atomic_init(&pool->word, 0);
}

static void back_off(unsigned *looks, long *sleep_ns, uint64_t *sleeps)
{
    if (++*looks < 100) {
        cpu_relax();
        return;
    }
    *looks = 0;
    nanosleep(&(struct timespec){.tv_nsec = *sleep_ns}, NULL);
    *sleep_ns = *sleep_ns < 500000000 ? *sleep_ns * 3 / 2 : 1000000;
    ++*sleeps;
}

static int take_backoff(struct pool *pool, unsigned owner, struct hold *hold, uint64_t *sleeps)
{
    unsigned looks = 0;
    long sleep_ns = 1000000;
    while (atomic_exchange_explicit(&pool->word, 1, memory_order_acquire))
        back_off(&looks, &sleep_ns, sleeps);
    hold->begin = now_ns(); /* spinfault: ok(syscall) answered by the vDSO */
    int head = pop(pool, owner);
    hold->end = now_ns(); /* spinfault: ok(syscall) answered by the vDSO */
    atomic_store_explicit(&pool->word, 0, memory_order_release);
    return head;
}

// ---- A mutex, as the control: the faults cost the same, but nobody burns a CPU waiting for them.
static void init_mutex(struct pool *pool)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&pool->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static int take_mutex(struct pool *pool, unsigned owner, struct hold *hold, uint64_t *sleeps)
{
    (void)sleeps;
    pthread_mutex_lock(&pool->mutex);
    hold->begin = now_ns();
    int head = pop(pool, owner);
    hold->end = now_ns();
    pthread_mutex_unlock(&pool->mutex);
    return head;
}

const struct lock_kind lock_kinds[] = {
    {"spin", "pthread_spin_lock", init_spin, take_spin},
    {"backoff", "a test-and-set lock that sleeps after 100 looks", init_backoff, take_backoff},
    {"mutex", "pthread_mutex_lock, the control", init_mutex, take_mutex},
    {NULL, NULL, NULL, NULL},
};
