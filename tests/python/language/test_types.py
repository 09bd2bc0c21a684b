"""Type objects: interning, predicates, names, signatures."""

import copy
import pickle

import pytest

from trisect.language import core as tl
from trisect.language.types import type_from_signature


@pytest.mark.parametrize(
    "make",
    [
        lambda: tl.dtype("fp32"),
        lambda: tl.pointer_type(tl.float16),
        lambda: tl.block_type(tl.int8, [4, 8]),
        lambda: tl.pointer_type(tl.int32, 3, True),
    ],
)
def test_equal_types_are_one_object(make):
    assert make() is make()
    assert pickle.loads(pickle.dumps(make())) is make()
    assert copy.deepcopy(make()) is make()


@pytest.mark.parametrize(
    "name,bits,text",
    [
        ("int1", 1, "u1"),
        ("int8", 8, "i8"),
        ("uint16", 16, "u16"),
        ("fp8e4nv", 8, "fp8e4nv"),
        ("bf16", 16, "bf16"),
        ("fp64", 64, "fp64"),
    ],
)
def test_widths_and_mangling(name, bits, text):
    assert tl.dtype(name).primitive_bitwidth == bits
    assert tl.dtype(name).mangle() == text


def test_repr_can_be_evaluated():
    import trisect as triton
    import trisect.language  # noqa: F401

    for ty in (tl.float16, tl.bfloat16, tl.int64, tl.float8e5):
        assert eval(repr(ty), {"triton": triton}) is ty


def test_bad_names_say_the_good_ones():
    with pytest.raises(TypeError, match="fp32"):
        tl.dtype("float3")


@pytest.mark.parametrize(
    "shape,word", [([3], "power of 2"), ([2**21], "maximum tensor numel"), ([1.5], "constexpr")]
)
def test_block_shapes_are_checked(shape, word):
    with pytest.raises((ValueError, TypeError), match=word):
        tl.block_type(tl.float32, shape)


@pytest.mark.parametrize(
    "text,expected",
    [
        ("*fp32", tl.pointer_type(tl.float32)),
        ("*ki8", tl.pointer_type(tl.int8, const=True)),
        ("i1", tl.int1),
        ("u64", tl.uint64),
        ("**i32", tl.pointer_type(tl.pointer_type(tl.int32))),
    ],
)
def test_signatures(text, expected):
    assert type_from_signature(text) is expected


def test_constexpr_arithmetic_stays_compile_time():
    value = (tl.constexpr(7) // 2 + 1) * tl.constexpr(3)
    assert isinstance(value, tl.constexpr) and value.value == 12
    assert isinstance(10 - tl.constexpr(3), tl.constexpr)
    assert bool(tl.constexpr(3) < 4) and tl.constexpr(tl.float32).value is tl.float32


@pytest.mark.parametrize(
    "a,b,same", [(0.0, -0.0, False), (1, True, False), (1, 1.0, False), (float("nan"),) * 2 + (True,)]
)
def test_constexpr_types_tell_values_apart(a, b, same):
    assert (tl.constexpr_type(a) == tl.constexpr_type(b)) is same
