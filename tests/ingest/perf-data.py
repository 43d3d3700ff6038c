#!/usr/bin/env python3
"""perf.data through perf: a program of that name that fails in the ways perf does, and the real one
where it can record.

usage: perf-data.py PRINT_FACTS
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
SAMPLE = "a 1/1 [000] 1.000000: 5 cycles:\\n\\t7f10 f+0x1 (/a)\\n\\n"
failed = done = 0


def check(name, ok, detail=""):
    global failed, done
    done += 1
    failed += not ok
    print(f"{'ok' if ok else 'not ok'} {done} - {name}{'' if ok else ': ' + str(detail)}")


def ingest(path, environment=None):
    r = subprocess.run([PROGRAM, path], capture_output=True, text=True, timeout=120,
                       env={**os.environ, **(environment or {})})
    return r.returncode, [json.loads(line) for line in r.stdout.splitlines()], r.stderr.strip()


def with_fake(folder, script):
    """What comes of a recording when `perf` is this script."""
    fake = folder / "bin"
    fake.mkdir(exist_ok=True)
    (fake / "perf").write_text(f"#!/bin/sh\n{script}\n")
    (fake / "perf").chmod(0o755)
    recording = folder / "perf.data"
    recording.write_bytes(b"PERFILE2" + bytes(200))
    return ingest(recording, {"PATH": f"{fake}:/usr/bin:/bin"})


def fakes(folder):
    code, facts, _ = with_fake(folder, f"printf '{SAMPLE}'")
    check("samples come through", code == 0 and [f["weight"] for f in facts if f["type"] == "sample"] == [5])
    code, _, said = with_fake(folder, f"printf '{SAMPLE}'; echo 'addr2line: no memory' >&2; exit 3")
    check("perf that fails midway is an error, in its words",
          code == 2 and "perf script failed" in said and "addr2line: no memory" in said, said)
    code, _, said = with_fake(folder, "echo 'incompatible file format' >&2; exit 255")
    check("perf that cannot read the file", code == 2 and "incompatible file format" in said, said)
    code, _, said = with_fake(folder, f"printf '{SAMPLE}'; kill -SEGV $$")
    check("perf that crashes", code == 2 and "perf script failed" in said, said)
    code, facts, _ = with_fake(folder, f"echo 'lost 17.14%!' >&2; printf '{SAMPLE}'")
    skipped = [f for f in facts if f["type"] == "skipped"]
    check("what perf says beside is kept",
          code == 0 and [(s["why"], s["text"]) for s in skipped] == [("said by perf", "lost 17.14%!")], skipped)
    code, _, said = with_fake(folder, "exit 0")
    check("a recording without samples", code == 2 and "holds no samples" in said, said)
    code, facts, _ = with_fake(folder, "head -c 300000 /dev/zero | tr '\\0' x >&2; "
                                       f"printf '{SAMPLE}'")
    check("perf that says a lot is not kept waiting", code == 0 and len(facts) == 3, len(facts))
    code, _, said = ingest(folder / "perf.data", {"PATH": str(folder)})
    check("no perf", code == 2 and "install" in said and "perf script" in said, said)


def real(folder):
    recording = folder / "real.data"
    work = "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done"
    command = ["perf", "record", "-q", "-g", "-e", "cpu-clock:u", "-c", "1000000", "-o", recording,
               "--", "sh", "-c", work]
    if not shutil.which("perf") or subprocess.run(command, capture_output=True).returncode:
        print("# perf is not here or may not record; only what stands for it was tried")
        return
    lines = subprocess.run(["perf", "script", "-i", recording, "-F", "tid,period,event"],
                           capture_output=True, text=True).stdout.splitlines()
    events = [line for line in lines if "cpu-clock" in line]
    code, facts, said = ingest(recording)
    samples = [f for f in facts if f["type"] == "sample"]
    check("as many samples as perf prints", code == 0 and len(samples) == len(events) > 0,
          f"{len(samples)} of {len(events)}; {said}")
    check("their weight", sum(s["weight"] for s in samples) == 1000000 * len(events))
    check("their chains, threads and mappings", any(s["frames"] for s in samples) and
          all(s["pid"] and s["tid"] for s in samples) and any(f["type"] == "mmap" for f in facts))
    cut = folder / "cut.data"
    cut.write_bytes(recording.read_bytes()[:recording.stat().st_size // 2])
    code, _, said = ingest(cut)
    check("a recording cut in half is refused, or perf's complaint is kept",
          code == 2 and said.count("\n") == 0 or code == 0, said)


with tempfile.TemporaryDirectory() as where:
    fakes(pathlib.Path(where))
    real(pathlib.Path(where))
print(f"1..{done}")
sys.exit(1 if failed else 0)
