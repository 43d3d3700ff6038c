#include <unistd.h>
int f6(int x);
int f5(int x) { return f6(x) + 1; }
