#include <stddef.h>
#include "table.h"
static struct entry table[100];

struct entry *entry_get(int i)
{
    struct entry *e = &table[i];
    pthread_spin_lock(&e->lock);
    if (e->refs)
        return e;
    pthread_spin_unlock(&e->lock);
    return NULL;
}

void entry_put(struct entry *e)
{
    e->refs--;
    pthread_spin_unlock(&e->lock);
}

// expect: section 8 11 lock=table[].lock scope=instance left-held
// expect: section 15 18 lock=e->lock scope=instance entered-held
// expect: none
