struct s {
    int first;
    union { struct { int u, v; }; long whole; };
    struct { int deep; } named;
    unsigned low : 3, high : 5;
};
int f(struct s *p) { return p->v + p->named.deep + p->high; }

/* IR
function f(p)
b0:
  7: #0 read p->v 4
  7: #1 read p->named.deep 4
  7: #2 read p->high 4
  7: return `p->v + p->named.deep + p->high`
*/
