#include "other.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static jmp_buf env;
void say(const char *what) { fprintf(stderr, "%s\n", what); }
void wait_a_bit(void) { sleep(1); }
void *node(void) { return malloc(64); }
void drop(void *node) { free(node); }
void give_up(void) { longjmp(env, 1); }
void maybe_give_up(int why)
{
    if (why)
        give_up();
}
int add(int a, int b) { return a + b; }
