// QEMU: one macro guards locks of any kind; a spinlock is what its argument points to. Released at
// the end of the scope, or of the statement.
typedef struct QemuSpin { int value; } QemuSpin;
typedef struct QemuMutex { int m; } QemuMutex;
typedef struct QemuLockable { void *object; } QemuLockable;
static inline void qemu_spin_lock(QemuSpin *spin)
{
    while (__atomic_exchange_n(&spin->value, 1, __ATOMIC_ACQUIRE))
        ;
}
void *lockable(void *);
void leave(void **);
#define QEMU_LOCK_GUARD(x) void *glue __attribute__((cleanup(leave))) = lockable(x)
#define WITH_QEMU_LOCK_GUARD(x) for (void *v __attribute__((cleanup(leave))) = lockable(x); v; v = 0)
static QemuSpin table_lock;
static QemuMutex big;
static int table[1 << 20];

int lookup(unsigned i)
{
    QEMU_LOCK_GUARD(&table_lock);
    if (i > 5)
        return -1;
    return table[i << 3];
}
int lookup2(unsigned i)
{
    WITH_QEMU_LOCK_GUARD(&table_lock) {
        if (i == 7)
            return 3;
        if (i == 9)
            break;
        table[i] = 4;
    }
    QEMU_LOCK_GUARD(&big);
    return table[i];
}

// expect: section 21 23,24 lock=table_lock scope=singleton
// expect: section 28 30,34 lock=table_lock scope=singleton
// expect: finding fault-under-lock high 24 object=table[]
// expect: finding fault-under-lock high 33 object=table[]
