#include <pthread.h>
void put(int **p);
static inline void unlock(pthread_spinlock_t **l) { pthread_spin_unlock(*l); }
#define GUARD(l) pthread_spinlock_t *guard_ __attribute__((cleanup(unlock))) = (l)
int f(pthread_spinlock_t *l, int n)
{
    while (n) {
        int *a __attribute__((__cleanup__(put))) = 0;
        int *b __attribute__((cleanup(put))) = 0;
        if (n == 1)
            continue;
        if (n == 2)
            break;
        if (n == 3)
            return 3;
        if (n == 4)
            goto out;
    }
    {
        GUARD(l);
        n = 0;
    }
out:
    return n;
}

/* IR
function unlock(l) static inline
b0:
  3: #0 read *l 8
  3: #1 release pthread_spin_unlock *l
  3: return

function f(l, n)
b0:
  5: jump b2
b1:
  20: #10 guard_ := l
  21: #11 n := 0
  22: #12 call unlock(&guard_)
  22: jump b12
b2: loop
  7: branch n ? b3 : b1
b3:
  8: #0 a := 0
  9: #1 b := 0
  10: branch n == 1 ? b4 : b5
b4:
  11: #2 call put(&b)
  11: #3 call put(&a)
  11: jump b2
b5:
  12: branch n == 2 ? b6 : b7
b6:
  13: #4 call put(&b)
  13: #5 call put(&a)
  13: jump b1
b7:
  14: branch n == 3 ? b8 : b9
b8:
  15: #6 call put(&b)
  15: #7 call put(&a)
  15: return 3
b9:
  16: branch n == 4 ? b10 : b11
b10:
  17: #13 call put(&b)
  17: #14 call put(&a)
  17: jump b12
b11:
  18: #8 call put(&b)
  18: #9 call put(&a)
  18: jump b2
b12:
  24: return n
*/
