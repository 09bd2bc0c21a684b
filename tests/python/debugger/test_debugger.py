"""The debugger from a program: trisect.pdb, breakpoint() without a terminal, Ctrl-C, places as text."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from terminal import HERE, Terminal, environment

import trisect
import trisect.language as tl
from trisect import pdb
from trisect.debugger import current
from trisect.debugger.breakpoints import (
    Breakpoint,
    BreakpointError,
    has_statement,
    parse,
    same_file,
    statement_line,
)


@trisect.jit
def triple(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    x = x * 3
    tl.store(x_ptr + offsets, x, mask=offsets < n)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    yield
    pdb.clear()


def numbers():
    return np.arange(6, dtype=np.float32)


def test_debugging_block_with_commands(capsys):
    x = numbers()
    with pdb.debugging("triple program 1", commands=["next", "next", "print x", "continue"]):
        assert current() is not None
        triple[(2,)](x, 6, BLOCK=4)
    assert current() is None
    assert (x == numbers() * 3).all()
    assert (
        "x: fp32[4], 2 of 4 lanes were masked off and hold nothing\n[4.0 5.0 -- --]"
        in capsys.readouterr().out
    )


def test_runcall_stops_at_the_first_statement(monkeypatch, capsys):
    typed = iter(["p n", "c"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    x = numbers()
    pdb.runcall(triple[(2,)], x, 6, BLOCK=4)
    assert (x == numbers() * 3).all()
    assert "-> offsets = tl.program_id(0)" in (out := capsys.readouterr().out) and "n: int32\n6" in out


def test_set_trace_and_set_break(monkeypatch, capsys):
    typed = iter(["c", "p x[0]", "c"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    pdb.set_trace()
    number = pdb.set_break("triple if n > 100")
    assert number == 1
    triple[(1,)](numbers(), 6, BLOCK=4)
    assert "set_trace()" in capsys.readouterr().out
    pdb.clear(number)
    with pytest.raises(ValueError, match="no breakpoint 1"):
        pdb.clear(number)
    pdb.set_break("triple if nothing > 1")
    typed = iter(["c"])
    triple[(1,)](numbers(), 6, BLOCK=4)
    assert "condition of breakpoint 2 failed: name 'nothing' is not defined" in capsys.readouterr().out


def test_quit_leaves_the_tensors_as_they_were(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    x = numbers()
    with pytest.raises(SystemExit):
        pdb.runcall(triple[(2,)], x, 6, BLOCK=4)
    assert (x == numbers()).all()


def test_a_fault_keeps_what_finished_programs_wrote():
    x = numbers()
    with pdb.debugging("nowhere", commands=["continue"]), pytest.raises(trisect.KernelFault) as caught:
        triple[(3,)](x, 100, BLOCK=4)
    assert caught.value.kind == "out-of-bounds" and caught.value.details["tensor"] == "x_ptr"
    assert (x[:4] == numbers()[:4] * 3).all() and (x[4:] == numbers()[4:]).all()


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_breakpoint_without_a_terminal_is_passed_and_said_once(tier, tmp_path):
    for off in ("", "0"):
        done = subprocess.run(
            [sys.executable, "-m", "trisect", str(HERE / "scripts" / "call.py")],
            env=environment(tmp_path) | {"TRISECT_TIER": tier, "PYTHONBREAKPOINT": off},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "x: [10. 20. 30.]\n"
        assert done.stderr.count("breakpoint() in kernel 'scale' was passed") == (off != "0")


def test_control_c_stops_an_endless_loop(tmp_path):
    terminal = Terminal(["debug", "scripts/endless.py"], environment(tmp_path))
    try:
        assert terminal.read_until_prompt()
        terminal.type("step")
        assert terminal.read_until_prompt()
        terminal.type("continue")
        time.sleep(0.5)
        os.write(terminal.descriptor, b"\x03")
        assert terminal.read_until_prompt()
        assert "interrupted" in terminal.seen
        terminal.type("quit")
        assert not terminal.read_until_prompt()
    finally:
        assert terminal.close() == 0


def test_control_c_ends_an_expression_alone(tmp_path):
    terminal = Terminal(["debug", "-b", "add", "scripts/vector.py"], environment(tmp_path))
    try:
        assert terminal.read_until_prompt()
        terminal.type("sum(0 for _ in range(10**12))")
        time.sleep(1)
        os.write(terminal.descriptor, b"\x03")
        assert terminal.read_until_prompt() and "*** interrupted" in terminal.seen
        terminal.type("quit")
        assert not terminal.read_until_prompt()
    finally:
        assert terminal.close() == 0


def test_places():
    made = parse("dir/file.py:12 program 1,2 if a < 3 and b", None)
    assert (made.file, made.line, made.program, made.condition) == ("dir/file.py", 12, (1, 2), "a < 3 and b")
    assert made.where() == "file.py:12 program 1,2 if a < 3 and b"
    assert parse("kernel", None) == Breakpoint(0, function="kernel")
    assert parse("7", "here.py").file == "here.py"
    assert parse("program (3)", None).program == (3,)
    for wrong in ("", "a b", "7", "program 1,2,3,4", "7 if ("):
        with pytest.raises(BreakpointError):
            parse(wrong, None)
    assert same_file("/a/b/c.py", "c.py") and same_file("/a/b/c.py", "b/c.py")
    assert not same_file("/a/b/c.py", "bc.py") and not same_file("/a/b/c.py", "/b/c.py")


def test_lines_inside_a_statement_mean_its_first(tmp_path):
    file = tmp_path / "kernel.py"
    body = ["    y = (x +", "         1)", "    for i in range(3):", "", "        y += i", "    return y"]
    file.write_text("\n".join(["A = 1", "def k(x):", *body, ""]))
    lines = [statement_line(str(file), line) for line in range(1, 9)]
    assert lines == [1, 2, 3, 3, 5, 5, 7, 8]
    assert [line for line in range(1, 9) if has_statement(str(file), line)] == [3, 5, 7, 8]


def test_colour_on_a_terminal_that_wants_it(tmp_path):
    coloured = environment(tmp_path)
    del coloured["NO_COLOR"]
    terminal = Terminal(["debug", "-b", "add", "scripts/vector.py"], coloured)
    try:
        assert terminal.read_until_prompt()
        assert "\x1b[32m-> pid = tl.program_id(0)\x1b[0m" in terminal.seen
        terminal.type("quit")
        assert not terminal.read_until_prompt()
    finally:
        assert terminal.close() == 0
