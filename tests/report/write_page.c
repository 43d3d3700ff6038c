// Writes the report of the fixture's archive: usage: write_page FILE
#include <stdio.h>

#include "fixture.h"
#include "spinfault/report.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    char *dir;
    GError *error = NULL;
    struct archive *archive = fixture_open(&dir);
    fixture_fill(archive, FIXTURE_ALL);
    bool ok = report_write(archive, &(struct report_options){.output = argv[1]}, NULL, &error);
    if (!ok)
        fprintf(stderr, "%s\n", error->message);
    g_clear_error(&error);
    fixture_close(archive, dir);
    return ok ? 0 : 1;
}
