// A lock that is only ever tried keeps nobody spinning, so what takes long under it is low; one that
// somebody waits for elsewhere in the tree is another matter.
#include <pthread.h>
#include <stdio.h>
static pthread_spinlock_t tried, waited_for;
static int count;
void flush_if_free(void)
{
    if (pthread_spin_trylock(&tried) == 0) {
        fflush(stdout);
        pthread_spin_unlock(&tried);
    }
}
void flush_if_nobody_waits(void)
{
    if (pthread_spin_trylock(&waited_for) == 0) {
        fflush(stdout);
        pthread_spin_unlock(&waited_for);
    }
}
void wait(void)
{
    pthread_spin_lock(&waited_for);
    count++;
    pthread_spin_unlock(&waited_for);
}

// expect: section 9 11 lock=tried scope=singleton
// expect: section 16 18 lock=waited_for scope=singleton
// expect: section 23 25 lock=waited_for scope=singleton
// expect: finding blocking low 10 object=fflush
// expect: finding blocking high 17 object=fflush
