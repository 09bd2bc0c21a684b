"""Constants of kernels: equal ones of other types, and objects that change, ask for another kernel."""

import dataclasses
import functools
import types

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl


def launched(kernel, *more, **options):
    o = np.zeros(4, np.int32)
    kernel[(1,)](o, *more, **options)
    return int(o[0])


@triton.jit
def kind_of(value: tl.constexpr):
    if tl.constexpr(isinstance(value, bool)):
        return 1
    elif tl.constexpr(isinstance(value, int)):
        return 2
    else:
        return 3


@triton.jit
def kind(o, C: tl.constexpr):
    tl.store(o, kind_of(C))


@triton.jit
def kind_of_item(value: tl.constexpr):
    return kind_of(value[0])


@triton.jit
def item_kind(o, C: tl.constexpr):
    tl.store(o, kind_of_item(C))


def test_equal_constants_of_other_types():
    for _ in range(3):
        assert [launched(kind, C=value) for value in (True, 1, 1.0)] == [1, 2, 3]
        assert [launched(item_kind, C=(value,)) for value in (True, 1, 1.0)] == [1, 2, 3]


ITEMS = tl.constexpr((True,)), tl.constexpr((1,)), tl.constexpr((1.0,))


@triton.jit
def three_kinds(o):
    tl.store(o, kind_of_item(ITEMS[0]) + 10 * kind_of_item(ITEMS[1]) + 100 * kind_of_item(ITEMS[2]))


def test_equal_constants_of_other_types_in_one_kernel():
    assert launched(three_kinds) == 321


@triton.jit
def divides(o, C: tl.constexpr):
    quotient = tl.full([1], 1.0, tl.float32) / tl.full([1], C, tl.float32)
    tl.store(o + tl.arange(0, 1), (quotient > 0).to(tl.int32))


def test_zeros_of_both_signs():
    for _ in range(3):
        assert [launched(divides, C=zero) for zero in (0.0, -0.0)] == [1, 0]


class Settings:
    def __init__(self, width):
        self.width = width

    def plus(self, x):
        return x + self.width

    @triton.constexpr_function
    def plus_at_compile_time(self, x):
        return x + self.width

    def __call__(self, x):
        return x + self.width


class Terse(Settings):
    def __repr__(self):
        return "Terse"


class Alike(Settings):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


class Slots:
    __slots__ = ("width",)

    def __init__(self, width):
        self.width = width


@dataclasses.dataclass
class Record:
    width: object


@triton.jit
def width_of(o, C: tl.constexpr):
    tl.store(o, C.width)


@triton.jit
def width_of_first(o, C: tl.constexpr):
    tl.store(o, C[0].width)


@triton.jit
def inner_width_of(o, C: tl.constexpr):
    tl.store(o, C.width.width)


@triton.jit
def called(o, C: tl.constexpr):
    tl.store(o, C(0))


def adder(n):
    return lambda x: x + n


def a_class(width):
    return type("Class", (), {"width": width})


def set_width(thing, width):
    thing.width = width


#: kernel, what makes the constant of a number, and what sets that number in it (None: a new one is made).
GIVEN = {
    "object": (width_of, Settings, set_width),
    "object with a repr": (width_of, Terse, set_width),
    "object that equals all": (width_of, Alike, set_width),
    "slots": (width_of, Slots, set_width),
    "dataclass": (width_of, Record, set_width),
    "namespace": (width_of, lambda n: types.SimpleNamespace(width=n), set_width),
    "class": (width_of, a_class, set_width),
    "object in an object": (
        inner_width_of,
        lambda n: Record(Settings(n)),
        lambda thing, n: set_width(thing.width, n),
    ),
    "object in a list": (width_of_first, lambda n: [Settings(n)], lambda things, n: set_width(things[0], n)),
    "object in a tuple": (
        width_of_first,
        lambda n: (Settings(n),),
        lambda things, n: set_width(things[0], n),
    ),
    "object that is called": (called, Settings, set_width),
    "method": (called, lambda n: Settings(n).plus, lambda method, n: set_width(method.__self__, n)),
    "constexpr method": (
        called,
        lambda n: Settings(n).plus_at_compile_time,
        lambda method, n: set_width(method.instance, n),
    ),
    "partial": (called, lambda n: functools.partial(lambda a, b: a + b, n), None),
    "partial of an object": (
        called,
        lambda n: functools.partial(Settings.plus, Settings(n)),
        lambda part, n: set_width(part.args[0], n),
    ),
    "closure": (
        called,
        adder,
        lambda function, n: setattr(function.__closure__[0], "cell_contents", n),
    ),
}


@pytest.mark.parametrize("kernel,make,change", GIVEN.values(), ids=GIVEN.keys())
def test_objects(kernel, make, change):
    first, other = make(3), make(5)
    for _ in range(3):
        assert [launched(kernel, C=first), launched(kernel, C=other)] == [3, 5]
    changed = make(7) if change is None else first
    if change is not None:
        change(first, 7)
    assert [launched(kernel, C=changed) for _ in range(3)] == [7] * 3 and launched(kernel, C=other) == 5


def test_the_key_on_disk_says_what_an_object_holds():
    from trisect.compiler import ASTSource

    def key(value):
        signature = {"o": "*i32", "C": "constexpr"}
        return ASTSource(width_of, signature, {(1,): value}, {}).hash()

    assert key(Terse(3)) == key(Terse(3)) != key(Terse(4))
    array = np.zeros(5000, int)
    before = key(array)
    array[2500] = 1
    assert before != key(array)
