"""Inline PTX that kernels contain, one instruction or a few at a time, against NumPy and ml_dtypes."""

import floats
import integers
import ml_dtypes
import numpy as np
from template import Case

I32 = integers.array(integers.points(32), 32)
OTHER = I32[::-1]
U32, V32 = I32.astype(np.uint32).astype(np.uint64), OTHER.astype(np.uint32).astype(np.uint64)
F32 = floats.rounded(
    [0, -0.0, 1, -1.5, 0.3, 2.5, -3.5, 6.1, 447, 1e5, -1e5, 1e-3, np.inf, -np.inf, 5, 0.75], "f32"
)
G32 = F32[::-1]


def wrap(values) -> np.ndarray:
    return np.asarray(values, np.uint64).astype(np.uint32).view(np.int32)


def case(text: str, letters: str, result: str, inputs: list, expected, *facts: str, **further: str) -> Case:
    types = {np.dtype(np.int32): "i32", np.dtype(np.float32): "f32"}
    operands = [types[x.dtype] for x in inputs]
    names = ", ".join(f"{{{n}}}" for n in range(len(inputs)))
    kinds = ", ".join(f"{{T{n}}}" for n in range(len(inputs)))
    escaped = text.replace("{", "{{").replace("}", "}}")
    code = (
        f'{{r}} = tt.elementwise_inline_asm "{escaped}" {{{{constraints = "{letters}", '
        f"packed_element = 1 : i32, pure = true}}}} {names} : {kinds} -> {{R}}"
    )
    return Case(
        operands, result, inputs, np.asarray(expected), code, *facts, forms=("block", "same"), **further
    )


def small(x: np.ndarray, dtype) -> np.ndarray:
    """Bits of 8-bit floats with saturation."""
    largest = float(ml_dtypes.finfo(dtype).max)
    return np.clip(x.astype(np.float64), -largest, largest).astype(dtype).view(np.uint8).astype(np.uint64)


def halves(x: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return x.astype(np.float16).view(np.uint16).astype(np.uint64)


def fours(x: np.ndarray) -> np.ndarray:
    clipped = np.clip(x.astype(np.float64), -6, 6)
    return clipped.astype(ml_dtypes.float4_e2m1fn).view(np.uint8).astype(np.uint64) & 15


def rotate(a, b, by):
    return wrap(((b << 32 | a) << by >> 32) & 0xFFFFFFFF)


def integer_cases() -> list[Case]:
    n = np.arange(16, dtype=np.int32)
    two = "=r,r,r"
    high = [(int(a) * int(b)) >> 32 for a, b in zip(I32, OTHER, strict=True)]
    return [
        case("mul.hi.s32 $0, $1, $2;", two, "i32", [I32, OTHER], np.array(high, np.int64).astype(np.int32)),
        case("mul.hi.u32 $0, $1, $2;", two, "i32", [I32, OTHER], wrap(U32 * V32 >> np.uint64(32))),
        case("mad.lo.s32 $0, $1, $2, 7;", two, "i32", [I32, OTHER], wrap(U32 * V32 + np.uint64(7))),
        case("min.u32 $0, $1, $2;", two, "i32", [I32, OTHER], wrap(np.minimum(U32, V32))),
        case("max.s32 $0, $1, $2;", two, "i32", [I32, OTHER], np.maximum(I32, OTHER)),
        case("shf.l.wrap.b32 $0, $1, $2, 3;", two, "i32", [I32, OTHER], rotate(U32, V32, np.uint64(3))),
        case("shf.r.wrap.b32 $0, $1, $1, 8;", "=r,r", "i32", [I32], wrap(U32 >> 8 | U32 << 24)),
        case("lop3.b32 $0, $1, $2, 0xff, 0xEA;", two, "i32", [I32, OTHER], I32 & OTHER | 255),
        case("prmt.b32 $0, $1, $2, 0x5410;", two, "i32", [I32, OTHER], wrap(V32 << 16 | U32 & 0xFFFF)),
        case("bfe.u32 $0, $1, 4, 8;", "=r,r", "i32", [I32], wrap(U32 >> 4 & 255)),
        case(
            "bfi.b32 $0, $1, $2, 8, 8;", two, "i32", [I32, OTHER], wrap(V32 & 0xFFFF00FF | (U32 & 255) << 8)
        ),
        case("popc.b32 $0, $1;", "=r,r", "i32", [I32], [int(u).bit_count() for u in U32]),
        case("clz.b32 $0, $1;", "=r,r", "i32", [I32], [32 - int(u).bit_length() for u in U32]),
        case("brev.b32 $0, $1;", "=r,r", "i32", [I32], wrap([int(f"{int(u):032b}"[::-1], 2) for u in U32])),
        case("div.u32 $0, $1, 10;", "=r,r", "i32", [I32], wrap(U32 // 10)),
        case("mov.b32 $0, $1;", "=r,r", "i32", [I32], I32),
        case(
            "{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {h, l}; }",
            "=r,r",
            "i32",
            [I32],
            wrap(U32 >> 16 | U32 << 16),
        ),
        case(
            "{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $1, $2, p; }",
            two,
            "i32",
            [I32, OTHER],
            np.minimum(I32, OTHER),
        ),
        case(
            "{ .reg .pred p; setp.gt.u32 p, $1, 8; @p mov.b32 $0, 8; @!p add.u32 $0, $1, 1; }",
            "=r,r",
            "i32",
            [n],
            np.where(n > 8, 8, n + 1),
        ),
        case("dp4a.s32.s32 $0, $1, $2, 5;", two, "i32", [I32, OTHER], dot4(I32, OTHER, 5)),
    ]


def dot4(x: np.ndarray, y: np.ndarray, start: int) -> np.ndarray:
    bytes_ = [np.ascontiguousarray(a).view(np.int8).reshape(-1, 4).astype(np.int64) for a in (x, y)]
    return ((bytes_[0] * bytes_[1]).sum(1) + start).astype(np.int32)


def float_cases() -> list[Case]:
    with np.errstate(all="ignore"):
        wide = F32.astype(np.float64), G32.astype(np.float64)
        quotient, inverse = (wide[0] / wide[1]).astype(np.float32), (1 / wide[0]).astype(np.float32)
        clamped = np.clip(F32, 0, 1)
        clamped = np.where(F32 == 0, np.float32(0), clamped)
        product = (wide[0] * wide[1] + 2.5).astype(np.float32)
    finite = F32[np.isfinite(F32)][:13]
    tf32 = ((F32.view(np.uint32) + np.where(np.isinf(F32), 0, 0x1000)) & 0xFFFFE000).astype(np.uint32)
    both = "=f,f,f"
    return [
        case("div.rn.f32 $0, $1, $2;", both, "f32", [F32, G32], quotient),
        case("div.full.f32 $0, $1, $2;", both, "f32", [F32, G32], quotient, "ulp 2"),
        case("rcp.approx.ftz.f32 $0, $1;", "=f,f", "f32", [F32], inverse, "ulp 1"),
        case("fma.rn.f32 $0, $1, $2, 0f40200000;", both, "f32", [F32, G32], product),
        case("add.rn.f32 $0, $1, $2;", both, "f32", [finite, finite[::-1]], finite + finite[::-1]),
        case("cvt.sat.f32.f32 $0, $1;", "=f,f", "f32", [F32], clamped),
        case("cvt.rni.f32.f32 $0, $1;", "=f,f", "f32", [F32], np.rint(F32)),
        case("cvt.rmi.s32.f32 $0, $1;", "=r,f", "i32", [finite], np.floor(finite).astype(np.int32)),
        case("cvt.rzi.s32.f32 $0, $1;", "=r,f", "i32", [finite], np.trunc(finite).astype(np.int32)),
        case("cvt.rn.f32.s32 $0, $1;", "=f,r", "f32", [I32], I32.astype(np.float32)),
        case("cvt.rna.tf32.f32 $0, $1;", "=r,f", "i32", [F32], tf32.view(np.int32)),
        case(
            "max.NaN.f32 $0, $1, $2;", both, "f32", [finite, finite[::-1]], np.maximum(finite, finite[::-1])
        ),
        case(
            "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f", "i32", [F32, G32], wrap(halves(F32) << 16 | halves(G32))
        ),
        case(
            "{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, $1, $2; cvt.u32.u16 $0, t; }",
            "=r,f,f",
            "i32",
            [F32, G32],
            wrap(small(F32, ml_dtypes.float8_e4m3fn) << 8 | small(G32, ml_dtypes.float8_e4m3fn)),
        ),
        case(
            "{ .reg .b16 t; cvt.rn.satfinite.e5m2x2.f32 t, $1, $2; cvt.u32.u16 $0, t; }",
            "=r,f,f",
            "i32",
            [F32, G32],
            wrap(small(F32, ml_dtypes.float8_e5m2) << 8 | small(G32, ml_dtypes.float8_e5m2)),
        ),
        case(
            "{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, $1, $2; cvt.rn.f16x2.e4m3x2 $0, t; }",
            "=r,f,f",
            "i32",
            [F32, G32],
            wrap(halves(rounded8(F32)) << 16 | halves(rounded8(G32))),
        ),
        case(
            "{ .reg .b8 t; cvt.rn.satfinite.e2m1x2.f32 t, $1, $2; cvt.u32.u8 $0, t; }",
            "=r,f,f",
            "i32",
            [F32, G32],
            wrap(fours(F32) << 4 | fours(G32)),
            unassembled="Instruction 'cvt with .e2m1x2' not supported on .target 'sm_",
        ),
    ]


def rounded8(x: np.ndarray) -> np.ndarray:
    return small(x, ml_dtypes.float8_e4m3fn).astype(np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float32)


def cases(_: str) -> list[Case]:
    return integer_cases() + float_cases()


FILES = {"tt.elementwise_inline_asm": (cases, "")}
