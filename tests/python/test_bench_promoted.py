"""`./dev bench promoted`: a launch is made again, though the program that made it first is over."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import torch
import triton
import triton.language as tl

@triton.jit
def doubled(table, out, N: tl.constexpr):
    at = tl.arange(0, N)
    x = tl.load(table).to(tl.pointer_type(tl.float32))
    tl.store(out + at, tl.load(x + at) * 2)

def main():
    x, out = torch.ones(1 << 20), torch.empty(64)
    doubled[(1,)](torch.tensor([x.data_ptr()]), out, N=64)

main()
"""


def test_memory_of_which_a_tensor_has_the_address_is_still_there(tmp_path):
    program = tmp_path / "indirect.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "trisect", ROOT / "bench" / "promoted.py", "--work", program],
        env=os.environ | {"TRISECT_CHECK": "off", "TRISECT_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert row["name"] == "indirect doubled 1" and set(row["samples"]) == {"interp", "cpu"}, row
