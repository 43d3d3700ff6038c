// print_facts [--as FORMAT] [--quiet] FILE…: what ingest_file() delivers, as JSON lines. --quiet
// parses without a sink.
#include "print_facts.h"

#include "spinfault/ingest.h"

int main(int argc, char **argv)
{
    struct ingest_options options = {0};
    const struct fact_sink *sink = print_facts_new(stdout), none = {0};
    bool quiet = false;
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--as") == 0 && i + 1 < argc) {
            options.format = argv[++i];
            continue;
        }
        if (strcmp(argv[i], "--quiet") == 0) {
            quiet = true;
            continue;
        }
        g_autoptr(GError) error = NULL;
        struct source_summary summary;
        if (!ingest_file(argv[i], &options, quiet ? &none : sink, &summary, &error)) {
            fflush(stdout);
            fprintf(stderr, "print_facts: %s\n", error->message);
            failed = 2;
        } else if (quiet) {
            printf("%s: %" G_GUINT64_FORMAT " records, %" G_GUINT64_FORMAT " skipped, %.3f s\n",
                   summary.format, summary.records, summary.skipped, summary.seconds);
        }
    }
    print_facts_free(sink);
    return failed;
}
