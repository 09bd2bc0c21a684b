"""Cross entropy over many classes: loss and gradient in two passes; the gradient replaces the logits."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def cross_entropy_kernel(logits_ptr, target_ptr, loss_ptr, columns, counted, ignore, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    logits_ptr += row * columns
    target = tl.load(target_ptr + row)
    if target == ignore:
        for start in range(0, columns, BLOCK):
            offsets = start + tl.arange(0, BLOCK)
            tl.store(logits_ptr + offsets, 0.0, mask=offsets < columns)
        return

    # One pass finds maximum and sum of exponentials together.
    peak = float("-inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + offsets, mask=offsets < columns, other=float("-inf")).to(tl.float32)
        new_peak = tl.maximum(peak, tl.max(x))
        total = total * tl.exp(peak - new_peak) + tl.sum(tl.exp(x - new_peak))
        peak = new_peak
    lse = peak + tl.log(total)
    tl.store(loss_ptr + row, (lse - tl.load(logits_ptr + target).to(tl.float32)) / counted)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + offsets, mask=offsets < columns, other=float("-inf")).to(tl.float32)
        gradient = (tl.exp(x - lse) - tl.where(offsets == target, 1.0, 0.0)) / counted
        tl.store(logits_ptr + offsets, gradient, mask=offsets < columns)


def cross_entropy(logits, target, ignore=-100):
    rows, columns = logits.shape
    loss = torch.zeros(rows, device=logits.device)
    gradient = logits.clone()
    counted = int((target != ignore).sum())
    cross_entropy_kernel[(rows,)](gradient, target, loss, columns, counted, ignore, BLOCK=256)
    return loss.sum(), gradient


if __name__ == "__main__":
    torch.manual_seed(0)
    logits = (torch.randn((21, 1000), device=DEVICE) * 3).requires_grad_()
    target = torch.randint(0, 1000, (21,), device=DEVICE)
    target[3] = target[17] = -100
    want = torch.nn.functional.cross_entropy(logits, target)
    want.backward()
    loss, gradient = cross_entropy(logits.detach(), target)
    torch.testing.assert_close(loss, want.detach(), atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(gradient, logits.grad, atol=1e-6, rtol=1e-4)
    print(f"cross entropy: loss {loss:.4f} and gradient agree with torch, ignored rows included")
