"""Functions of compile-time values, called on the host: the native call does what the class's own did."""

import subprocess
import sys

import pytest

import trisect
import trisect.language as tl
from trisect.runtime import _native
from trisect.runtime.callable import ConstexprFunction
from trisect.runtime.jit import constexpr_function

_native.launch()


@constexpr_function
def joined(first, second=2, *rest, last=None):
    return first, second, rest, last


class Sizes:
    unit = 4

    @constexpr_function
    def times(self, n):
        return self.unit * n


def test_the_native_call_is_in_place():
    assert type(ConstexprFunction.__call__).__name__ == "method_descriptor"


@pytest.mark.parametrize(
    ("args", "keywords", "want"),
    [
        ((1,), {}, (1, 2, (), None)),
        ((1, 2.5, True, "x", None), {}, (1, 2.5, (True, "x", None), None)),
        ((1,), {"second": 3}, (1, 3, (), None)),
        ((), {"first": 5, "last": 6}, (5, 2, (), 6)),
        ((tl.constexpr(7), 8), {}, (7, 8, (), None)),
        ((1, 2, tl.constexpr(3)), {"last": tl.constexpr(4)}, (1, 2, (3,), 4)),
        (([1, 2], (3,)), {}, ([1, 2], (3,), (), None)),
        ((tl.float32,), {}, (tl.float32, 2, (), None)),
    ],
)
def test_arguments_arrive(args, keywords, want):
    got = joined(*args, **keywords)
    assert got == want
    assert not any(isinstance(value, tl.constexpr) for value in got)


def test_errors_come_through():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'y'"):
        trisect.cdiv(1)
    with pytest.raises(ZeroDivisionError):
        trisect.cdiv(1, 0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'third'"):
        joined(1, third=3)


SIZES = (0, 1, 2, 7, 8, 1023, 1024, 1025, 2**30 - 1, 2**30, 2**31, 2**62, 10**30)


@pytest.mark.parametrize("divisor", [d for size in SIZES[1:] for d in (size, -size)])
def test_division_rounds_up(divisor):
    for dividend in (d for size in SIZES for d in (size, -size)):
        got = trisect.cdiv(dividend, divisor)
        assert (type(got), got) == (int, (dividend + divisor - 1) // divisor), (dividend, divisor)
    assert trisect.cdiv(7.0, 2) == 4.0 and type(trisect.cdiv(7.0, 2)) is float
    assert trisect.cdiv(True, 2) == 1 and trisect.cdiv(x=9, y=2) == 5


def test_another_division_is_called(monkeypatch):
    monkeypatch.setattr(trisect.cdiv, "fn", lambda x, y: "mine")
    assert trisect.cdiv(7, 2) == "mine"


def test_methods_subclasses_and_other_functions():
    class Loud(ConstexprFunction):
        def __call__(self, *args):
            return "own", super().__call__(*args)

    assert Sizes().times(3) == 12
    assert Loud(joined.fn)(1) == ("own", (1, 2, (), None))

    @constexpr_function
    def half(n):
        return n // 2

    assert half(9) == 4
    half.fn = lambda n: n * 2
    assert half(9) == 18
    with pytest.raises(AttributeError, match="fn"):
        ConstexprFunction.__call__(ConstexprFunction.__new__(ConstexprFunction), 1)
    with pytest.raises(TypeError):
        ConstexprFunction.__call__(5, 1)


def test_who_wraps_the_call_sees_all(tmp_path):
    program = """
import torch, trisect, trisect.language as tl
from trisect.runtime.callable import ConstexprFunction
seen, own = [], ConstexprFunction.__call__
def watched(self, *args, **keywords):
    seen.append(args)
    return own(self, *args, **keywords)
ConstexprFunction.__call__ = watched
@trisect.jit
def ones(out): tl.store(out + tl.program_id(0), 1)
x = torch.zeros(4, dtype=torch.int32)
for _ in range(2):
    ones[(trisect.cdiv(8, 2),)](x)
assert x.tolist() == [1] * 4 and seen == [(8, 2)] * 2, (x, seen)
"""
    path = tmp_path / "watched.py"
    path.write_text(program)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
