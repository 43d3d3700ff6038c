// The lock is not the first argument; a model of the user's says which one it is.
// args: --model second.xml
#include "lock.h"
typedef struct { int v; } latch_t;
void latch_take(const char *who, latch_t *latch, int mode);
bool latch_try(const char *who, latch_t *latch);
void latch_drop(int mode, latch_t *latch);
struct pool { latch_t latch; int first; };
extern struct pool *the_pool;
extern struct slot { int next; char data[60]; } *slots;
int take(void)
{
    latch_take("take", &the_pool->latch, 1);
    int i = the_pool->first;
    the_pool->first = slots[i].next;
    latch_drop(1, &the_pool->latch);
    return i;
}
void maybe(void)
{
    if (latch_try("maybe", &the_pool->latch)) {
        __spinfault_debug_held();
        latch_drop(1, &the_pool->latch);
    }
    __spinfault_debug_held();
}

// expect: section 13 16 lock=the_pool->latch scope=singleton
// expect: section 21 23 lock=the_pool->latch scope=singleton
// expect: finding fault-under-lock high 15 object=slots[].next
// expect: debug 22 held=the_pool->latch
// expect: debug 25 held=
