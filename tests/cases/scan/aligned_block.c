// Alignment proves that a field is on the lock's page, however far it is.
#include "lock.h"
struct __attribute__((aligned(4096))) page { slock_t guard; char pad[3000]; int far; };
extern struct page *page;
void set(int n)
{
    SpinLockAcquire(&page->guard);
    page->far = n;
    __spinfault_debug_residency(&page->far);
    SpinLockRelease(&page->guard);
}

// expect: section 7 10 lock=page->guard scope=singleton
// expect: debug 9 residency=same-page
// expect: none
