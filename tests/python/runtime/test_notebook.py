"""Kernels in the cells of a notebook, run by a real kernel of Jupyter."""

import os
from pathlib import Path

import nbclient
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[3]

IMPORTS = """
import numpy as np
import trisect as triton
import trisect.language as tl
"""
KERNEL = """
@triton.jit
def helper(x):
    return x * FACTOR

@triton.jit
def scale(x, o, n, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, helper(tl.load(x + at, at < n)))
"""
LAUNCH = """
x, o = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
scale[(1,)](x, o, 8, B=8)
print(o.tolist())
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs cells; gives the outputs of each."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
    )
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))

    def of(*cells):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
        client = nbclient.NotebookClient(
            notebook,
            timeout=300,
            startup_timeout=300,
            allow_errors=True,
            resources={"metadata": {"path": str(tmp_path)}},
        )
        client.execute()
        return [cell.outputs for cell in notebook.cells]

    return of


def printed(outputs):
    return "".join(each.text for each in outputs if each.output_type == "stream" and each.name == "stdout")


def raised(outputs):
    """The text of the traceback that a cell shows, without colours."""
    import re

    text = "\n".join("\n".join(each.traceback) for each in outputs if each.output_type == "error")
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def shown(outputs):
    """The HTML that a cell shows."""
    return "".join(each.data.get("text/html", "") for each in outputs if each.output_type == "execute_result")


def test_kernels_of_cells(run):
    outputs = run(
        IMPORTS,
        "FACTOR: tl.constexpr = tl.constexpr(2.0)" + KERNEL,
        LAUNCH,
        "FACTOR = tl.constexpr(3.0)",
        LAUNCH,
        KERNEL.replace("* FACTOR", "+ FACTOR"),
        LAUNCH,
    )
    assert not any(map(raised, outputs)), [raised(each) for each in outputs]
    assert printed(outputs[2]) == f"{[2.0 * n for n in range(8)]}\n"
    assert printed(outputs[4]) == f"{[3.0 * n for n in range(8)]}\n"
    assert printed(outputs[6]) == f"{[3.0 + n for n in range(8)]}\n"


def test_faults_and_errors_show_their_line(run):
    outputs = run(
        IMPORTS,
        "FACTOR: tl.constexpr = tl.constexpr(2.0)" + KERNEL,
        "with triton.sanitize():\n    scale[(1,)](np.zeros(4, np.float32), np.zeros(8, np.float32), 8, B=8)",
        "@triton.jit\ndef wrong(o):\n    tl.store(o, missing)\n\nwrong[(1,)](np.zeros(1, np.int32))",
    )
    fault, error = raised(outputs[2]), raised(outputs[3])
    assert "KernelFault" in fault and "tl.load(x + at, at < n)" in fault and "out-of-bounds" in fault, fault
    assert "^" in fault and "argument 0 'x'" in fault.replace("`", "'") or "'x'" in fault, fault
    assert "CompilationError" in error and "tl.store(o, missing)" in error, error
    assert "missing is not defined" in error


def test_run_and_debug(run, tmp_path):
    (tmp_path / "script.py").write_text(f"{IMPORTS}\nFACTOR = tl.constexpr(5.0)\n{KERNEL}\n{LAUNCH}")
    wrong = IMPORTS + "@triton.jit\ndef k(o):\n    tl.store(o + 9, 1)\n\nseen = 41\n"
    (tmp_path / "wrong.py").write_text(
        f"{wrong}\ndef main():\n    inside = seen + 1\n    with triton.sanitize():\n"
        "        k[(1,)](np.zeros(1, np.int32))\n\nmain()\n"
    )
    outputs = run(
        "%run script.py",
        "scale[(1,)](x, o, 4, B=8); print(o.tolist())",
        "%run wrong.py",
        "import builtins\ncommands = iter(['where', 'p inside', 'q'])\n"
        "builtins.input = lambda prompt='': next(commands)\n%debug",
    )
    assert printed(outputs[0]) == f"{[5.0 * n for n in range(8)]}\n", raised(outputs[0])
    assert printed(outputs[1]).startswith("[0.0, 5.0, 10.0, 15.0"), raised(outputs[1])
    assert "tl.store(o + 9, 1)" in raised(outputs[2])
    assert "42" in printed(outputs[3]), (printed(outputs[3]), raised(outputs[3]))


def test_pages_stand_in_the_notebook(run):
    outputs = run(
        IMPORTS + "FACTOR = tl.constexpr(2.0)" + KERNEL,
        "with triton.sanitize(policy=9) as found:\n"
        "    scale[(1,)](np.zeros(4, np.float32), np.zeros(8, np.float32), 8, B=8)\nfound",
        "found.findings[0]",
        "try:\n    with triton.sanitize():\n"
        "        scale[(1,)](np.zeros(4, np.float32), np.zeros(8, np.float32), 8, B=8)\n"
        "except triton.KernelFault as error:\n    fault = error\nfault",
        "from trisect import tracing\nx = np.zeros(8, np.float32)\n"
        "with tracing.record() as launches:\n    scale[(1,)](x, x.copy(), 8, B=8)\nlaunches",
    )
    for each in outputs[1:4]:
        page = shown(each)
        assert page.startswith("<iframe srcdoc=") and "out-of-bounds" in page, raised(each)
        assert "tl.load(x + at, at &amp;lt; n)" in page
    assert shown(outputs[4]).startswith("<iframe srcdoc=") and "scale" in shown(outputs[4]), raised(
        outputs[4]
    )


def test_tables_of_a_benchmark(run, tmp_path):
    outputs = run(
        "from trisect import testing\n"
        "bench = testing.Benchmark(['N'], [1, 2], 'kind', ['a', 'b'], ['A', 'B'], 'speed', {})\n"
        "@testing.perf_report(bench)\ndef measure(N, kind):\n    return N + (kind == 'b')\n"
        "measure.run(print_data=True, save_path='.', show_plots=True, return_df=True)"
    )
    assert not raised(outputs[0]), raised(outputs[0])
    assert (tmp_path / "speed.png").read_bytes().startswith(b"\x89PNG")
    assert any("image/png" in each.get("data", {}) for each in outputs[0])
    assert "<table" in shown(outputs[0])
