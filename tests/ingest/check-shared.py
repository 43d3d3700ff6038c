#!/usr/bin/env python3
"""Ingests every file of a folder and compares what comes out with a golden file, a line a file.

usage: check-shared.py [--bless] PROGRAM FOLDER GOLDEN

FOLDER is one of shared/, which is $SPINFAULT_SHARED or lies beside the source tree.

A line holds the file's name, its format (or the sentence that refuses it), how many facts of each type
there are, and the first figures. Exit 77 when the folder is not there.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys


NOT_INPUT = (".md", ".tsv", ".jsonl", ".maps", ".log", ".c", ".h", ".sh", ".err")


def describe(program, folder, path):
    run = subprocess.run([program, str(path)], capture_output=True, timeout=120)
    name = path.relative_to(folder).as_posix()
    if run.returncode != 0:
        message = run.stderr.decode("utf-8", "replace").strip().replace(str(path), "FILE")
        return f"{name}\trefused\t{message.split(': ', 1)[-1].split(' (looked for')[0]}"
    facts = [json.loads(line) for line in run.stdout.decode("utf-8").split("\n") if line]
    counts = collections.Counter(f["type"] for f in facts)
    summary = facts[-1]
    del counts["summary"]
    figures = [f"{f['name']}={f['value']}" for f in facts if f["type"] == "metric" and "name" in f][:6]
    aborted = sum(f["type"] == "run" and f["status"] == "aborted" for f in facts)
    if aborted:
        figures.append(f"aborted={aborted}")
    if counts["sample"]:
        figures.append(f"weight={sum(f['weight'] for f in facts if f['type'] == 'sample')}")
        figures.append(f"frames={sum(len(f['frames']) for f in facts if f['type'] == 'sample')}")
        figures.append(f"addresses={sum('addr' in f for f in facts if f['type'] == 'sample')}")
    if summary["lost"]:
        figures.append(f"lost={summary['lost']}")
    return "\t".join([name, summary["format"], " ".join(f"{k}:{v}" for k, v in sorted(counts.items())),
                      " ".join(figures)])


def main():
    arguments = [a for a in sys.argv[1:] if a != "--bless"]
    beside = pathlib.Path(__file__).resolve().parents[3] / "shared"
    shared = pathlib.Path(os.environ.get("SPINFAULT_SHARED", beside))
    program, folder, golden = arguments[0], shared / arguments[1], pathlib.Path(arguments[2])
    if not folder.is_dir():
        print(f"skipped: {folder} is not here; set SPINFAULT_SHARED")
        return 77
    paths = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in NOT_INPUT)
    lines = [describe(program, folder, p) for p in paths]
    if "--bless" in sys.argv:
        golden.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    expected = golden.read_text(encoding="utf-8").split("\n")
    known = {line.split("\t")[0]: line for line in expected}
    failed = 0
    for line in lines:
        want = known.get(line.split("\t")[0])
        if want is not None and want != line:
            failed += 1
            print(f"- {want}\n+ {line}")
    print(f"{len(lines) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
