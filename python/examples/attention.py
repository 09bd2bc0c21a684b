"""Fused attention, forward and backward: scores never touch memory, the backward pass recomputes them."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def forward_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, scale, length,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    base = tl.program_id(1) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + base + rows[:, None] * D + d[None, :], mask=rows[:, None] < length, other=0.0)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    peak = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    end = min(length, (tl.program_id(0) + 1) * BM) if CAUSAL else length
    for start in range(0, end, BN):
        columns = start + tl.arange(0, BN)
        inside = columns[:, None] < length
        k = tl.load(k_ptr + base + columns[:, None] * D + d[None, :], mask=inside, other=0.0)
        v = tl.load(v_ptr + base + columns[:, None] * D + d[None, :], mask=inside, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        visible = columns[None, :] < length
        if CAUSAL:
            visible = visible & (rows[:, None] >= columns[None, :])
        scores = tl.where(visible, scores, -float("inf"))
        new_peak = tl.maximum(peak, tl.max(scores, axis=1))
        p = tl.exp(scores - new_peak[:, None])
        shrink = tl.exp(peak - new_peak)
        total = total * shrink + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None], input_precision="ieee")
        peak = new_peak
    out_ptrs = out_ptr + base + rows[:, None] * D + d[None, :]
    tl.store(out_ptrs, acc / total[:, None], mask=rows[:, None] < length)
    tl.store(lse_ptr + tl.program_id(1) * length + rows, peak + tl.log(total), mask=rows < length)


@triton.jit
def backward_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, lse_ptr, delta_ptr, dq_ptr, dk_ptr, dv_ptr, scale, length,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    # One program owns BN keys: dk and dv stay in its blocks, dq is added to by all programs.
    base = tl.program_id(1) * length * D
    row_base = tl.program_id(1) * length
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    d = tl.arange(0, D)
    inside = columns[:, None] < length
    k = tl.load(k_ptr + base + columns[:, None] * D + d[None, :], mask=inside, other=0.0)
    v = tl.load(v_ptr + base + columns[:, None] * D + d[None, :], mask=inside, other=0.0)
    dk = tl.zeros((BN, D), dtype=tl.float32)
    dv = tl.zeros((BN, D), dtype=tl.float32)
    for start in range(0, length, BM):
        rows = start + tl.arange(0, BM)
        valid = rows[:, None] < length
        q = tl.load(q_ptr + base + rows[:, None] * D + d[None, :], mask=valid, other=0.0)
        do = tl.load(do_ptr + base + rows[:, None] * D + d[None, :], mask=valid, other=0.0)
        lse = tl.load(lse_ptr + row_base + rows, mask=rows < length, other=0.0)
        delta = tl.load(delta_ptr + row_base + rows, mask=rows < length, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        visible = valid & (columns[None, :] < length)
        if CAUSAL:
            visible = visible & (rows[:, None] >= columns[None, :])
        p = tl.where(visible, tl.exp(scores - lse[:, None]), 0.0)
        dv = tl.dot(tl.trans(p), do, dv, input_precision="ieee")
        dp = tl.dot(do, tl.trans(v), input_precision="ieee")
        ds = p * (dp - delta[:, None]) * scale
        dk = tl.dot(tl.trans(ds), q, dk, input_precision="ieee")
        dq = tl.dot(ds, k, input_precision="ieee")
        tl.atomic_add(dq_ptr + base + rows[:, None] * D + d[None, :], dq, mask=valid)
    tl.store(dk_ptr + base + columns[:, None] * D + d[None, :], dk, mask=inside)
    tl.store(dv_ptr + base + columns[:, None] * D + d[None, :], dv, mask=inside)


def attention(q, k, v, do, causal, block=32):
    heads, length, d = q.shape
    out, dk, dv = (torch.empty_like(q) for _ in range(3))
    dq = torch.zeros_like(q)
    lse = torch.empty((heads, length), device=q.device)
    scale = d**-0.5
    grid = (triton.cdiv(length, block), heads)
    options = {"BM": block, "BN": block, "D": d, "CAUSAL": causal}
    forward_kernel[grid](q, k, v, out, lse, scale, length, **options)
    delta = (out * do).sum(-1)
    backward_kernel[grid](q, k, v, do, lse, delta, dq, dk, dv, scale, length, **options)
    return out, dq, dk, dv


if __name__ == "__main__":
    torch.manual_seed(0)
    for length, causal in ((64, False), (100, True)):
        q, k, v = (torch.randn((3, length, 32), device=DEVICE, requires_grad=True) for _ in range(3))
        do = torch.randn((3, length, 32), device=DEVICE)
        want = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        want.backward(do)
        got = attention(q.detach(), k.detach(), v.detach(), do, causal)
        for mine, reference in zip(got, (want, q.grad, k.grad, v.grad), strict=True):
            torch.testing.assert_close(mine, reference.detach(), atol=1e-4, rtol=1e-4)
    print("attention: forward and backward agree with torch, causal and not")
