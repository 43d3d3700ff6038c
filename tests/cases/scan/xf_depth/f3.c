#include <unistd.h>
int f4(int x);
int f3(int x) { return f4(x) + 1; }
