void die(int) __attribute__((noreturn));
_Noreturn void die11(void);
int f(int n, int *p)
{
    static void *table[] = {&&one, &&two};
    if (n > 1)
        goto *table[n];
again:
    if (n == 5)
        die(n);
    if (n == 6)
        die11();
    if (n == 7)
        __builtin_unreachable();
    if (n < 0) {
        n++;
        goto again;
    }
one:
    asm goto("jmp %l1" : : "r"(n) : "memory" : two);
    *p = 1;
two:
    asm volatile("incl %0" : "+m"(*p) : "r"(n));
    return n;
}

/* IR
function f(n, p)
b0:
  6: branch n > 1 ? b3 : b4
b1:
  20: computed b12 b2
b2:
  23: #6 read *p 4
  23: #7 write *p 4
  23: #8 *p := `asm`
  24: return n
b3:
  7: #0 read table[] 8
  7: computed b1 b2
b4: loop
  9: branch n == 5 ? b5 : b6
b5:
  10: #1 call die(n) no-return
  10: unreachable
b6:
  11: branch n == 6 ? b7 : b8
b7:
  12: #2 call die11() no-return
  12: unreachable
b8:
  13: branch n == 7 ? b9 : b10
b9:
  14: unreachable
b10:
  15: branch n < 0 ? b11 : b1
b11:
  16: #3 n := `n + 1`
  17: jump b4
b12:
  21: #4 write *p 4
  21: #5 *p := 1
  21: jump b2
*/
