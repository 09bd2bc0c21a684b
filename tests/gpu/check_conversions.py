"""What a GPU's conversion instructions do with every f32 pattern, beside what docs/numerics.md says.

What: runs each instruction through inline assembly over all 2^32 patterns (or every Nth chunk) and compares
with the documented rule, computed by PyTorch. Prints one row an instruction: patterns, equal, different, and
the first difference. NaN counts as equal to NaN. `--out` keeps the rows as JSON.
Why: saturation of infinities and rounding of ties are the machine's to decide.
Limits: needs a GPU of compute capability 9.0 (e2m1: 10.0), torch and triton; `--every N` looks at one chunk
of 2^24 patterns in N.
"""

import argparse
import json
from pathlib import Path

import torch
import triton
import triton.language as tl

CHUNK = 1 << 24


@triton.jit
def convert(source, target, ASM: tl.constexpr, LETTERS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(source + at)
    made = tl.inline_asm_elementwise(ASM, LETTERS, [x], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(target + at, made)


def through_gpu(x: torch.Tensor, asm: str) -> torch.Tensor:
    out = torch.empty(x.shape, dtype=torch.int32, device=x.device)
    block = 1024
    convert[(x.numel() // block,)](x, out, asm, "=r,f", block)
    return out


def small(kind: torch.dtype):
    largest = torch.finfo(kind).max

    def rule(x):
        return x.clamp(-largest, largest).to(kind).view(torch.uint8).to(torch.int32)

    return rule


def tf32(x):
    bits = x.view(torch.int32)
    return torch.where(torch.isfinite(x), (bits + 0x1000) & -0x2000, bits)


def narrow(kind: torch.dtype):
    return lambda x: x.to(kind).view(torch.int16).to(torch.int32) & 0xFFFF


def towards_zero(kind: torch.dtype):
    def rule(x):
        near = x.to(kind)
        largest = torch.finfo(kind).max
        near = torch.where(torch.isinf(near) & ~torch.isinf(x), x.sign().to(kind) * largest, near)
        beyond = near.float().abs() > x.abs()
        return (near.view(torch.int16) - beyond.to(torch.int16)).to(torch.int32) & 0xFFFF

    return rule


def fours(x):
    middles = torch.tensor([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0], device=x.device)
    size = x.abs()
    code = torch.bucketize(size, middles, right=False)
    # A tie goes to the even code: bucketize gives the lower one.
    tie = (size[:, None] == middles[None, 1::2]).any(1)
    code = torch.where(torch.isnan(x), torch.full_like(code, 7), code + tie)
    return (code | torch.where(torch.signbit(x) & ~torch.isnan(x), 8, 0)).to(torch.int32)


def packed(name: str, bits: int) -> str:
    register = "b16" if bits == 8 else "b8"
    word = "u16" if bits == 8 else "u8"
    return (
        f"{{ .reg .{register} t; .reg .f32 z; mov.f32 z, 0f00000000; "
        f"cvt.rn.satfinite.{name}.f32 t, z, $1; cvt.u32.{word} $0, t; }}"
    )


def halves(text: str) -> str:
    return f"{{ .reg .b16 t; {text} t, $1; cvt.u32.u16 $0, t; }}"


#: name: (assembly, rule, NaN test on codes, least capability)
ROWS = {
    "cvt.rn.satfinite.e4m3x2": (
        packed("e4m3x2", 8),
        small(torch.float8_e4m3fn),
        lambda c: c & 0x7F == 0x7F,
        9,
    ),
    "cvt.rn.satfinite.e5m2x2": (packed("e5m2x2", 8), small(torch.float8_e5m2), lambda c: c & 0x7F > 0x7C, 9),
    "cvt.rn.satfinite.e2m1x2": (packed("e2m1x2", 4), fours, lambda c: c < 0, 10),
    "cvt.rna.tf32": ("cvt.rna.tf32.f32 $0, $1;", tf32, lambda c: (c & 0x7FFFFFFF) > 0x7F800000, 8),
    "cvt.rn.f16": (halves("cvt.rn.f16.f32"), narrow(torch.float16), lambda c: c & 0x7FFF > 0x7C00, 8),
    "cvt.rz.f16": (halves("cvt.rz.f16.f32"), towards_zero(torch.float16), lambda c: c & 0x7FFF > 0x7C00, 8),
    "cvt.rn.bf16": (halves("cvt.rn.bf16.f32"), narrow(torch.bfloat16), lambda c: c & 0x7FFF > 0x7F80, 8),
    "cvt.rz.bf16": (
        halves("cvt.rz.bf16.f32"),
        towards_zero(torch.bfloat16),
        lambda c: c & 0x7FFF > 0x7F80,
        8,
    ),
}


def check(asm: str, rule, is_nan, every: int) -> tuple[int, int, str]:
    total = different = 0
    first = ""
    for chunk in range(0, 256, every):
        codes = torch.arange(chunk * CHUNK, (chunk + 1) * CHUNK, dtype=torch.int64, device="cuda")
        x = codes.to(torch.int32).view(torch.float32)
        got, want = through_gpu(x, asm), rule(x)
        wrong = (got != want) & ~(torch.isnan(x) & is_nan(got))
        total += CHUNK
        count = int(wrong.sum())
        different += count
        if count and not first:
            at = int(wrong.to(torch.uint8).argmax())
            source = int(codes[at])
            first = f"f32 {source:#010x} ({float(x[at])!r}): {int(got[at]):#x}, documented {int(want[at]):#x}"
    return total, different, first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="one chunk of 2^24 patterns in so many")
    parser.add_argument("--out", type=Path, help="a file for the rows as JSON")
    arguments = parser.parse_args()
    capability = torch.cuda.get_device_capability()
    print(f"{torch.cuda.get_device_name()}, compute capability {capability[0]}.{capability[1]}")
    print(f"{'instruction':28} {'patterns':>12} {'different':>12}  first difference")
    rows = {}
    for name, (asm, rule, is_nan, least) in ROWS.items():
        if capability[0] < least:
            print(f"{name:28} {'-':>12} {'-':>12}  needs compute capability {least}.0")
            continue
        total, different, first = check(asm, rule, is_nan, arguments.every)
        rows[name] = {"patterns": total, "different": different, "first": first}
        print(f"{name:28} {total:12,} {different:12,}  {first}")
    if arguments.out:
        facts = {"device": torch.cuda.get_device_name(), "triton": triton.__version__, "rows": rows}
        arguments.out.write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
