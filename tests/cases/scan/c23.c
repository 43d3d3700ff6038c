// C23: auto, typeof, nullptr, constexpr, attributes, bool as a keyword, empty initialisers.
// clang: -std=c2x
typedef unsigned char slock_t;
void SpinLockAcquire(volatile slock_t *lock);
void SpinLockRelease(volatile slock_t *lock);
void __spinfault_debug_held();
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; struct slot *slots; };
extern struct pool *pool;
constexpr int rounds = 8;
[[nodiscard]] int take([[maybe_unused]] int unused)
{
    auto p = pool;
    typeof(p->first) i = {};
    bool found = false;
    if (p == nullptr)
        return -1;
    SpinLockAcquire(&p->guard);
    for (auto k = 0; k < rounds; k++)
        i += k;
    if (p->slots != nullptr) {
        i = p->first;
        p->first = p->slots[i].next;
        found = true;
    }
    SpinLockRelease(&p->guard);
    __spinfault_debug_held();
    return found ? i : -1;
}

// expect: section 18 26 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 23 object=pool->slots[].next
// expect: debug 27 held=
