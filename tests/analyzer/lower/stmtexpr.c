#include <pthread.h>
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define GUARDED(l, x) ({ pthread_spin_lock(l); int v_ = (x); pthread_spin_unlock(l); v_; })
int f(pthread_spinlock_t *l, int *p, int n)
{
    int m = MAX(n, 3);
    return GUARDED(l, *p) + m;
}

/* IR
function f(l, p, n)
b0:
  6: #0 a_ := n
  6: #1 b_ := 3
  6: branch a_ > b_ ? b1 : b2
b1:
  6: #2 choice := a_
  6: jump b3
b2:
  6: #3 choice := b_
  6: jump b3
b3:
  6: #4 m := choice
  7: #5 acquire pthread_spin_lock l
  7: #6 read *p 4
  7: #7 v_ := *p
  7: #8 release pthread_spin_unlock l
  7: return `v_ + m`
*/
