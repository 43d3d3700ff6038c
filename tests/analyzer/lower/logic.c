int g(int);
int f(int a, int b, int *p)
{
    if (a && (b || !g(a)) && p != 0)
        return 1;
    if (!(a == 3 || p == 0))
        return 2;
    if (__builtin_expect(!!(a && b), 0))
        return 3;
    if ((a, b))
        return 4;
    if (a ? b : *p)
        return 5;
    int both = a && b, less = a < b, not = !a;
    return both + less + not;
}

/* IR
function f(a, b, p)
b0:
  4: branch a ? b4 : b2
b1:
  5: return 1
b2:
  6: branch a == 3 ? b7 : b8
b3:
  4: branch p ? b1 : b2
b4:
  4: branch b ? b3 : b5
b5:
  4: #0 call g(a)
  4: branch result#0 ? b2 : b3
b6:
  7: return 2
b7:
  8: branch a ? b11 : b10
b8:
  6: branch p ? b6 : b7
b9:
  9: return 3
b10:
  10: branch b ? b12 : b13
b11:
  8: branch b ? b9 : b10
b12:
  11: return 4
b13:
  12: branch a ? b16 : b17
b14:
  13: return 5
b15:
  14: branch a ? b21 : b19
b16:
  12: branch b ? b14 : b15
b17:
  12: #1 read *p 4
  12: branch *p ? b14 : b15
b18:
  14: #2 truth := 1
  14: jump b20
b19:
  14: #3 truth := 0
  14: jump b20
b20:
  14: #4 both := truth
  14: branch a < b ? b22 : b23
b21:
  14: branch b ? b18 : b19
b22:
  14: #5 truth := 1
  14: jump b24
b23:
  14: #6 truth := 0
  14: jump b24
b24:
  14: #7 less := truth
  14: branch a ? b26 : b25
b25:
  14: #8 truth := 1
  14: jump b27
b26:
  14: #9 truth := 0
  14: jump b27
b27:
  14: #10 not := truth
  15: return `both + less + not`
*/
