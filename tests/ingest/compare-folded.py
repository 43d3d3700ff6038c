#!/usr/bin/env python3
"""Folded stacks of recordings against what two well-known folding tools made of them.

usage: compare-folded.py SPINFAULT

Recordings and their folded stacks are in corpora/perf-script of shared/, which is $SPINFAULT_SHARED or
lies beside the source tree. A result is named RECORDING-collapsed[-OPTION].txt. KNOWN names the
results that differ, and why: each is a fault of the tool. Exit 77 when the folder is not there.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OPTIONS = {
    None: [],
    "pid": ["--root", "pid"],
    "tid": ["--root", "tid"],
    "kernel": ["--annotate", "kernel"],
    "jit": ["--annotate", "jit"],
    "all": ["--annotate", "all"],
    "addrs": ["--addresses"],
}
# What remains, by recording. Each is checked: the difference must be the one described.
LAST = "a recording that does not end with a blank line loses its last record in stackcollapse-perf.pl"
BLANK = "a frame without a name is named ' ' by stackcollapse-perf.pl; here it is [FILE]"
EVENTS = "inferno cuts events at the first colon and so adds up cycles:u and cycles"
KNOWN = {
    "FlameGraph/results/perf-dd-stacks-01": [LAST],
    "FlameGraph/results/perf-iperf-stacks-pidtid-01": [LAST],
    "FlameGraph/results/perf-java-stacks-01": [LAST],
    "FlameGraph/results/perf-mirageos-stacks-01": [LAST],
    "FlameGraph/results/perf-numa-stacks-01": [LAST],
    "FlameGraph/results/perf-vertx-stacks-01": [LAST, BLANK],
    "inferno/results/single-line-stacks": [EVENTS],
}


def explained(faults, got, want, every_event):
    """Whether the faults, and nothing else, make the difference."""
    if EVENTS in faults:
        return want == every_event
    if BLANK in faults:
        want = collections.Counter({re.sub(r"; ", ";[libc-2.15.so]", s): n for s, n in want.items()})
    more = got - want
    return not want - got and len(more) == (LAST in faults)


def stacks(text):
    counts = collections.Counter()
    for line in text.splitlines():
        stack, _, count = line.rpartition(" ")
        counts[stack] += int(count)
    return counts


def fold(program, recording, tool, option, folder):
    """The stacks of the first event, and those of all events together."""
    if recording.stat().st_size == 0:  # refused, and no stacks
        return stacks(""), stacks("")
    archive = os.path.join(folder, f"{recording.parent.name}-{recording.name}.db")
    if not os.path.exists(archive):
        subprocess.run([program, "ingest", "-q", "--archive", archive, recording], check=True,
                       stdout=subprocess.DEVNULL)
    found = []
    profiles = [[], ["--profile", "1"], ["--profile", "2"]]
    for profile in profiles if tool == "inferno" else profiles[:1]:
        done = subprocess.run([program, "archive", "export", "-q", "--archive", archive, "--format",
                               tool, *OPTIONS[option], *profile], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors="surrogateescape")
        found.append(stacks(done.stdout))
    return found[0], sum(found[1:], collections.Counter())


def main():
    beside = pathlib.Path(__file__).resolve().parents[3] / "shared"
    corpus = pathlib.Path(os.environ.get("SPINFAULT_SHARED", beside)) / "corpora/perf-script"
    if not corpus.is_dir():
        print(f"skipped: {corpus} is not here; set SPINFAULT_SHARED")
        return 77
    equal = known = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for result in sorted(corpus.glob("*/results/*-collapsed*.txt")):
            name, option = re.fullmatch(r"(.*)-collapsed(?:-(\w+))?\.txt", result.name).groups()
            where = [result.parents[1] / f"{name}.txt", corpus / "FlameGraph" / f"{name}.txt"]
            recording = next(p for p in where if p.exists())
            title = result.relative_to(corpus).as_posix()
            got, every_event = fold(sys.argv[1], recording, title.split("/")[0].lower(), option, folder)
            want = stacks(result.read_text(errors="surrogateescape"))
            faults = next((f for prefix, f in KNOWN.items() if title.startswith(prefix)), [])
            if got == want and not faults:
                equal += 1
            elif got != want and faults and explained(faults, got, want, every_event):
                known += 1
                print(f"{title}: {'; '.join(faults)}")
            else:
                failed += 1
                print(f"{title}: {'equal, though known to differ' if got == want else 'differs'}")
                for sign, lines in (("+", got - want), ("-", want - got)):
                    for stack, count in lines.items():
                        print(f"  {sign} {stack} {count}")
    print(f"{equal} equal, {known} differ by a fault of the tool, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
