struct node { struct node *next; int value; };
struct pool { long pad; struct node node; struct node slots[8]; int head; };
#define container_of(p, t, m) ((t *)((char *)(p) - __builtin_offsetof(t, m)))
int f(struct node *n, struct pool *pool, int i, int (*rows)[4])
{
    struct pool *owner = container_of(n, struct pool, node);
    struct node *slot = &pool->slots[i];
    slot += 2;
    (slot - 1)->value = 1;
    (pool->slots + i)->value = 2;
    pool->slots[pool->head].next->value = 3;
    (&pool->node)->value = 4;
    *(int *)0x1000 = 5;
    rows[1][2] = 6;
    2[pool->slots].value = 7;
    pool->slots->value = 8;
    return owner->head + (int)((unsigned long)&((struct pool *)0)->head);
}

/* IR
function f(n, pool, i, rows)
b0:
  6: #0 owner := &n[-8]
  7: #1 slot := &pool->slots[]
  8: #2 slot := &slot[2]
  9: #3 write slot[-1].value 4
  9: #4 slot[-1].value := 1
  10: #5 write pool->slots[].value 4
  10: #6 pool->slots[].value := 2
  11: #7 read pool->head 4
  11: #8 read pool->slots[].next 8
  11: #9 write pool->slots[].next->value 4
  11: #10 pool->slots[].next->value := 3
  12: #11 write pool->node.value 4
  12: #12 pool->node.value := 4
  13: #13 write *0x1000 4
  13: #14 *0x1000 := 5
  14: #15 write rows[1][2] 4
  14: #16 rows[1][2] := 6
  15: #17 write pool->slots[2].value 4
  15: #18 pool->slots[2].value := 7
  16: #19 write pool->slots[0].value 4
  16: #20 pool->slots[0].value := 8
  17: #21 read owner->head 4
  17: return `owner->head + 152`
*/
