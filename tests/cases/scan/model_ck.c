// Concurrency Kit: a release that names the caller's node by the address of a pointer, readers that
// leave by their own record, names that a macro pastes together.
#include <stdbool.h>
struct ck_spinlock_clh {
    unsigned wait;
    struct ck_spinlock_clh *previous;
};
typedef struct ck_brlock {
    void *readers;
    unsigned writer;
} ck_brlock_t;
typedef struct ck_brlock_reader {
    unsigned n_readers;
} ck_brlock_reader_t;
typedef struct {
    unsigned value;
} ck_spinlock_fas_t;
typedef ck_spinlock_fas_t ck_spinlock_t;
void ck_spinlock_fas_lock(ck_spinlock_fas_t *lock);
bool ck_spinlock_fas_trylock(ck_spinlock_fas_t *lock);
void ck_spinlock_fas_unlock(ck_spinlock_fas_t *lock);
#define ck_spinlock_lock(x)    ck_spinlock_fas_lock(x)
#define ck_spinlock_trylock(x) ck_spinlock_fas_trylock(x)
#define ck_spinlock_unlock(x)  ck_spinlock_fas_unlock(x)
void ck_spinlock_clh_lock(struct ck_spinlock_clh **queue, struct ck_spinlock_clh *node);
void ck_spinlock_clh_unlock(struct ck_spinlock_clh **node);
void ck_brlock_read_lock(ck_brlock_t *br, ck_brlock_reader_t *reader);
void ck_brlock_read_unlock(ck_brlock_reader_t *reader);
#define CK_COHORT_LOCK(N, C, GC, LC)   ck_cohort_##N##_lock(C, GC, LC)
#define CK_COHORT_UNLOCK(N, C, GC, LC) ck_cohort_##N##_unlock(C, GC, LC)
struct ck_cohort_basic {
    unsigned local;
};
void ck_cohort_basic_lock(struct ck_cohort_basic *c, void *g, void *l);
void ck_cohort_basic_unlock(struct ck_cohort_basic *c, void *g, void *l);

static struct ck_spinlock_clh *queue;
static unsigned total;

void with_node(struct ck_spinlock_clh *node)
{
    ck_spinlock_clh_lock(&queue, node);
    total++;
    ck_spinlock_clh_unlock(&node);
}

unsigned as_reader(ck_brlock_t *br, ck_brlock_reader_t *me, unsigned *where)
{
    unsigned n;
    ck_brlock_read_lock(br, me);
    n = *where;
    ck_brlock_read_unlock(me);
    return n;
}

bool plain(ck_spinlock_t *lock)
{
    if (!ck_spinlock_trylock(lock))
        return false;
    total++;
    ck_spinlock_unlock(lock);
    return true;
}

void cohort(struct ck_cohort_basic *c)
{
    CK_COHORT_LOCK(basic, c, 0, 0);
    total++;
    CK_COHORT_UNLOCK(basic, c, 0, 0);
}

// expect: section 42 44 lock=node scope=instance
// expect: section 50 52 lock=me scope=instance
// expect: section 58 61 lock=lock scope=instance
// expect: section 67 69 lock=c scope=instance
// expect: none
