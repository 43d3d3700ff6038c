// What looks alike and is no lock: an update without one, a flag that is set once, a counter.
#include <stdatomic.h>
struct node { struct node *next; };
struct stack { struct node *_Atomic head; atomic_int users; atomic_flag done; };
void push(struct stack *stack, struct node *node)
{
    node->next = atomic_load(&stack->head);
    while (!atomic_compare_exchange_weak(&stack->head, &node->next, node))
        ;
}
int once(struct stack *stack)
{
    if (atomic_flag_test_and_set(&stack->done))
        return 0;
    return atomic_fetch_add(&stack->users, 1);
}

// expect: none
