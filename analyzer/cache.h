// Results of earlier scans, found again by content.
//
// A result is what one translation unit gave: sections, findings, notes, its status. It is good
// again when everything it was made from is as it was:
//
//   - by its key: this program, libclang, the models, the assumptions, the arguments of the file,
//     the functions that its text says take a lock, and the text itself;
//   - by the state of the unit and of each other unit that was lowered for it: of every file that
//     was read, and of what those could include (content.h);
//   - by the answers of the index to the questions that led to those units (foreign.h).
//
// There are two kinds of records. That of a unit, under its key, holds the names of the files that
// were read for it and their state; it is shared by all that rest on the unit. That of a result
// holds the states it rests on, questions and answers, and the result.
#ifndef SPINFAULT_ANALYZER_CACHE_H
#define SPINFAULT_ANALYZER_CACHE_H

#include "content.h"
#include "foreign.h"
#include "front.h"
#include "scan_result.h"

struct cache;

struct cache_setup {
    const struct front *front;
    struct foreign *foreign;
    struct content *content;        // made before the front end read a source
    const char *models;             // digest
    const char *const *assumptions; // as given, or NULL
    const struct scan_cache *store;
    unsigned jobs;
};

// All is lent.
struct cache *cache_new(const struct cache_setup *setup);
void cache_free(struct cache *cache); // accepts NULL

// From one thread. Looks for the results of `files`. `round` says what is known by now that results
// may depend on besides; a result is found again in the same round only.
void cache_look_up(struct cache *cache, const char *round, const unsigned *files, size_t n);
// The result that was found, the caller's; NULL when the file has to be parsed. From any thread,
// each file once a round.
struct scan_result *cache_take(struct cache *cache, unsigned file);
// From one thread, in the same round. Results that were not found are to be kept:
// results[files[i]].
void cache_keep(struct cache *cache, const char *round, const unsigned *files,
                struct scan_result *const *results, size_t n);
// Hands what is to be kept to the store, and tells it what was used.
void cache_flush(struct cache *cache);

#endif
