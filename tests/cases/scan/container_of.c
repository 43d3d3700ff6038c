// From a list's link back to the object around it: the same object, the same page.
#include "lock.h"
struct link { struct link *next; };
struct item { int value; struct link link; };
struct list { slock_t guard; struct link head; };
#define ITEM_OF(l) ((struct item *)((char *)(l)-offsetof(struct item, link)))
int first_value(struct list *list)
{
    SpinLockAcquire(&list->guard);
    struct link *link = list->head.next;
    list->head.next = link->next;
    int value = ITEM_OF(link)->value;
    SpinLockRelease(&list->guard);
    return value;
}

// expect: section 9 13 lock=list->guard scope=instance
// expect: finding fault-under-lock high 11 object=list->head.next->next
