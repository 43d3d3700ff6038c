// What the fields of perf script are filled with: what has been seen to mislead a reader of it.
#ifndef SPINFAULT_TESTS_INGEST_PERF_VALUES_H
#define SPINFAULT_TESTS_INGEST_PERF_VALUES_H

// Names of threads: 15 bytes at most, any byte but NUL.
static const char *const hostile_names[] = {
    "w",
    "my two words",
    "wrk:2",
    "[ET_NET 0]",
    "k/2",
    "k/[2]",
    "kworker/u8:3-ev",
    "77",
    "12 34 5678",
    "[000]",
    "[000] 5",
    "7 99.123456:",
    "x: cycles:",
    "#hash",
    "# x",
    "(paren)",
    "((x",
    "a) (b",
    "PERF_RECORD_X",
    "PERF_RECORD_LOS",
    "tab\tin",
    "semi;colon",
    ":101",
    ":-1",
    "-1",
    "-1/-1",
    "",
    " lead trail ",
    " lead",
    "\xc3\xa9\xff\xfe",
    "1/2",
    "1 [001]",
    "5 [0] 1.0:",
    "a 1/1 [0]",
    "a: 1/1 [0] 1.0:",
    "2026-11-30",
    "13:23:26",
    "metric:",
    "=> x",
    "U",
    "5 K",
    "VM:",
    "VCPU:003",
    "|OP LOAD",
    "0x4/0x5/P/-/-/0",
    "cycles:",
    "insn: 89 05",
    "ilen: 3",
    "\"q\"\\",
    "ABI:2 AX:0x0",
    "deadbeef",
    "7f10 f+0x1 (/a)",
    "new\nline",
    "two\n\nlines",
    "123456789012345",
};

static const char *const tame_names[] = {"w", "java", "wrk:2", "my two words", "kworker/0:1"};

// Events; those with a chain of their own kind are told by their type.
static const char *const sampled_events[] = {
    "cycles",
    "cycles:u",
    "cycles:ppp",
    "cycles:uH",
    "cpu-clock",
    "page-faults",
    "cpu_core/cycles/Pu",
    "cpu_atom/cycles/P",
    "branch-misses/period=50/u",
    "mem:0x7f/8:rw:u",
    "mem:0x7fff1234:x",
    "cpu/event=0xc2,umask=0x1,name=x y/",
    "cpu/mem-loads,ldlat=30/P",
    "r1c2",
    "ibs_op//",
    "my event",
    "uncore_imc/cas_count_read/",
    "L1-dcache-load-misses",
};

static const char *const trace_events[] = {
    "sched:sched_switch",     "probe_libc:malloc__return", "probe_x:y",
    "syscalls:sys_exit_read", "sdt_libc:lll_lock_wait",    "exceptions:page_fault_user",
};

static const char *const payloads[] = {
    "prev_comm=x: y prev_pid=1 prev_prio=120 prev_state=R ==> next_comm=c:d next_pid=2",
    "redis:4735 [120] S ==> swapper/1:0 [120]",
    "comm=fio pid=2 prio=120 target_cpu=031",
    "address=0x7f625ad3e35c ip=0x55d0c0de error_code=0x4",
    "(55d0c0de) arg1=0x7f |x",
    "(7f1000 <- 55d0c0de)",
    "add |OP x",
    "8,0 W 4096 () 123456 + 8 [kworker/0:1]",
    "dev feed => 12",
    "a => 7f50 b (c)",
    "comm=a 1/1 [000] 3.500000: 5 cycles:",
    "insn: 89 05",
    "f (/a) ilen: 3",
    "name=\"x  y\" tail: ",
    "",
};

static const char *const hostile_symbols[] = {
    "work",
    "f",
    "operator()(int) const",
    "std::function<void (int, char**)>::operator()(int) const",
    "(anonymous namespace)::g<(E)0>",
    "decltype(auto) f<a>::b(c) [clone .part.0]",
    "T* Foo::operator->() const",
    "operator+",
    "net/http.(*conn).serve",
    "Ljava/util/List;.get(I)Ljava/lang/Object;",
    "JS:*exp /home/u ser/a.js:1:2",
    "py::<module>:/tmp/my dir/x.py",
    "core::ptr::drop_in_place<[T]>::h0123456789abcdef",
    "paren) (fake.so",
    "123 deadbeef (x)",
    "x->y->z",
    "a;b",
    "a => 7f b",
    "x 1/1 [0] 1.0: y",
    "x |OP y|z",
    "f insn: 89",
    "g (inlined) h",
    "a+0x10b",
    "bpf_prog_6deef7357e7b4530_x",
    "a/b/P/-/-/0",
    "\"q\"\\",
};

static const char *const hostile_files[] = {
    "/opt/a",
    "/home/u/Proton 3.16/x.so",
    "/opt/odd (x86)/a.so",
    "/usr/lib/libc.so.6 (deleted)",
    "/opt/odd (x86)/gone.so (deleted)",
    "[kernel.kallsyms]",
    "[kernel.kallsyms].init.text",
    "[guest.kernel.kallsyms.9]",
    "[nf_conntrack]",
    "[vdso]",
    "[stack]",
    "[JIT] tid 22610",
    "[JIT app cache]",
    "//anon",
    "/memfd:x (deleted)",
    "/tmp/perf-19982.map",
    "anon_inode:[perf_event]",
    "bpf_prog_6deef7357e7b4530",
    "/SYSV00000000 (deleted)",
    "/opt/insn: 89/x",
    "/opt/a => 7f b",
    "inlined",
};

// With these the parentheses do not balance: only an offset before them tells where they begin.
static const char *const unbalanced_files[] = {"/opt/a).so", "/opt/(b", "/a (b", "/a) (b"};

static const char *const source_lines[] = {
    "/src/my file.c:12", "c.h:3",   "libkmod.so.2[6750]",
    "a (b).c:9",         "work+16", "operator()(int) const+5",
    "feed:12",           "x.c:0",
};

static const char *const source_texts[] = {
    "static void f(int a[1]);", "x(1.0: y);", "/* a 1/1 [000] 1.0: 5 cycles: */", "", "}",
};

static const char *const data_sources[] = {
    "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A",
    "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A",
    "|OP LOAD|LVL L3 or Remote Cache (1 hop) hit|SNP HitM|TLB Walker hit|LCK Yes|BLK  Data Addr",
    "|OP STORE|LVL L3 miss|SNP N/A|TLB N/A|LCK No|BLK  Addr",
};

static const char *const branch_kinds[] = {
    "call", "return", "jcc", "jmp", "syscall", "tr strt jmp", "tr end  call", "hw int", "tr strt",
};

static const char *const cgroups[] = {"/", "/user.slice/a.scope", "/k8s/pod 7", "unknown"};
static const char *const page_sizes[] = {"4K", "2M", "1G", "N/A"};

static const char *const noise_lines[] = {
    "Warning:",
    "Processed 2567 samples and lost 17.14%!",
    "Check IO/CPU overload!",
    "[ perf record: Woken up 1 times to write data ]",
    "Was the 'perf record' command properly terminated?",
    "addr2line: 'linux-vdso.so.1': No such file",
    "cmd__addr2line /opt/a: could not read first record",
    "CPU THREAD VAL ENA RUN TIME EVENT",
};

#endif
