// Locks that have numbers, and a log whose levels are small: an error is below 0.
typedef int SPINLOCK;
#define NOTICE 0
#define ERROR  (-1)
#define FATAL  1
extern SPINLOCK TableLock;
void SpinAcquire(SPINLOCK lock);
void SpinRelease(SPINLOCK lock);
void elog(int level, const char *format, ...);
struct method {
    SPINLOCK master;
    int users;
};
extern int entries[16];

int entry_of(struct method *method, int i)
{
    SPINLOCK master = method->master;
    SpinAcquire(master);
    if (i >= 16) {
        elog(NOTICE, "no such entry");
        return 0;
    }
    if (method->users < 0) {
        SpinRelease(master);
        elog(ERROR, "damaged");
    }
    int entry = entries[i & 15];
    SpinRelease(master);
    return entry;
}

void count(void)
{
    SpinAcquire(TableLock);
    entries[0]++;
    SpinRelease(TableLock);
}

// expect: section 19 25,29 lock=method->master scope=instance left-held
// expect: section 35 37 lock=TableLock scope=singleton
// expect: finding log medium 21 object=elog
// expect: finding lock-leak high 22 object=method->master
