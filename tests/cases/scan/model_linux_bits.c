// Two bits of one word are two locks.
void bit_spin_lock(int bit, unsigned long *word);
void bit_spin_unlock(int bit, unsigned long *word);
struct head {
    unsigned long flags;
    int a, b;
};

void both(struct head *h)
{
    bit_spin_lock(0, &h->flags);
    h->a++;
    bit_spin_lock(3, &h->flags);
    h->b++;
    bit_spin_unlock(3, &h->flags);
    bit_spin_unlock(0, &h->flags);
}

void again(struct head *h)
{
    bit_spin_lock(1, &h->flags);
    bit_spin_lock(1, &h->flags);
    bit_spin_unlock(1, &h->flags);
}

// expect: section 11 16 lock=h->flags.bit 0 scope=instance
// expect: section 13 15 lock=h->flags.bit 3 scope=instance
// expect: section 21 23 lock=h->flags.bit 1 scope=instance
// expect: section 22 - lock=h->flags.bit 1 scope=instance
// expect: finding nested-lock low 13 object=h->flags.bit 3
// expect: finding double-acquire high 22 object=h->flags.bit 1
