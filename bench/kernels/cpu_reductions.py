"""Cases of the benchmark of tier 1: losses, reductions, scans, histograms, gathers and sorts.

f32 and bf16; sizes named DRAM are past every cache.
"""

import numba_sides as numba
import numpy as np
import torch
import triton
from cpu_case import Case, case, compiled, error, memory_peak, normal

import cpu as kernels

DTYPES = (("f32", torch.float32), ("bf16", torch.bfloat16))


def loose(dtype, exact):
    return exact if dtype is torch.float32 else 1e-2


def cross_entropy(rows, columns, dtype):
    x = normal(rows, columns, dtype=dtype)
    labels = torch.randint(0, columns, (rows,), generator=torch.Generator().manual_seed(0))
    out, third = torch.zeros(rows), torch.zeros(rows)
    loss = torch.nn.functional.cross_entropy
    into = compiled(lambda x, t, y: y.copy_(loss(x.float(), t, reduction="none")))
    sides = {
        "trisect": lambda: kernels.cross_entropy[(rows,)](x, labels, out, columns, columns, BLOCK=columns),
        "torch": lambda: third.copy_(loss(x, labels, reduction="none")),
        "torch.compile": lambda: into(x, labels, third),
    }
    moved = x.numel() * x.element_size()
    check = lambda: error(out, loss(x.double(), labels, reduction="none"))  # noqa: E731
    return Case(sides, check, loose(dtype, 1e-4), moved, memory_peak(moved))


def row_reduce(rows, columns, dtype, argmax):
    x = normal(rows, columns, dtype=dtype)
    kind = torch.int64 if argmax else torch.float32
    out, eager, third = (torch.zeros(rows, dtype=kind) for _ in range(3))
    peer = torch.argmax if argmax else torch.sum
    more = {} if argmax or dtype is torch.float32 else {"dtype": torch.float32}
    into = compiled(lambda x, y: y.copy_(peer(x, 1, **more)))
    sides = {
        "trisect": lambda: kernels.row_reduce[(rows,)](x, out, columns, columns, argmax, BLOCK=columns),
        "torch": lambda: peer(x, 1, **more, out=eager),
        "torch.compile": lambda: into(x, third),
    }
    if dtype is torch.float32:
        numbers, result = x.numpy(), torch.zeros(rows, dtype=kind).numpy()
        reduce = numbers.argmax if argmax else numbers.sum
        sides["numpy"] = lambda: reduce(axis=1, out=result)
        loop = numba.row_argmax if argmax else numba.row_sum
        sides["numba"] = numba.side(loop, x, torch.zeros_like(out))
    moved = x.numel() * x.element_size()
    # Where the greatest stands twice any place is right.
    wanted = lambda: x.gather(1, out[:, None])[:, 0].double() if argmax else out.double()  # noqa: E731
    right = lambda: x.double().amax(1) if argmax else x.double().sum(1)  # noqa: E731
    return Case(sides, lambda: error(wanted(), right()), 1e-3, moved, memory_peak(moved))


#: Rows and columns that a program of the sum of columns takes at a time. Beyond the second cache the best of
#: them is found by timing, as authors do: of 128 columns each row is an eighth of a page.
COLUMN_BLOCKS = [
    triton.Config({"BLOCK_R": rows, "BLOCK_C": columns})
    for rows, columns in ((64, 128), (64, 1024), (16, 1024), (8, 1024), (8, 2048), (8, 4096))
]
tuned_column_sum = triton.autotune(COLUMN_BLOCKS, key=["rows", "columns"])(kernels.column_sum)


def column_sum(rows, columns, dtype, tuned=False):
    x = normal(rows, columns, dtype=dtype)
    out, eager, third = (torch.zeros(columns) for _ in range(3))
    more = {} if dtype is torch.float32 else {"dtype": torch.float32}
    into = compiled(lambda x, y: y.copy_(torch.sum(x, 0, **more)))
    grid = lambda meta: (triton.cdiv(columns, meta["BLOCK_C"]),)  # noqa: E731
    fixed = lambda: kernels.column_sum[(columns // 128,)](x, out, rows, columns, 64, 128)  # noqa: E731
    sides = {
        "trisect": (lambda: tuned_column_sum[grid](x, out, rows, columns)) if tuned else fixed,
        "torch": lambda: torch.sum(x, 0, **more, out=eager),
        "torch.compile": lambda: into(x, third),
    }
    if dtype is torch.float32:
        numbers, result = x.numpy(), torch.zeros(columns).numpy()
        sides["numpy"] = lambda: numbers.sum(axis=0, out=result)
        sides["numba"] = numba.side(numba.column_sum, x, torch.zeros_like(out))
    moved = x.numel() * x.element_size()
    return Case(sides, lambda: error(out, x.double().sum(0)), 1e-3, moved, memory_peak(moved))


def cumsum(rows, columns, dtype):
    x = normal(rows, columns, dtype=dtype)
    out, eager, third = (torch.zeros_like(x) for _ in range(3))
    into = compiled(lambda x, y: y.copy_(torch.cumsum(x, 1)))
    sides = {
        "trisect": lambda: kernels.cumsum[(rows,)](x, out, columns, BLOCK=columns),
        "torch": lambda: torch.cumsum(x, 1, out=eager),
        "torch.compile": lambda: into(x, third),
    }
    if dtype is torch.float32:
        sides["numba"] = numba.side(numba.cumsum, x, torch.zeros_like(x))
    moved = 2 * x.numel() * x.element_size()
    # Sums in bf16 are rounded at each step, in an order of one's own.
    check = lambda: error(out, x.double().cumsum(1))  # noqa: E731
    return Case(sides, check, 1e-3 if dtype is torch.float32 else 0.5, moved, memory_peak(moved))


def histogram(n):
    bins = 256
    x = torch.randint(0, bins, (n,), dtype=torch.int32, generator=torch.Generator().manual_seed(0))
    out = torch.zeros(bins, dtype=torch.int32)
    long = x.long()

    def ours():
        out.zero_()
        kernels.histogram[(n // 4096,)](x, out, BLOCK=4096, BINS=bins)

    numbers = long.numpy()
    sides = {
        "trisect": ours,
        "torch": lambda: torch.bincount(long, minlength=bins),
        "numpy": lambda: np.bincount(numbers, minlength=bins),
        "numba": numba.side(numba.histogram, x, torch.zeros_like(out)),
    }
    return Case(sides, lambda: error(out, torch.bincount(long, minlength=bins)), 0, n * 4)


def embedding(rows, width, count, dtype):
    table = normal(rows, width, dtype=dtype)
    ids = torch.randint(0, rows, (count,), generator=torch.Generator().manual_seed(0))
    out, eager, third = (torch.zeros(count, width, dtype=dtype) for _ in range(3))
    into = compiled(lambda table, ids, y: y.copy_(table[ids]))
    sides = {
        "trisect": lambda: kernels.embedding[(count,)](table, ids, out, width, BLOCK=width),
        "torch": lambda: torch.index_select(table, 0, ids, out=eager),
        "torch.compile": lambda: into(table, ids, third),
    }
    if dtype is torch.float32:
        sides["numba"] = numba.side(numba.gather, table, ids, torch.zeros_like(out))
    moved = 2 * count * width * table.element_size()
    return Case(sides, lambda: error(out, table[ids]), 0, moved, memory_peak(moved))


def sort(rows, dtype):
    x = normal(rows, 1024, dtype=dtype)
    out, eager = torch.zeros_like(x), (torch.zeros_like(x), torch.zeros(rows, 1024, dtype=torch.int64))
    sides = {
        "trisect": lambda: kernels.sort[(rows,)](x, out, COLUMNS=1024),
        "torch": lambda: torch.sort(x, dim=1, out=eager),
    }
    if dtype is torch.float32:
        numbers = x.numpy()
        sides["numpy"] = lambda: np.sort(numbers, axis=1)
        sides["numba"] = numba.side(numba.sort, x, torch.zeros_like(x))
    check = lambda: error(out, torch.sort(x, dim=1).values)  # noqa: E731
    return Case(sides, check, 0, 2 * x.numel() * x.element_size())


for _name, _dtype in DTYPES:
    for _size, _rows in (("4096", 256), ("4096 DRAM", 1 << 13)):
        case(f"cross-entropy {_name} {_size}", cross_entropy, _rows, 4096, _dtype)
        case(f"row sum {_name} {_size}", row_reduce, _rows, 4096, _dtype, False)
        case(f"row argmax {_name} {_size}", row_reduce, _rows, 4096, _dtype, True)
    case(f"column sum {_name} 256x512", column_sum, 256, 512, _dtype)
    for _size, _rows, _columns in (("1024", 1024, 1024), ("DRAM", 1 << 13, 4096)):
        case(f"column sum {_name} {_size}", column_sum, _rows, _columns, _dtype, True)
        case(f"column sum {_name} {_size}, 64x128 blocks", column_sum, _rows, _columns, _dtype)
    for _size, _rows in (("1024", 256), ("1024 DRAM", 1 << 15)):
        case(f"cumsum {_name} {_size}", cumsum, _rows, 1024, _dtype)
    case(f"embedding {_name} 256", embedding, 8192, 256, 4096, _dtype)
    case(f"embedding {_name} 256 DRAM", embedding, 1 << 17, 256, 1 << 17, _dtype)
    case(f"sort {_name} 1024", sort, 64, _dtype)
for _name, _count in (("", 1 << 18), (" DRAM", 1 << 25)):
    case(f"histogram 256{_name}", histogram, _count)
