"""What is undefined must not decide the way of a program: a fault in every tier, without a sanitizer."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

TIERS = ("interp", "cpu")


@triton.jit
def counts(out, n, m):
    for i in range(0, n // m):
        tl.store(out + i, i + 1)


@triton.jit
def starts(out, n, m):
    for i in range(n % m, 4):
        tl.store(out + i, i + 1)


@triton.jit
def steps(out, n, m):
    for i in range(0, 4, n // m):
        tl.store(out + i, i + 1)


@triton.jit
def shifts(out, n, m):
    for i in range(0, n << m):
        tl.store(out + i % 8, 1)


@triton.jit
def converts(out, n, m):
    x = n.to(tl.float32) / m
    for i in range(0, x.to(tl.int32)):
        tl.store(out + i % 8, 1)


@triton.jit
def branches(out, n, m):
    if n // m > 2:
        tl.store(out, 1)


@triton.jit
def loops(out, n, m):
    passes = 0
    while n // m > passes:
        passes += 1
    tl.store(out, passes)


@triton.jit
def carries(out, n, m):
    while n > 0:
        tl.store(out + n % 8, 1)
        n = n // m - 1


@triton.jit
def chooses(out, n, m):
    last = 2
    if n > 4:
        last = n // m
    for i in range(0, last):
        tl.store(out + i, i + 1)


@triton.jit
def reads(out, n, m):
    if tl.load(out + n, mask=m != 0) == 0:
        tl.store(out, 1)


@triton.jit
def describes(out, n, m):
    box = tl.make_tensor_descriptor(out, [n // m, 4], [4, 1], [1, 4])
    box.store([0, 0], tl.full([1, 4], 7, tl.int32))


@triton.jit
def strides(out, n, m):
    box = tl.make_tensor_descriptor(out, [2, 4], [tl.cast(n // m, tl.int64), 1], [1, 4])
    box.store([0, 0], tl.full([1, 4], 7, tl.int32))


@triton.jit
def points(out, n, m):
    box = tl.make_block_ptr(out, [n // m, 4], [4, 1], [0, 0], [1, 4], [1, 0])
    tl.store(box, tl.full([1, 4], 7, tl.int32), boundary_check=[0])


@triton.jit
def point_strides(out, n, m):
    box = tl.make_block_ptr(out, [2, 4], [n // m, 1], [0, 0], [1, 4], [1, 0])
    for _ in range(2):
        tl.store(box, tl.full([1, 4], 7, tl.int32), boundary_check=[0])
        box = tl.advance(box, [1, 0])


@triton.jit
def first_rows(out, count):
    return tl.make_block_ptr(out, [count, 4], [4, 1], [0, 0], [1, 4], [1, 0])


@triton.jit
def points_by_helpers(out, n, m):
    block = tl.load(first_rows(out, tl.cdiv(n, m)), boundary_check=[0], padding_option="zero")
    tl.store(out + 32 + tl.arange(0, 4)[None, :], block)


@triton.jit
def rounds_up(out, n, m):
    for i in range(0, tl.cdiv(n, m)):
        tl.store(out + i, i + 1)


@triton.jit
def half(n, m):
    return tl.cdiv(n, m) // 2


@triton.jit
def rounds_twice(out, n, m):
    for i in range(0, half(n, m)):
        tl.store(out + i, i + 1)


@triton.jit
def fill(out, count):
    for i in range(0, count):
        tl.store(out + i, i + 1)


@triton.jit
def hands_over(out, n, m):
    fill(out, n // m)


@triton.jit
def sums(out, n, m):
    i = tl.arange(0, 4)
    for at in range(0, tl.sum(tl.load(out + i, mask=i < m))):
        tl.store(out + at, n)


@triton.jit
def finds(out, n, m):
    rows, columns = tl.arange(0, 4)[:, None], tl.arange(0, 4)[None, :]
    largest = tl.max(tl.max((rows + n) // (columns + m), axis=1) + 1, axis=0)
    if largest > 2:
        tl.store(out, largest)


@triton.jit
def gathers(out, n, m):
    i = tl.arange(0, 4)
    for at in range(0, tl.sum(tl.gather(i, (i + m) % n, 0))):
        tl.store(out + at, n)


@triton.jit
def gathers_rows(out, n, m):
    i, j = tl.arange(0, 4)[:, None], tl.arange(0, 4)[None, :]
    picked = tl.gather(i * 4 + j, (i + m + j * 0).to(tl.int8), 1)
    if tl.max(tl.max(picked, axis=1), axis=0) > n:
        tl.store(out, 1)


@triton.jit
def gathers_what_is_undefined(out, n, m):
    i = tl.arange(0, 4)
    if tl.sum(tl.gather(n // (i + m), 3 - i, 0)) > 2:
        tl.store(out, 1)


@triton.jit
def counts_values(out, n, m):
    i = tl.arange(0, 4)
    if tl.sum(tl.histogram(i * m, 8, mask=i < n)) > 7:
        tl.store(out, 1)


#: kernel, arguments for which something is undefined, the operation, arguments for which nothing is
UNDEFINED = [
    (counts, (8, 0), "arith.divsi", (8, 2)),
    (counts, (-(2**31), -1), "arith.divsi", (-(2**31), 1)),
    (starts, (8, 0), "arith.remsi", (8, 3)),
    (steps, (8, 0), "arith.divsi", (8, 4)),
    (shifts, (1, 32), "arith.shli", (1, 3)),
    (shifts, (1, -1), "arith.shli", (1, 0)),
    (converts, (8, 0), "arith.fptosi", (8, 2)),
    (branches, (8, 0), "arith.divsi", (8, 2)),
    (loops, (8, 0), "arith.divsi", (8, 2)),
    (carries, (8, 0), "arith.divsi", (8, 2)),
    (chooses, (8, 0), "arith.divsi", (3, 0)),
    (reads, (1, 0), "tt.load", (1, 1)),
    (describes, (8, 0), "arith.divsi", (8, 4)),
    (strides, (8, 0), "arith.divsi", (8, 2)),
    (points, (8, 0), "arith.divsi", (8, 4)),
    (points, (-(2**31), -1), "arith.divsi", (-(2**31), 1)),
    (point_strides, (8, 0), "arith.divsi", (8, 2)),
    (points_by_helpers, (8, 0), "arith.divsi", (8, 3)),
    (rounds_up, (8, 0), "arith.divsi", (8, 3)),
    (rounds_twice, (8, 0), "arith.divsi", (8, 3)),
    (hands_over, (8, 0), "arith.divsi", (8, 2)),
    (sums, (8, 3), "tt.load", (8, 4)),
    (finds, (8, 0), "arith.divsi", (8, 1)),
    (finds, (8, -3), "arith.divsi", (8, -4)),
    (gathers, (8, 3), "tt.gather", (4, 3)),
    (gathers, (4, -3), "tt.gather", (4, 0)),
    (gathers_rows, (9, 1), "tt.gather", (9, 0)),
    (counts_values, (4, 3), "tt.histogram", (3, 3)),
    (counts_values, (4, -1), "tt.histogram", (1, -1)),
    (gathers_what_is_undefined, (8, -2), "arith.divsi", (8, 1)),
]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kernel, bad, operation, good", UNDEFINED)
def test_an_undefined_value_is_a_fault(kernel, bad, operation, good, tier):
    with pytest.raises(triton.KernelFault) as caught:
        kernel[(1,)](np.zeros(64, np.int32), *bad, tier=tier)
    text = str(caught.value)
    assert text.startswith("undefined-value: ") and operation in text, text
    assert text.count(f"{__file__}:") >= 2, text  # where it decides, and where it comes from
    out = np.zeros(64, np.int32)
    kernel[(1,)](out, *good, tier=tier)


@triton.jit
def chosen(out, n, m):
    for i in range(0, tl.where(m == 0, 3, n // m)):
        tl.store(out + i, i + 1)


@triton.jit
def excluded(out, n, m):
    if m != 0 and n // m > 2:
        tl.store(out, 9)
    if m == 0 or n % m == 1:
        tl.store(out + 1, 8)


@triton.jit
def pointed(out, n, m):
    if m != 0:
        box = tl.make_block_ptr(out, [n // m, 4], [4, 1], [0, 0], [1, 4], [1, 0])
        tl.store(box, tl.full([1, 4], 5, tl.int32), boundary_check=[0])
    rows = tl.where(m == 0, 1, tl.cdiv(n, m))
    first = tl.make_block_ptr(out, [rows], [1], [0], [1], [0])
    tl.store(first, tl.full([1], 6, tl.int32), boundary_check=[0])


@triton.jit
def outside(out, n, m):
    q = n // m
    if m != 0:
        for i in range(0, q):
            tl.store(out + i, 5)
    else:
        tl.store(out, 6)


@triton.jit
def unused(out, n, m):
    tl.store(out + 1, n // m * 0)
    for i in range(0, n):
        tl.store(out, i)


@triton.jit
def guarded(out, n, m):
    for i in range(0, tl.where(m == 0, 3, tl.cdiv(n, m))):
        tl.store(out + i, i + 1)


@triton.jit
def dropped(out, n, m):
    i = tl.arange(0, 4)
    some = tl.load(out + i, mask=i < m)
    kept = tl.sum(tl.where(i < m, some, 1)) + tl.sum(some * (i < m)) + ((n // m) & 0)
    tl.store(out, tl.cdiv(n, m) * 0 + 1)
    for at in range(0, kept):
        tl.store(out + at, 5)


@triton.jit
def gathered(out, n, m):
    i = tl.arange(0, 4)
    at = i + n - 8  # 0 to 3
    if tl.sum(tl.where(at < 2, tl.gather(i, at * 2 + m, 0), 1)) == 4:
        tl.store(out, 4)
    parts = tl.gather(n // (i + m), i * 0 + 1, 0)
    if tl.max(parts, axis=0) == 8:
        tl.store(out + 1, 5)
    if tl.sum(tl.histogram(i * 3 + m, 4, mask=i < 2)) == 2:
        tl.store(out + 2, 6)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "kernel, expected",
    [(chosen, [1, 2, 3]), (excluded, [0, 8, 0]), (outside, [6, 0, 0]), (unused, [7, 0, 0]),
     (pointed, [6, 0, 0]), (guarded, [1, 2, 3]), (dropped, [5, 5, 5]), (gathered, [4, 5, 6])],
)  # fmt: skip
def test_what_decides_nothing_is_no_fault(kernel, expected, tier):
    out = np.zeros(8, np.int32)
    kernel[(1,)](out, 8, 0, tier=tier)
    assert out[:3].tolist() == expected


@triton.jit
def gcd(out, n, m):
    while m != 0:
        rest = n % m
        n = m
        m = rest
    tl.store(out, n)


@pytest.mark.parametrize("tier", TIERS)
def test_euclid(tier):
    out = np.zeros(1, np.int32)
    gcd[(1,)](out, 84, 36, tier=tier)
    assert out[0] == 12


@triton.jit
def described(out, rows, stride):
    box = tl.make_tensor_descriptor(out, [rows, 4], [stride, 1], [1, 4])
    box.store([0, 0], tl.full([1, 4], 7, tl.int32))


@pytest.mark.parametrize("options", [*({"tier": tier} for tier in TIERS), {"sanitize": "all"}], ids=str)
@pytest.mark.parametrize("rows, stride, what", [(-1, 4, "shape"), (2, -4, "stride")])
def test_a_negative_side_of_a_descriptor_is_a_fault(rows, stride, what, options):
    with pytest.raises(triton.KernelFault, match=f"the {what} of this tensor in dimension 0 is negative"):
        described[(1,)](np.zeros(64, np.int32), rows, stride, **options)


@pytest.mark.parametrize("grid", [(-1,), (float("nan"),), (2.0,), (None,), ("1",), (1, -2)])
def test_a_grid_that_is_none_is_refused(grid):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        counts[grid](np.zeros(64, np.int32), 8, 2)


def test_a_sanitizer_tells_it_itself():
    """With where the value was born, and it goes on."""
    with triton.sanitize(policy=20) as session:
        branches[(1,)](np.zeros(64, np.int32), 8, 0)
    (finding,) = session.findings
    assert finding.kind == "undefined-value" and "decides a branch" in finding.headline
