// Who asks for the lock twice gets the same one: nobody enters with it, and nobody takes it twice.
#include "config.h"
#include <unistd.h>

int ports;

int port_new(void)
{
    pthread_spin_lock(get_ports_lock());
    int port = ports++;
    pthread_spin_unlock(get_ports_lock());
    return port;
}

int port_pair(void)
{
    return port_new() + port_new();
}

int port_twice(void)
{
    pthread_spin_lock(get_ports_lock());
    int port = port_new();
    pthread_spin_unlock(get_ports_lock());
    return port;
}

// expect: section 9 11 lock=config.ports_lock scope=singleton
// expect: section 22 24 lock=config.ports_lock scope=singleton
// expect: finding double-acquire high 23 object=config.ports_lock
