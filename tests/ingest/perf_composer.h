// What the parts of perf_compose.h share.
#ifndef SPINFAULT_TESTS_INGEST_PERF_COMPOSER_H
#define SPINFAULT_TESTS_INGEST_PERF_COMPOSER_H

#include "perf_layout.h"

#include "spinfault/base.h"

#include <stdio.h>

#define COMPOSER_THREADS 4

struct composer {
    GRand *rand;
    struct layout layout;
    GString *text;
    GStringChunk *strings; // the texts of the facts
    const struct fact_sink *sink;
    GArray *ends; // gsize: where in the text each fact is complete
    const char *names[COMPOSER_THREADS];
    const char *name; // of the record that is being written
    gint64 ids[COMPOSER_THREADS];
    guint64 time_ns;
    int source_width; // perf pads the source of the data to the longest
    unsigned noise, samples, frames;
    bool chained; // a chain was written
};

// perf_compose.c
void composer_sample(struct composer *c);
void composer_metric(struct composer *c);
// What stands left of the event, into the text and into `s`. `chained` and `misc` are the record's.
void composer_start(struct composer *c, bool chained, const char *misc, struct sample_fact *s);
// perf_compose_side.c
void composer_side(struct composer *c);

static inline bool has(const struct composer *c, unsigned fields)
{
    return (c->layout.fields & fields) != 0;
}

static inline unsigned upto(struct composer *c, unsigned n)
{
    return (unsigned)g_rand_int_range(c->rand, 0, (gint32)n + 1);
}

static inline void G_GNUC_PRINTF(2, 3) put(struct composer *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_string_append_vprintf(c->text, format, args);
    va_end(args);
}

static inline struct slice keep(struct composer *c, const char *data, size_t len)
{
    return (struct slice){g_string_chunk_insert_len(c->strings, data, (gssize)len), len};
}

// What was written since `from`, without the blanks around it.
static inline struct slice written(struct composer *c, gsize from)
{
    return slice_trim(keep(c, c->text->str + from, c->text->len - from));
}

// A number with as many digits as luck will have it.
static inline guint64 number(struct composer *c, unsigned max_bits)
{
    guint64 n = (guint64)g_rand_int(c->rand) << 32 | g_rand_int(c->rand);
    return n >> (64 - 1 - upto(c, max_bits - 1));
}

static inline void composer_done(struct composer *c)
{
    g_array_append_val(c->ends, c->text->len);
}

#endif
