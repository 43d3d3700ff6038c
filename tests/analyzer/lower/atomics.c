#include <stdatomic.h>
struct lock { int word; atomic_int c11; atomic_flag flag; };
int f(struct lock *l, int n)
{
    while (__atomic_test_and_set(&l->word, __ATOMIC_ACQUIRE))
        ;
    __atomic_clear(&l->word, __ATOMIC_RELEASE);
    while (__sync_lock_test_and_set(&l->word, 1))
        ;
    __sync_lock_release(&l->word);
    int zero = 0, one = 1, got;
    while (!__atomic_compare_exchange_n(&l->word, &zero, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        zero = 0;
    __atomic_exchange(&l->word, &one, &got, __ATOMIC_ACQUIRE);
    __atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
    while (atomic_exchange(&l->c11, n))
        ;
    atomic_compare_exchange_weak(&l->c11, &zero, 1);
    atomic_store_explicit(&l->c11, 0, memory_order_release);
    while (atomic_flag_test_and_set(&l->flag))
        ;
    atomic_flag_clear(&l->flag);
    __sync_bool_compare_and_swap(&l->word, 0, 1);
    __sync_synchronize();
    return __atomic_load_n(&l->word, __ATOMIC_RELAXED) + atomic_fetch_add(&l->c11, 2);
}

/* IR
function f(l, n)
b0:
  3: jump b2
b1:
  7: #1 atomic clear l->word
  7: jump b4
b2: loop
  5: #0 atomic test-and-set l->word
  5: branch result#0 ? b2 : b1
b3:
  10: #3 atomic clear l->word
  11: #4 zero := 0
  11: #5 one := 1
  11: jump b6
b4: loop
  8: #2 atomic exchange l->word <- 1
  8: branch result#2 ? b4 : b3
b5:
  14: #8 atomic exchange l->word <- one
  15: #9 atomic store l->word <- 0
  15: jump b9
b6: loop
  12: #6 atomic cas l->word zero <- 1
  12: branch result#6 ? b5 : b7
b7:
  13: #7 zero := 0
  13: jump b6
b8:
  18: #11 atomic cas l->c11 zero <- 1
  19: #12 atomic store l->c11 <- 0
  19: jump b11
b9: loop
  16: #10 atomic exchange l->c11 <- n
  16: branch result#10 ? b9 : b8
b10:
  22: #14 atomic store l->flag._Value <- 0
  23: #15 atomic cas l->word 0 <- 1
  24: #16 call __sync_synchronize()
  25: #17 atomic load l->word
  25: #18 atomic fetch l->c11 <- 2
  25: return `result#17 + result#18`
b11: loop
  20: #13 atomic exchange l->flag._Value <- 1
  20: branch result#13 ? b11 : b10
*/
