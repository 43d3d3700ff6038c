// What the scan of one unit found, packed and back.
#ifndef SPINFAULT_ANALYZER_SCAN_PACK_H
#define SPINFAULT_ANALYZER_SCAN_PACK_H

#include "pack.h"
#include "scan_result.h"

void scan_pack(struct pack *pack, const struct scan_result *result);
// NULL when the bytes are no result. The result is the caller's.
struct scan_result *scan_unpack(struct unpack *unpack);

#endif
