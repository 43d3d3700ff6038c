#!/usr/bin/env python3
"""Compares printed facts with expectations, field by field.

usage: compare-expect.py PROGRAM [ARG…] -- DIR

For each DIR/NAME.expect.jsonl, `PROGRAM ARG… DIR/NAME.txt` must print the records that it lists, in
its order: every field that is expected must be there and equal. Records of the types "run",
"environment", "skipped" and "summary" are only compared where the expectation has some. A case that
expects nothing may also be refused.
"""
import json
import pathlib
import subprocess
import sys

UNLISTED = {"run", "environment", "skipped", "summary"}


def lines(text):
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def differences(expected, got):
    kinds = {r["type"] for r in expected}
    got = [r for r in got if r["type"] in kinds or r["type"] not in UNLISTED]
    if len(got) != len(expected):
        yield f"{len(got)} records instead of {len(expected)}"
    for i, (want, have) in enumerate(zip(expected, got)):
        for key, value in want.items():
            if key not in have or have[key] != value:
                yield f"record {i + 1}: {key} is {have.get(key)!r:.200} instead of {value!r:.200}"


def main():
    split = sys.argv.index("--")
    command, directory = sys.argv[1:split], pathlib.Path(sys.argv[split + 1])
    passed = failed = 0
    for case in sorted(directory.glob("*.expect.jsonl")):
        source = case.with_name(case.name.replace(".expect.jsonl", ".txt"))
        run = subprocess.run([*command, str(source)], capture_output=True, timeout=60)
        expected = lines(case.read_text(encoding="utf-8"))
        problems = list(differences(expected, lines(run.stdout.decode("utf-8"))))
        if run.returncode not in (0, 3) and (expected or run.returncode != 2):
            problems.append(f"exit {run.returncode}: {run.stderr.decode(errors='replace').strip()}")
        failed += bool(problems)
        passed += not problems
        for problem in problems:
            print(f"{source.name}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
