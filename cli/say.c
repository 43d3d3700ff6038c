// Lines for stderr.
#include "say.h"

#include <stdio.h>

#include "spinfault/base.h"

void say_error(const char *message)
{
    g_autofree char *line = text_printable(slice_from(message));
    fprintf(stderr, "spinfault: %s\n", line);
}
