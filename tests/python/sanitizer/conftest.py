"""An access behind the end of a matrix, as the interpreter hands it over."""

import pytest

SOURCE = """\
import triton

def kernel(x, n):
    offsets = tl.arange(0, 32)
    y = tl.load(x + offsets, mask=offsets <= n)
    tl.store(x + offsets, y)
"""


@pytest.fixture
def facts(tmp_path):
    """An access behind the end of a matrix, with another place that has to do with it."""
    file = tmp_path / "kernel.py"
    file.write_text(SOURCE)
    site = {
        "position": (str(file), 5, 9),
        "callers": [(str(file), 6, 5)],
        "program_id": (2, 1, 0),
        "operation": "tt.load",
        "role": "",
        "text": "",
    }
    other = site | {
        "position": (str(file), 4, 15),
        "callers": [],
        "role": "born",
        "text": "the index is made",
    }
    tensor = {
        "argument": 0, "name": "x", "address": 0x7F0000001000, "dtype": "fp32", "shape": [4, 8],
        "strides": [8, 1],
    }  # fmt: skip
    return {
        "kind": "out-of-bounds", "kernel": "kernel", "site": site, "related": [other],
        "headline": "load reads x[4, 0], 0 bytes behind its end", "value": "", "variable": "offsets",
        "writes": False, "address": 0x7F0000001080, "bytes": 4, "tensor": tensor, "index": [4, 0],
        "distance": 4, "lands_in": None, "lands_index": [], "lane": [7], "block": [32], "lanes": 3,
        "count": 2, "programs": [(2, 1, 0), (3, 1, 0)],
    }  # fmt: skip
