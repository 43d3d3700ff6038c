#include "g.h"
struct ctl *ctl;
void ctl_touch(void) { ctl->far = 0; }
int ctl_far(void) { return ctl->far; }
void ctl_unlock(void) { pthread_spin_unlock(&ctl->lock); }
