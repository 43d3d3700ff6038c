#include <unistd.h>
int f2(int x);
int f1(int x) { return f2(x) + 1; }
