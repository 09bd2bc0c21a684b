"""Kernels that nobody holds any more are gone: their text, their programs and their code."""

import pytest
from own_process import HEADER, run

#: TRISECT_LEAK_TEST_KERNELS in the environment asks for more kernels than a test run has time for.
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
def test_dropped_kernels_are_freed(tmp_path, tier):
    import os

    count = int(os.environ.get("TRISECT_LEAK_TEST_KERNELS", "200"))
    ended = run(
        tmp_path,
        f"""
        for n in range(100):
            launch({tier!r})
        before = used()
        for n in range({count}):
            launch({tier!r})
        report(before=before, after=used(), launched=float(x[0]))
        """,
        HEADER + BODY,
        timeout=3600,
        FOLDER=str(tmp_path),
    )
    (bytes, mappings), (bytes_after, mappings_after) = ended.facts["before"], ended.facts["after"]
    assert ended.facts["launched"] == 2 * (count + 100), ended.text
    assert bytes_after < bytes * 1.05, f"{count} kernels left {bytes_after - bytes} bytes"
    assert mappings_after <= mappings, f"{count} kernels left {mappings_after - mappings} mappings"


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
