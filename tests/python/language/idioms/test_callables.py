"""How kernels are put together: helpers, tuples, tables, constants, functions as values, tuning, types."""

from typing import NamedTuple

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl

TABLE = tl.constexpr((3, 1, 4, 1, 5))
SQRT_2_OVER_PI: tl.constexpr = tl.constexpr(0.7978845608028654)


@triton.jit
def polynomial(x, coefficients: tl.constexpr):
    y = tl.zeros_like(x) + coefficients[0]
    for i in tl.static_range(1, len(coefficients)):
        y = y * x + coefficients[i]
    return y


@triton.jit
def horner(x_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(o_ptr + at, polynomial(x, TABLE), mask=at < n)


@RUNS
def test_a_table_of_constants(run):
    x, o = random(21), zeros(21)
    launch(run, horner, (2,), x, o, 21, B=16)
    close(o, np.polyval([3, 1, 4, 1, 5], x), 1e-3)


class Problem(NamedTuple):
    pointer: object
    size: int
    strides: tuple


@triton.jit
def sum_problem(p, row, B: tl.constexpr):
    at = tl.arange(0, B)
    return tl.sum(tl.load(p.pointer + row * p.strides[0] + at * p.strides[1], mask=at < p.size, other=0.0), 0)


@triton.jit
def two_problems(problems, o_ptr, B: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for i in tl.static_range(len(problems)):
        total += (i + 1) * sum_problem(problems[i], row, B)
    tl.store(o_ptr + row, total)


@RUNS
def test_named_tuples_of_pointers_and_strides(run):
    x, y, o = random(3, 13), random(9, 3, seed=1), zeros(3)
    problems = (Problem(x, 13, (13, 1)), Problem(y, 9, (1, 3)))
    launch(run, two_problems, (3,), problems, o, B=16)
    close(o, x.sum(1) + 2 * y.sum(0), 1e-3)


@triton.jit
def fold(values, f: tl.constexpr):
    result = values[0]
    for i in tl.static_range(1, len(values)):
        result = f(result, values[i])
    return result


@triton.jit
def take_max(a, b):
    return tl.maximum(a, b)


@triton.jit
def take_sum(a, b):
    return a + b


@triton.jit
def folded(pointers, o_ptr, n, f: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, B)
    first = tl.load(pointers[0] + at, mask=at < n, other=0.0)
    values = (first,)
    for i in tl.static_range(1, len(pointers)):
        values = values + (tl.load(pointers[i] + at, mask=at < n, other=0.0),)
    tl.store(o_ptr + at, fold(values, f), mask=at < n)


@RUNS
def test_functions_folded_over_any_number_of_tensors(run):
    xs = tuple(random(11, seed=s) for s in range(4))
    for f, reference in ((take_max, np.max), (take_sum, np.sum)):
        o = zeros(11)
        launch(run, folded, (1,), xs, o, 11, f=f, B=16)
        close(o, reference(np.stack(xs), 0))


@triton.jit
def helper_with_defaults(x, scale=2.0, shift: tl.constexpr = None, power: tl.constexpr = 1):
    y = x * scale
    if shift is not None:
        y += shift
    for _ in tl.static_range(power - 1):
        y = y * y
    return y


@triton.jit
def defaults(x_ptr, o_ptr, n, B: tl.constexpr = 16):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(o_ptr + at, helper_with_defaults(x), mask=at < n)
    tl.store(o_ptr + n + at, helper_with_defaults(x, shift=1), mask=at < n)
    tl.store(o_ptr + 2 * n + at, helper_with_defaults(x, 0.5, power=2), mask=at < n)


@RUNS
def test_helpers_with_defaults(run):
    x, o = random(13), zeros(3, 13)
    launch(run, defaults, (1,), x, o, 13)
    close(o, [2 * x, 2 * x + 1, x * x / 4])


def make_elementwise(f):
    """A kernel made around a function, as libraries of pointwise operators do."""

    @triton.jit
    def kernel(x_ptr, y_ptr, o_ptr, n, B: tl.constexpr):
        at = tl.program_id(0) * B + tl.arange(0, B)
        x, y = tl.load(x_ptr + at, mask=at < n), tl.load(y_ptr + at, mask=at < n)
        tl.store(o_ptr + at, f(x, y), mask=at < n)

    return kernel


ADD, LARGER = make_elementwise(take_sum), make_elementwise(take_max)


@RUNS
def test_kernels_made_by_a_function(run):
    x, y = random(21), random(21, seed=1)
    for kernel, reference in ((ADD, np.add), (LARGER, np.maximum)):
        o = zeros(21)
        launch(run, kernel, (2,), x, y, o, 21, B=16)
        same(o, reference(x, y))


@triton.jit
def early(x, limit):
    if limit < 0:
        return x * 0
    if limit > 10:
        return x + 100
    return x + limit


@triton.jit
def chosen_return(x_ptr, limits_ptr, o_ptr, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * B + at)
    tl.store(o_ptr + row * B + at, early(x, tl.load(limits_ptr + row)))


@RUNS
def test_returns_under_branches(run):
    x, limits, o = integers(50, 4, 8), np.array([-1, 0, 7, 11], np.int32), zeros(4, 8, dtype=np.int32)
    launch(run, chosen_return, (4,), x, limits, o, B=8)
    same(o, [x[0] * 0, x[1], x[2] + 7, x[3] + 100])


@triton.jit
def tuned(x_ptr, o_ptr, n, BLOCK: tl.constexpr, UNROLL: tl.constexpr):
    start = tl.program_id(0) * BLOCK * UNROLL
    for i in tl.static_range(UNROLL):
        at = start + i * BLOCK + tl.arange(0, BLOCK)
        old = tl.load(o_ptr + at, mask=at < n)
        tl.store(o_ptr + at, old + 2 * tl.load(x_ptr + at, mask=at < n), mask=at < n)


def pruned(configs, named_args, **kwargs):
    return [c for c in configs if c.kwargs["BLOCK"] <= named_args["n"]]


TUNED = triton.autotune(
    configs=[
        triton.Config({"BLOCK": 8, "UNROLL": 1}, num_warps=1),
        triton.Config({"BLOCK": 16, "UNROLL": 2}, num_warps=2, num_stages=3),
        triton.Config({"BLOCK": 1024, "UNROLL": 1}, pre_hook=lambda args: pytest.fail("pruned")),
    ],
    key=["n"],
    restore_value=["o_ptr"],
    prune_configs_by={"early_config_prune": pruned},
    do_bench=lambda call, quantiles: [call() or 1.0] * 3,
)(tuned)


@RUNS
def test_tuning_restores_what_it_changes(run):
    x, o = random(53), np.ones(53, np.float32)
    launch(run, TUNED, lambda meta: (triton.cdiv(53, meta["BLOCK"] * meta["UNROLL"]),), x, o, 53)
    close(o, 1 + 2 * x)
    assert TUNED.best_config.kwargs["BLOCK"] in (8, 16)


@triton.heuristics(
    {"B": lambda a: triton.next_power_of_2(a["n"]), "HAS_BIAS": lambda a: a["bias_ptr"] is not None}
)
@triton.jit(do_not_specialize=["n", "scale"])
def by_heuristics(x_ptr, bias_ptr, o_ptr, n, scale, B: tl.constexpr, HAS_BIAS: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n) * scale
    if HAS_BIAS:
        x += tl.load(bias_ptr + at, mask=at < n)
    tl.store(o_ptr + at, x, mask=at < n)


@RUNS
def test_constants_from_heuristics_without_specialisation(run):
    for n in (1, 13, 16):
        for bias in (None, random(n, seed=1)):
            x, o = random(n), zeros(n)
            launch(run, by_heuristics, (1,), x, bias, o, n, 1 if n == 1 else 2.5)
            close(o, x * (1 if n == 1 else 2.5) + (0 if bias is None else bias))


@triton.constexpr_function
def digits(n, base):
    out = []
    while n:
        out.append(n % base)
        n //= base
    return tuple(out)


@triton.jit
def computed_constants(x_ptr, o_ptr, N: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, B)
    weights: tl.constexpr = digits(N, 3)
    tl.static_assert(len(weights) == 4)
    acc = tl.zeros([B], tl.int32)
    for i in tl.static_range(len(weights)):
        if weights[i] != 0:
            acc += tl.load(x_ptr + i * B + at) * weights[i]
    tl.store(o_ptr + at, acc)


@RUNS
def test_constants_that_python_computes(run):
    x, o = integers(9, 4, 8), zeros(8, dtype=np.int32)
    launch(run, computed_constants, (1,), x, o, N=65, B=8)
    same(o, x.T @ [2, 0, 1, 2])


@triton.jit
def gelu(x):
    inner = SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + tl.extra.libdevice.tanh(inner))


@triton.jit
def kept_apart(x, y):
    return x + y, x - y


@triton.jit
def activated(x_ptr, o_ptr, n, ACTIVATION: tl.constexpr, DTYPE: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0).to(DTYPE)
    if ACTIVATION == "gelu":
        y = gelu(x.to(tl.float32))
    elif ACTIVATION == "relu":
        y = tl.maximum(x, 0)
    elif ACTIVATION == "double":
        y, _ = kept_apart(x, x)
    else:
        y = x
    tl.store(o_ptr + at, y.to(o_ptr.dtype.element_ty), mask=at < n)


@RUNS
@pytest.mark.parametrize("name", ["gelu", "relu", "double", ""])
def test_activations_chosen_by_a_string(run, name):
    x, o = random(13), zeros(13)
    launch(run, activated, (1,), x, o, 13, ACTIVATION=name, DTYPE=tl.float16, B=16)
    h = x.astype(np.float16).astype(np.float32)
    table = {
        "gelu": 0.5 * h * (1 + np.tanh(0.7978845608 * (h + 0.044715 * h**3))), "relu": np.maximum(h, 0),
        "double": 2 * h, "": h,
    }  # fmt: skip
    close(o, table[name], 2e-3)


@triton.jit
def by_dtype(x_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    kind: tl.constexpr = x_ptr.dtype.element_ty
    if kind.is_floating():
        y = tl.where(x != x, 0.0, x * 2)
    elif kind.is_int_unsigned():
        y = x >> 1
    else:
        tl.static_assert(kind.int_bitwidth == kind.primitive_bitwidth)
        y = -x
    tl.store(o_ptr + at, y, mask=at < n)


@RUNS
def test_code_chosen_by_the_type_of_a_pointer(run):
    for x, expected in (
        (np.array([1, np.nan, 3], np.float32), [2, 0, 6]),
        (np.array([7, 255, 3], np.uint8), [3, 127, 1]),
        (np.array([7, -5, 3], np.int16), [-7, 5, -3]),
    ):
        o = np.zeros_like(x)
        launch(run, by_dtype, (1,), x, o, 3, B=4)
        same(o, expected)


@triton.jit
def loop_forms(x_ptr, o_ptr, n, STEP: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, B)
    total, skipped = tl.zeros([B], tl.float32), 0
    for i in tl.range(n - 1, -1, -STEP):
        x = tl.load(x_ptr + i * B + at)
        if i % 2 == 0:
            total += x * i
        else:
            skipped += i
    for i in tl.static_range(0, 6, 2):
        total += i
    for _ in tl.range(0, 3, loop_unroll_factor=3, disallow_acc_multi_buffer=True):
        total += 1
    i = 0
    while i < n:
        total -= 0.5
        i += STEP
    tl.store(o_ptr + at, total + skipped)


@RUNS
def test_loops_of_every_form(run):
    x, o = random(9, 8), zeros(8)
    launch(run, loop_forms, (1,), x, o, 9, STEP=3, B=8)
    total = sum(x[i] * i for i in (8, 2)) + 6 + 3 - 1.5 + 5
    close(o, total)
