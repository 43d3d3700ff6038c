// The lock's name goes through two files.
#include "config.h"
pthread_spinlock_t *get_ports_lock(void) { return &get_config()->ports_lock; }
