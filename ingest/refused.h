// Outputs that are known and not read, because the same program writes a better one.
#ifndef SPINFAULT_INGEST_REFUSED_H
#define SPINFAULT_INGEST_REFUSED_H

#include "spinfault/base.h"

// What `head` is and what to do instead, as the end of a sentence: "is … ; do …". NULL: nothing
// known.
const char *refused_why(struct slice head);

#endif
