// The fuzz target of one format: FUZZ_FORMAT is its name, or "" to let the content decide. Its
// facts are printed to nowhere, so that what a parser delivers is read as well.
#include "context.h"
#include "fuzz.h"
#include "print_facts.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    if (fd < 0 || !nowhere || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
        return -1;
    struct ingest_options options = {.format = *FUZZ_FORMAT ? FUZZ_FORMAT : NULL};
    const struct fact_sink *sink = print_facts_new(nowhere);
    g_autoptr(GError) error = NULL;
    struct reader *reader = reader_open_fd(fd, "input", &error);
    bool ok = reader && ingest_reader(reader, "-", &options, sink, NULL, &error);
    g_assert(ok == (error == NULL));
    print_facts_free(sink);
    return 0;
}
