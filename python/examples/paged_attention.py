"""Paged attention for decoding: keys and values lie in pages found through a table."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def paged_kernel(
    q_ptr, k_ptr, v_ptr, table_ptr, length_ptr, out_ptr, scale, heads, max_pages,
    PAGE: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    sequence, head = tl.program_id(0), tl.program_id(1)
    length = tl.load(length_ptr + sequence)
    d = tl.arange(0, D)
    slots = tl.arange(0, PAGE)
    q = tl.load(q_ptr + (sequence * heads + head) * D + d)
    acc = tl.zeros((D,), dtype=tl.float32)
    peak = -float("inf")
    total = 0.0
    for number in range(0, tl.cdiv(length, PAGE)):
        page = tl.load(table_ptr + sequence * max_pages + number).to(tl.int64)
        inside = number * PAGE + slots < length
        offsets = ((page * PAGE + slots)[:, None] * heads + head) * D + d[None, :]
        k = tl.load(k_ptr + offsets, mask=inside[:, None], other=0.0)
        v = tl.load(v_ptr + offsets, mask=inside[:, None], other=0.0)
        scores = tl.where(inside, tl.sum(q[None, :] * k, axis=1) * scale, -float("inf"))
        new_peak = tl.maximum(peak, tl.max(scores, axis=0))
        p = tl.exp(scores - new_peak)
        shrink = tl.exp(peak - new_peak)
        total = total * shrink + tl.sum(p, axis=0)
        acc = acc * shrink + tl.sum(p[:, None] * v, axis=0)
        peak = new_peak
    tl.store(out_ptr + (sequence * heads + head) * D + d, acc / total)


def paged_attention(q, k_pages, v_pages, table, lengths):
    sequences, heads, d = q.shape
    out = torch.empty_like(q)
    paged_kernel[(sequences, heads)](
        q, k_pages, v_pages, table, lengths, out, d**-0.5, heads, table.shape[1], PAGE=k_pages.shape[1], D=d
    )
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    page, heads, d = 16, 3, 32
    lengths = torch.tensor([1, 16, 50, 77], dtype=torch.int32, device=DEVICE)
    k_pages, v_pages = (torch.randn((24, page, heads, d), device=DEVICE) for _ in range(2))
    table = torch.randperm(24, device=DEVICE)[:20].reshape(4, 5).to(torch.int32)
    q = torch.randn((4, heads, d), device=DEVICE)
    got = paged_attention(q, k_pages, v_pages, table, lengths)
    for i, length in enumerate(lengths.tolist()):
        k = k_pages[table[i].long()].reshape(-1, heads, d)[:length].transpose(0, 1)
        v = v_pages[table[i].long()].reshape(-1, heads, d)[:length].transpose(0, 1)
        want = torch.nn.functional.scaled_dot_product_attention(q[i, :, None], k, v)[:, 0]
        torch.testing.assert_close(got[i], want, atol=1e-5, rtol=1e-5)
    print("paged attention: four sequences of 1 to 77 tokens agree with torch")
