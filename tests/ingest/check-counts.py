#!/usr/bin/env python3
"""Page faults of recordings, counted by function and mapping, against the summaries beside them.

usage: check-counts.py PRINT_FACTS

The recordings are in corpora/perf-script of shared/, which is $SPINFAULT_SHARED or lies beside the source
tree. Exit 77 when it is not there.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys


def facts(program, path):
    r = subprocess.run([program, str(path)], capture_output=True, text=True, timeout=300, check=True)
    return [json.loads(line) for line in r.stdout.splitlines()]


def leaf(sample):
    return sample["frames"][0][1] if sample["frames"] else None


def postgresql(program, folder):
    """Faults of StrategyGetBuffer in the mapping of the shared buffers."""
    text = (folder / "pgR_summary.txt").read_text()
    for mode in ("off", "on"):
        start, end = (int(x, 16) for x in re.search(rf"{mode} mapping (0x\w+) (0x\w+)", text).groups())
        part = text[text.index(f"{mode} mapping"):]
        want, place = re.search(r"StrategyGetBuffer samples (\d+) by instruction \[\('(\S+?)'", part).groups()
        got = collections.Counter()
        for f in facts(program, folder / f"pgR_pf_{mode}.StrategyGetBuffer.script"):
            if f["type"] == "sample" and leaf(f) == "StrategyGetBuffer" and "addr" in f and \
                    start <= int(f["addr"], 16) < end:
                got[f"StrategyGetBuffer+0x{f['frames'][0][2]:x}"] += 1
        yield f"postgresql, huge pages {mode}", dict(got), {place: int(want)}


def faultlock(program, folder):
    """Faults of the critical section in the mapping of the descriptors."""
    line = next(l for l in (folder / "summary.txt").read_text().splitlines() if l.startswith("pf.script "))
    n, inside, mapped = map(int, re.search(r"samples (\d+) in \S+ (\d+) of which .*? mapping (\d+) ",
                                           line).groups())
    start, size = (int(x, 16) for x in re.search(r"\['(0x\w+)', '(0x\w+)'\]", line).groups())
    got = facts(program, folder / "pf.script")
    samples = [f for f in got if f["type"] == "sample"]
    section = [s for s in samples if leaf(s) == "fl_critical_section"]
    addresses = [s for s in section if start <= int(s["addr"], 16) < start + size]
    maps = [f for f in got if f["type"] == "mmap" and int(f["start"], 16) == start]
    yield "faultlock", (len(samples), len(section), len(addresses)), (n, inside, mapped)
    yield "faultlock, the mapping", {int(m["len"], 16) for m in maps}, {size}


def main():
    beside = pathlib.Path(__file__).resolve().parents[3] / "shared"
    corpus = pathlib.Path(os.environ.get("SPINFAULT_SHARED", beside)) / "corpora/perf-script"
    if not corpus.is_dir():
        print(f"skipped: {corpus} is not here; set SPINFAULT_SHARED")
        return 77
    failed = 0
    for name, got, want in [*postgresql(sys.argv[1], corpus / "postgresql"),
                            *faultlock(sys.argv[1], corpus / "faultlock")]:
        failed += got != want
        print(f"{name}: {got}" + ("" if got == want else f" instead of {want}"))
    return 1 if failed else 0


sys.exit(main())
