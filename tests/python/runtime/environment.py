"""A script in a process of its own, with variables of its own."""

import os
import subprocess
import sys
import textwrap

#: Doubles eight numbers and prints them.
LAUNCH = """
    import numpy as np, triton, triton.language as tl
    @triton.jit
    def twice(x, n, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)
    x = np.arange(8, dtype=np.int32)
    twice[(1,)](x, 8, BLOCK=8)
    print(x.tolist())
"""
RESULT = str([2 * i for i in range(8)])
#: Makes PTX of a kernel.
COMPILE = """
    import triton, triton.language as tl
    from triton.backends.compiler import GPUTarget
    @triton.jit
    def twice(x, n, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)
    signature = {"x": "*i32", "n": "i32", "BLOCK": "constexpr"}
    source = triton.compiler.ASTSource(twice, signature, {"BLOCK": 64})
    kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32))
    print(len(kernel.asm["ptx"]) > 0)
"""


def run(folder, script, **variables):
    """What the script did; its cache lies in the folder."""
    path = folder / "script.py"
    path.write_text(textwrap.dedent(script), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "trisect", path],
        env=os.environ | {"TRITON_CACHE_DIR": str(folder / "cache")} | variables,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
    )
