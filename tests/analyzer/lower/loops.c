int f(int *a, int n)
{
    int i, s = 0;
    for (i = 0; i < 8; i++)
        s += a[i];
    for (i = 0; i < n; i++) {
        if (a[i] < 0)
            continue;
        if (a[i] == 7)
            break;
    }
    for (;;) {
        if (s)
            break;
    }
    for (; n > 3;)
        n--;
    while (n)
        n -= 2;
    do
        s++;
    while (s < 10);
    do {
        s = 4;
    } while (0);
    return s;
}

/* IR
function f(a, n)
b0:
  3: #0 s := 0
  4: #1 i := 0
  4: jump b2
b1:
  6: #5 i := 0
  6: jump b5
b2: loop 8 times
  4: branch i < 8 ? b3 : b1
b3:
  5: #2 read a[] 4
  5: #3 s := `s + a[]`
  4: #4 i := `i + 1`
  4: jump b2
b4:
  6: #8 i := `i + 1`
  6: jump b5
b5: loop
  6: branch i < n ? b6 : b8
b6:
  7: #6 read a[] 4
  7: branch a[] < 0 ? b4 : b7
b7:
  9: #7 read a[] 4
  9: branch a[] == 7 ? b8 : b4
b8: loop
  13: branch s ? b9 : b8
b9: loop
  16: branch n > 3 ? b10 : b11
b10:
  17: #9 n := `n - 1`
  17: jump b9
b11: loop
  18: branch n ? b12 : b13
b12:
  19: #10 n := `n - 2`
  19: jump b11
b13: loop
  21: #11 s := `s + 1`
  22: branch s < 10 ? b13 : b14
b14:
  24: #12 s := 4
  26: return s
*/
