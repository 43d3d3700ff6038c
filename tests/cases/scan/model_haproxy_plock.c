// The primitives below HAProxy's macros: statement expressions with loops in them. The loop is the
// waiting and no part of the section.
#define pl_take_s(lock)                                                                            \
    ({                                                                                             \
        volatile unsigned long *pl_word = (lock);                                                  \
        while (__atomic_fetch_add(pl_word, 5, __ATOMIC_ACQUIRE) & ~3ul)                            \
            __atomic_fetch_sub(pl_word, 5, __ATOMIC_RELAXED);                                      \
    })
#define pl_try_w(lock) (__atomic_fetch_add((lock), 7, __ATOMIC_ACQUIRE) == 0)
#define pl_stow(lock)                                                                              \
    ({                                                                                             \
        while (__atomic_load_n((lock), __ATOMIC_ACQUIRE) & 12)                                     \
            ;                                                                                      \
    })
#define pl_drop_s(lock) ((void)__atomic_fetch_sub((lock), 5, __ATOMIC_RELEASE))
#define pl_drop_w(lock) ((void)__atomic_fetch_sub((lock), 7, __ATOMIC_RELEASE))

struct ring {
    unsigned long lock;
    unsigned head;
};

unsigned advance(struct ring *r)
{
    unsigned head;
    pl_take_s(&r->lock);
    head = r->head;
    pl_stow(&r->lock);
    r->head = head + 1;
    pl_drop_w(&r->lock);
    return head;
}

int try_reset(struct ring *r)
{
    if (!pl_try_w(&r->lock))
        return 0;
    r->head = 0;
    pl_drop_w(&r->lock);
    return 1;
}

// expect: section 26 30 lock=r->lock scope=instance
// expect: section 36 39 lock=r->lock scope=instance
// expect: none
