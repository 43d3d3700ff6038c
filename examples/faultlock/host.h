// What the CSV says about the machine.
#ifndef FAULTLOCK_HOST_H
#define FAULTLOCK_HOST_H

const char *host_kernel(void); // uname -r
const char *host_arch(void);   // uname -m
long host_cpus(void);
// The mode in brackets in /sys/kernel/debug/sched/preempt, else what the kernel's build string
// proves; "" when that cannot be told.
const char *host_preempt(void);

#endif
