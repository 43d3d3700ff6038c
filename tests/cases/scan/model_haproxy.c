// HAProxy: the label comes first, a try gives 0 when it took the lock, and going from one mode to
// another keeps it. The macros expand to nothing here, as they do without threads.
#define HA_SPIN_LOCK(lbl, l)        do { } while (0)
#define HA_SPIN_TRYLOCK(lbl, l)     ({ 0; })
#define HA_SPIN_UNLOCK(lbl, l)      do { } while (0)
#define HA_RWLOCK_RDLOCK(lbl, l)    do { } while (0)
#define HA_RWLOCK_RDUNLOCK(lbl, l)  do { } while (0)
#define HA_RWLOCK_WRUNLOCK(lbl, l)  do { } while (0)
#define HA_RWLOCK_SKLOCK(lbl, l)    do { } while (0)
#define HA_RWLOCK_SKUNLOCK(lbl, l)  do { } while (0)
#define HA_RWLOCK_SKTOWR(lbl, l)    do { } while (0)
#define HA_RWLOCK_TRYRDTOWR(lbl, l) ({ 0; })

struct proxy {
    unsigned long lock;
    unsigned served;
};
struct slot {
    unsigned used;
    char payload[4092];
};
extern struct slot *slots;
void send_log(struct proxy *p, int level, const char *format, ...);

unsigned take(struct proxy *p, unsigned i)
{
    unsigned used;
    HA_SPIN_LOCK(PROXY_LOCK, &p->lock);
    p->served++;
    used = slots[i].used++;
    HA_SPIN_UNLOCK(PROXY_LOCK, &p->lock);
    return used;
}

int try_take(struct proxy *p)
{
    if (HA_SPIN_TRYLOCK(PROXY_LOCK, &p->lock) != 0)
        return 0;
    p->served++;
    HA_SPIN_UNLOCK(PROXY_LOCK, &p->lock);
    return 1;
}

void seek(struct proxy *p, int must)
{
    HA_RWLOCK_SKLOCK(PROXY_LOCK, &p->lock);
    if (!must) {
        HA_RWLOCK_SKUNLOCK(PROXY_LOCK, &p->lock);
        return;
    }
    HA_RWLOCK_SKTOWR(PROXY_LOCK, &p->lock);
    send_log(p, 1, "served %u", p->served);
    HA_RWLOCK_WRUNLOCK(PROXY_LOCK, &p->lock);
}

// A try to upgrade that fails leaves the lock read-held.
void upgrade(struct proxy *p)
{
    HA_RWLOCK_RDLOCK(PROXY_LOCK, &p->lock);
    if (HA_RWLOCK_TRYRDTOWR(PROXY_LOCK, &p->lock) != 0) {
        HA_RWLOCK_RDUNLOCK(PROXY_LOCK, &p->lock);
        return;
    }
    p->served = 0;
    HA_RWLOCK_WRUNLOCK(PROXY_LOCK, &p->lock);
}

// expect: section 28 31 lock=p->lock scope=instance
// expect: section 37 40 lock=p->lock scope=instance
// expect: section 46 48,53 lock=p->lock scope=instance
// expect: section 59 61,65 lock=p->lock scope=instance
// expect: finding log medium 52 object=send_log
