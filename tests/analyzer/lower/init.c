struct inner { int a, b; };
struct s { int x; struct inner in; int arr[4]; union { int u; float v; }; };
void use(struct s *);
void f(int n)
{
    struct s a = {1, {2, n}, {[2] = 5, 6}, {7}};
    struct s b = {.in.b = n, .arr = {9}, .u = 3};
    struct s elided = {1, 2, 3};
    int v[] = {1, n};
    char text[] = "abc";
    int scalar = {4};
    use(&(struct s){.x = n});
    use(&a), use(&b), use(&elided);
    (void)v, (void)text, (void)scalar;
}

/* IR
function f(n)
b0:
  6: #0 write a 32
  6: #1 a.x := 1
  6: #2 a.in.a := 2
  6: #3 a.in.b := n
  6: #4 a.arr[2] := 5
  6: #5 a.arr[3] := 6
  6: #6 a.u := 7
  7: #7 write b 32
  7: #8 b.in.b := n
  7: #9 b.arr[0] := 9
  7: #10 b.u := 3
  8: #11 write elided 32
  8: #12 elided.x := 1
  9: #13 write v 8
  9: #14 v[0] := 1
  9: #15 v[1] := n
  10: #16 write text 4
  11: #17 scalar := 4
  12: #18 write literal 32
  12: #19 literal.x := n
  12: #20 call use(&literal)
  13: #21 call use(&a)
  13: #22 call use(&b)
  13: #23 call use(&elided)
  15: return
*/
