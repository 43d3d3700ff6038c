// What the CSV says about the machine.
#include "host.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static const struct utsname *names(void)
{
    static struct utsname u;
    if (!u.release[0])
        uname(&u);
    return &u;
}

const char *host_kernel(void)
{
    return names()->release;
}

const char *host_arch(void)
{
    return names()->machine;
}

long host_cpus(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

const char *host_preempt(void)
{
    static char mode[32];
    char text[128] = "";
    FILE *file = fopen("/sys/kernel/debug/sched/preempt", "r");
    if (file) {
        if (!fgets(text, sizeof text, file))
            text[0] = '\0';
        fclose(file);
    }
    const char *open = strchr(text, '('), *close = open ? strchr(open, ')') : NULL;
    if (close && close - open - 1 < (long)sizeof mode) {
        memcpy(mode, open + 1, (size_t)(close - open - 1));
        mode[close - open - 1] = '\0';
        return mode;
    }
    // PREEMPT_DYNAMIC in the build string says only that the mode can be changed.
    const char *version = names()->version;
    if (strstr(version, "PREEMPT_RT"))
        return "rt";
    return strstr(version, "PREEMPT ") ? "full" : "";
}
