"""Compiled kernels in gdb and perf: lines of the source, and names."""

import os
import re
import subprocess
import sys
import textwrap

import pytest

#: Launches `outer` once in the CPU tier; `inner` is inlined into it, twice.
KERNEL = """
    import os
    import numpy as np, triton, triton.language as tl
    @triton.jit
    def inner(x):
        y = x * 2.0  # LINE inner
        return tl.sqrt(y)
    @triton.jit
    def outer(to, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(to + at, mask=at < n)
        total = tl.sum(inner(x), axis=0)  # LINE total
        tl.store(to + at, inner(x) + total, mask=at < n)  # LINE store
    to = np.ones(100, np.float32)
    outer[(4,)](to, 100, BLOCK=32)
"""


def prepare(folder, more="", **variables):
    path = folder / "kernel.py"
    path.write_text(textwrap.dedent(KERNEL) + textwrap.dedent(more), encoding="utf-8")
    fixed = {"TRISECT_TIER": "cpu", "TRISECT_CHECK": "off", "TRITON_CACHE_DIR": str(folder / "cache")}
    return path, {**os.environ, **fixed, **variables}


def line_of(path, mark):
    return next(n for n, text in enumerate(path.read_text().splitlines(), 1) if f"LINE {mark}" in text)


def gdb(path, environment, *commands):
    script = path.with_name("commands")
    script.write_text("\n".join(["set breakpoint pending on", "set confirm off", *commands]))
    command = ["gdb", "-q", "-nx", "-batch", "-x", str(script), "--args"]
    done = subprocess.run(
        [*command, sys.executable, "-m", "trisect", str(path)],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize("mark", ["store", "inner"])
def test_gdb_stops_at_a_line_of_a_kernel(tmp_path, mark):
    path, environment = prepare(tmp_path, TRISECT_LINE_INFO="1")
    line = line_of(path, mark)
    for _ in range(2):  # compiled, then from the cache
        said = gdb(path, environment, f"break kernel.py:{line}", "run", "bt 1", "info source", "kill")
        assert re.search(rf"hit Breakpoint 1, outer \(.*kernel\.py:{line}\b", said), said
        assert f"Located in {path}" in said


def test_gdb_stops_at_no_line_without_them(tmp_path):
    path, environment = prepare(tmp_path, TRISECT_LINE_INFO="0")
    said = gdb(path, environment, f"break kernel.py:{line_of(path, 'store')}", "run")
    assert "hit Breakpoint" not in said
    assert "exited normally" in said


def test_lines_change_no_instruction_and_kernels_have_their_own_key(tmp_path):
    more = """
        def instructions(text):
            lines = [l.strip() for l in text.split(".section\\t.debug_")[0].splitlines()]
            return [l for l in lines if l and l[0] not in ".#" and not l.endswith(":")]
        plain = outer[(4,)](to, 100, BLOCK=32)
        told = outer[(4,)](to, 100, BLOCK=32, line_info=True)
        assert plain.hash != told.hash
        assert b".debug_line" in told.asm["obj"] and b".debug_line" not in plain.asm["obj"]
        texts = [instructions(kernel.asm["asm"]) for kernel in (plain, told)]
        assert len(texts[0]) > 50 and texts[0] == texts[1]
        assert ".loc" in told.asm["asm"] and ".loc" not in plain.asm["asm"]
        print("equal")
    """
    path, environment = prepare(tmp_path, more)
    done = subprocess.run(
        [sys.executable, "-m", "trisect", str(path)], env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == "equal", done.stderr


def test_perf_has_names_of_kernels_in_forked_children_too(tmp_path):
    more = """
        @triton.jit
        def other(to):
            tl.store(to + tl.arange(0, 16), tl.load(to + tl.arange(0, 16)) + 1.0)
        child = os.fork()
        if child == 0:
            other[(1,)](to)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        for pid in (os.getpid(), child):
            name = f"/tmp/perf-{pid}.map"
            print(open(name).read().replace("\\n", ";"), oct(os.stat(name).st_mode & 0o777))
            os.unlink(name)
    """
    path, environment = prepare(tmp_path, more, TRISECT_PERF_MAP="1")
    done = subprocess.run(
        [sys.executable, "-m", "trisect", str(path)], env=environment, capture_output=True, text=True
    )
    own, childs = done.stdout.splitlines()
    kernel, another = r"[0-9a-f]+ [0-9a-f]+ trisect::outer;", r"[0-9a-f]+ [0-9a-f]+ trisect::other;"
    assert re.fullmatch(rf"{kernel} 0o600", own), done.stdout
    assert re.fullmatch(rf"{kernel}{another} 0o600", childs), done.stdout
    assert own.split(";")[0] == childs.split(";")[0]


def test_a_file_of_a_former_process_is_begun_anew(tmp_path):
    more = """
        print(open(f"/tmp/perf-{os.getpid()}.map").read().count("\\n"))
        os.unlink(f"/tmp/perf-{os.getpid()}.map")
    """
    path, environment = prepare(tmp_path, more, TRISECT_PERF_MAP="1")
    old = """
import os, sys
name = f"/tmp/perf-{os.getpid()}.map"
with open(name, "w") as file:
    file.write("1000 10 gone\\n")
if sys.argv[1] == "old":
    os.utime(name, (1, 1))
os.execv(sys.executable, [sys.executable, "-m", "trisect", sys.argv[2]])
"""
    counts = [
        subprocess.run(
            [sys.executable, "-c", old, age, str(path)], env=environment, capture_output=True, text=True
        ).stdout.strip()
        for age in ("old", "new")
    ]
    assert counts == ["1", "2"]  # Python itself may have written to one that is as young as the process
