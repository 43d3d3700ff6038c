// A list without locks marks a pointer as busy while it is changed: no lock that guards anything else.
#include <pthread.h>
#include <stdio.h>
static pthread_spinlock_t guard;
struct node { struct node *next, *prev; };
#define BUSY ((struct node *)1)
void append(struct node *head, struct node *e)
{
    struct node *n, *p;
    for (;;) {
        p = __atomic_exchange_n(&head->prev, BUSY, __ATOMIC_RELAXED);
        if (p == BUSY)
            continue;
        n = __atomic_exchange_n(&p->next, BUSY, __ATOMIC_RELAXED);
        if (n == BUSY) {
            head->prev = p;
            continue;
        }
        break;
    }
    e->next = n;
    e->prev = p;
    n->prev = e;
    p->next = e;
}
void append_and_tell(struct node *head, struct node *e)
{
    pthread_spin_lock(&guard);
    append(head, e);
    pthread_spin_unlock(&guard);
    fflush(stdout);
}

// expect: section 28 30 lock=guard scope=singleton
// expect: finding fault-under-lock low 29 object=n->prev
// expect: finding fault-under-lock high 29 object=p->next
// expect: quiet blocking
