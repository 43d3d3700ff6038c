// Words that a loop of compare-and-swap waits for, and that are no locks: a count of users that
// goes down as well, a letter box that another thread empties, a search for an object nobody uses.
#include "lock.h"
struct server { unsigned served; struct server *next; int load; };
struct object { unsigned long users; int kind; };
struct thread { struct buffer *box; int load; };
extern struct buffer *mine;
extern struct server *best;
int count(struct server *server)
{
    while (__atomic_load_n(&server->served, __ATOMIC_RELAXED) == 0) {
        unsigned served = 0;
        if (__atomic_compare_exchange_n(&server->served, &served, 1, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            break;
    }
    __spinfault_debug_held();
    return best->load;
}
void more(struct server *server) { __atomic_add_fetch(&server->served, 1, __ATOMIC_RELAXED); }
void less(struct server *server) { __atomic_sub_fetch(&server->served, 1, __ATOMIC_RELAXED); }
int send(struct thread *thread)
{
    struct buffer *old = (struct buffer *)0;
    while (!__atomic_compare_exchange_n(&thread->box, &old, mine, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
        old = (struct buffer *)0;
    __spinfault_debug_held();
    return best->load;
}
void collect(struct thread *thread)
{
    struct buffer *old = mine;
    while (!__atomic_compare_exchange_n(&thread->box, &old, (struct buffer *)0, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
        ;
}
struct object *search(struct object *objects, int n, unsigned long me)
{
    for (int i = 0; i < n; i++) {
        struct object *object = &objects[i];
        unsigned long users = 0;
        if (__atomic_compare_exchange_n(&object->users, &users, me, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
            __spinfault_debug_held();
            object->kind = best->load;
            return object;
        }
    }
    return (struct object *)0;
}
struct object *search_file(char *file, int n, unsigned long me)
{
    struct object *object;
    int i = 0;
    while (i < n) {
        unsigned long users = 0;
        object = (struct object *)(file + 64 + i * sizeof(struct object));
        if (__atomic_compare_exchange_n(&object->users, &users, me, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return object;
        i += 1;
    }
    return (struct object *)0;
}
int use(char *file)
{
    struct object *object = search_file(file, 8, 1);
    __spinfault_debug_held();
    return object ? best->load : 0;
}
void leave(struct object *object) { __atomic_store_n(&object->users, 0, __ATOMIC_RELEASE); }

// expect: debug 17 held=
// expect: debug 28 held=
// expect: debug 45 held=
// expect: debug 69 held=
// expect: none
