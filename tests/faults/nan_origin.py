"""The first operation that makes NaN or infinity out of finite numbers."""

import torch
from language import tl, triton
from tensors import floats, full, zeros

from cases import group

fails, clean = group("nan-origin")


@triton.jit
def ratio(x, y, out, GUARDED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a, b = tl.load(x + lanes), tl.load(y + lanes)
    q = a / b  # fault
    if GUARDED:
        q = tl.where(b == 0.0, 0.0, q)
    tl.store(out + lanes, q)


@fails(lane=(0,), lanes=1)
def zero_by_zero():
    ratio[(1,)](zeros(16), floats(16), zeros(16), GUARDED=False, BLOCK=16)


@clean()
def zero_by_zero_dropped_by_where():
    ratio[(1,)](zeros(16), floats(16), zeros(16), GUARDED=True, BLOCK=16)


@clean()
def zero_by_positive():
    ratio[(1,)](zeros(16), floats(16) + 1, zeros(16), GUARDED=False, BLOCK=16)


@fails(lane=(0,), lanes=1)
def one_by_zero():
    ratio[(1,)](full(1.0, 16), floats(16), zeros(16), GUARDED=False, BLOCK=16)


@clean()
def nan_given_by_the_caller():
    ratio[(1,)](full(float("nan"), 16), floats(16) + 1, zeros(16), GUARDED=False, BLOCK=16)


@clean()
def infinity_given_by_the_caller():
    ratio[(1,)](full(float("inf"), 16), floats(16) + 1, zeros(16), GUARDED=False, BLOCK=16)


@triton.jit
def softmax(src, out, n, SHIFTED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n, other=-float("inf"))
    if SHIFTED:
        x = x - tl.max(x, axis=0)
    e = tl.exp(x)  # fault
    tl.store(out + lanes, e / tl.sum(e, axis=0), mask=lanes < n)


@fails(lane=(9,), lanes=11)
def softmax_without_the_maximum():
    softmax[(1,)](floats(20) * 200, zeros(20), 20, SHIFTED=False, BLOCK=32)


@clean()
def softmax_with_the_maximum():
    softmax[(1,)](floats(20) * 200, zeros(20), 20, SHIFTED=True, BLOCK=32)


@triton.jit
def masked_scores(src, out, keep, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.where(lanes < keep, tl.load(src + lanes), -float("inf"))
    peak = tl.max(x, axis=0)
    e = tl.exp(x - peak)  # fault
    tl.store(out + lanes, e)


@fails(lane=(0,), lanes=16)
def row_that_is_masked_whole():
    masked_scores[(1,)](floats(16), zeros(16), 0, BLOCK=16)


@clean()
def row_with_one_live_element():
    masked_scores[(1,)](floats(16), zeros(16), 1, BLOCK=16)


@triton.jit
def online_softmax(src, out, n, GUARDED: tl.constexpr, START: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    peak = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        x = tl.load(src + start + lanes)
        x = tl.where(start + lanes >= START, x, -float("inf"))
        following = tl.maximum(peak, tl.max(x, axis=0))
        if GUARDED:
            base = tl.where(following == -float("inf"), 0.0, following)
        else:
            base = following
        e = tl.exp(x - base)  # fault
        total = total * tl.exp(peak - base) + tl.sum(e, axis=0)
        peak = following
    tl.store(out, total)


@fails(lane=())
def first_block_of_online_softmax_is_empty():
    online_softmax[(1,)](floats(48), zeros(1), 48, GUARDED=False, START=16, BLOCK=16)


@clean()
def empty_first_block_is_guarded():
    online_softmax[(1,)](floats(48), zeros(1), 48, GUARDED=True, START=16, BLOCK=16)


@clean()
def first_block_of_online_softmax_is_not_empty():
    online_softmax[(1,)](floats(48), zeros(1), 48, GUARDED=False, START=15, BLOCK=16)


@triton.jit
def root(src, out, CLAMPED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes)
    if CLAMPED:
        x = tl.maximum(x, 0.0)
    tl.store(out + lanes, tl.sqrt(x))  # fault


@fails(lane=(0,), lanes=8)
def root_of_a_negative():
    root[(1,)](floats(16) - 0.5, zeros(16), CLAMPED=False, BLOCK=16)


@clean()
def root_of_a_clamped_negative():
    root[(1,)](floats(16) - 0.5, zeros(16), CLAMPED=True, BLOCK=16)


@triton.jit
def logarithm(src, out, eps, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.log(tl.load(src + lanes) + eps))  # fault


@fails(lane=(0,), lanes=1)
def logarithm_of_zero():
    logarithm[(1,)](floats(16), zeros(16), 0.0, BLOCK=16)


@clean()
def logarithm_of_epsilon():
    logarithm[(1,)](floats(16), zeros(16), 1e-6, BLOCK=16)


@fails(lane=(0,), lanes=4)
def logarithm_of_a_negative():
    logarithm[(1,)](floats(16) - 0.25, zeros(16), 0.01, BLOCK=16)


@triton.jit
def norm(src, out, n, eps, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)  # fault
    tl.store(out + lanes, x * scale)


@fails(lane=(0,), lanes=16)
def norm_of_zeros_without_epsilon():
    norm[(1,)](zeros(16), zeros(16), 16, 0.0, BLOCK=16)


@clean()
def norm_of_zeros_with_epsilon():
    norm[(1,)](zeros(16), zeros(16), 16, 1e-6, BLOCK=16)


@triton.jit
def deviation(src, out, n, TWO_PASS: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes)
    mean = tl.sum(x, axis=0) / n
    if TWO_PASS:
        variance = tl.sum((x - mean) * (x - mean), axis=0) / n
    else:
        variance = tl.sum(x * x, axis=0) / n - mean * mean
    tl.store(out, tl.sqrt(variance))  # fault


@fails(lane=())
def variance_cancels_below_zero():
    x = full(1000.1, 16)
    x[0] = 1000.0
    deviation[(1,)](x * 7.0, zeros(1), 16, TWO_PASS=False, BLOCK=16)


@clean()
def variance_in_two_passes():
    x = full(1000.1, 16)
    x[0] = 1000.0
    deviation[(1,)](x * 7.0, zeros(1), 16, TWO_PASS=True, BLOCK=16)


@triton.jit
def narrowed(src, out, TYPE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(src + lanes).to(TYPE))  # fault


@fails(lane=(15,), lanes=1)
def half_too_small_for_the_value():
    narrowed[(1,)](floats(16) * 70000, zeros(16, dtype=torch.float16), TYPE=tl.float16, BLOCK=16)


@clean()
def bfloat16_large_enough_for_the_value():
    narrowed[(1,)](floats(16) * 70000, zeros(16, dtype=torch.bfloat16), TYPE=tl.bfloat16, BLOCK=16)


@clean()
def half_large_enough_for_the_value():
    narrowed[(1,)](floats(16) * 60000, zeros(16, dtype=torch.float16), TYPE=tl.float16, BLOCK=16)


@triton.jit
def mean_of_selected(src, out, limit, GUARDED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes)
    chosen = x > limit
    count = tl.sum(chosen.to(tl.float32), axis=0)
    if GUARDED:
        count = tl.maximum(count, 1.0)
    mean = tl.sum(tl.where(chosen, x, 0.0), axis=0) / count  # fault
    tl.store(out, mean)


@fails(lane=())
def mean_of_nothing():
    mean_of_selected[(1,)](floats(16), zeros(1), 2.0, GUARDED=False, BLOCK=16)


@clean()
def mean_of_nothing_guarded():
    mean_of_selected[(1,)](floats(16), zeros(1), 2.0, GUARDED=True, BLOCK=16)


@triton.jit
def squares(src, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes)
    tl.store(out + lanes, x * x)  # fault


@fails(lane=(0,), lanes=16)
def square_too_large():
    squares[(1,)](full(1e20, 16), zeros(16), BLOCK=16)


@clean()
def square_large():
    squares[(1,)](full(1e19, 16), zeros(16), BLOCK=16)


@triton.jit
def products(a, b, out, B: tl.constexpr):
    r, c = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    acc = tl.dot(tl.load(a + r * B + c), tl.load(b + r * B + c), input_precision="ieee")  # fault
    tl.store(out + r * B + c, acc)


@fails(lane=(0, 0), lanes=16 * 16)
def dot_too_large():
    products[(1,)](full(1e20, 16, 16), full(1e20, 16, 16), zeros(16, 16), B=16)


@clean()
def dot_large():
    products[(1,)](full(1e18, 16, 16), full(1e18, 16, 16), zeros(16, 16), B=16)


@triton.jit
def running_sum(src, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(src + lanes), axis=0))  # fault


@fails(lane=())
def sum_too_large():
    running_sum[(1,)](full(3e38, 16), zeros(1), BLOCK=16)


@clean()
def sum_large():
    running_sum[(1,)](full(2e37, 16), zeros(1), BLOCK=16)


@triton.jit
def wrapped_angle(src, period, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(src + lanes) % tl.load(period))  # fault


@fails(lane=(0,), lanes=16)
def remainder_by_a_zero_period():
    wrapped_angle[(1,)](floats(16), zeros(1), zeros(16), BLOCK=16)


@clean()
def remainder_by_a_period():
    wrapped_angle[(1,)](floats(16), full(0.3, 1), zeros(16), BLOCK=16)


@triton.jit
def ratio_of_sums(a, b, c, d):
    return a + c, b / d  # fault


@triton.jit
def reduced_ratio(src, by, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total, ratio = tl.reduce((tl.load(src + lanes), tl.load(by + lanes)), 0, ratio_of_sums)
    tl.store(out, total + ratio)


@fails(lane=())
def body_divides_by_a_zero_float():
    by = full(1.0, 16)
    by[8] = 0.0
    reduced_ratio[(1,)](floats(16), by, zeros(1), BLOCK=16)


@clean()
def body_divides_by_positive_floats():
    reduced_ratio[(1,)](floats(16), floats(16) + 1, zeros(1), BLOCK=16)


@triton.jit
def scanned(src, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.cumprod(tl.load(src + lanes), axis=0))  # fault


@fails(lane=(3,), lanes=13)
def running_product_too_large():
    scanned[(1,)](full(1e10, 16), zeros(16), BLOCK=16)


@clean()
def running_product_large():
    scanned[(1,)](full(100.0, 16), zeros(16), BLOCK=16)


@triton.jit
def inverse(x):
    return 1.0 / x  # fault


@triton.jit
def mapped_inverse(src, out, stored, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.map_elementwise(inverse, tl.load(src + lanes)), mask=lanes >= stored)


@fails(lane=(0,), lanes=1)
def map_inverts_zero():
    mapped_inverse[(1,)](floats(16), zeros(16), 0, BLOCK=16)


@clean()
def map_inverts_zero_in_a_dead_lane():
    mapped_inverse[(1,)](floats(16), zeros(16), 1, BLOCK=16)
