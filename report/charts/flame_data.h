// What the page's script needs to draw any part of a flame graph: docs/report.md has the format.
#ifndef SPINFAULT_REPORT_FLAME_DATA_H
#define SPINFAULT_REPORT_FLAME_DATA_H

#include "model/model.h"

// As JSON without '<'; `near` is 0 … 4 by node, its colour. `budget`: bytes that what is told by
// thread and time may have. The caller's.
char *flame_data(const struct flame *flame, const int *near, size_t budget);

#endif
