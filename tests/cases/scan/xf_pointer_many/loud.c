#include <stdio.h>
#include "ops.h"
void loud(struct pool *pool) { printf("%d\n", pool->head); }
void set_loud(struct pool *pool) { pool->on_change = loud; }
