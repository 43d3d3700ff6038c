// An object of another file is handed out locked, and given back.
#include <stddef.h>
#include "table.h"

int look(int i)
{
    struct entry *e = entry_get(i);
    if (e == NULL)
        return 0;
    int last = e->last;
    entry_put(e);
    return last;
}

int forget(int i)
{
    struct entry *e = entry_get(i);
    if (!e)
        return 0;
    if (e->refs > 1)
        return -1;
    entry_put(e);
    return 1;
}

// expect: section 7 11 lock=table[].lock scope=instance
// expect: section 17 22 lock=table[].lock scope=instance left-held
// expect: finding fault-under-lock medium 10 object=table[].last
// expect: finding lock-leak high 21 object=table[].lock
