"""Kernels without a file: their text is found where they were made."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

PROGRAM = """
import numpy as np
import trisect as triton
import trisect.language as tl

@triton.jit
def helper(x):
    return x + 1

@triton.jit
def kernel(o):
    tl.store(o, helper(tl.load(o)))

o = np.zeros(1, np.int32)
kernel[(1,)](o)
print("stored", o[0])
"""


def out_of(*arguments, **options):
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=120, **options
    )
    return done.stdout + done.stderr


def test_exec_finds_the_string():
    scope = {}
    exec(PROGRAM, scope)
    assert scope["o"][0] == 1


def test_exec_takes_the_text_that_makes_the_function():
    """Texts that look alike, and one that another function holds, do not count."""
    texts = [PROGRAM.replace("x + 1", f"x + {n}") for n in (5, 6, 7)]
    results = []
    for text in texts:
        scope = {}
        exec(text, scope)
        results.append(int(scope["o"][0]))
    assert results == [5, 6, 7]


def test_exec_of_a_code_object_without_its_text_is_refused():
    with pytest.raises(ValueError, match="defined in a Python file.*helper.*<elsewhere>"):
        exec(compiled(), {})


def compiled():
    """A code object whose text nobody holds."""
    text = PROGRAM.replace("x + 1", f"x + {len(PROGRAM)}")
    return compile(text, "<elsewhere>", "exec")


def test_a_fault_of_an_executed_kernel_shows_its_line():
    scope = {}
    text = PROGRAM.replace("tl.store(o,", "tl.store(o + 100,").replace("kernel[", "0 and kernel[")
    exec(text, scope)
    with triton.sanitize(), pytest.raises(triton.KernelFault, match=r"tl.store\(o \+ 100"):
        scope["kernel"][(1,)](np.zeros(1, np.int32))


def test_the_command_line():
    assert "stored 1" in out_of("-c", PROGRAM)


def test_standard_input_from_a_file(tmp_path):
    path = tmp_path / "program.txt"
    path.write_text(PROGRAM)
    with open(path) as file:
        assert "stored 1" in out_of("-", stdin=file)


def test_a_pipe_says_what_to_do():
    said = out_of("-", input=PROGRAM)
    assert "stored 1" in said or "put it into a file, a notebook or a string that the caller holds" in said


@triton.jit
def flagged(o, FLAG: tl.constexpr):
    tl.store(o, FLAG)


def test_a_prompt_is_searched_in_its_history(monkeypatch):
    """What readline remembers of a session, statement by statement."""
    from types import SimpleNamespace

    typed = ["import trisect as triton", *PROGRAM.split("o = np.zeros")[0].strip().split("\n")]
    history = SimpleNamespace(
        get_current_history_length=lambda: len(typed), get_history_item=lambda n: typed[n - 1]
    )
    monkeypatch.setitem(sys.modules, "readline", history)
    scope = {}
    for statement in ("\n".join(typed[:4]), "\n".join(typed[5:8]), "\n".join(typed[9:12])):
        exec(compile("".join(list(statement)) + "\n", "<stdin>", "exec"), scope)
    o = np.zeros(1, np.int32)
    scope["kernel"][(1,)](o)
    assert o[0] == 1


def test_the_file_of_this_test_is_found_as_before():
    assert flagged.file_name == str(Path(__file__))
