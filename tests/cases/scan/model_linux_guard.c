// Linux: guards made of a constructor and a cleanup attribute, and a block that is a loop of one
// round.
typedef struct {
    unsigned v;
} spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);

typedef struct {
    spinlock_t *lock;
} class_spinlock_t;
static inline class_spinlock_t class_spinlock_constructor(spinlock_t *l)
{
    class_spinlock_t t = {.lock = l};
    spin_lock(t.lock);
    return t;
}
static inline void class_spinlock_destructor(class_spinlock_t *t)
{
    if (t->lock)
        spin_unlock(t->lock);
}
static inline void *class_spinlock_lock_ptr(class_spinlock_t *t)
{
    return t->lock;
}
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define CLASS(name, var)                                                                           \
    class_##name##_t var __attribute__((__cleanup__(class_##name##_destructor))) =                 \
        class_##name##_constructor
#define guard(name) CLASS(name, JOIN(guard_, __COUNTER__))
#define scoped_guard(name, args...)                                                                \
    for (CLASS(name, scope)(args), *done = (void *)0;                                              \
         class_##name##_lock_ptr(&scope) && !done; done = (void *)1)

void msleep(unsigned ms);
struct device {
    spinlock_t lock;
    int state, other;
};

int whole(struct device *d)
{
    guard(spinlock)(&d->lock);
    if (d->state)
        return d->other;
    d->state = 1;
    return 0;
}

void part(struct device *d)
{
    d->other = 0;
    scoped_guard(spinlock, &d->lock) {
        d->state = 2;
        msleep(1);
    }
    msleep(2);
}

int out_of_it(struct device *d)
{
    scoped_guard(spinlock, &d->lock) {
        if (d->state)
            return 1;
        if (d->other)
            break;
        d->state = 3;
    }
    msleep(3);
    return 0;
}

// expect: section 45 47,49 lock=d->lock scope=instance
// expect: section 55 58 lock=d->lock scope=instance
// expect: section 64 66,70 lock=d->lock scope=instance
// expect: finding blocking high 57 object=msleep
