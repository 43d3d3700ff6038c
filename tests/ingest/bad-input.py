#!/usr/bin/env python3
"""Bad input: a sentence, exit 2, and the archive as it was.

usage: bad-input.py SPINFAULT [--slow]

--slow also waits until a writer gives up on a locked archive, which takes a minute. What needs root
(a full disk, a read-only file system) is left out without it.
"""
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534
failed = done = 0


def check(name, ok, detail=""):
    global failed, done
    done += 1
    if not ok:
        failed += 1
    print(f"{'ok' if ok else 'not ok'} {done} - {name}{': ' + detail if detail else ''}")


def run(*arguments, **more):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=200, **more)


def content(archive):
    return run("archive", "export", "--archive", archive).stdout


def refuse(name, archive, path, **more):
    """Exit 2, one sentence, and an archive that is sound and holds what it held."""
    before = content(archive)
    r = run("ingest", "-q", "--archive", archive, path, **more)
    said = r.stderr.decode("utf-8", "replace").strip().split("\n")
    sound = run("archive", "verify", "--archive", archive)
    ok = r.returncode == 2 and len(said) == 1 and said[0].startswith("spinfault: ") and \
        sound.returncode == 0 and content(archive) == before
    check(name, ok, said[0][:150] if ok else f"exit {r.returncode}, {said}, {sound.stderr.decode()}")


def new_archive(folder):
    archive = folder / "a.db"
    r = run("ingest", "-q", "--archive", archive, SOURCE / "examples/faultlock/page-faults.perf.txt")
    if r.returncode:
        sys.exit(f"bad-input.py: {r.stderr.decode()}")
    return archive


def files(folder, archive):
    (folder / "empty").write_bytes(b"")
    refuse("an empty file", archive, folder / "empty")
    (folder / "binary").write_bytes(bytes(random.Random(1).randrange(256) for _ in range(65536)))
    refuse("a binary file", archive, folder / "binary")
    (folder / "directory").mkdir()
    refuse("a directory", archive, folder / "directory")
    refuse("a file that is not there", archive, folder / "missing")


def truncated(folder, archive):
    """Text formats keep the records before the cut, and say so; documents are refused."""
    seeds = sorted((SOURCE / "tests/fuzz/corpus").glob("*/[a-z]*")) + \
        [SOURCE / "examples/faultlock/page-faults.perf.txt"]
    rnd = random.Random(200)
    bad = []
    refused = kept = 0
    for i in range(200):
        seed = seeds[i % len(seeds)]
        data = seed.read_bytes()
        cut = folder / f"cut-{i}"
        cut.write_bytes(data[:rnd.randrange(len(data))])
        r = run("ingest", "-q", "--archive", archive, cut)
        said = [line for line in r.stderr.decode("utf-8", "replace").split("\n") if line]
        if r.returncode == 0:
            kept += 1
        elif r.returncode == 2 and len(said) == 1 and said[0].startswith("spinfault: "):
            refused += 1
        else:
            bad.append(f"{seed.name} cut at {cut.stat().st_size}: exit {r.returncode} {said}")
    sound = run("archive", "verify", "--archive", archive)
    check("200 files cut at random places", not bad and sound.returncode == 0,
          "; ".join(bad[:3]) or f"{refused} refused, {kept} read up to the cut")


def long_line(archive):
    """1 GB without a line end, from a pipe."""
    before = content(archive)
    child = subprocess.Popen([PROGRAM, "ingest", "-q", "--archive", archive, "-"],
                             stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    block = b"a 1/1 [000] 1.000000: 1 cycles: " * 32768
    try:
        for _ in range(1024):
            child.stdin.write(block)
        child.stdin.close()
    except BrokenPipeError:
        pass
    said = child.stderr.read().decode()
    check("a line of 1 GB", child.wait() == 2 and said.count("\n") == 1 and content(archive) == before,
          said.strip()[:150])


def closed_pipe(archive):
    """The writer dies in the middle of a document."""
    before = content(archive)
    text = b'{"benchmarks": [{"name": "a", "run_type": "iteration", "iterations": 1, "real_time": 1.0,'
    r = run("ingest", "-q", "--archive", archive, "-", input=text)
    said = r.stderr.decode().strip()
    check("a pipe that closes in a document", r.returncode == 2 and content(archive) == before, said[:150])


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def permissions(folder, archive):
    if os.geteuid() != 0:
        print("# permissions: needs root to become somebody else")
        return
    secret = folder / "secret.txt"
    shutil.copy(SOURCE / "examples/faultlock/page-faults.perf.txt", secret)
    secret.chmod(0)
    plain = folder / "plain.txt"
    plain.write_text("a;b 12\nc;d 13\n")
    plain.chmod(0o644)
    folder.chmod(0o755)
    mine = folder / "nobody"
    mine.mkdir()
    os.chown(mine, NOBODY, NOBODY)
    copy = mine / "a.db"
    shutil.copy(archive, copy)
    os.chown(copy, NOBODY, NOBODY)
    refuse("a file without permission", copy, secret, preexec_fn=as_nobody)
    archive.chmod(0o444)
    refuse("an archive that is read-only", archive, plain, preexec_fn=as_nobody)
    archive.chmod(0o644)


def full_disk(folder):
    disk = folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", disk],
                      capture_output=True).returncode:
        print("# a full disk: cannot mount a small file system here")
        return
    try:
        archive = disk / "a.db"
        (folder / "small.folded").write_text("a;b 12\nc;d 13\n")
        run("ingest", "-q", "--archive", archive, folder / "small.folded")
        big = folder / "big.folded"
        rnd = random.Random(3)
        big.write_text("".join(f"app;f{rnd.random()};g{i};h{i} {i + 1}\n" for i in range(20000)))
        refuse("a full disk", archive, big)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        r = run("ingest", "-q", "--archive", archive, big)
        said = r.stderr.decode().strip()
        check("a read-only file system", r.returncode == 2 and said.count("\n") == 0, said[:150])
    finally:
        subprocess.run(["umount", disk], check=True)


def locked(folder, archive):
    other = folder / "other.folded"
    other.write_text("a;b 12\nc;d 14\n")
    writer = sqlite3.connect(archive, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    if "--slow" in sys.argv:
        r = run("ingest", "-q", "--archive", archive, other)
        said = r.stderr.decode().strip().split("\n")
        check("an archive locked for good", r.returncode == 2, " / ".join(said)[:300])
    child = subprocess.Popen([PROGRAM, "ingest", "--archive", archive, other],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    waits = child.poll() is None
    writer.execute("ROLLBACK")
    child.communicate(timeout=100)
    check("an archive locked for a while is waited for", waits and child.returncode == 0)


with tempfile.TemporaryDirectory() as where:
    root = pathlib.Path(where)
    made = new_archive(root)
    files(root, made)
    truncated(root, made)
    long_line(made)
    closed_pipe(made)
    permissions(root, made)
    full_disk(root)
    locked(root, made)
print(f"1..{done}")
sys.exit(1 if failed else 0)
