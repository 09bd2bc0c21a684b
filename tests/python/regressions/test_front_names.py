"""Named tuples inside kernels, and the names that kernels give themselves."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

Point = namedtuple("Point", "x y")
Box = namedtuple("Box", "low high")


class Tile(NamedTuple):
    rows: int
    columns: int

    @property
    def area(self):
        return self.rows * self.columns

    def times(self, factor):
        return Tile(self.rows * factor, self.columns)


@triton.constexpr_function
def swapped(point):
    return Point(point.y, point.x)


@triton.constexpr_function
def same(value):
    return value


@triton.constexpr_function
def grown(box):
    assert isinstance(box, Box) and isinstance(box.high, Point)
    return box._replace(high=Point(box.high.x + 1, box.high.y * 2))


@triton.constexpr_function
def width(point, factor=1):
    return point.x.dtype.primitive_bitwidth * factor


@triton.constexpr_function
def names_of(value):
    return type(value).__name__, value._fields


@triton.jit
def joined(point):
    return point.y * 10 + point.x


@triton.jit
def through_functions(o, p, C: tl.constexpr, B: tl.constexpr):
    tl.store(o, swapped(C).x)
    tl.store(o + 1, same(p).y)
    high = grown(B).high
    tl.store(o + 2, high.x + high.y * 100 + grown(B).low.x * 1000)
    tl.store(o + 3, width(p))
    tl.store(o + 4, joined(swapped(C)))
    q = same(Point(p.x, 4))
    tl.store(o + 5, q.x + q.y)
    tl.store(o + 6, joined(same(same(C))))
    tl.store(o + 7, width(point=same(p), factor=2))
    tl.static_assert(names_of(C) == ("Point", ("x", "y")))
    tl.static_assert(names_of(swapped(C)) == ("Point", ("x", "y")))


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_named_tuple_through_a_constexpr_function(tier):
    o = np.zeros(8, np.int32)
    boxed = Box(Point(1, 2), Point(3, 4))
    through_functions[(1,)](o, Point(5, 6), Point(3, 4), boxed, tier=tier)
    assert o.tolist() == [4, 6, 1804, 32, 34, 9, 43, 64]


@triton.jit
def area_of(tile):
    return tile.area + tile.times(2).area


@triton.jit
def with_methods(o, n, T: tl.constexpr):
    tl.store(o, T.area)
    tl.store(o + 1, area_of(T))
    tl.store(o + 2, T._replace(rows=100).area)
    tl.static_assert(isinstance(T, Tile) and isinstance(T.times(3), Tile))
    tile = Tile(n, 2)
    for _ in range(n):
        tile = Tile(tile.rows + 1, tile.columns)
    if n > 3:
        tile = Tile(tile.columns, tile.rows)
    tl.static_assert(isinstance(tile, Tile))
    tl.static_assert(not isinstance((n, 2), Tile))
    tl.store(o + 3, tile.columns)


def test_the_class_of_a_named_tuple_is_kept():
    o = np.zeros(4, np.int32)
    with_methods[(1,)](o, 5, Tile(3, 4))
    assert o.tolist() == [12, 36, 400, 10]


@triton.jit
def area_of_run_time(o, n):
    tl.store(o, Tile(n, 2).area)


def test_a_python_method_of_run_time_values_is_refused():
    with pytest.raises(triton.CompilationError, match="Tile.area is Python.*compute it from"):
        area_of_run_time[(1,)](np.zeros(1, np.int32), 5)


TOLD = []


def name_it(specialization):
    TOLD.append(specialization)
    return f"scale_{specialization.constants['B']}_{specialization.constants.get('n', 'any')}"


@triton.jit(repr=name_it)
def scale(o, n, pair, missing, B: tl.constexpr):
    tl.store(o, n * B + pair[0])


def test_repr_is_told_constants_by_name():
    TOLD.clear()
    o = np.zeros(1, np.int32)
    names = [scale[(1,)](o, n, (5, 1), None, B=8).name for n in (1, 2, 1, 3)]
    assert names == ["scale_8_1", "scale_8_any", "scale_8_1", "scale_8_any"]
    assert o[0] == 3 * 8 + 5
    one, several = TOLD[0], next(told for told in TOLD if "n" not in told.constants)
    assert one.constants == {"n": 1, "missing": None, "B": 8}
    assert several.constants == {"missing": None, "B": 8}
    assert one.signature["o"] == "*i32" and several.signature["n"] == "i32"
    assert one.signature["n"] == one.signature["B"] == "constexpr"
    assert one._fields == ("constants", "signature")
