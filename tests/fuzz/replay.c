// Runs a fuzz target over the files of folders, in the ordinary tests: what was found once stays
// fixed.
#include "fuzz.h"

#include <glib.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    unsigned n = 0;
    for (int i = 1; i < argc; i++) {
        const char *name;
        g_autoptr(GDir) dir = g_dir_open(argv[i], 0, NULL);
        while (dir && (name = g_dir_read_name(dir))) {
            g_autofree char *path = g_build_filename(argv[i], name, NULL);
            g_autofree char *data = NULL;
            gsize len;
            if (!g_file_get_contents(path, &data, &len, NULL))
                continue;
            LLVMFuzzerTestOneInput((const uint8_t *)data, len);
            n++;
        }
    }
    printf("%u inputs\n", n);
    return n == 0;
}
