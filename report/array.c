// Zeroed arrays.
#include "array.h"

#include <glib.h>

void *array_new(size_t n, size_t size)
{
    return g_malloc0_n(n ? n : 1, size);
}
