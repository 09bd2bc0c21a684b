"""tt.dot_scaled in every pair of element formats, with block scales, against ml_dtypes in f64."""

from pathlib import Path

import ml_dtypes
import numpy as np
from template import numbers

FORMATS = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "bf16": ml_dtypes.bfloat16,
    "fp16": np.float16,
}
WIDE = ("bf16", "fp16")
M, N, K, GROUP = 16, 16, 32, 32
#: Bytes of a format whose numbers are finite and neither huge nor tiny.
MIDDLE = {"e4m3": (0x20, 0x50), "e5m2": (0x30, 0x48), "e2m3": (0, 32), "e3m2": (0, 32), "e2m1": (0, 8)}


def operand(format_: str, count: int, seed: int) -> np.ndarray:
    """Patterns of a format, both signs, the same for a seed."""
    random = np.random.default_rng(seed)
    if format_ in WIDE:
        return random.choice([-2.0, -1.5, -0.5, 0.25, 1.0, 3.0], count).astype(FORMATS[format_])
    low, high = MIDDLE[format_]
    sign = {"e2m1": 8, "e2m3": 32, "e3m2": 32}.get(format_, 0x80)
    bits = random.integers(low, high, count) | sign * random.integers(0, 2, count)
    return bits.astype(np.uint8)


def values(format_: str, patterns: np.ndarray) -> np.ndarray:
    if format_ in WIDE:
        return patterns.astype(np.float64)
    return patterns.view(FORMATS[format_]).astype(np.float64)


def packed(patterns: np.ndarray, axis: int) -> np.ndarray:
    """Two e2m1 values a byte, the first in the low half."""
    even, odd = (np.take(patterns, range(n, patterns.shape[axis], 2), axis) for n in (0, 1))
    return (even | odd << 4).astype(np.uint8)


class Side:
    """One operand: rows along M (or N), columns along K."""

    def __init__(self, name: str, format_: str, seed: int, scaled: bool, pack_k: bool):
        rows = M if name == "a" else N
        patterns = operand(format_, rows * K, seed).reshape(rows, K)
        scales = np.random.default_rng(seed + 50).integers(124, 131, (rows, K // GROUP))
        self.name, self.format, self.scaled, self.pack_k = name, format_, scaled, pack_k
        self.exact = values(format_, patterns)
        if scaled:
            self.exact = self.exact * np.exp2(scales - 127.0).repeat(GROUP, 1)
        self.scales = scales.astype(np.int8)
        stored = packed(patterns, 1 if pack_k else 0) if format_ == "e2m1" else patterns
        self.stored = stored if name == "a" else stored.T

    @property
    def element(self) -> str:
        return {"bf16": "bf16", "fp16": "f16", "e4m3": "f8E4M3FN", "e5m2": "f8E5M2"}.get(self.format, "i8")

    def buffer(self) -> str:
        kind = self.element if self.format in WIDE else "i8"
        data = self.stored.ravel() if self.format in WIDE else self.stored.ravel().view(np.int8)
        return f"{kind}[{data.size}]:{numbers(data, kind)}"

    def block(self) -> str:
        rows, columns = self.stored.shape
        return f"tensor<{rows}x{columns}x{self.element}>"

    def scale_block(self) -> str:
        return f"tensor<{self.scales.shape[0]}x{self.scales.shape[1]}xi8>"

    def scale_buffer(self) -> str:
        return f"i8[{self.scales.size}]:{numbers(self.scales.ravel(), 'i8')}"


def load(name: str, shape: tuple[int, int], element: str, base: str) -> list[str]:
    """A row-major block from memory."""
    rows, columns = shape
    block = f"tensor<{rows}x{columns}x"
    count = rows * columns
    return [
        f"%{name}i = tt.make_range {{end = {count} : i32, start = 0 : i32}} : tensor<{count}xi32>",
        f"%{name}s = tt.splat {base} : !tt.ptr<{element}> -> tensor<{count}x!tt.ptr<{element}>>",
        f"%{name}p = tt.addptr %{name}s, %{name}i : tensor<{count}x!tt.ptr<{element}>>, tensor<{count}xi32>",
        f"%{name}l = tt.load %{name}p : tensor<{count}x!tt.ptr<{element}>>",
        f"%{name} = tt.reshape %{name}l : tensor<{count}x{element}> -> {block}{element}>",
    ]


def part(left: Side, right: Side) -> str:
    expected = (left.exact @ right.exact.T + 1.0).astype(np.float32)
    arguments = [left.buffer(), right.buffer()]
    parameters = [f"%pa: !tt.ptr<{left.element}>", f"%pb: !tt.ptr<{right.element}>"]
    lines = load("a", left.stored.shape, left.element, "%pa")
    lines += load("b", right.stored.shape, right.element, "%pb")
    operands = {}
    for side in (left, right):
        operands[side.name] = f"%{side.name}", side.block()
        if side.scaled:
            arguments.append(side.scale_buffer())
            parameters.append(f"%p{side.name}s: !tt.ptr<i8>")
            lines += load(f"{side.name}k", side.scales.shape, "i8", f"%p{side.name}s")
            operands[side.name] = f"%{side.name} scale %{side.name}k", f"{side.block()}, {side.scale_block()}"
    pack = "".join(
        f", {word}_k_pack = false"
        for word, side in (("lhs", left), ("rhs", right))
        if side.format == "e2m1" and not side.pack_k
    )
    lines += [
        f"%c = arith.constant dense<1.0> : tensor<{M}x{N}xf32>",
        f"%d = tt.dot_scaled {operands['a'][0]}, {operands['b'][0]}, %c lhs = {left.format} "
        f"rhs = {right.format} {{fastMath = false{pack}}} : {operands['a'][1]} * {operands['b'][1]} "
        f"-> tensor<{M}x{N}xf32>",
        f"%r = tt.reshape %d : tensor<{M}x{N}xf32> -> tensor<{M * N}xf32>",
        f"%i = tt.make_range {{end = {M * N} : i32, start = 0 : i32}} : tensor<{M * N}xi32>",
        f"%os = tt.splat %out : !tt.ptr<f32> -> tensor<{M * N}x!tt.ptr<f32>>",
        f"%op = tt.addptr %os, %i : tensor<{M * N}x!tt.ptr<f32>>, tensor<{M * N}xi32>",
        f"tt.store %op, %r : tensor<{M * N}x!tt.ptr<f32>>",
        "tt.return",
    ]
    arguments.append(f"f32[{M * N}]")
    parameters.append("%out: !tt.ptr<f32>")
    head = [
        f"// run: grid=1 args: {'; '.join(arguments)}",
        f"// expect {len(arguments) - 1}: {numbers(expected.ravel(), 'f32')}",
        f"tt.func public @{left.format}_{right.format}({', '.join(parameters)}) {{",
    ]
    return "\n".join(head + [f"  {line}" for line in lines] + ["}"]) + "\n"


def parts() -> list[str]:
    """Each format on each side at least once with and without scales, e2m1 packed along both axes."""
    made = []
    formats = list(FORMATS)
    for n, format_ in enumerate(formats):
        other = formats[(n + 1) % len(formats)]
        for scaled in (True, False):
            made.append(
                part(
                    Side("a", format_, n, scaled and format_ not in WIDE, True),
                    Side("b", other, n + 7, scaled and other not in WIDE, True),
                )
            )
    made.append(part(Side("a", "e2m1", 20, True, False), Side("b", "e2m1", 21, True, False)))
    made.append(part(Side("a", "bf16", 22, False, True), Side("b", "e4m3", 23, True, True)))
    return made


def write(folder: Path) -> Path:
    path = folder / "tt_dot_scaled.ttir"
    head = "// tt.dot_scaled in every format; expected values by points/generate.py.\n"
    head += "// tiers: interp, cpu, cuda\n// tolerance: reassoc\n"
    path.write_text(head + "// -----\n".join(parts()))
    return path
