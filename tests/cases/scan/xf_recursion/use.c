// Functions of two files that call each other: it comes to an end.
#include "r.h"

int is_even(struct list *list)
{
    pthread_spin_lock(&list->lock);
    int yes = even(list->first);
    pthread_spin_unlock(&list->lock);
    return yes;
}

// expect: section 6 8 lock=list->lock scope=instance
// expect: finding fault-under-lock medium 7 object=list->first->next
