"""Every row of behaviour holds, and every name of the language is in one of them."""

import inspect

import behaviour_blocks
import behaviour_host
import behaviour_libdevice
import behaviour_math
import behaviour_memory
import numpy as np
import pytest
from behaviour import check, load_kernels, names_in, with_methods

import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice
from trisect.language.extra.libdevice_table import TABLE

ROWS = with_methods([*behaviour_math.ROWS, *behaviour_blocks.ROWS, *behaviour_memory.ROWS])


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return load_kernels(ROWS, tmp_path_factory.mktemp("behaviour") / "behaviour_kernels.py")


@pytest.mark.parametrize("index", range(len(ROWS)), ids=[each.body.splitlines()[-1] for each in ROWS])
def test_row(kernels, index):
    check(ROWS[index], kernels[index])


@pytest.mark.parametrize("expression, expected", behaviour_host.ROWS)
def test_host_row(expression, expected):
    assert behaviour_host.value_of(expression) == expected


@triton.jit
def talks(o, x: tl.const, N: tl.constexpr):
    tl.static_print("compiling for", N)
    v = tl.load(x + tl.arange(0, 4))
    tl.device_print("value", v)
    tl.device_assert(v < N, "too large")
    tl.store(o + tl.arange(0, 4), v)


def test_prints_and_asserts(capfd):
    out, x = np.zeros(4, np.int32), np.array([1, 2, 3, 9], np.int32)
    talks[(1,)](out, x, 10, debug=True)
    printed = capfd.readouterr().out
    assert "compiling for 10" in printed and "value: [1 2 3 9]" in printed and out.tolist() == [1, 2, 3, 9]
    with pytest.raises(triton.KernelFault, match="too large"):
        talks[(1,)](out, x, 9, debug=True)


def test_shifts_by_the_width_warn():
    assert tl.check_bit_width(tl.tensor(None, tl.int8), 7) is None
    with pytest.warns(UserWarning, match="exceeds the maximum bitwidth"):
        tl.check_bit_width(tl.tensor(None, tl.int8), 8)


@triton.jit
def unary(o, x, F: tl.constexpr):
    i = tl.arange(0, 32)
    tl.store(o + i, F(tl.load(x + i)))


@triton.jit
def binary(o, x, y, F: tl.constexpr):
    i = tl.arange(0, 32)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i)))


@triton.jit
def ternary(o, x, y, z, F: tl.constexpr):
    i = tl.arange(0, 32)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i), tl.load(z + i)))


@triton.jit
def quaternary(o, x, y, z, w, F: tl.constexpr):
    i = tl.arange(0, 32)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i), tl.load(z + i), tl.load(w + i)))


@pytest.mark.parametrize("name", sorted(behaviour_libdevice.NAMES))
def test_libdevice(name):
    for types, (_, result) in TABLE[name].items():
        arrays = behaviour_libdevice.samples(name, types)
        want, tolerance = behaviour_libdevice.expected(name, types, result, arrays)
        out = np.zeros(32, want.dtype)
        kernel = (unary, binary, ternary, quaternary)[len(types) - 1]
        kernel[(1,)](out, *arrays, getattr(libdevice, name))
        np.testing.assert_allclose(out, want, rtol=tolerance, atol=tolerance / 10, err_msg=str(types))


def exercised():
    """The names in rows; of `tl.tuple_type(x).fields` and the like every beginning."""
    found = set.union({"tl.check_bit_width"}, *(names_in(each.body) for each in ROWS), names_in(talks.src))
    for expression, _ in behaviour_host.ROWS:
        found |= {name for name in names_in(expression) if name.startswith("tl.")}
    parts = [name.split(".") for name in found]
    return {".".join(each[:length]) for each in parts for length in range(2, len(each) + 1)}


def public(module, prefix):
    """The names of a module that are the language's: not helpers, and not what it imports from elsewhere."""
    for name in getattr(module, "__all__", dir(module)):
        thing = getattr(module, name)
        home = getattr(thing, "__module__", None) or ""
        if not name.startswith("_") and not inspect.ismodule(thing):
            if hasattr(module, "__all__") or home == module.__name__ or not callable(thing):
                yield f"{prefix}.{name}", thing


def test_every_name_is_exercised():
    done = exercised()
    things = {id(eval(name, {"tl": tl})) for name in done if name.startswith("tl.")}
    left = [
        name
        for module, prefix in (
            (tl, "tl"), (tl.math, "tl.math"), (tl.random, "tl.random"), (tl.standard, "tl.standard"),
            (tl.target_info, "tl.target_info"),
        )
        for name, thing in public(module, prefix)
        if name not in done and id(thing) not in things
    ]  # fmt: skip
    plain = set(dir(tl.core.base_value)) | {"__bool__", "__annotations__"}
    left += [
        f"tensor.{name}" for name in dir(tl.tensor) if name not in plain and f"tensor.{name}" not in done
    ]
    left += [name for name, _ in public(libdevice, "libdevice") if name[10:] not in behaviour_libdevice.NAMES]
    assert not left, f"no row of behaviour exercises {', '.join(left)}"
