// The pool's memory: which pages back it, and who has them mapped.
#include "pool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // Linux 5.14
#endif

static const struct {
    const char *name;
    size_t bytes;
    int flags;
} kinds[] = {
    [PAGE_4K] = {"4K", 4096, 0},
    [PAGE_THP] = {"THP", 2u << 20, 0},
    [PAGE_2M] = {"2M", 2u << 20, MAP_HUGETLB | 21 << MAP_HUGE_SHIFT},
    [PAGE_1G] = {"1G", 1u << 30, MAP_HUGETLB | 30 << MAP_HUGE_SHIFT},
};

static void *map_pages(enum page_kind kind, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | kinds[kind].flags, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "faultlock: cannot map %zu pages of %s: %s", bytes / kinds[kind].bytes,
                kinds[kind].name, strerror(errno));
        if (kinds[kind].flags)
            fprintf(stderr,
                    "; reserve them with: echo %zu > /sys/kernel/mm/hugepages/hugepages-%zukB/"
                    "nr_hugepages",
                    bytes / kinds[kind].bytes, kinds[kind].bytes >> 10);
        fputc('\n', stderr);
        return NULL;
    }
    // THP must not be had by accident where "always" is set, nor be missed where "advise" is.
    if (!kinds[kind].flags)
        madvise(memory, bytes, kind == PAGE_THP ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return memory;
}

static uint64_t next_random(uint64_t *state) // xorshift64*
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Dull;
}

// Links all slots in a random order (Fisher and Yates), so that neighbours on the list are not
// neighbours in memory. That is what a list looks like after a while of use.
static bool link_slots(struct pool *pool, unsigned seed)
{
    int *order = calloc((size_t)pool->n_slots, sizeof(*order));
    if (!order) {
        fprintf(stderr, "faultlock: not enough memory to shuffle %d slots\n", pool->n_slots);
        return false;
    }
    uint64_t state = 0x9E3779B97F4A7C15ull ^ seed;
    for (int i = 0; i < pool->n_slots; i++) {
        int j = (int)(next_random(&state) % ((uint64_t)i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < pool->n_slots; i++)
        pool->slots[order[i]].next_free = i + 1 < pool->n_slots ? order[i + 1] : LIST_END;
    pool->free_head = order[0];
    free(order);
    return true;
}

struct pool *pool_create(enum page_kind kind, int n_slots, unsigned seed)
{
    size_t page = kinds[kind].bytes;
    size_t bytes = sizeof(struct pool) + (size_t)n_slots * sizeof(struct slot);
    bytes = (bytes + page - 1) / page * page;
    struct pool *pool = map_pages(kind, bytes);
    if (!pool)
        return NULL;
    pool->bytes = bytes;
    pool->n_slots = n_slots;
    if (!link_slots(pool, seed)) {
        pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void pool_unmap_pages(struct pool *pool)
{
    if (madvise(pool, pool->bytes, MADV_DONTNEED) != 0)
        perror("faultlock: cannot drop page-table entries");
}

void pool_prefault(struct pool *pool)
{
    if (madvise(pool, pool->bytes, MADV_POPULATE_WRITE) == 0)
        return;
    // Before Linux 5.14: write to each page what it holds already.
    for (size_t at = 0; at < pool->bytes; at += 4096)
        atomic_fetch_or((_Atomic char *)((char *)pool + at), 0);
}

void pool_destroy(struct pool *pool)
{
    munmap(pool, pool->bytes);
}

// Calls `line` for each line of smaps that belongs to the mapping that starts at `address`.
static void read_smaps(const void *address, void (*line)(const char *text, void *context),
                       void *context)
{
    FILE *smaps = fopen("/proc/self/smaps", "r");
    if (!smaps)
        return;
    char text[512];
    bool inside = false;
    while (fgets(text, sizeof text, smaps)) {
        uintptr_t start, end;
        if (sscanf(text, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2)
            inside = start <= (uintptr_t)address && (uintptr_t)address < end;
        else if (inside)
            line(text, context);
    }
    fclose(smaps);
}

struct page_sizes {
    size_t kernel_kb, pmd_kb;
};

static void read_page_size(const char *text, void *context)
{
    struct page_sizes *sizes = context;
    size_t kb;
    if (sscanf(text, "KernelPageSize: %zu kB", &kb) == 1)
        sizes->kernel_kb = kb;
    else if (sscanf(text, "ShmemPmdMapped: %zu kB", &kb) == 1)
        sizes->pmd_kb = kb;
}

const char *pool_page_used(const struct pool *pool)
{
    struct page_sizes sizes = {0, 0};
    read_smaps(pool, read_page_size, &sizes);
    if (sizes.pmd_kb > 0)
        return kinds[PAGE_THP].name;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (i != PAGE_THP && sizes.kernel_kb == kinds[i].bytes >> 10)
            return kinds[i].name;
    return "";
}
