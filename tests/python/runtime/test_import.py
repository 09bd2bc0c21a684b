"""Importing loads no compiler; how long it takes `./dev bench import` measures."""

import subprocess
import sys


def test_import_loads_no_code_generator():
    program = (
        "import sys, trisect, trisect.language, trisect.runtime.jit\n"
        "assert 'trisect._C' not in sys.modules, 'the extension is loaded'\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
