#include <string.h>
#include "pool.h"
struct pool *pool;

int pop(struct pool *p)
{
    int head = p->head;
    p->head = p->slots[head].next;
    return head;
}

int count(const struct pool *p)
{
    return p->n;
}

void fill(struct slot *slot)
{
    memset(slot->payload, 0, sizeof slot->payload);
}
