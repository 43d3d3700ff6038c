#include <unistd.h>
int f6(int x)
{
    sleep(1);
    return x;
}
