"""What is timed on a GPU: inputs, a launch, the bytes that it must move, and what PyTorch gives.

What: `cases()` lists them; a case makes its tensors once and launches with the kernels of any package.
Limits: sizes are those at which the memory is the limit, and one small one.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch

HALF, FLOAT, INT = torch.float16, torch.float32, torch.int32


def load(package, name="kernels"):
    """kernels.py with the kernels of one package."""
    spec = importlib.util.spec_from_file_location(
        f"{name}_of_{package.__name__}", Path(__file__).with_name(f"{name}.py")
    )
    module = importlib.util.module_from_spec(spec)
    module.triton, module.tl = package, package.language
    spec.loader.exec_module(module)
    return module


@dataclass
class Case:
    """One row of the table."""

    name: str
    #: () → tensors
    make: Callable
    #: (kernels, tensors) → launches once
    launch: Callable
    #: tensors → (what the launch wrote, what PyTorch gives)
    check: Callable
    bytes: int = 0
    flops: int = 0
    tolerance: dict = field(default_factory=lambda: {"atol": 1e-5, "rtol": 1e-5})
    #: tensors → makes them ready for another launch, untimed
    reset: Callable | None = None


def _random(*shape, dtype=FLOAT):
    return torch.randn(shape, device="cuda", dtype=dtype)


def _block(columns: int) -> int:
    return 1 << (columns - 1).bit_length()


def _warps(block: int) -> int:
    return min(max(block // 256, 1), 8)


def _vector_add(count):
    def launch(k, t):
        k.vector_add[((count + 1023) // 1024,)](t["x"], t["y"], t["out"], count, BLOCK=1024)

    return Case(
        f"vector add {count}",
        lambda: {"x": _random(count), "y": _random(count), "out": torch.empty(count, device="cuda")},
        launch,
        lambda t: (t["out"], t["x"] + t["y"]),
        bytes=12 * count,
    )


def _rows(name, kernel, rows, columns, reference, dtype=FLOAT, out=None, **more):
    """A kernel that takes rows of a matrix to rows of another."""

    def launch(k, t):
        block = _block(columns)
        getattr(k, kernel)[(rows,)](t["x"], t["out"], columns, columns, BLOCK=block, num_warps=_warps(block))

    shape, out_type = out or ((rows, columns), dtype)
    size = rows * columns * dtype.itemsize + torch.Size(shape).numel() * out_type.itemsize
    return Case(
        f"{name} {rows} x {columns}",
        lambda: {
            "x": _random(rows, columns, dtype=dtype),
            "out": torch.empty(shape, device="cuda", dtype=out_type),
        },
        launch,
        lambda t: (t["out"], reference(t["x"])),
        bytes=size,
        **more,
    )


def _layer_norm(columns, rows=4096):
    def launch(k, t):
        block = min(_block(columns), 65536 // 2)
        k.layer_norm[(rows,)](
            t["x"], t["out"], t["w"], t["b"], t["mean"], t["scale"], columns, columns, 1e-5,
            BLOCK=block, num_warps=_warps(block),
        )  # fmt: skip

    return Case(
        f"layer norm f16 {rows} x {columns}",
        lambda: _norm_tensors(rows, columns),
        launch,
        lambda t: (
            t["out"],
            torch.nn.functional.layer_norm(t["x"], (columns,), t["w"], t["b"], 1e-5),
        ),
        bytes=2 * 2 * rows * columns,
        tolerance={"atol": 1e-2, "rtol": 1e-2},
    )


def _norm_tensors(rows, columns):
    return {
        "x": _random(rows, columns, dtype=HALF),
        "out": torch.empty(rows, columns, device="cuda", dtype=HALF),
        "w": _random(columns, dtype=HALF),
        "b": _random(columns, dtype=HALF),
        "mean": torch.empty(rows, device="cuda"),
        "scale": torch.empty(rows, device="cuda"),
    }


def _layer_norm_backward(columns, rows=4096, groups=96):
    def make():
        t = _norm_tensors(rows, columns)
        t["dy"] = _random(rows, columns, dtype=HALF)
        t["mean"] = t["x"].float().mean(1)
        t["scale"] = 1 / (t["x"].float().var(1, unbiased=False) + 1e-5).sqrt()
        t["dw"] = torch.zeros(groups, columns, device="cuda", dtype=HALF)
        t["db"] = torch.zeros(groups, columns, device="cuda", dtype=HALF)
        t["locks"] = torch.zeros(2 * groups, device="cuda", dtype=INT)
        return t

    def launch(k, t):
        block = _block(columns)
        k.layer_norm_backward[(rows,)](
            t["x"], t["dy"], t["w"], t["mean"], t["scale"], t["out"], t["dw"], t["db"], t["locks"], columns,
            columns, GROUPS=groups, BLOCK=block, num_warps=_warps(block),
        )  # fmt: skip

    def check(t):
        x = t["x"].detach().clone().requires_grad_()
        y = torch.nn.functional.layer_norm(x, (columns,), t["w"], t["b"], 1e-5)
        (made,) = torch.autograd.grad(y, x, t["dy"])
        return t["out"], made

    return Case(
        f"layer norm backward f16 {rows} x {columns}",
        make,
        launch,
        check,
        bytes=3 * 2 * rows * columns,
        tolerance={"atol": 2e-2, "rtol": 2e-2},
        reset=lambda t: t["locks"].zero_(),
    )


def _dropout(count):
    def launch(k, t):
        k.dropout[((count + 1023) // 1024,)](t["x"], t["out"], count, 0.5, 123, BLOCK=1024)

    def check(t):
        kept = t["out"] != 0
        share = kept.float().mean()
        assert abs(share - 0.5) < 0.01, f"{share} of all elements were kept"
        return t["out"][kept], 2 * t["x"][kept]

    return Case(
        f"dropout {count}",
        lambda: {"x": _random(count), "out": torch.empty(count, device="cuda")},
        launch,
        check,
        bytes=8 * count,
    )


def _rope(rows=8192, heads=32, half=64):
    columns = heads * 2 * half

    def make():
        angles = torch.rand(rows, half, device="cuda") * 6
        return {
            "x": _random(rows, columns, dtype=HALF),
            "cos": angles.cos(),
            "sin": angles.sin(),
            "out": torch.empty(rows, columns, device="cuda", dtype=HALF),
        }

    def launch(k, t):
        k.rope[(rows, heads)](t["x"], t["cos"], t["sin"], t["out"], columns, HALF=half, num_warps=1)

    def check(t):
        x = t["x"].float().view(rows, heads, 2, half)
        cos, sin = t["cos"][:, None], t["sin"][:, None]
        made = torch.stack((x[:, :, 0] * cos - x[:, :, 1] * sin, x[:, :, 1] * cos + x[:, :, 0] * sin), 2)
        return t["out"].float(), made.view(rows, columns)

    return Case("rope f16 8192 x 4096", make, launch, check, bytes=4 * rows * columns,
                tolerance={"atol": 1e-2, "rtol": 1e-2})  # fmt: skip


def _swiglu(rows=8192, columns=8192):
    def launch(k, t):
        block = _block(columns)
        k.swiglu[(rows,)](t["x"], t["y"], t["out"], columns, columns, BLOCK=block, num_warps=_warps(block))

    return Case(
        f"swiglu f16 {rows} x {columns}",
        lambda: {
            "x": _random(rows, columns, dtype=HALF),
            "y": _random(rows, columns, dtype=HALF),
            "out": torch.empty(rows, columns, device="cuda", dtype=HALF),
        },
        launch,
        lambda t: (t["out"], torch.nn.functional.silu(t["x"].float()).half() * t["y"]),
        bytes=6 * rows * columns,
        tolerance={"atol": 1e-2, "rtol": 1e-2},
    )


def _cross_entropy(rows=4096, columns=32768):
    def make():
        return {
            "x": _random(rows, columns, dtype=HALF),
            "y": torch.randint(0, columns, (rows,), device="cuda"),
            "out": torch.empty(rows, device="cuda"),
        }

    def launch(k, t):
        k.cross_entropy[(rows,)](t["x"], t["y"], t["out"], columns, columns, BLOCK=4096, num_warps=8)

    return Case(
        f"cross-entropy f16 {rows} x {columns}",
        make,
        launch,
        lambda t: (t["out"], torch.nn.functional.cross_entropy(t["x"].float(), t["y"], reduction="none")),
        bytes=2 * rows * columns,
        tolerance={"atol": 1e-3, "rtol": 1e-4},
    )


def _embedding(rows=65536, columns=4096, words=32000):
    def make():
        return {
            "x": _random(words, columns, dtype=HALF),
            "y": torch.randint(0, words, (rows,), device="cuda"),
            "out": torch.empty(rows, columns, device="cuda", dtype=HALF),
        }

    def launch(k, t):
        k.embedding[(rows,)](t["x"], t["y"], t["out"], columns, BLOCK=_block(columns), num_warps=4)

    return Case(f"embedding f16 {rows} x {columns}", make, launch, lambda t: (t["out"], t["x"][t["y"]]),
                bytes=4 * rows * columns)  # fmt: skip


def _histogram(count, bins=256):
    def launch(k, t):
        k.histogram[((count + 4095) // 4096,)](t["x"], t["out"], count, BINS=bins, BLOCK=4096, num_warps=8)

    return Case(
        f"histogram {count}",
        lambda: {
            "x": torch.randint(0, bins, (count,), device="cuda", dtype=INT),
            "out": torch.zeros(bins, device="cuda", dtype=INT),
        },
        launch,
        lambda t: (t["out"], torch.bincount(t["x"], minlength=bins).to(INT)),
        bytes=4 * count,
        reset=lambda t: t["out"].zero_(),
    )


def _sort(rows=16384, columns=1024):
    def launch(k, t):
        k.row_sort[(rows,)](t["x"], t["out"], columns, BLOCK=columns, num_warps=4)

    return Case(
        f"sort {rows} x {columns}",
        lambda: {"x": _random(rows, columns), "out": torch.empty(rows, columns, device="cuda")},
        launch,
        lambda t: (t["out"], t["x"].sort(1).values),
        bytes=8 * rows * columns,
    )


def _topk(rows=16384, columns=1024, k_of=8):
    def launch(k, t):
        k.row_topk[(rows,)](t["x"], t["out"], columns, K=k_of, BLOCK=columns, num_warps=4)

    return Case(
        f"top-{k_of} {rows} x {columns}",
        lambda: {"x": _random(rows, columns), "out": torch.empty(rows, k_of, device="cuda")},
        launch,
        lambda t: (t["out"], t["x"].topk(k_of, 1).values),
        bytes=4 * rows * columns,
    )


def _matmul(size=4096):
    def launch(k, t):
        k.matmul[((size // 128) * (size // 128),)](
            t["x"], t["y"], t["out"], size, size, size, size, size, size,
            BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, GROUP=8, num_warps=8, num_stages=3,
        )  # fmt: skip

    return Case(
        f"matmul f16 {size}",
        lambda: {
            "x": _random(size, size, dtype=HALF),
            "y": _random(size, size, dtype=HALF),
            "out": torch.empty(size, size, device="cuda", dtype=HALF),
        },
        launch,
        lambda t: (t["out"].float(), (t["x"] @ t["y"]).float()),
        flops=2 * size**3,
        tolerance={"atol": 0.3, "rtol": 1e-2},
    )


def cases() -> list[Case]:
    """All rows, in the order of the table."""
    rows = [_vector_add(1 << bits) for bits in (16, 22, 27)]
    for columns in (1024, 4096, 12288):
        rows.append(_rows("softmax", "softmax", 4096, columns, lambda x: x.softmax(1)))
    rows += [_layer_norm(columns) for columns in (1024, 4096, 8192)]
    rows += [_layer_norm_backward(columns) for columns in (1024, 4096, 8192)]
    rows += [_dropout(1 << 26), _rope(), _swiglu(), _cross_entropy(), _embedding()]
    rows.append(_rows("sum", "row_sum", 8192, 8192, lambda x: x.sum(1), out=((8192,), FLOAT),
                      tolerance={"atol": 1e-2, "rtol": 1e-4}))  # fmt: skip
    rows.append(_rows("argmax", "row_argmax", 8192, 8192, lambda x: x.argmax(1).to(INT), out=((8192,), INT)))
    rows.append(_rows("cumsum", "row_cumsum", 8192, 4096, lambda x: x.cumsum(1),
                      tolerance={"atol": 1e-2, "rtol": 1e-3}))  # fmt: skip
    rows += [_histogram(1 << 26), _sort(), _topk(), _matmul()]
    return rows
