"""The kernels of the benchmark of tier 1, as users write them (bench/cpu.py)."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def matmul(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, SUMS: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    rows_of_tiles, columns_of_tiles = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * columns_of_tiles
    first = pid // in_group * GROUP
    size = min(rows_of_tiles - first, GROUP)
    row, column = first + pid % in_group % size, pid % in_group // size
    rows = (row * BM + tl.arange(0, BM)) % M
    columns = (column * BN + tl.arange(0, BN)) % N
    steps = tl.arange(0, BK)
    a_ptrs = a_ptr + (rows[:, None] * stride_am + steps[None, :] * stride_ak)
    b_ptrs = b_ptr + (steps[:, None] * stride_bk + columns[None, :] * stride_bn)
    acc = tl.zeros((BM, BN), dtype=SUMS)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=steps[None, :] < K - k * BK, other=0)
        b = tl.load(b_ptrs, mask=steps[:, None] < K - k * BK, other=0)
        acc = tl.dot(a, b, acc, out_dtype=SUMS)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    rows = row * BM + tl.arange(0, BM)
    columns = column * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + stride_cm * rows[:, None] + stride_cn * columns[None, :]
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def attention(
    q_ptr, k_ptr, v_ptr, out_ptr, scale, length,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head + rows[:, None] * D + d[None, :])
    acc = tl.zeros((BM, D), dtype=tl.float32)
    peak = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    end = (tl.program_id(0) + 1) * BM if CAUSAL else length
    for start in range(0, end, BN):
        columns = start + tl.arange(0, BN)
        k = tl.load(k_ptr + head + columns[:, None] * D + d[None, :])
        scores = tl.dot(q, tl.trans(k)) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= columns[None, :], scores, -float("inf"))
        new_peak = tl.maximum(peak, tl.max(scores, axis=1))
        p = tl.exp(scores - new_peak[:, None])
        shrink = tl.exp(peak - new_peak)
        total = total * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + head + columns[:, None] * D + d[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None])
        peak = new_peak
    out = (acc / total[:, None]).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + head + rows[:, None] * D + d[None, :], out)


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    sums = tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, sums, mask=mask)


@triton.jit
def swiglu(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    y = tl.load(y_ptr + offsets, mask=mask).to(tl.float32)
    tl.store(out_ptr + offsets, x * tl.sigmoid(x) * y, mask=mask)


@triton.jit
def function(x_ptr, y_ptr, out_ptr, n, NAME: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    if NAME == "tanh":
        y = libdevice.tanh(x)
    elif NAME == "erf":
        y = tl.erf(x)
    elif NAME == "sin":
        y = tl.sin(x)
    elif NAME == "cos":
        y = tl.cos(x)
    elif NAME == "exp":
        y = tl.exp(x)
    elif NAME == "log":
        y = tl.log(tl.abs(x))
    else:
        y = libdevice.pow(tl.abs(x), tl.load(y_ptr + offsets))
    tl.store(out_ptr + offsets, y)


@triton.jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n).to(tl.float32)
    tl.store(out_ptr + offsets, 0.5 * x * (1 + tl.erf(x * 0.7071067811865476)), mask=offsets < n)


@triton.jit
def transpose(x_ptr, out_ptr, M, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    inside = (rows < M) & (columns < N)
    tl.store(out_ptr + columns * M + rows, tl.load(x_ptr + rows * N + columns, mask=inside), mask=inside)


@triton.jit
def cross_entropy(x_ptr, labels_ptr, loss_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + offsets, mask=offsets < columns, other=-float("inf"))
    peak = tl.max(x, axis=0)
    total = tl.sum(tl.exp(x - peak), axis=0)
    label = tl.load(labels_ptr + row)
    tl.store(loss_ptr + row, tl.log(total) + peak - tl.load(x_ptr + row * stride + label))


@triton.jit
def row_reduce(x_ptr, out_ptr, stride, columns, ARGMAX: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    if ARGMAX:
        x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=-float("inf"))
        tl.store(out_ptr + row, tl.argmax(x, axis=0))
    else:
        x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=0.0)
        tl.store(out_ptr + row, tl.sum(x.to(tl.float32), axis=0))


@triton.jit
def column_sum(x_ptr, out_ptr, rows, columns, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    c = tl.program_id(0) * BLOCK_C + tl.arange(0, BLOCK_C)
    total = tl.zeros((BLOCK_C,), dtype=tl.float32)
    for start in range(0, rows, BLOCK_R):
        r = start + tl.arange(0, BLOCK_R)
        mask = (r[:, None] < rows) & (c[None, :] < columns)
        x = tl.load(x_ptr + r[:, None] * columns + c[None, :], mask=mask, other=0.0)
        total += tl.sum(x.to(tl.float32), axis=0)
    tl.store(out_ptr + c, total, mask=c < columns)


@triton.jit
def cumsum(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * stride + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.cumsum(tl.load(x_ptr + offsets), axis=0))


@triton.jit
def histogram(x_ptr, out_ptr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr + tl.arange(0, BINS), tl.histogram(tl.load(x_ptr + offsets), BINS))


@triton.jit
def embedding(table_ptr, ids_ptr, out_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < width
    values = tl.load(table_ptr + tl.load(ids_ptr + row) * width + offsets, mask=mask)
    tl.store(out_ptr + row * width + offsets, values, mask=mask)


@triton.jit
def sort(x_ptr, out_ptr, COLUMNS: tl.constexpr):
    offsets = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(out_ptr + offsets, tl.sort(tl.load(x_ptr + offsets)))
