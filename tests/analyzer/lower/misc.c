#include <stdarg.h>
int g(void);
int f(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int *p = va_arg(ap, int *);
    int s = sizeof(g()) + _Alignof(int) + _Generic(n, int: *p, default: g());
    s += __builtin_choose_expr(1, *p, g());
    s += __builtin_constant_p(3) ? 1 : g();
    s += __builtin_constant_p(n) ? g() : 2;
    volatile int *v = p;
    *v;
    return s + "abc"[n] + (int)1.5;
}
int old(a, b) int a; char *b; { return a + *b; }

/* IR
function f(n)
b0:
  6: #0 call __builtin_va_start(&ap, n)
  7: #1 p := `va_arg`
  8: #2 read *p 4
  8: #3 s := `8 + *p`
  9: #4 read *p 4
  9: #5 s := `s + *p`
  10: #6 s := `s + 1`
  11: #9 choice := 2
  11: #10 s := `s + choice`
  12: #11 v := p
  13: #12 volatile read *v 4
  14: #13 read ""[] 1
  14: return ?

function old(a, b)
b0:
  16: #0 read *b 1
  16: return `a + *b`
*/
