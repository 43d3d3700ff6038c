// Names of events, and payloads of tracepoints.
#include "spinfault/base.h"

static void names(void)
{
    static const struct {
        const char *event, *name;
    } cases[] = {
        {"cycles", "cycles"},
        {"cycles:ppp", "cycles"},
        {"cycles:uH", "cycles"},
        {"cpu_core/cycles/Pu", "cycles"},
        {"cpu_atom/cycles/", "cycles"},
        {"branch-misses/period=50/u", "branch-misses"},
        {"cpu/event=0xc2,umask=0x1,name=x y/", "x y"},
        {"cpu/event=0xc2,umask=0x1/u", "cpu/event=0xc2,umask=0x1/"},
        {"cpu/mem-loads,ldlat=30/P", "mem-loads"},
        {"ibs_op//", "ibs_op"},
        {"intel_pt//u", "intel_pt"},
        {"power/energy-pkg/", "energy-pkg"},
        {"sched:sched_switch", "sched:sched_switch"},
        {"probe_libc:malloc__return", "probe_libc:malloc__return"},
        {"mem:0x7fff1234/8:rw:u", "mem:0x7fff1234/8:rw"},
        {"mem:0x7fff1234:rw", "mem:0x7fff1234:rw"},
        {"r1c2", "r1c2"},
        {"dummy:HG", "dummy"},
        {"", ""},
        {"/", "/"},
        {":", ":"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = slice_dup(event_base_name(slice_from(cases[i].event)));
        g_assert_cmpstr(name, ==, cases[i].name);
    }
    g_assert_null(event_base_name(SLICE_NULL).data);
}

static char *joined(const char *payload)
{
    g_autoptr(GArray) pairs = payload_pairs(slice_from(payload));
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < pairs->len; i++) {
        const struct payload_pair *p = &g_array_index(pairs, struct payload_pair, i);
        g_string_append_printf(text, "<%.*s|%.*s>", (int)p->key.len, p->key.data, (int)p->value.len,
                               p->value.data);
    }
    return g_string_free(text, FALSE);
}

static void payloads(void)
{
    static const struct {
        const char *payload, *pairs;
    } cases[] = {
        {"prev_comm=a: b prev_pid=1 prev_state=R+ ==> next_comm=c:d next_pid=2",
         "<prev_comm|a: b><prev_pid|1><prev_state|R+><next_comm|c:d><next_pid|2>"},
        {"fd: 0x00000003, buf: 0x7f, count: 0x10", "<fd|0x00000003><buf|0x7f><count|0x10>"},
        {"redis:4735 [120] S ==> swapper/1:0 [120]",
         "<prev_comm|redis><prev_pid|4735><prev_prio|120><prev_state|S><next_comm|swapper/1>"
         "<next_pid|0><next_prio|120>"},
        {"a:b:7 [-1] R+ ==> x:8 [120]",
         "<prev_comm|a:b><prev_pid|7><prev_prio|-1><prev_state|R+><next_comm|x><next_pid|8>"
         "<next_prio|120>"},
        {"address=0x7f62 ip=0x55 error_code=0x6", "<address|0x7f62><ip|0x55><error_code|0x6>"},
        {"8,0 W 12 () 100 + 8 [kworker]", ""},
        {"filename=a b.txt, flags=", "<filename|a b.txt><flags|>"},
        {"0x2", ""},
        {"", ""},
        {"=", ""},
        {"a=", "<a|>"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *pairs = joined(cases[i].payload);
        g_assert_cmpstr(pairs, ==, cases[i].pairs);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/event/names", names);
    g_test_add_func("/base/event/payloads", payloads);
    return g_test_run();
}
