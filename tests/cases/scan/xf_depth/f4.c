#include <unistd.h>
int f5(int x);
int f4(int x) { return f5(x) + 1; }
