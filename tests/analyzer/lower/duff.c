void f(char *to, char *from, int n)
{
    switch (n % 2) {
    case 0:
        do {
            *to = *from++;
    case 1:
            *to = *from++;
        } while (--n > 0);
    }
}

/* IR
function f(to, from, n)
b0:
  3: switch `n % 2` 0: b2 1: b3 default: b1
b1:
  11: return
b2: loop
  6: #0 from := &from[1]
  6: #1 read from[-1] 1
  6: #2 write *to 1
  6: #3 *to := from[-1]
  6: jump b3
b3:
  8: #4 from := &from[1]
  8: #5 read from[-1] 1
  8: #6 write *to 1
  8: #7 *to := from[-1]
  9: #8 n := `n - 1`
  9: branch n > 0 ? b2 : b1
*/
