// The checksum at the end of a gzip file (RFC 1952), which libarchive reads over.
#ifndef SPINFAULT_INGEST_GZIP_CHECK_H
#define SPINFAULT_INGEST_GZIP_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gzip_check {
    uint32_t crc, size;  // of the content so far
    uint8_t tail[8];     // last bytes of the file so far, the newest at the end
    uint64_t compressed; // bytes of the file so far
    unsigned headers;    // places that may begin a member
    uint32_t window;     // last four bytes, to see a header across the border of two blocks
};

void gzip_check_file(struct gzip_check *check, const void *data, size_t len);    // as stored
void gzip_check_content(struct gzip_check *check, const void *data, size_t len); // decompressed
// Whether the content is what was compressed. A file of several members has a checksum for each, at
// places only the decompressor knows; such a file is taken as it is.
bool gzip_check_passes(const struct gzip_check *check);

#endif
