struct ops { int (*open)(int); void (*close)(void); };
static int my_open(int x) { return x; }
static void my_close(void) {}
static const struct ops table[] = {{my_open, my_close}, {.close = my_close}};
int (*hook)(int) = my_open;
int f(struct ops *o, int (*cb)(int), int i)
{
    o->open = my_open;
    cb(1);
    (*cb)(2);
    o->open(3);
    table[i].close();
    return my_open(o->open ? 4 : 5);
}

/* IR
function my_open(x) static
b0:
  2: return x

function my_close() static
b0:
  3: return

function f(o, cb, i)
b0:
  8: #0 write o->open 8
  8: #1 o->open := my_open
  9: #2 call *cb(1)
  10: #3 call *cb(2)
  11: #4 read o->open 8
  11: #5 call *o->open(3)
  12: #6 read table[].close 8
  12: #7 call *table[].close()
  13: #8 read o->open 8
  13: branch o->open ? b1 : b2
b1:
  13: #9 choice := 4
  13: jump b3
b2:
  13: #10 choice := 5
  13: jump b3
b3:
  13: #11 call my_open(choice)
  13: return result#11
use my_open in ops.open of c:calls.c@table
use my_close in ops.close of c:calls.c@table
use my_close in ops.close of c:calls.c@table
use my_open in ?.? of c:@hook
use my_open in ops.open of ?
*/
