// The facts of an archive told to a sink again, source by source and scan by scan, in the order in
// which they came. Export is a replay to a sink that writes lines; the import of such lines is one
// to the archive's own sink.
#ifndef SPINFAULT_DB_REPLAY_H
#define SPINFAULT_DB_REPLAY_H

#include "handle.h"

struct replay_target {
    const struct fact_sink *sink;
    // Called before a source begins; or NULL. False: it is left out.
    bool (*source)(void *context, const char *sha256, int64_t ingested_ns);
    void *context;
    // Sentences about sources and scans that could not be read and were left out; NULL: the first
    // one is an error.
    GPtrArray *left_out;
    // What became of them. DUPLICATE at the end of one is no failure.
    unsigned stored_sources, known_sources, stored_scans, known_scans;
};
bool replay(struct archive *from, struct replay_target *to, GError **error);

// The parts: replay_samples.c and replay_scans.c.
bool replay_samples(struct archive *from, int64_t source_id, const struct fact_sink *to,
                    GError **error);
bool replay_side(struct archive *from, int64_t source_id, const struct fact_sink *to,
                 GError **error);
bool replay_scans(struct archive *from, struct replay_target *to, GError **error);

// Whether an error in reading can be passed over; it is then noted as one of `what`.
bool replay_pass_over(struct replay_target *to, const char *what, GError *error);

#endif
