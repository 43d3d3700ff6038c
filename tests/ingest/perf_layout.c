// Which fields are printed together. What cannot be told by anyone is left out here, by name, with
// the reason.
#include "perf_layout.h"

#include "perf_values.h"

#include <string.h>

bool layout_chance(GRand *rand, unsigned percent)
{
    return (unsigned)g_rand_int_range(rand, 0, 100) < percent;
}

static const struct {
    unsigned field;
    const char *name;
    unsigned percent; // how often it is printed
} fields[] = {
    {F_GUEST, "machine_pid,vcpu", 10},
    {F_COMM, "comm", 92},
    {F_PID, "pid", 55},
    {F_TID, "tid", 90},
    {F_CPU, "cpu", 65},
    {F_MISC, "misc", 25},
    {F_TOD, "tod", 15},
    {F_TIME, "time", 95},
    {F_PERIOD, "period", 70},
    {F_EVENT, "event", 94},
    {F_FLAGS, "flags", 12},
    {F_TRACE, "trace", 80},
    {F_ADDR, "addr", 35},
    {F_DATA_SRC, "data_src", 20},
    {F_WEIGHT, "weight,ins_lat,retire_lat", 25},
    {F_CGROUP, "cgroup", 10},
    {F_IP, "ip", 92},
    {F_SYM, "sym", 88},
    {F_SYMOFF, "symoff", 75},
    {F_DSO, "dso", 85},
    {F_DSOFF, "dsoff", 15},
    {F_SRCLINE, "srcline", 20},
    {F_REGS, "iregs", 12},
    {F_BRSTACK, "brstack", 12},
    {F_BRSTACKSYM, "brstacksym", 12},
    {F_INSN, "insn,insnlen", 12},
    {F_PHYS, "phys_addr", 15},
    {F_PAGES, "data_page_size,code_page_size", 12},
    {F_IPC, "ipc", 8},
    {F_SRCCODE, "srccode", 10},
    {F_METRIC, "metric", 8},
};

// Files without times are read by their shape, and only the plain forms have one.
static void settle_timeless(struct layout *l)
{
    l->timeless = true;
    l->latency = l->side = l->noise = l->listing = false;
    l->fields |= F_COMM | F_TID | F_EVENT;
    l->fields &= F_COMM | F_PID | F_TID | F_CPU | F_PERIOD | F_EVENT | F_IP | F_SYM | F_SYMOFF |
                 F_DSO | F_DSOFF | F_PHYS | F_PAGES;
}

static void settle(struct layout *l)
{
    unsigned f = l->fields;
    // perf's own rules: without an ip there is nothing to name; one of the branch stacks.
    if (!(f & F_IP))
        f &= ~(unsigned)(F_SYM | F_SYMOFF | F_DSO | F_DSOFF | F_SRCLINE | F_SRCCODE);
    if (!(f & F_SYM))
        f &= ~(unsigned)F_SYMOFF;
    if (!(f & F_DSO))
        f &= ~(unsigned)F_DSOFF;
    if (f & F_BRSTACK)
        f &= ~(unsigned)F_BRSTACKSYM;
    // Behind a source of data, a number without a name looks like a weight.
    if (!(f & (F_SYM | F_DSO)))
        f &= ~(unsigned)F_DATA_SRC;
    // A physical address looks like an ip or a data address unless it stands behind a name.
    if (!(f & (F_SYM | F_DSO)))
        f &= ~(unsigned)(F_PHYS | F_PAGES);
    // A weight alone looks like a data address.
    if (!(f & F_ADDR) && !(f & F_DATA_SRC))
        f &= ~(unsigned)F_WEIGHT;
    // What stands behind the instructions is nobody's.
    if (f & (F_PHYS | F_PAGES | F_IPC))
        l->listing = false;
    // Without the event nothing tells where the fields behind it begin.
    if (!(f & F_EVENT))
        f &= ~(unsigned)(F_FLAGS | F_TRACE | F_ADDR | F_DATA_SRC | F_WEIGHT | F_CGROUP);
    // A cgroup is told as a path behind a number or a file; else it may be a symbol's end.
    if (!(f & F_DSO) && !(f & F_WEIGHT))
        f &= ~(unsigned)F_CGROUP;
    if (!(f & F_ADDR) && !(f & F_DATA_SRC))
        f &= ~(unsigned)F_CGROUP;
    // The bits of misc are told by the number on their left.
    if (!(f & (F_PID | F_TID)))
        f &= ~(unsigned)F_MISC;
    // A bare cpu is told by the thread's number on its left.
    if (!(f & F_TID) || !(f & F_COMM))
        l->latency = false;
    l->fields = f;
    if (!(f & F_TIME))
        settle_timeless(l);
}

void layout_compose(struct layout *l, GRand *rand)
{
    bool mixed = layout_chance(rand, 20), chained = layout_chance(rand, 60);
    *l = (struct layout){
        .latency = layout_chance(rand, 15),
        .nanoseconds = layout_chance(rand, 30),
        .wide = layout_chance(rand, 40),
        .side = layout_chance(rand, 40),
        .noise = layout_chance(rand, 25),
        .listing = layout_chance(rand, 10),
        .n_events = (unsigned)g_rand_int_range(rand, 1, LAYOUT_EVENTS + 1),
    };
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
        if (layout_chance(rand, fields[i].percent))
            l->fields |= fields[i].field;
    settle(l);
    // Tracepoints have no data source, and only a name tells that an ip is not their payload's.
    unsigned unpaid = F_DATA_SRC | F_WEIGHT | F_CGROUP;
    if (!(l->fields & (F_SYM | F_DSO)))
        unpaid |= F_SRCLINE | F_REGS | F_BRSTACK | F_BRSTACKSYM | F_INSN | F_IPC;
    for (unsigned i = 0; i < l->n_events; i++) {
        l->traced[i] = !l->timeless && !(l->fields & unpaid) && layout_chance(rand, 25);
        l->event[i] = l->traced[i] ? PICK(rand, trace_events) : PICK(rand, sampled_events);
        if (l->timeless)
            l->event[i] = i == 0 ? "cycles:u" : "page-faults"; // a word
        l->branches[i] = !l->timeless && !l->traced[i] && (l->fields & F_IP) &&
                         (l->fields & F_ADDR) && (l->fields & F_EVENT) && layout_chance(rand, 20);
        if (l->branches[i])
            l->event[i] = "branches:uH";
        l->chained[i] = (l->fields & F_IP) && !l->branches[i] && (mixed ? i % 2 == 0 : chained);
        l->event_width = MAX(l->event_width, (int)strlen(l->event[i]));
    }
}

void layout_describe(const struct layout *l, GString *text)
{
    g_string_append(text, "-F ");
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
        if (l->fields & fields[i].field)
            g_string_append_printf(text, "%s,", fields[i].name);
    g_string_truncate(text, text->len - 1);
    g_string_append_printf(text, "%s%s%s%s%s", l->latency ? " -L" : "",
                           l->nanoseconds ? " --ns" : "", l->wide ? " wide" : "",
                           l->side ? " --show-…-events" : "", l->noise ? " noise" : "");
    g_string_append(text, l->listing ? " brstackinsn" : "");
    for (unsigned i = 0; i < l->n_events; i++)
        g_string_append_printf(text, " -e %s%s", l->event[i], l->chained[i] ? " (-g)" : "");
}

static bool begins_or_ends_in_number(const char *name)
{
    const char *word = strrchr(name, ' ');
    word = word ? word + 1 : name;
    return g_ascii_isdigit(*word) || *word == '-' || *word == '[' || g_ascii_isdigit(*name);
}

bool layout_tells_name(const struct layout *l, const char *name)
{
    size_t len = strlen(name);
    // Without the thread's number, a number at the end of the name is taken for one.
    if (!(l->fields & (F_PID | F_TID)) && begins_or_ends_in_number(name))
        return false;
    // A name that ends in blanks is padded like one that does not, and one that begins with some
    // like a shorter one, unless all are printed as they are.
    bool printed_bare = !l->latency && l->n_events == 1 && l->chained[0];
    if (len > 0 && name[len - 1] == ' ' && (!printed_bare || !(l->fields & (F_PID | F_TID))))
        return false;
    // Nor is there anything to tell an empty name from none.
    if (!(l->fields & (F_PID | F_TID)) && len == 0)
        return false;
    // What begins with a blank below a side record belongs to it.
    if (l->side && strchr(name, '\n'))
        return false;
    // "1/2" in 16 columns and a number in 7 are ids in 5 and a cpu of -L.
    bool both = (l->fields & F_PID) && (l->fields & F_TID);
    if (!both && l->wide && strchr(name, '/') && g_ascii_isdigit(name[strlen(name) - 1]))
        return false;
    // "VM:   5" is a guest's mark.
    if (g_str_has_prefix(name, "V") && strchr(name, ':') && (!both || l->latency))
        return false;
    // -L cuts names, and is told by its columns.
    if (l->latency && ((len > 8 && strchr(" \t", name[7])) || strchr(name, '\n')))
        return false;
    return true;
}
