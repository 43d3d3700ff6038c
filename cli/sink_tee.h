// A sink that hands every fact of a scan to several others, in their order.
#ifndef SPINFAULT_CLI_SINK_TEE_H
#define SPINFAULT_CLI_SINK_TEE_H

#include "spinfault/base.h"

enum { TEE_MAX = 4 };

struct sink_tee {
    struct fact_sink sink;
    const struct fact_sink *to[TEE_MAX];
    size_t n;
    size_t begun; // how many of them a scan was begun on
};
void sink_tee_init(struct sink_tee *tee);
void sink_tee_add(struct sink_tee *tee, const struct fact_sink *to); // lent

#endif
