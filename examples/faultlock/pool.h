// A pool of slots in shared memory, as servers have them: the lock and the head of the free list
// lie together on the first page, the slots fill hundreds of megabytes behind it.
#ifndef FAULTLOCK_POOL_H
#define FAULTLOCK_POOL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SLOT_BYTES = 1024, LIST_END = -1 };

struct slot {
    int next_free; // index of the next free slot, or LIST_END
    unsigned owner;
    char payload[SLOT_BYTES - sizeof(int) - sizeof(unsigned)];
};

struct pool {
    union {
        pthread_spinlock_t spin;
        atomic_int word; // back-off lock: 1 taken, 0 free
        pthread_mutex_t mutex;
    };
    int free_head;
    int n_slots;
    size_t bytes; // of the mapping
    _Alignas(4096) struct slot slots[];
};

enum page_kind { PAGE_4K, PAGE_THP, PAGE_2M, PAGE_1G };

// Maps a pool for processes and threads alike, every slot on the free list in an order that jumps
// from page to page. Building the list touches every slot, in this process. NULL, and a message on
// stderr that says what to do, when the pages are not to be had.
struct pool *pool_create(enum page_kind kind, int n_slots, unsigned seed);
// Drops this process's page-table entries; the memory and what it holds stay. A forked child starts
// like this whatever its parent did.
void pool_unmap_pages(struct pool *pool);
// Maps every page writable in the calling process.
void pool_prefault(struct pool *pool);
void pool_destroy(struct pool *pool);

// The page size that backs the pool, read from /proc/self/smaps once it is in use: "4K", "2M",
// "1G", "THP" when any of it is mapped by huge entries, "" when smaps does not say.
const char *pool_page_used(const struct pool *pool);

#endif
