// Workers and what they measure. A worker writes only to its own results, which it has mapped
// before the clock starts: the only memory it meets for the first time are the pool's slots.
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker {
    struct histogram hold, wait;
    uint64_t begin, end;
    uint64_t sleeps;
    struct rusage before, after;
    char page_used[8];
};

// Shared by all workers, whether processes or threads.
struct shared {
    pthread_barrier_t start;
    const struct run_options *options;
    struct pool *pool;
    struct worker workers[];
};

struct job {
    struct shared *shared;
    int index;
};

static void think(unsigned ns)
{
    for (uint64_t until = now_ns() + ns; ns && now_ns() < until;)
        ;
}

// What a careful program would do: meet the page fault before the lock is taken. Another worker may
// take that slot first; then this was in vain, and the fault happens under the lock after all.
static void touch_head(const struct pool *pool)
{
    int head = __atomic_load_n(&pool->free_head, __ATOMIC_RELAXED);
    if (head != LIST_END)
        (void)*(const volatile unsigned *)&pool->slots[head].owner;
}

static void take_slots(const struct run_options *options, struct pool *pool, struct worker *worker,
                       unsigned owner)
{
    for (;;) {
        struct hold hold;
        if (options->touch_before)
            touch_head(pool);
        uint64_t asked = now_ns();
        int slot = options->lock->take(pool, owner, &hold, &worker->sleeps);
        if (slot == LIST_END)
            return;
        histogram_add(&worker->wait, hold.begin - asked);
        histogram_add(&worker->hold, hold.end - hold.begin);
        think(options->think_ns);
    }
}

static void work(const struct job *job)
{
    struct shared *shared = job->shared;
    const struct run_options *options = shared->options;
    struct worker *worker = &shared->workers[job->index];
    int who = options->threads ? RUSAGE_THREAD : RUSAGE_SELF;
    memset(worker, 0, sizeof(*worker));
    if (options->prefault == PREFAULT_WORKER)
        pool_prefault(shared->pool);
    pthread_barrier_wait(&shared->start);
    getrusage(who, &worker->before);
    worker->begin = now_ns();
    take_slots(options, shared->pool, worker, (unsigned)job->index + 1);
    worker->end = now_ns();
    getrusage(who, &worker->after);
    snprintf(worker->page_used, sizeof worker->page_used, "%s", pool_page_used(shared->pool));
}

static void *thread_main(void *job)
{
    work(job);
    return NULL;
}

static bool run_threads(struct job *jobs, int n)
{
    pthread_t *threads = calloc((size_t)n, sizeof(*threads));
    if (!threads)
        return false;
    for (int i = 0; i < n; i++) {
        int failed = pthread_create(&threads[i], NULL, thread_main, &jobs[i]);
        if (failed) {
            // The others wait at a barrier that would never open.
            fprintf(stderr, "faultlock: cannot start worker %d of %d: %s\n", i + 1, n,
                    strerror(failed));
            exit(2);
        }
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return true;
}

static bool run_processes(struct job *jobs, int n)
{
    pid_t *children = calloc((size_t)n, sizeof(*children));
    bool ok = children != NULL;
    int started = 0;
    fflush(NULL);
    for (; ok && started < n; started++) {
        children[started] = fork();
        if (children[started] == 0) {
            work(&jobs[started]);
            _exit(0);
        }
        if (children[started] < 0) {
            fprintf(stderr, "faultlock: cannot start worker %d of %d: %s\n", started + 1, n,
                    strerror(errno));
            ok = false;
            break;
        }
    }
    for (int i = 0; i < started; i++) {
        int state;
        if (!ok)
            kill(children[i], SIGKILL);
        ok = waitpid(children[i], &state, 0) == children[i] && state == 0 && ok;
    }
    free(children);
    return ok;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double cpu_of(const struct rusage *usage)
{
    return seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime);
}

static void add_up(const struct shared *shared, struct run_result *result)
{
    static char page_used[8];
    uint64_t begin = UINT64_MAX, end = 0;
    memset(result, 0, sizeof(*result));
    for (int i = 0; i < shared->options->workers; i++) {
        const struct worker *worker = &shared->workers[i];
        const struct rusage *a = &worker->before, *b = &worker->after;
        histogram_merge(&result->hold, &worker->hold);
        histogram_merge(&result->wait, &worker->wait);
        begin = worker->begin < begin ? worker->begin : begin;
        end = worker->end > end ? worker->end : end;
        result->sleeps += worker->sleeps;
        result->minor_faults += (uint64_t)(b->ru_minflt - a->ru_minflt);
        result->major_faults += (uint64_t)(b->ru_majflt - a->ru_majflt);
        result->voluntary_switches += (uint64_t)(b->ru_nvcsw - a->ru_nvcsw);
        result->involuntary_switches += (uint64_t)(b->ru_nivcsw - a->ru_nivcsw);
        result->cpu_seconds += cpu_of(b) - cpu_of(a);
    }
    result->seconds = (double)(end - begin) / 1e9;
    result->operations = result->hold.count;
    memcpy(page_used, shared->workers[0].page_used, sizeof page_used);
    result->page_used = page_used;
}

static struct shared *shared_create(const struct run_options *options, size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("faultlock: cannot map the results");
        return NULL;
    }
    struct shared *shared = memory;
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->start, &attributes, (unsigned)options->workers);
    pthread_barrierattr_destroy(&attributes);
    shared->options = options;
    return shared;
}

bool run(const struct run_options *options, struct run_result *result)
{
    int n = options->workers;
    size_t bytes = sizeof(struct shared) + (size_t)n * sizeof(struct worker);
    struct job *jobs = calloc((size_t)n, sizeof(*jobs));
    struct shared *shared = shared_create(options, bytes);
    struct pool *pool = pool_create(options->page, options->operations, options->seed);
    bool ok = jobs && shared && pool;
    if (ok) {
        shared->pool = pool;
        for (int i = 0; i < n; i++)
            jobs[i] = (struct job){shared, i};
        options->lock->init(pool);
        // Building the list has mapped the pool here; a thread would profit from that.
        if (options->prefault == PREFAULT_PARENT)
            pool_prefault(pool);
        else
            pool_unmap_pages(pool);
        ok = options->threads ? run_threads(jobs, n) : run_processes(jobs, n);
    }
    if (ok)
        add_up(shared, result);
    if (pool)
        pool_destroy(pool);
    if (shared)
        munmap(shared, bytes);
    free(jobs);
    return ok;
}
