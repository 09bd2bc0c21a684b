"""Kernels that nobody holds any more are gone: their text, their programs and their code."""

import subprocess
import sys
from pathlib import Path

import pytest
from own_process import HEADER, run

ROOT = Path(__file__).parents[3]

BODY = """
import gc
from importlib import util

(folder := os.environ["FOLDER"]) and open(folder + "/kernels.py", "w").write('''
import trisect as triton, trisect.language as tl
def make():
    @triton.jit
    def kernel(x, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)
    return kernel
''')
spec = util.spec_from_file_location("kernels", folder + "/kernels.py")
module = util.module_from_spec(spec)
spec.loader.exec_module(module)
x = np.zeros(64, np.float32)

def launch(tier, keep=None):
    kernel = module.make()
    for _ in range(2):
        kernel[(1,)](x, 64, BLOCK=64, tier=tier)
    if keep is not None:
        keep.append(kernel)

def used():
    gc.collect()
    with open("/proc/self/statm") as pages, open("/proc/self/maps") as mappings:
        return int(pages.read().split()[1]) * 4096, len(mappings.readlines())
"""


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_dropped_kernels_are_freed(tier):
    """`./dev fuzz kernels` makes 20,000 of them."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests/fuzz/kernels.py", "200", "--tier", tier],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0 and f"{tier}: 200 kernels" in done.stdout, done.stdout + done.stderr


def test_kernels_that_live_share_mappings(tmp_path):
    ended = run(
        tmp_path,
        """
        kept = []
        launch("cpu", kept)
        before = used()
        for n in range(150):
            launch("cpu", kept)
        report(before=before, after=used())
        """,
        HEADER + BODY,
        FOLDER=str(tmp_path),
    )
    assert ended.facts["after"][1] - ended.facts["before"][1] <= 10, ended.text
