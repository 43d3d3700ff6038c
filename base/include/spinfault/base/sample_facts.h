// What a profile holds: samples with call chains, and the records beside them.
// Text is given as slices of the reader's buffer: valid during the callback only, any bytes.
#ifndef SPINFAULT_BASE_SAMPLE_FACTS_H
#define SPINFAULT_BASE_SAMPLE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spinfault/base/text.h"

// Which numbers of a sample were in the text.
enum sample_field {
    SAMPLE_PID = 1 << 0,
    SAMPLE_TID = 1 << 1,
    SAMPLE_CPU = 1 << 2,
    SAMPLE_TIME = 1 << 3,
    SAMPLE_PERIOD = 1 << 4,
    SAMPLE_ADDR = 1 << 5,
    SAMPLE_ADDR_OFFSET = 1 << 6,
    SAMPLE_DATA_SRC = 1 << 7,
    SAMPLE_MEM_WEIGHT = 1 << 8,
    SAMPLE_PHYS_ADDR = 1 << 9,
    SAMPLE_MACHINE_PID = 1 << 10,
    SAMPLE_VCPU = 1 << 11,
};

// One frame of a call chain, leaf first. What the text lacks is a null slice.
struct frame_fact {
    uint64_t ip;
    bool has_ip;
    struct slice symbol;
    uint64_t offset; // into the symbol
    bool has_offset;
    struct slice dso;
    bool inlined;
    bool truncated;       // the file ends in this frame
    struct slice srcline; // "file.c:12"
};

// perf prints "[unknown]" where it found no symbol. Then the address says where; else it differs
// from process to process, and the offset into the symbol does.
static inline bool frame_is_named(const struct frame_fact *frame)
{
    return frame->symbol.data && !slice_is(frame->symbol, "[unknown]");
}

struct sample_fact {
    unsigned fields; // enum sample_field
    struct slice comm, event, misc, tod, payload;
    int64_t pid, tid, cpu;
    int64_t time_ns;
    uint64_t period;
    uint64_t weight; // the period, else 1
    uint64_t addr, addr_offset;
    struct slice addr_symbol, addr_dso;
    uint64_t data_src, mem_weight, phys_addr;
    int64_t machine_pid, vcpu;
    struct slice brstack; // as printed
    const struct frame_fact *frames;
    size_t n_frames;
    uint64_t line; // of the header, from 1
};

// mmap, comm, fork, exit, lost, switch, … : the record types of `perf script --show-*-events`.
// Only what the record's kind has is set; the rest is 0 or null.
struct side_fact {
    const char *type; // "mmap", "comm", "fork", "exit", "lost", "switch", "namespaces", …
    struct slice comm;
    int64_t pid, tid, cpu;
    unsigned
        fields; // SAMPLE_PID, _TID, _CPU, _TIME say which of the four above and `time_ns` are there
    int64_t time_ns;
    uint64_t addr, len, pgoff, ino;
    uint32_t maj, min;
    struct slice prot, filename;
    struct slice new_comm;
    bool exec;
    int64_t ppid, ptid;
    uint64_t lost;
    bool switch_out, preempt;   // switch
    int64_t next_pid, next_tid; // switch; -1 unknown
    uint64_t id;                // cgroup
    struct slice name;          // ksymbol's symbol, cgroup's path
    struct slice text;          // what else the record says, as printed
    uint64_t line;
};

#endif
