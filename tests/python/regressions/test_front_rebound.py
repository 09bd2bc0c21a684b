"""What a kernel names outside of itself may hold something else at its next launch, warm or not."""

import math
import types

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl


@triton.jit
def plus_one(x):
    return x + 1


@triton.jit
def plus_hundred(x):
    return x + 100


def launched(kernel, *more, **options):
    o = np.zeros(4, np.int32)
    kernel[(1,)](o, *more, **options)
    return int(o[0])


def both(kernel, change, *more, **options):
    """The result before and after a change, each launched cold and warm; the results agree."""
    first = [launched(kernel, *more, **options) for _ in range(4)]
    change()
    then = [launched(kernel, *more, **options) for _ in range(4)]
    assert len(set(first)) == len(set(then)) == 1, (first, then)
    return first[0], then[0]


helper = plus_one


@triton.jit
def calls_a_global(o):
    tl.store(o, helper(0))


def test_a_rebound_helper(monkeypatch):
    change = lambda: monkeypatch.setitem(globals(), "helper", plus_hundred)  # noqa: E731
    assert both(calls_a_global, change) == (1, 100)


tools = types.ModuleType("tools")
tools.helper = plus_one
tools.WIDTH = tl.constexpr(4)
tools.inner = types.ModuleType("inner")
tools.inner.helper = plus_one


@triton.jit
def calls_through_a_module(o):
    tl.store(o, tools.helper(0) + tools.inner.helper(0) * 1000 + tools.WIDTH * 10)


def test_a_rebound_helper_of_a_module(monkeypatch):
    assert both(calls_through_a_module, lambda: monkeypatch.setattr(tools, "helper", plus_hundred)) == (
        1041,
        1140,
    )


def test_a_module_in_a_module_is_replaced(monkeypatch):
    other = types.ModuleType("inner")
    other.helper = plus_hundred
    assert both(calls_through_a_module, lambda: monkeypatch.setattr(tools, "inner", other)) == (1041, 100041)


def test_a_constant_of_a_module(monkeypatch):
    change = lambda: monkeypatch.setattr(tools, "WIDTH", tl.constexpr(5))  # noqa: E731
    assert both(calls_through_a_module, change) == (1041, 1051)


FACTOR = 3


def width(n):
    return n * FACTOR


@triton.constexpr_function
def wide(n):
    return width(n) + 1


@triton.jit
def calls_python(o, N: tl.constexpr):
    tl.store(o, width(N) * 1000 + wide(N))


def test_a_replaced_python_function(monkeypatch):
    change = lambda: monkeypatch.setitem(globals(), "width", lambda n: n * 7)  # noqa: E731
    assert both(calls_python, change, N=2) == (6007, 14015)


def test_the_code_of_a_python_function_is_replaced(monkeypatch):
    change = lambda: monkeypatch.setattr(width, "__code__", (lambda n: n * 9).__code__)  # noqa: E731
    assert both(calls_python, change, N=2) == (6007, 18019)


def test_a_global_that_a_python_function_reads(monkeypatch):
    change = lambda: monkeypatch.setitem(globals(), "FACTOR", 5)  # noqa: E731
    assert both(calls_python, change, N=2) == (6007, 10011)


class Shape:
    ROWS = tl.constexpr(4)

    class Inner:
        COLUMNS = tl.constexpr(2)

    helper = plus_one


@triton.jit
def reads_a_class(o):
    tl.store(o, Shape.ROWS * 10 + Shape.Inner.COLUMNS + Shape.helper(0) * 1000)


@pytest.mark.parametrize(
    "owner,name,value,expected",
    [
        (Shape, "ROWS", tl.constexpr(6), 1062),
        (Shape.Inner, "COLUMNS", tl.constexpr(3), 1043),
        (Shape, "helper", plus_hundred, 100042),
        (Shape.ROWS, "value", 7, 1072),
    ],
)
def test_a_changed_class(monkeypatch, owner, name, value, expected):
    assert both(reads_a_class, lambda: monkeypatch.setattr(owner, name, value)) == (1042, expected)


SIZES = [tl.constexpr(1), tl.constexpr(2)]
SCALE = tl.constexpr(1)
CONFIG = tl.constexpr(types.SimpleNamespace(width=4))


@triton.jit
def reads_constants(o):
    tl.store(o, SIZES[0] + SIZES[1] * 10 + CONFIG.width * 100)


def test_a_list_changes_in_place():
    def change(value=5):
        SIZES[1] = tl.constexpr(value)

    try:
        assert both(reads_constants, change) == (421, 451)
    finally:
        change(2)


def test_a_member_of_a_constant_changes(monkeypatch):
    assert both(reads_constants, lambda: monkeypatch.setattr(CONFIG.value, "width", 9)) == (421, 921)


@triton.jit
def stores_the_type(o):
    if tl.constexpr(isinstance(SCALE, float)):
        tl.store(o, 2)
    else:
        tl.store(o, 1)


def test_an_equal_constant_of_another_type(monkeypatch):
    change = lambda: monkeypatch.setitem(globals(), "SCALE", tl.constexpr(1.0))  # noqa: E731
    assert both(stores_the_type, change) == (1, 2)


def test_a_closure_changes():
    step = plus_one
    count = tl.constexpr(3)

    @triton.jit
    def kernel(o):
        tl.store(o, step(0) + count * 1000)

    def change():
        nonlocal step
        step = plus_hundred

    assert both(kernel, change) == (3001, 3100)

    def again():
        nonlocal count
        count = tl.constexpr(4)

    assert both(kernel, again) == (3100, 4100)


def made(offset):
    @triton.jit
    def act(x):
        return x + offset

    return act


@triton.jit
def applies(o, ACT: tl.constexpr):
    tl.store(o, ACT(0))


def test_functions_of_one_name_as_arguments():
    acts = [made(tl.constexpr(n)) for n in (5, 6, 7)]
    assert [launched(applies, ACT=act) for act in acts * 2] == [5, 6, 7, 5, 6, 7]


@triton.jit
def through(x):
    return helper(x)


def test_a_helper_of_a_function_that_is_an_argument(monkeypatch):
    change = lambda: monkeypatch.setitem(globals(), "helper", plus_hundred)  # noqa: E731
    assert both(applies, change, ACT=through) == (1, 100)


combine = tl.maximum


@triton.jit
def combines(o):
    tl.store(o, combine(3, 4))


def test_a_renamed_function_of_the_language_has_another_key(monkeypatch):
    assert both(combines, lambda: monkeypatch.setitem(globals(), "combine", tl.minimum)) == (4, 3)


def test_a_name_that_comes_later(monkeypatch):
    @triton.jit
    def kernel(o):
        tl.store(o, max(3, 4))

    change = lambda: monkeypatch.setitem(globals(), "max", plus_pair)  # noqa: E731
    assert both(kernel, change) == (4, 7)


@triton.jit
def plus_pair(a, b):
    return a + b


def test_keys_are_equal_in_every_process():
    """No address of this process is part of a key."""

    def nested(n):
        return [math.ceil(k / 2) for k in range(n)]

    from trisect.runtime.outside import text_of

    assert " at 0x" not in text_of(nested) and " at 0x" not in text_of(CONFIG)
