// Duff's device: a switch into the middle of a loop, all of it under the lock.
#include "lock.h"
struct port { slock_t guard; volatile int out; };
void send(struct port *port, const int *from, int count)
{
    int n = (count + 3) / 4;
    SpinLockAcquire(&port->guard);
    switch (count % 4) {
    case 0:
        do {
            port->out = *from++;
    case 3:
            port->out = *from++;
    case 2:
            port->out = *from++;
    case 1:
            port->out = *from++;
        } while (--n > 0);
    }
    SpinLockRelease(&port->guard);
    __spinfault_debug_held();
}

// expect: section 7 20 lock=port->guard scope=instance
// expect: finding loop low 11 object=port->guard
// expect: debug 21 held=
