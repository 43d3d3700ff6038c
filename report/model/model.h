// The model: what the report says, before anybody decides what it looks like. It is built once from
// the archive's rows; every format (HTML, Markdown, JSON, CSV, charts) is written from it.
//
// Text in a model is owned by the model and lives as long as it. NAN is "unknown".
#ifndef SPINFAULT_REPORT_MODEL_H
#define SPINFAULT_REPORT_MODEL_H

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/judge.h"
#include "model/warm_up.h"
#include "spinfault/history.h"
#include "spinfault/report.h"
#include "stats/stats.h"

// One number for a point of the grid: of a single run, or a summary that somebody published.
struct observation {
    double value, stddev;
    uint64_t n;   // runs behind it; 0 unknown
    bool summary; // of several or unknown runs: it has no spread of its own
    enum provenance provenance;
    int64_t run_id;
    int64_t session;  // the source it was stored with
    const char *note; // what the source adds; or NULL
};

// A point of the grid: one page size and one preemption mode.
struct cell {
    const char *page;     // "4K", …; NULL: not recorded
    const char *preempt;  // "none", …; NULL: not recorded
    GArray *observations; // of struct observation; empty: not run
    double centre;        // median of the runs, or the published number
    size_t runs;          // single runs
    uint64_t stated;      // runs behind a published number; 0: it does not say
    bool has_interval;
    struct interval interval; // of the median
    const char *study;        // where published numbers come from; NULL: measured here
    const char *kernel;       // or NULL
    unsigned others;          // numbers of other studies or kernels for the same point
    struct comparison to_base, to_reference;
};

// All that was measured with the same workload on the same machine.
struct grid {
    const char *benchmark, *workload, *machine, *arch;
    const char *label; // what tells it from others of its benchmark: "lock=spin"; "" when nothing
    int64_t vcpus, clients;    // -1 unknown
    const char *metric, *unit; // "tps"; what to print after a number
    bool higher_is_better;
    const char *const *pages;    // rows, in order; NULL at the end; "" is "not recorded"
    const char *const *preempts; // columns, likewise
    size_t n_pages, n_preempts;
    struct cell *cells; // n_pages × n_preempts, by row
    struct cell *base;  // never missing
    struct pool pool;
    double noise;  // of one run, as a share: pooled deviation of logarithms; NAN
    size_t family; // comparisons on the page
    double aa;     // A/A noise floor, as a share; NAN
    double
        margin; // what a difference has to exceed: the threshold, or the floor where that is more
    unsigned slower, faster, same, unsure, missing;
    GArray *run_ids; // of int64_t: every run behind a cell
};

// One machine of the per-machine chart.
struct machine {
    const char *name, *family, *arch;
    int64_t vcpus;
    double slow, fast; // centres: of `preempt` and of `against`
    double ratio;
    const char *study;
};
struct machines {
    const char *page, *preempt, *against;
    GArray *items; // of struct machine, by family and then vcpus
    struct geomean mean;
};

struct touch {
    const char *page;
    uint64_t page_bytes, count, divisor; // divisor: 4 KiB's count ÷ this
};
struct touches {
    uint64_t bytes; // 0: no memory size is known
    const char *name, *from;
    GArray *items; // of struct touch
};

#define FLAME_ROWS    10  // buckets of time in a column of the heat map
#define FLAME_COLUMNS 100 // at most

struct flame {
    const char *id; // "flame", "faultflame", "flame-3"
    const char *event, *path;
    bool faults;                     // an event that counts page faults
    bool inverted;                   // callers below
    bool part;                       // of a thread or a time range
    struct profile_samples *samples; // all of its profile's; NULL: inverted
    int64_t bucket_ns;
    GArray *times;                 // of uint64_t: weight by bucket; empty without times
    const struct stack_tree *tree; // that of `samples`, or `own`
    struct stack_tree *own;        // of a part; or NULL
    const char *waiter, *caller;   // the heaviest spinner and who called it; or NULL
    double waiter_share;
    // Faults: functions with a finding, the one of them that faults most, and its share.
    GHashTable *suspects; // a set; or NULL
    const char *suspect;
    double suspect_share;
};

// The bucket of a sample that has a time.
static inline guint flame_bucket(const struct flame *flame, const struct sample_row *row)
{
    return (guint)((row->time_ns - flame->samples->first_ns) / flame->bucket_ns);
}

// Whether its samples can be told apart by thread or time.
static inline bool flame_divides(const struct flame *flame)
{
    return !flame->part && (flame->samples->threads->len > 1 || flame->times->len > 1);
}
char *flame_thread(const struct thread_row *thread); // "postgres 1270"; the caller's

// Share of the CPU that a source prints for a function, where there is no profile to compute it
// from.
struct share {
    const char *symbol;
    double share;
};
struct shares {
    const char *where, *study; // the point of the grid: "4K pages, LAZY"
    GArray *items;             // of struct share, largest first
};

struct wait_item {
    const char *type, *event;
    uint64_t count;            // all
    uint64_t idle, background; // of them: sessions that were idle, processes that are no session
    unsigned colour;           // 1 … 6
};
struct wait_group {
    const char *label;
    uint64_t total;
    GArray *items; // of struct wait_item, largest first
};

enum evidence_state {
    EVIDENCE_CONFIRMED,     // page faults were sampled at the finding's line; where no lines were
                            // recorded, in its function
    EVIDENCE_CONTENDED,     // others were seen waiting for it
    EVIDENCE_SEEN,          // seen running, without a fault
    EVIDENCE_NOT_EXERCISED, // profiles are there, the function is in none
    EVIDENCE_NO_DATA,       // no profile
};
const char *evidence_name(enum evidence_state state);

struct evidence {
    enum evidence_state state;
    uint64_t fault_samples, wait_samples, samples; // in the function; waiting below it; anywhere
    double wait_share;                             // of the profile where it is largest
    const char *waiter;
    bool by_line;         // source lines were recorded for faults in the function
    bool profiles;        // there are some
    bool faults_recorded; // some profile counts page faults
    bool times_recorded;  // some profile counts time
    const char *text;     // as a sentence
    const char *href;     // where the page shows it; or NULL
};

struct finding {
    const struct finding_fact *fact;
    const struct section_fact *section; // or NULL
    struct evidence evidence;
};

struct setting_value {
    const char *value;
    const char *where; // which cells; NULL: all
};
struct environment_item {
    const char *key;
    bool differs;
    bool studied;   // differs because it is what the page compares
    GArray *values; // of struct setting_value
};

struct tile {
    const char *value, *label, *chip;
    enum verdict verdict; // colour and symbol
};

// One profile beside another: the union of both trees.
struct diff_node {
    int32_t parent; // index; -1 for the root
    const char *symbol;
    double base, fresh; // shares of all weight; 0: not there
};
struct flame_diff {
    const struct profile_row *base, *fresh;
    struct stack_tree *base_tree, *fresh_tree;
    GArray *nodes;                 // of struct diff_node, parents first
    unsigned vanished, fresh_only; // frames of one side only
};

struct report_model {
    const char *title;
    double threshold;
    bool for_page;    // with what the page's script needs
    GPtrArray *grids; // of struct grid, the main one first
    struct machines machines;
    struct touches touches;
    struct warm_up warm;            // of the runs of the main grid
    const char *warm_text;          // a sentence about it; or NULL
    struct history_result *history; // of the grids' metric; or NULL
    GPtrArray *flames;              // of struct flame
    struct flame_diff diff;         // without nodes: there are no two to compare
    struct shares shares;
    GPtrArray *waits;            // of struct wait_group
    GPtrArray *findings;         // of struct finding, by evidence, severity, place
    GPtrArray *environment;      // of struct environment_item
    const struct scan_row *scan; // or NULL
    unsigned findings_high, suppressed;
    bool faults_recorded;

    // What happened, in words.
    const char *heading, *emphasis; // emphasis: the part of the heading that is the number
    enum verdict heading_verdict;
    const char *lede;
    GArray *meta;     // of const char *
    GArray *tiles;    // of struct tile
    const char *gate; // "pass", "fail", "unsure", "none"
    const char *gate_text, *gate_sure;

    // The rows all of this points into.
    GPtrArray *runs, *metrics, *scans, *sections, *finding_rows, *files, *profiles, *wait_rows,
        *environment_rows, *sources;
    unsigned aborted;
    GHashTable *runs_by_id;
    GStringChunk *text;
};

// Errors: NOT_FOUND when the archive has nothing to report on, and the archive's.
struct report_model *model_new(struct archive *archive, const struct report_options *options,
                               GError **error);
void model_free(struct report_model *model); // accepts NULL

// What ran at the top and its callers below. Names are those of `flame`; flame_free frees the rest.
struct flame *flame_inverted(const struct flame *flame);
void flame_free(struct flame *flame);

bool model_add_diff(struct report_model *model, const struct report_options *options,
                    struct archive *archive, GError **error);

// Text the model keeps.
const char *model_text(struct report_model *model, const char *format, ...) G_GNUC_PRINTF(2, 3);
const char *model_keep(struct report_model *model, const char *text); // NULL stays NULL

// The parts, in the order in which they are built. Each reads what those before it left.
bool model_add_grids(struct report_model *model, const struct report_options *options,
                     GError **error);
void model_add_machines(struct report_model *model);
void model_add_touches(struct report_model *model);
bool model_add_flames(struct report_model *model, const struct report_options *options,
                      struct archive *archive, GError **error);
void model_add_shares(struct report_model *model);
void model_add_waits(struct report_model *model);
void model_add_suspects(struct report_model *model);
bool model_add_findings(struct report_model *model, struct archive *archive, GError **error);
void model_add_environment(struct report_model *model);
void model_add_words(struct report_model *model);
void model_add_gate(struct report_model *model); // called by model_add_words

// Compares every cell of every grid; Holm runs over all of them.
void grids_compare(const GPtrArray *grids, double threshold);
static inline struct cell *grid_cell(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->n_preempts + column];
}
// Whether its runs say under which preemption mode, or with which page size, they ran.
static inline bool grid_has_modes(const struct grid *grid)
{
    return grid->n_preempts > 1 || *grid->preempts[0];
}
static inline bool grid_has_pages(const struct grid *grid)
{
    return grid->n_pages > 1 || *grid->pages[0];
}
static inline const struct grid *model_grid(const struct report_model *model)
{
    return model->grids->len ? g_ptr_array_index(model->grids, 0) : NULL;
}

// "PREEMPT_LAZY" and "LAZY"; "4K pages", "THP"; for NULL "not recorded".
const char *preempt_long(const char *preempt);
const char *preempt_short(const char *preempt);
const char *page_label(const char *page);
const char *metric_label(const char *metric); // "average latency"
const char *verdict_class(enum verdict verdict);

// Spinning: is this the symbol of a function that waits for a spinlock? Compiler suffixes
// (.isra.0, .cold) are ignored.
bool symbol_waits(const char *symbol);
bool symbol_equal(const char *symbol, const char *function);

#endif
