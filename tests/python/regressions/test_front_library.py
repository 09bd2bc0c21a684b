"""Library functions take exactly the types that are listed for them, as upstream has it."""

import numpy as np
import pytest

import trisect as triton

PAIRS = {
    "pow(x, y)": ("fp32", "fp64"),
    "pow(y, x)": ("fp32", "fp64"),
    "atan2(x, n)": ("fp32", "int32"),
    "atan2(1.5, y)": ("fp32", "fp64"),
    "hypot(n, n)": ("int32", "int32"),
    "fmod(x, 3)": ("fp32", "int32"),
    "pow(x, True)": ("fp32", "int1"),
    "mulhi(n, 1 << 40)": ("int32", "int64"),
    "fma_rn(x, x, 2)": ("fp32", "int32"),
    "ldexp(x, 1.5)": ("fp32", "fp32"),
    "fma(x, y, y)": ("fp32", "fp64"),
    "fma(n, n, n)": ("int32", "int32"),
}


def made(body):
    """A kernel with `body` as its last line."""
    lines = [
        "import trisect as triton",
        "import trisect.language as tl",
        "from trisect.language.extra import libdevice",
        "@triton.jit",
        "def kernel(o, a, b, c):",
        "    at = tl.arange(0, 4)",
        "    x, y, n = tl.load(a + at), tl.load(b + at), tl.load(c + at)",
        f"    tl.store(o + at, libdevice.{body})",
    ]
    text, space = "\n".join(lines), {}
    exec(text, space)
    return space["kernel"]


def arguments():
    return [np.full(4, 2, kind) for kind in (np.float64, np.float32, np.float64, np.int32)]


@pytest.mark.parametrize("body", PAIRS)
def test_types_that_are_not_listed_are_refused(body):
    with pytest.raises(triton.CompilationError, match="input arg type does not match. Expect one of") as told:
        made(body)[(1,)](*arguments())
    assert "line 8, column" in str(told.value)
    assert isinstance(told.value.__cause__, ValueError)
    assert all(name in str(told.value) for name in PAIRS[body])


LISTED = {
    "pow(x, n)": 4.0,
    "pow(x, 3)": 8.0,
    "pow(y, 3)": 8.0,
    "pow(x, 3.0)": 8.0,
    "pow(2.0, x)": 4.0,
    "hypot(x, 0.0)": 2.0,
    "ldexp(x, n)": 8.0,
    "mulhi(n, 1 << 30)": 0.0,
    "fma_rn(x, x, 2.0)": 6.0,
    "pow(x, y.to(tl.float32))": 4.0,
    "fma(x, x, 2.0)": 6.0,
    "isnan(x).to(tl.int32) + (~libdevice.isnan(x)).to(tl.int32)": 1.0,
    "isinf(x - 1 / (y - y).to(tl.float32)) + 1": 2.0,
    "finitef(x) * 5": 5.0,
    "isfinited(y) | False": 1.0,
    "float2uint_rz(x - 5)": 0.0,
    "float_as_uint(-x)": -(2.0**30),
    "double2ull_rz(y) - 3": -1.0,
}


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize("body", LISTED)
def test_listed_types_are_taken(body, tier):
    given = arguments()
    made(body)[(1,)](*given, tier=tier)
    np.testing.assert_allclose(given[0], LISTED[body], rtol=1e-6)
