void g(int *);
void f(int *a)
{
    for (int i = 10; i >= 2; i -= 3)
        a[i] = 0;
    for (int i = 0; i != 4; ++i) {
        if (a[i])
            i = 0;
    }
    for (int i = 0; i <= 4; i++)
        g(&i);
}

/* IR
function f(a)
b0:
  4: #0 i := 10
  4: jump b2
b1:
  6: #4 i := 0
  6: jump b6
b2: loop 3 times
  4: branch i >= 2 ? b3 : b1
b3:
  5: #1 write a[] 4
  5: #2 a[] := 0
  4: #3 i := `i - 3`
  4: jump b2
b4:
  10: #8 i := 0
  10: jump b10
b5:
  6: #7 i := `i + 1`
  6: jump b6
b6: loop
  6: branch i != 4 ? b7 : b4
b7:
  7: #5 read a[] 4
  7: branch a[] ? b8 : b5
b8:
  8: #6 i := 0
  8: jump b5
b9:
  12: return
b10: loop
  10: branch i <= 4 ? b11 : b9
b11:
  11: #9 call g(&i)
  10: #10 i := `i + 1`
  10: jump b10
*/
