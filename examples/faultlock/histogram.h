// A histogram of times with buckets of at most 1/32 of their value: from 1 ns to hours in 10 kB.
#ifndef FAULTLOCK_HISTOGRAM_H
#define FAULTLOCK_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_SUB_BITS = 5, HISTOGRAM_BUCKETS = 44 << HISTOGRAM_SUB_BITS };

struct histogram {
    uint64_t count, sum, max;
    uint32_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *h, uint64_t ns);
void histogram_merge(struct histogram *into, const struct histogram *from);
// The smallest bucket's upper end below which a share `q` of the values lies; 0 when empty.
uint64_t histogram_quantile(const struct histogram *h, double q);

#endif
