// Is the page of an access mapped when it happens under a lock?
//
// What is known for certain (measured, docs/rules/fault-under-lock.md): taking the lock writes its
// word, so its page is mapped and writable. A byte at distance d is on that page when alignment
// proves it, else with chance 1 - d/4096, for objects lie anywhere. From RESIDENCY_NEAR on, at
// d <= 1024, an access counts as resident; a farther one in reach of the page as a slight risk.
#ifndef SPINFAULT_ANALYZER_RESIDENCY_H
#define SPINFAULT_ANALYZER_RESIDENCY_H

#include "flow.h"

#define RESIDENCY_PAGE  4096
#define RESIDENCY_NEAR  0.75 // chance from which memory counts as on the page
#define RESIDENCY_SMALL 64   // bytes: smaller elements are walked many to a page

// The chance that two bytes `distance` apart are on one page; 1 for a distance of 0 or less.
double residency_page_chance(int64_t distance);

// How much is behind RESIDENCY_MAY_FAULT; rules make severities of it.
enum risk {
    RISK_NONE,    // unknown but unlikely: no finding
    RISK_SLIGHT,  // a fixed object, or one the caller has probably used
    RISK_REAL,    // another object each time, or far away
    RISK_CERTAIN, // memory nobody has touched, or a new page for each step of a walk
};

struct residency_answer {
    enum residency residency;
    enum fault_why why;
    enum risk risk;
    double chance;     // that it is not mapped, as far as distances tell
    uint64_t pages_4k; // of the object; 0 unknown
    bool chased;       // the pointer was loaded under the lock
};

struct residency_query {
    const struct flow *flow;
    const struct flow_state *state; // before the access
    const struct symbol *place;
    uint64_t bytes;
    bool write;
    bool walk; // by a loop that runs under the lock
};

// Does a loop go along by so little at a time that many rounds stay on one page: `*p++`?
bool residency_moves_on(const struct flow *flow, const struct symbol *place, uint64_t bytes);
struct residency_answer residency_of(const struct residency_query *query);
enum lock_scope residency_scope(struct analysis *analysis, const struct symbol *lock);
// Pages of 4 KiB of the array around a run-time index, by its bound or an assumption; 0 unknown.
uint64_t residency_array_pages(const struct analysis *analysis, const struct symbol *index);

#endif
