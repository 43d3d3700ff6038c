// Exchanges and test-and-sets that are no locks: a pointer is taken out, a flag is set once, a word
// is passed on.
#include <stdatomic.h>
#include "lock.h"
struct job { struct job *next; };
struct queue { struct job *_Atomic inbox; atomic_flag started; _Atomic int state; };
extern void run(struct job *job);
void drain(struct queue *queue)
{
    struct job *job;
    while ((job = atomic_exchange(&queue->inbox, (struct job *)0)) != (struct job *)0) {
        __spinfault_debug_held();
        run(job);
    }
}
void start(struct queue *queue)
{
    if (!atomic_flag_test_and_set(&queue->started))
        run((struct job *)0);
    __spinfault_debug_held();
}
int advance(struct queue *queue)
{
    int old = atomic_load(&queue->state);
    while (!atomic_compare_exchange_weak(&queue->state, &old, old + 1))
        ;
    __spinfault_debug_held();
    return old;
}

// expect: debug 12 held=
// expect: debug 20 held=
// expect: debug 27 held=
// expect: none
