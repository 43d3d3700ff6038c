#include <unistd.h>
int f3(int x);
int f2(int x) { return f3(x) + 1; }
