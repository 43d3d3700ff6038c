struct s { int x; char tail[12]; };
struct s global;
int f(struct s *a, int *p, int n)
{
    int y = (n = 3);
    a->x += 2;
    y = a->x++;
    *p++ = y;
    *++p = y;
    p += 2;
    global = *a;
    struct s local = global;
    local.tail[n] = 1;
    y = (p[1], n);
    return y << 2;
}

/* IR
function f(a, p, n)
b0:
  5: #0 n := 3
  5: #1 y := 3
  6: #2 read a->x 4
  6: #3 write a->x 4
  6: #4 a->x := `a->x + 2`
  7: #5 read a->x 4
  7: #6 write a->x 4
  7: #7 a->x := `a->x + 1`
  7: #8 y := `a->x - 1`
  8: #9 p := &p[1]
  8: #10 write p[-1] 4
  8: #11 p[-1] := y
  9: #12 p := &p[1]
  9: #13 write *p 4
  9: #14 *p := y
  10: #15 p := &p[2]
  11: #16 read *a 16
  11: #17 write global 16
  11: #18 global := *a
  12: #19 read global 16
  12: #20 write local 16
  12: #21 local := global
  13: #22 write local.tail[] 1
  13: #23 local.tail[] := 1
  14: #24 read p[1] 4
  14: #25 y := n
  15: return `y << 2`
*/
