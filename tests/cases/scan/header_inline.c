// A section in an inline function of a header, and what it touches.
#include "inline.h"
int use(struct cell *cell)
{
    return cell_take(cell) + cell_take(cell + 1);
}

// expect: section 8 10 lock=cell->guard scope=instance
// expect: none
