"""What an installed package must do in an environment with NumPy alone, from whatever folder.

What: it is found where it was installed; parses and refuses TTIR; refuses a kernel with its position; runs
the demo's kernels, some promoted to the CPU tier after an equal comparison, none wrong; runs an unmodified
script under `python -m trisect`; carries the code generators of the CPU and of both kinds of GPU.
Limits: a smoke test of the package; what the parts do in full is tested in the source tree.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from trisect._C import runtime

import trisect
from trisect import demo

SCRIPT = """
import sys
import numpy as np
import triton
import triton.language as tl

@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, 2 * tl.load(x + at, at < n), at < n)

@triton.jit
def wrong(x):
    tl.store(x, unknown_name)

x = np.arange(int(sys.argv[1]), dtype=np.float32)
out = np.zeros_like(x)
scale[(triton.cdiv(x.size, 64),)](x, out, x.size, BLOCK=64)
assert (out == 2 * x).all(), out
try:
    wrong[(1,)](x)
except triton.CompilationError as error:
    print(error)
else:
    raise AssertionError("a kernel with an unknown name was compiled")
"""


def check_ir() -> None:
    module = trisect.ir.parse("module { tt.func public @f(%x: !tt.ptr<f32>) { tt.return } }")
    assert "tt.func public @f" in str(module), str(module)
    try:
        trisect.ir.parse("module { tt.func }")
    except trisect.InvalidInput as error:
        assert ":1:" in str(error), error
    else:
        raise AssertionError("bad text was accepted")


def check_script() -> None:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.py"
        script.write_text(SCRIPT)
        done = subprocess.run(
            [sys.executable, "-m", "trisect", str(script), "1000"], cwd=folder, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stdout + done.stderr
    line = 1 + SCRIPT.splitlines().index("    tl.store(x, unknown_name)")
    assert f"line {line}," in done.stdout and "unknown_name" in done.stdout, done.stdout


def main() -> None:
    assert trisect.__file__.startswith(sys.prefix), f"not the installed package: {trisect.__file__}"
    check_ir()
    check_script()
    assert demo.main() == 0, "a demo kernel was wrong, or none was promoted"
    generators = runtime.code_generators()
    assert {"x86-64", "nvptx64", "amdgcn"} <= set(generators), generators
    extras = {"torch", "matplotlib", "pandas"} & set(sys.modules)
    assert not extras, f"loaded {extras}, which nothing here needs"
    print("trisect", trisect.__version__, "works in", sys.prefix, "with code for", ", ".join(generators))


if __name__ == "__main__":
    main()
