"""The kernels of the tier 0 benchmark, as a user would write them: they run unchanged under any `triton`.

Each case is a function that makes its tensors and returns `(launch, check)`: `launch()` runs the kernel once,
`check()` returns the largest absolute error of the last launch against a float64 reference.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@triton.jit
def softmax_kernel(out_ptr, in_ptr, in_stride, out_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(in_ptr + row * in_stride + offsets, mask=mask, other=-float("inf"))
    x = x - tl.max(x, axis=0)
    numerator = tl.exp(x)
    tl.store(out_ptr + row * out_stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def layer_norm_kernel(x_ptr, y_ptr, w_ptr, b_ptr, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    w = tl.load(w_ptr + offsets, mask=mask)
    b = tl.load(b_ptr + offsets, mask=mask)
    y = centred * (1 / tl.sqrt(variance + eps)) * w + b
    tl.store(y_ptr + row * stride + offsets, y, mask=mask)


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    ks = tl.arange(0, BK)
    a_ptrs = a_ptr + rows[:, None] * stride_am + ks[None, :] * stride_ak
    b_ptrs = b_ptr + ks[:, None] * stride_bk + columns[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=ks[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=ks[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    c_ptrs = c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=mask)


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, scale, length, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head + rows[:, None] * D + d[None, :])
    acc = tl.zeros((BM, D), dtype=tl.float32)
    peak = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    for start in range(0, length, BN):
        columns = start + tl.arange(0, BN)
        k = tl.load(k_ptr + head + columns[:, None] * D + d[None, :])
        v = tl.load(v_ptr + head + columns[:, None] * D + d[None, :])
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        new_peak = tl.maximum(peak, tl.max(scores, axis=1))
        p = tl.exp(scores - new_peak[:, None])
        shrink = tl.exp(peak - new_peak)
        total = total * shrink + tl.sum(p, axis=1)
        acc = tl.dot(p, v, acc * shrink[:, None], input_precision="ieee")
        peak = new_peak
    tl.store(out_ptr + head + rows[:, None] * D + d[None, :], acc / total[:, None])


@triton.jit
def linear_recurrence(a_left, b_left, a_right, b_right):
    return a_left * a_right, b_left * a_right + b_right


@triton.jit
def scan_kernel(a_ptr, b_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + offsets)
    b = tl.load(b_ptr + offsets)
    _, state = tl.associative_scan((a, b), 0, linear_recurrence)
    tl.store(out_ptr + offsets, state)


@triton.jit
def histogram_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    counts = tl.histogram(tl.load(x_ptr + offsets), BINS)
    tl.atomic_add(out_ptr + tl.arange(0, BINS), counts)


@triton.jit
def sort_kernel(x_ptr, out_ptr, COLUMNS: tl.constexpr):
    offsets = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(out_ptr + offsets, tl.sort(tl.load(x_ptr + offsets)))


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def error(got, want):
    return float((got.double() - want.double()).abs().max())


def vector_add():
    n = 1 << 20
    x, y = normal(n), normal(n, seed=1)
    out = torch.empty_like(x)
    grid = (triton.cdiv(n, 1024),)
    return lambda: add_kernel[grid](x, y, out, n, BLOCK=1024), lambda: error(out, x + y)


def softmax():
    x = normal(4096, 1024)
    out = torch.empty_like(x)

    def launch():
        softmax_kernel[(4096,)](out, x, x.stride(0), out.stride(0), 1024, BLOCK=1024)

    return launch, lambda: error(out, torch.softmax(x.double(), dim=1))


def layer_norm():
    x, w, b = normal(4096, 1024), normal(1024, seed=1), normal(1024, seed=2)
    out = torch.empty_like(x)

    def check():
        return error(out, torch.nn.functional.layer_norm(x.double(), (1024,), w.double(), b.double(), 1e-5))

    return lambda: layer_norm_kernel[(4096,)](x, out, w, b, x.stride(0), 1024, 1e-5, BLOCK=1024), check


def _matmul(dtype):
    n = 512
    a, b = normal(n, n).to(dtype), normal(n, n, seed=1).to(dtype)
    c = torch.empty((n, n), dtype=dtype)
    strides = (*a.stride(), *b.stride(), *c.stride())

    def launch():
        matmul_kernel[(n // 128, n // 128)](a, b, c, n, n, n, *strides, BM=128, BN=128, BK=32)

    return launch, lambda: error(c, a.double() @ b.double())


def matmul_f32():
    return _matmul(torch.float32)


def matmul_bf16():
    return _matmul(torch.bfloat16)


def attention():
    heads, length, d = 4, 512, 64
    q, k, v = (normal(1, heads, length, d, seed=s) for s in range(3))
    out = torch.empty_like(q)

    def launch():
        attention_kernel[(length // 64, heads)](q, k, v, out, d**-0.5, length, BM=64, BN=64, D=d)

    def check():
        reference = torch.nn.functional.scaled_dot_product_attention(q.double(), k.double(), v.double())
        return error(out, reference)

    return launch, check


def scan():
    rows, columns = 64, 1024
    a, b = torch.rand(rows, columns, generator=torch.Generator().manual_seed(0)), normal(rows, columns)
    out = torch.empty_like(a)

    def check():
        state, worst = torch.zeros(rows, dtype=torch.float64), 0.0
        for i in range(columns):
            state = state * a[:, i].double() + b[:, i].double()
            worst = max(worst, error(out[:, i], state))
        return worst

    return lambda: scan_kernel[(rows,)](a, b, out, BLOCK=columns), check


def histogram():
    n, bins = 1 << 18, 256
    x = torch.randint(0, bins, (n,), dtype=torch.int32, generator=torch.Generator().manual_seed(0))
    out = torch.zeros(bins, dtype=torch.int32)

    def launch():
        out.zero_()
        histogram_kernel[(n // 1024,)](x, out, BLOCK=1024, BINS=bins)

    return launch, lambda: error(out, torch.bincount(x, minlength=bins))


def sort():
    x = normal(8, 1024)
    out = torch.empty_like(x)
    return lambda: sort_kernel[(8,)](x, out, COLUMNS=1024), lambda: error(out, torch.sort(x, dim=1).values)


CASES = {
    case.__name__: case
    for case in (
        vector_add, softmax, layer_norm, matmul_f32, matmul_bf16, attention, scan, histogram, sort,
    )
}  # fmt: skip
