"""Kernels without a file: their text is found where they were made."""

import importlib
import os
import pty
import select
import subprocess
import sys
import time
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
        [sys.executable, *arguments], capture_output=True, text=True, timeout=300, **options
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
    assert "stored 1" in said or (
        "no text of a program that comes through a pipe, `python -m trisect -` does; put it into" in said
    )


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_pipe_that_is_read_here(name):
    said = out_of("-m", "trisect", name, "a word", input=PROGRAM + "import sys; print(sys.argv)\n")
    assert "stored 1" in said and f"['{name}', 'a word']" in said


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


def typed_at_a_prompt(lines, tmp_path):
    """What a Python that is typed at says."""
    environment = {**os.environ, "TERM": "dumb", "PYTHON_HISTORY": os.devnull, "HOME": str(tmp_path)}
    environment["PYTHONPATH"] = str(Path(triton.__file__).parents[1])
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-q"], environment)
    said = ""
    for line in [*lines, "exit()"]:
        said += read_until(terminal, (">>> ", "... "))
        os.write(terminal, line.encode() + b"\n")
    said += read_until(terminal, ())
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, said
    return said


def read_until(terminal, prompts):
    """Output of a terminal up to one of the prompts, or its end."""
    said, end = "", time.monotonic() + 100
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 0.5)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            return said
        if not piece:
            return said
        said += piece.decode("utf-8", "replace")
        if said.endswith(prompts) and prompts:
            return said
    raise TimeoutError(said)


def test_a_real_prompt(tmp_path):
    kernel = ["@triton.jit", "def double(o):", "    tl.store(o, tl.load(o) * 2)", ""]
    again = [line.replace("* 2", "+ 5") for line in kernel]
    lines = ["import numpy as np", "import trisect as triton", "import trisect.language as tl", *kernel]
    lines += ["o = np.ones(1, np.int32)", "double[(1,)](o)", "print('stored', o)"]
    lines += [*again, "double[(1,)](o)", "print('stored', o)"]
    lines += ["with triton.sanitize():", "    double[(1,)](o[:0])", ""]
    said = typed_at_a_prompt(lines, tmp_path)
    assert "stored [2]" in said and "stored [7]" in said, said
    fault = said[said.index("KernelFault") :]
    assert "tl.store(o, tl.load(o) + 5)" in fault, said


# fmt: off
class Nested:
    class Deeper:
        @staticmethod
        @triton.jit
        def kernel(o, B: tl.constexpr = (
    4)):
            """Text of the function
that begins left of it.
            """
# So does this.
            text: tl.constexpr = """def
fgh"""
            if True:
  # And this.
                tl.store(o + tl.arange(0, B), len(text))


# fmt: on
def test_lines_that_begin_left_of_the_function():
    out = np.zeros(4, np.int32)
    Nested.Deeper.kernel[(1,)](out)
    assert out.tolist() == [7] * 4


MADE_LATER = """
import trisect as triton
import trisect.language as tl

def made():
    @triton.jit
    def kernel(o):
        tl.store(o, 1)
    return kernel
"""


def test_a_file_that_is_edited_before_the_kernel_is_made(tmp_path, monkeypatch):
    path = tmp_path / "made_later.py"
    path.write_text(MADE_LATER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import made_later

    out = np.zeros(1, np.int32)
    made_later.made()[(1,)](out)
    assert out[0] == 1
    for edit in (("(o, 1)", "(o, 2)"), ("\ndef made", "\n\ndef made"), ("def kernel", "def other")):
        path.write_text(MADE_LATER.replace(*edit))
        with pytest.raises(ValueError, match="was changed after it was loaded"):
            made_later.made()
    # What other functions are made of may change below it.
    path.write_text(MADE_LATER + "\nX = 1\n")
    made_later.made()[(1,)](out)
    path.write_text(MADE_LATER.replace("(o, 1)", "(o, 2)"))
    importlib.invalidate_caches()
    importlib.reload(made_later).made()[(1,)](out)
    assert out[0] == 2
