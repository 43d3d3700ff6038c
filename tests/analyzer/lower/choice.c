struct s { int x; };
int f(struct s *a, struct s *b, int c)
{
    struct s *p = c ? a : b;
    int y = a->x ?: 3;
    (c ? a : b)->x = 1;
    c ? (void)(a->x = 2) : (void)0;
    return sizeof(a->x) == 4 ? y : p->x;
}

/* IR
function f(a, b, c)
b0:
  4: branch c ? b1 : b2
b1:
  4: #0 choice := a
  4: jump b3
b2:
  4: #1 choice := b
  4: jump b3
b3:
  4: #2 p := choice
  5: #3 read a->x 4
  5: #4 choice := a->x
  5: branch a->x ? b5 : b4
b4:
  5: #5 choice := 3
  5: jump b5
b5:
  5: #6 y := choice
  6: branch c ? b6 : b7
b6:
  6: #7 choice := a
  6: jump b8
b7:
  6: #8 choice := b
  6: jump b8
b8:
  6: #9 write choice->x 4
  6: #10 choice->x := 1
  7: branch c ? b9 : b10
b9:
  7: #11 write a->x 4
  7: #12 a->x := 2
  7: jump b10
b10:
  8: return y
*/
