// A run_filter as conditions on `run r`. Text is put together from literals only; every value is
// bound.
#ifndef SPINFAULT_DB_FILTER_H
#define SPINFAULT_DB_FILTER_H

#include "query.h"

struct filter {
    GString *sql;      // " AND … AND …", to follow a WHERE
    GPtrArray *values; // char*, in the order of the question marks
};

// Errors: USAGE (no KEY=VALUE), UNKNOWN (no run has such a setting).
bool filter_init(struct filter *f, struct archive *archive, const struct run_filter *asked,
                 GError **error);
void filter_clear(struct filter *f);
void filter_bind(const struct filter *f, struct query *q);

#endif
