"""Importing is quick, and loads no compiler."""

import statistics
import subprocess
import sys


def seconds(statement):
    program = (
        f"import time, numpy; begin = time.process_time(); {statement}; print(time.process_time() - begin)"
    )
    return float(subprocess.check_output([sys.executable, "-c", program], text=True))


def test_import_loads_no_code_generator():
    program = (
        "import sys, trisect, trisect.language, trisect.runtime.jit\n"
        "assert 'trisect._C' not in sys.modules, 'the extension is loaded'\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_import_time():
    """At most 120 ms of processor time beyond NumPy's; the best of several, since other processes disturb."""
    statement = "import trisect, trisect.language, trisect.runtime.jit"
    times = [seconds(statement) for _ in range(7)]
    assert min(times) < 0.120, f"best {min(times):.3f} s, median {statistics.median(times):.3f} s"
