// FreeBSD: spin mutexes behind macros; what a zone's flag says about sleeping.
typedef unsigned long uintptr;
struct mtx {
    volatile uintptr mtx_lock;
};
void __mtx_lock_spin_flags(volatile uintptr *c, int opts, const char *file, int line);
void __mtx_unlock_spin_flags(volatile uintptr *c, int opts, const char *file, int line);
int __mtx_trylock_spin_flags(volatile uintptr *c, int opts, const char *file, int line);
#define mtx_lock_spin_flags(m, opts)                                                               \
    __mtx_lock_spin_flags(&(m)->mtx_lock, (opts), __FILE__, __LINE__)
#define mtx_unlock_spin_flags(m, opts)                                                             \
    __mtx_unlock_spin_flags(&(m)->mtx_lock, (opts), __FILE__, __LINE__)
#define mtx_lock_spin(m)    mtx_lock_spin_flags((m), 0)
#define mtx_unlock_spin(m)  mtx_unlock_spin_flags((m), 0)
#define mtx_trylock_spin(m) __mtx_trylock_spin_flags(&(m)->mtx_lock, 0, __FILE__, __LINE__)
#define M_NOWAIT 0x0001
#define M_WAITOK 0x0002
void *uma_zalloc(void *zone, int flags);
int copyin(const void *user, void *kernel, unsigned long n);

struct softc {
    struct mtx mtx;
    void *zone;
    int value;
};

void *wait_ok(struct softc *sc)
{
    void *p;
    mtx_lock_spin(&sc->mtx);
    p = uma_zalloc(sc->zone, M_WAITOK);
    mtx_unlock_spin(&sc->mtx);
    return p;
}

int from_user(struct softc *sc, const void *user)
{
    int error = 0;
    if (!mtx_trylock_spin(&sc->mtx))
        return 16;
    error = copyin(user, &sc->value, sizeof sc->value);
    mtx_unlock_spin(&sc->mtx);
    return error;
}

// expect: section 30 32 lock=sc->mtx scope=instance
// expect: section 39 42 lock=sc->mtx scope=instance
// expect: finding blocking high 31 object=uma_zalloc
// expect: finding blocking high 41 object=copyin
