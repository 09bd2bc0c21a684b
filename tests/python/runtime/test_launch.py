"""Binding, packing and launching."""

import json
import struct

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl


def bits(value, format):
    return int.from_bytes(struct.pack(format, value), "little")


@pytest.fixture
def copy():
    @triton.jit
    def copy(source, target, count, BLOCK: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < count
        tl.store(target + offsets, tl.load(source + offsets, mask=mask), mask=mask)

    return copy


@pytest.fixture
def many():
    @triton.jit
    def many(x, i, f, b, missing, flag: tl.constexpr = True):
        if missing is None:
            tl.store(x, i + f + b)

    return many


@pytest.fixture
def arrays():
    return np.zeros(100, np.float32), np.zeros(100, np.float32)


def test_a_launch_hands_over_grid_and_arguments(launches, copy, arrays):
    source, target = arrays
    kernel = copy[(4,)](source, target, 100, BLOCK=32)
    assert launches == [((4, 1, 1), [source.ctypes.data, target.ctypes.data, 100], 0)]
    assert kernel.metadata.name == "copy" and "tt.func public @copy" in kernel.asm["ttir"]


def test_warm_launches_give_the_same_kernel_and_arguments(launches, copy, arrays):
    first = copy[(4,)](*arrays, 100, BLOCK=32)
    known = len(copy._dispatcher)
    assert copy[(4,)](*arrays, 100, BLOCK=32) is first and copy[(4,)](*arrays, 100, 32) is first
    assert len(copy._dispatcher) == known
    assert launches[0] == launches[1] == launches[2]


def test_grids(launches, copy, arrays):
    for grid in (7, (7,), [7, 2], (7, 2, 3), lambda meta: (triton.cdiv(meta["count"], meta["BLOCK"]),)):
        for _ in ("cold", "warm"):
            copy[grid](*arrays, 100, BLOCK=32)
    assert [launch.grid for launch in launches[::2]] == [
        (7, 1, 1),
        (7, 1, 1),
        (7, 2, 1),
        (7, 2, 3),
        (4, 1, 1),
    ]
    assert launches[::2] == launches[1::2]


def test_an_empty_grid_launches_nothing(launches, copy, arrays):
    for grid in ((0,), (3, 0)):
        for _ in ("cold", "warm"):
            copy[grid](*arrays, 100, BLOCK=32)
    assert launches == []


@pytest.mark.parametrize(
    "grid, error, message",
    [
        ((1, 2, 3, 4), ValueError, "one to three dimensions, not 4"),
        ((), ValueError, "one to three dimensions, not 0"),
        ("x", TypeError, "a grid dimension is an integer, not 'x'"),
        ((1, 0.5), TypeError, "a grid dimension is an integer, not 0.5"),
        ((-1,), ValueError, "between 0 and"),
        ((2**31,), ValueError, "between 0 and"),
        (None, ValueError, "launched with a grid"),
    ],
)
@pytest.mark.parametrize("warm", [False, True])
def test_bad_grids(launches, copy, arrays, grid, error, message, warm):
    if warm:
        copy[(1,)](*arrays, 100, BLOCK=32)
        launches.clear()
    with pytest.raises(error, match=f"kernel 'copy'.*{message}"):
        copy[grid](*arrays, 100, BLOCK=32)
    assert launches == []


@pytest.mark.parametrize("size", [-1, 2**31, "4"])
def test_a_launcher_checks_its_grid(launches, copy, arrays, size):
    kernel = copy[(1,)](*arrays, 100, BLOCK=32)
    with pytest.raises((ValueError, TypeError), match="a grid dimension must"):
        kernel.run(size, 1, 1, 0, kernel.function, None, None, None, None, *arrays, 100, 32)


def test_scalars_are_packed_by_their_type(launches, many):
    x = np.zeros(4, np.float32)
    for _ in ("cold", "warm"):
        many[(1,)](x, -3, 0.5, True, None)
        many[(1,)](x, 2**40, 1.5, False, None)
        many[(1,)](x, 2**63 + 1, -2.0, False, None)
    for launch, integer, number, flag in zip(
        launches, [2**32 - 3, 2**40, 2**63 + 1] * 2, [0.5, 1.5, -2.0] * 2, [1, 0, 0] * 2, strict=True
    ):
        assert launch.args == [x.ctypes.data, integer, bits(number, "<f"), flag]


def test_the_value_one_is_no_argument(launches, many):
    x = np.zeros(4, np.float32)
    for _ in ("cold", "warm"):
        many[(1,)](x, 1, 0.5, True, None)
    assert launches[0].args == launches[1].args == [x.ctypes.data, bits(0.5, "<f"), 1]


def test_annotated_scalars_keep_their_type(launches):
    @triton.jit
    def typed(x, i: tl.int64, h: tl.float16, b: tl.bfloat16, d: tl.float64, n: int):
        tl.store(x, i)

    x = np.zeros(4, np.int64)
    for _ in ("cold", "warm"):
        kernel = typed[(1,)](x, 1, 1.0 / 3, 1.0 / 3, 1.0 / 3, 2**40)
    third = bits(1.0 / 3, "<e"), bits(1.0 / 3, "<f") + 0x8000 >> 16, bits(1.0 / 3, "<d")
    assert launches[0].args == launches[1].args == [x.ctypes.data, 1, *third, 2**40]
    assert list(kernel.src.signature.values()) == ["*i64", "i64", "fp16", "bf16", "fp64", "i64"]


@pytest.mark.parametrize(
    "value", [65504.0, 65520.0, 1e300, 6e-8, 2.9e-8, -0.0, float("inf"), float("nan"), 1 + 2**-11]
)
def test_half_scalars_are_rounded_to_nearest(launches, value):
    @triton.jit
    def half(x, h: tl.float16):
        tl.store(x, h)

    x = np.zeros(1, np.float16)
    half[(1,)](x, value)
    with np.errstate(over="ignore"):
        expected = np.float16(value)
    got = np.uint16(launches[0].args[1]).view(np.float16)
    assert got == expected and np.signbit(got) == np.signbit(expected) or np.isnan(got) and np.isnan(expected)


def test_defaults_and_keywords(launches, many):
    x = np.zeros(4, np.float32)
    for _ in ("cold", "warm"):
        first = many[(1,)](x, 2, 0.5, b=True, missing=None)
        second = many[(1,)](missing=None, b=True, f=0.5, i=2, x=x, flag=True)
    assert first is second and len({tuple(launch.args) for launch in launches}) == 1


def test_tuples_are_flattened(launches):
    @triton.jit
    def pair(pointers, sizes):
        tl.store(pointers[0], tl.load(pointers[1]) + sizes[0])

    x, y = np.zeros(4, np.int32), np.zeros(4, np.int32)
    for _ in ("cold", "warm"):
        kernel = pair[(1,)]((x, y), (5, 1, None))
    assert launches[0].args == launches[1].args == [x.ctypes.data, y.ctypes.data, 5]
    assert kernel.src.signature == {"pointers": ("*i32", "*i32"), "sizes": ("i32", "constexpr", "constexpr")}


def test_warmup_compiles_and_launches_nothing(launches, copy):
    torch = pytest.importorskip("torch")
    kernel = copy.warmup(torch.float32, torch.float32, 100, BLOCK=32, grid=(1,))
    assert kernel.src.signature["source"] == "*fp32" and launches == []


def test_options_select_a_kernel_and_unknown_ones_are_named(launches, copy, arrays):
    kernels = [copy[(1,)](*arrays, 100, BLOCK=32, num_warps=warps) for warps in (4, 8, 4, 8)]
    assert kernels[0] is kernels[2] and kernels[1] is kernels[3] and kernels[0] is not kernels[1]
    assert [kernel.metadata.num_warps for kernel in kernels] == [4, 8, 4, 8]
    with pytest.raises(KeyError, match="num_wraps was specified but unrecognised: kernel 'copy'.*num_warps"):
        copy[(1,)](*arrays, 100, BLOCK=32, num_wraps=4)


def test_an_option_may_be_a_parameter_too(launches):
    @triton.jit
    def own(x, num_warps: tl.constexpr):
        tl.store(x, num_warps)

    x = np.zeros(1, np.int32)
    assert own[(1,)](x, num_warps=8).metadata.num_warps == 8
    assert own[(1,)](x, 2).metadata.num_warps == 4


@pytest.mark.parametrize(
    "args, kwargs, message",
    [
        ((), {}, "kernel 'copy': missing a required argument: 'source'"),
        ((1, 2, 3, 4, 5), {}, "kernel 'copy': too many positional arguments"),
        ((1, 2, 3, 4), {"source": 1}, "kernel 'copy': multiple values for argument 'source'"),
        (([1],), {"target": 1, "count": 1, "BLOCK": 1}, "no kernel can take an object of type 'list'"),
        (("text",), {"target": 1, "count": 1, "BLOCK": 1}, "no kernel can take an object of type 'str'"),
        ((np.zeros(1, complex),), {"target": 1, "count": 1, "BLOCK": 1}, "elements of type 'complex128'"),
    ],
)
def test_wrong_arguments_are_named(launches, copy, args, kwargs, message):
    with pytest.raises(TypeError, match=message):
        copy[(1,)](*args, **kwargs)


def test_a_wrong_argument_is_named_with_its_parameter(launches, copy):
    with pytest.raises(TypeError, match="argument 'target'"):
        copy[(1,)](np.zeros(1, np.float32), object(), 1, BLOCK=1)


def test_a_wrong_argument_of_a_warm_kernel_is_named(launches, copy, arrays):
    copy[(1,)](*arrays, 100, BLOCK=32)
    with pytest.raises(TypeError, match="kernel 'copy': argument 'target': .* 'complex128'"):
        copy[(1,)](arrays[0], np.zeros(1, complex), 1, BLOCK=32)


def test_an_integer_that_fits_no_type(launches, many):
    with pytest.raises(OverflowError, match="kernel 'many'"):
        many[(1,)](np.zeros(1, np.float32), 2**64, 0.5, True, None)


def test_a_compiled_kernel_launches_by_signature(launches, copy, arrays):
    kernel = copy[(4,)](*arrays, 100, BLOCK=32)
    launches.clear()
    kernel[(2, 1, 1)](*arrays, 64, 32)
    kernel.run(3, 1, 1, 0, kernel.function, kernel.packed_metadata, None, None, None, *arrays, 7, -1)
    addresses = [array.ctypes.data for array in arrays]
    assert launches == [((2, 1, 1), [*addresses, 64], 0), ((3, 1, 1), [*addresses, 7], 0)]
    with pytest.raises(TypeError, match="kernel 'copy' takes 4 arguments.*3 were given"):
        kernel[(2, 1, 1)](*arrays, 64)
    with pytest.raises(TypeError, match="argument 'count' of kernel 'copy'"):
        kernel[(2, 1, 1)](*arrays, "x", 32)


def test_hooks_see_every_launch(launches, copy, arrays, monkeypatch):
    from trisect import knobs

    seen = []
    functions = set()

    def told(event, facts):
        seen.append((event, facts.get()["name"]))
        functions.add(facts.get()["function"])

    knobs.runtime.launch_enter_hook.add(enter := lambda facts: told("enter", facts))
    knobs.runtime.launch_exit_hook.add(leave := lambda facts: told("exit", facts))
    try:
        for _ in ("cold", "warm"):
            copy[(4,)](*arrays, 100, BLOCK=32)
    finally:
        knobs.runtime.launch_enter_hook.remove(enter)
        knobs.runtime.launch_exit_hook.remove(leave)
    assert seen == [("enter", "copy"), ("exit", "copy")] * 2 and len(launches) == 2
    assert len(functions) == 1 and None not in functions


def test_pre_run_hooks_see_every_launch(launches, arrays):
    @triton.jit
    def hooked(x):
        tl.store(x, 1)

    seen = []
    hooked.add_pre_run_hook(lambda *args, **kwargs: seen.append(args))
    for _ in ("cold", "warm"):
        hooked[(1,)](arrays[0])
    assert len(seen) == 2 and seen[0][0] is arrays[0]


def test_launch_metadata_is_made_for_hooks_only(launches, arrays):
    from trisect import knobs

    calls, seen = [], []

    def describe(grid, metadata, args):
        calls.append((grid, metadata.name, args["x"] is arrays[0]))
        return {"flops": 8}

    @triton.jit(launch_metadata=describe)
    def told(x):
        tl.store(x, 1)

    told[(5,)](arrays[0])
    assert calls == []
    knobs.runtime.launch_enter_hook.add(hook := lambda facts: seen.append(facts.get()))
    try:
        told[(5,)](arrays[0])
    finally:
        knobs.runtime.launch_enter_hook.remove(hook)
    assert calls == [((5, 1, 1), "told", True)] and seen[0]["flops"] == 8


def test_the_cache_hook_may_refuse(launches, arrays, monkeypatch):
    from trisect import knobs

    @triton.jit
    def refused(x):
        tl.store(x, 1)

    seen = []

    def hook(*, key, repr, fn, compile, is_manual_warmup, already_compiled):
        seen.append((repr, fn.name, compile["signature"], is_manual_warmup))
        return True

    monkeypatch.setattr(knobs.runtime, "jit_cache_hook", hook)
    assert refused[(1,)](arrays[0]) is None and launches == []
    assert seen[0][2] == {"x": "*fp32"} and "refused[num_warps=4" in seen[0][0]


def test_preload_takes_what_a_hook_was_given(launches, arrays, monkeypatch):
    from trisect import knobs

    @triton.jit
    def stored(x, n, KIND: tl.constexpr):
        tl.store(x, n)

    told = []
    with monkeypatch.context() as patch:
        patch.setattr(
            knobs.runtime,
            "jit_cache_hook",
            lambda **facts: told.append(facts["compile"]["specialization_data"]),
        )
        first = stored[(1,)](arrays[0], 16, KIND=tl.float16)
    stored.device_caches.clear()
    again = stored.preload(told[0])
    assert again.hash == first.hash and again.src.signature == first.src.signature


@pytest.mark.parametrize("text", ["{}", "junk", None, "[1]", '{"name": "copy"}', b"\xff"])
def test_preload_of_anything_else_is_refused(copy, text):
    with pytest.raises(ValueError, match=r"kernel 'copy' preloads the JSON .*specialization_data.*: "):
        copy.preload(text)


def test_preload_of_parts_that_are_of_other_kinds_is_refused(copy):
    kinds = {"signature": 3, "constant_keys": [], "constant_vals": [1], "attrs_keys": [], "attrs_vals": []}
    text = json.dumps({"name": "copy", **kinds, "options": {}, "key": ""})
    with pytest.raises(ValueError, match="kernel 'copy' preloads the JSON"):
        copy.preload(text)


def test_calling_a_kernel_without_a_grid_is_refused(copy):
    with pytest.raises(RuntimeError, match=r"copy\[grid\]"):
        copy(1, 2, 3, 4)
