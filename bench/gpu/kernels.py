# ruff: noqa: F821
"""Kernels that are timed on a GPU; executed once for each package, which comes as `triton` and `tl`.

What: memory-bound kernels as people write them, and one matrix product.
Limits: no imports of their own: see load() in cases.py.
"""


@triton.jit
def vector_add(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    value = tl.load(x + row * stride + at, mask=mask, other=-float("inf"))
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * stride + at, power / tl.sum(power, axis=0), mask=mask)


@triton.jit
def layer_norm(x, out, weight, bias, means, scales, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    out += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + at, mask=at < columns, other=0.0).to(tl.float32)
        value = tl.where(at < columns, value - mean, 0.0)
        squares += value * value
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < columns
        value = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
        normal = (value - mean) * scale
        tl.store(
            out + at, normal * tl.load(weight + at, mask=mask) + tl.load(bias + at, mask=mask), mask=mask
        )


@triton.jit
def layer_norm_backward(
    x, gradient, weight, means, scales, out, weights, biases, locks, stride, columns,
    GROUPS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    value = tl.load(x + row * stride + at, mask=mask, other=0).to(tl.float32)
    above = tl.load(gradient + row * stride + at, mask=mask, other=0).to(tl.float32)
    w = tl.load(weight + at, mask=mask).to(tl.float32)
    mean = tl.load(means + row)
    scale = tl.load(scales + row)
    normal = tl.where(mask, (value - mean) * scale, 0.0)
    weighted = tl.where(mask, w * above, 0.0)
    along = tl.sum(normal * weighted, axis=0) / columns
    shift = tl.sum(weighted, axis=0) / columns
    tl.store(out + row * stride + at, (weighted - (normal * along + shift)) * scale, mask=mask)
    group = row % GROUPS
    lock = locks + group
    count = locks + GROUPS + group
    part_w = (above * normal).to(w.dtype)
    part_b = above.to(w.dtype)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        part_w += tl.load(weights + group * columns + at, mask=mask)
        part_b += tl.load(biases + group * columns + at, mask=mask)
    tl.store(weights + group * columns + at, part_w, mask=mask)
    tl.store(biases + group * columns + at, part_b, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def dropout(x, out, count, probability, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    keep = tl.rand(seed, at) > probability
    value = tl.load(x + at, mask=mask)
    tl.store(out + at, tl.where(keep, value / (1 - probability), 0.0), mask=mask)


@triton.jit
def rope(x, cosines, sines, out, stride, HALF: tl.constexpr):
    row = tl.program_id(0)
    head = tl.program_id(1)
    at = tl.arange(0, HALF)
    base = row.to(tl.int64) * stride + head * 2 * HALF
    first = tl.load(x + base + at).to(tl.float32)
    second = tl.load(x + base + HALF + at).to(tl.float32)
    cosine = tl.load(cosines + row * HALF + at)
    sine = tl.load(sines + row * HALF + at)
    tl.store(out + base + at, first * cosine - second * sine)
    tl.store(out + base + HALF + at, second * cosine + first * sine)


@triton.jit
def swiglu(gate, up, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    g = tl.load(gate + row * stride + at, mask=mask, other=0).to(tl.float32)
    u = tl.load(up + row * stride + at, mask=mask, other=0)
    tl.store(out + row * stride + at, (g * tl.sigmoid(g)).to(u.dtype) * u, mask=mask)


@triton.jit
def cross_entropy(x, targets, losses, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x += row * stride
    most = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        higher = tl.maximum(most, tl.max(value, axis=0))
        total = total * tl.exp(most - higher) + tl.sum(tl.exp(value - higher), axis=0)
        most = higher
    chosen = tl.load(x + tl.load(targets + row)).to(tl.float32)
    tl.store(losses + row, most + tl.log(total) - chosen)


@triton.jit
def embedding(table, ids, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    source = tl.load(ids + row).to(tl.int64) * columns
    tl.store(out + row.to(tl.int64) * columns + at, tl.load(table + source + at, mask=mask), mask=mask)


@triton.jit
def row_sum(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * stride + at, mask=at < columns, other=0.0)
    tl.store(out + row, tl.sum(total, axis=0))


@triton.jit
def row_argmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(value, axis=0))


@triton.jit
def row_cumsum(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    value = tl.load(x + row * stride + at, mask=mask, other=0.0)
    tl.store(out + row * stride + at, tl.cumsum(value, axis=0), mask=mask)


@triton.jit
def histogram(x, out, count, BINS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < count, other=0)
    found = tl.histogram(value, BINS)
    tl.atomic_add(out + tl.arange(0, BINS), found)


@triton.jit
def row_sort(x, out, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    tl.store(out + row * stride + at, tl.sort(tl.load(x + row * stride + at)))


@triton.jit
def row_topk(x, out, stride, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    value = tl.load(x + row * stride + tl.arange(0, BLOCK))
    tl.store(out + row * K + tl.arange(0, K), tl.topk(value, K))


@triton.jit
def matmul(
    a, b, c, M, N, K, stride_a, stride_b, stride_c,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    rows = tl.cdiv(M, BLOCK_M)
    columns = tl.cdiv(N, BLOCK_N)
    group = pid // (GROUP * columns)
    first = group * GROUP
    size = min(rows - first, GROUP)
    pid_m = first + (pid % (GROUP * columns)) % size
    pid_n = (pid % (GROUP * columns)) // size
    at_m = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    at_n = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    at_k = tl.arange(0, BLOCK_K)
    a_at = a + at_m[:, None] * stride_a + at_k[None, :]
    b_at = b + at_k[:, None] * stride_b + at_n[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        left = tl.load(a_at, mask=at_k[None, :] < K - k * BLOCK_K, other=0.0)
        right = tl.load(b_at, mask=at_k[:, None] < K - k * BLOCK_K, other=0.0)
        total = tl.dot(left, right, total)
        a_at += BLOCK_K
        b_at += BLOCK_K * stride_b
    out_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    out_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (out_m[:, None] < M) & (out_n[None, :] < N)
    tl.store(c + out_m[:, None] * stride_c + out_n[None, :], total.to(c.dtype.element_ty), mask=mask)
