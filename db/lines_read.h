// What the two halves of the reader share.
#ifndef SPINFAULT_DB_LINES_READ_H
#define SPINFAULT_DB_LINES_READ_H

#include "intern.h"
#include "lines.h"
#include "replay.h"

#include <jansson.h>

struct lines_reader {
    struct replay_target *to;
    const char *path; // for messages
    uint64_t line;
    enum { LINES_OUTSIDE, LINES_SOURCE, LINES_SCAN } state;
    bool begun, ended; // the first and the last line were there
    // Of the source, by number from 1; item 0 is unused.
    GArray *frames;       // struct frame_fact
    GArray *nodes;        // struct node_key; item 0 is the root
    GArray *threads;      // struct sample_fact, of which pid, tid, comm and their flags count
    GArray *events;       // struct slice
    GArray *chain;        // struct frame_fact of a sample
    GStringChunk *text;   // of the four above
    GPtrArray *line_text; // bytes of the line that had to be decoded
};

// Sets `error` to "PATH:LINE: …". Returns false.
bool lines_damaged(struct lines_reader *r, const char *what, GError **error);

// Members of an object. What is not there is NULL, 0, NAN or false.
const char *lines_text(const json_t *object, const char *key);
struct slice lines_slice(struct lines_reader *r, const json_t *object, const char *key);
int64_t lines_int(const json_t *object, const char *key);
double lines_real(const json_t *object, const char *key);
bool lines_bool(const json_t *object, const char *key);
// A hexadecimal string. `*there` (may be NULL) says whether it was.
uint64_t lines_hex(const json_t *object, const char *key, bool *there);

typedef bool (*lines_handler)(struct lines_reader *r, const json_t *o, GError **error);
// lines_read_profile.c
bool lines_on_frame(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_node(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_thread(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_event(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_sample(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_side(struct lines_reader *r, const json_t *o, GError **error);
// lines_read_scan.c
bool lines_on_scan(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_file(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_section(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_finding(struct lines_reader *r, const json_t *o, GError **error);
bool lines_on_scan_end(struct lines_reader *r, const json_t *o, GError **error);

#endif
