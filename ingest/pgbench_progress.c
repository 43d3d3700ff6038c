// pgbench -P:
//   progress: T s, X tps, lat X ms stddev X[, N failed][, lag X ms[, N skipped]][, N retried, N
//   retries]
// T is seconds of the run, or of the epoch with --progress-timestamp.
#include "pgbench.h"

#include "metrics.h"

static bool number_before(struct slice part, const char *suffix, double *value)
{
    struct slice s = slice_trim(part);
    if (!slice_ends(s, suffix))
        return false;
    s.len -= strlen(suffix);
    return slice_to_double(slice_trim(s), value);
}

// "lat 0.883 ms stddev 1.409": of no transaction both are printed as 0, which is no measurement.
static void latency_part(struct run_builder *run, double t, double tps, struct slice part)
{
    struct slice s = slice_trim(part);
    const char *stddev = memmem(s.data, s.len, "stddev ", 7);
    double value;
    struct slice lat = {s.data + 4, (size_t)((stddev ? stddev : s.data + s.len) - s.data) - 4};
    if (tps > 0 && number_before(lat, "ms", &value))
        run_series(run, "latency_avg", t, unit_apply(value, 1e-3));
    if (tps > 0 && stddev) {
        struct slice rest = {stddev + 7, (size_t)(s.data + s.len - stddev) - 7};
        if (slice_to_double(slice_trim(rest), &value))
            run_series(run, "latency_stddev", t, unit_apply(value, 1e-3));
    }
}

bool pgbench_progress_line(struct run_builder *run, struct slice line)
{
    static const char *const counts[] = {"failed", "skipped", "retried", "retries"};
    const char *at = line.len > 10 ? memmem(line.data, line.len, "progress: ", 10) : NULL;
    if (!at)
        return false;
    struct slice rest = {at + 10, (size_t)(line.data + line.len - at) - 10};
    double t = NAN, tps = NAN, value;
    for (unsigned i = 0; rest.len > 0; i++) {
        const char *comma = memchr(rest.data, ',', rest.len);
        struct slice part = {rest.data, comma ? (size_t)(comma - rest.data) : rest.len};
        rest.data += part.len + (comma != NULL);
        rest.len -= part.len + (comma != NULL);
        if (i == 0) {
            if (!number_before(part, " s", &t))
                return false;
        } else if (i == 1) {
            if (!number_before(part, " tps", &tps))
                return false;
            run_series(run, "tps", t, tps);
        } else if (slice_starts(slice_trim(part), "lat ")) {
            latency_part(run, t, tps, part);
        } else if (slice_starts(slice_trim(part), "lag ")) {
            struct slice lag = slice_trim(part);
            lag.data += 4;
            lag.len -= 4;
            if (number_before(lag, "ms", &value))
                run_series(run, "lag_avg", t, unit_apply(value, 1e-3));
        } else {
            for (size_t k = 0; k < G_N_ELEMENTS(counts); k++)
                if (number_before(part, counts[k], &value))
                    run_series(run, counts[k], t, value);
        }
    }
    return isfinite(tps);
}
