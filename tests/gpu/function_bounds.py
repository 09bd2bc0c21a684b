"""How far a GPU's f32 functions are from the exact value, over all 2^32 patterns, for docs/numerics.md.

What: runs each function of the language as upstream compiles it for the GPU at hand and compares with
PyTorch's double function. Prints a row a function: the largest error in units in the last place where the
operand and the exact result are normal numbers, where it is seen, how many results are subnormal and how
many of those are flushed to zero, and how many differ otherwise (subnormal operands, infinities, NaN).
`--out` keeps the rows as JSON.
Why: a check of compiled code must allow what the machine's own functions are off by.
Limits: needs a GPU, torch and triton; two-operand functions see random pairs of patterns, not all of them.
"""

import argparse
import json
from pathlib import Path

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

CHUNK = 1 << 24
LEAST_NORMAL = 2.0**-126


@triton.jit
def one(source, other, target, KIND: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(source + at)
    if KIND == "exp":
        made = tl.exp(x)
    elif KIND == "exp2":
        made = tl.exp2(x)
    elif KIND == "log":
        made = tl.log(x)
    elif KIND == "log2":
        made = tl.log2(x)
    elif KIND == "sin":
        made = tl.sin(x)
    elif KIND == "cos":
        made = tl.cos(x)
    elif KIND == "sqrt":
        made = tl.sqrt(x)
    elif KIND == "sqrt_rn":
        made = tl.sqrt_rn(x)
    elif KIND == "rsqrt":
        made = tl.rsqrt(x)
    elif KIND == "erf":
        made = tl.erf(x)
    elif KIND == "libdevice.tanh":
        made = libdevice.tanh(x)
    elif KIND == "sigmoid":
        made = tl.sigmoid(x)
    elif KIND == "x / y":
        made = x / tl.load(other + at)
    else:
        made = tl.div_rn(x, tl.load(other + at))
    tl.store(target + at, made)


#: name: the exact function of f64 operands
ROWS = {
    "exp": lambda x, y: torch.exp(x),
    "exp2": lambda x, y: torch.exp2(x),
    "log": lambda x, y: torch.log(x),
    "log2": lambda x, y: torch.log2(x),
    "sin": lambda x, y: torch.sin(x),
    "cos": lambda x, y: torch.cos(x),
    "sqrt": lambda x, y: torch.sqrt(x),
    "sqrt_rn": lambda x, y: torch.sqrt(x),
    "rsqrt": lambda x, y: torch.rsqrt(x),
    "erf": lambda x, y: torch.erf(x),
    "libdevice.tanh": lambda x, y: torch.tanh(x),
    "sigmoid": lambda x, y: torch.sigmoid(x),
    "x / y": lambda x, y: x / y,
    "div_rn": lambda x, y: x / y,
}


def ulp(got: torch.Tensor, exact: torch.Tensor) -> torch.Tensor:
    """The error in units of the last place of f32 at the exact value."""
    exponent = torch.frexp(exact)[1].clamp(min=-125)
    return (got.double() - exact).abs() / torch.ldexp(torch.ones_like(exact), exponent - 24)


class Row:
    def __init__(self) -> None:
        self.largest, self.at = 0.0, ""
        self.flushed = self.subnormal = self.special = 0

    def add(self, x: torch.Tensor, y: torch.Tensor, got: torch.Tensor, exact: torch.Tensor) -> None:
        rounded = exact.float()
        usual = torch.isfinite(rounded) & (rounded.abs() >= LEAST_NORMAL) & (x.abs() >= LEAST_NORMAL)
        error = torch.where(usual & torch.isfinite(got), ulp(got, exact), 0.0)
        worst = int(error.argmax())
        if float(error[worst]) > self.largest:
            self.largest = float(error[worst])
            self.at = f"{float(x[worst])!r}, {float(y[worst])!r}"
        small = (rounded != 0) & (rounded.abs() < LEAST_NORMAL)
        self.subnormal += int(small.sum())
        self.flushed += int((small & (got == 0)).sum())
        same = (got == rounded) | (torch.isnan(got) & torch.isnan(rounded))
        self.special += int((~same & ~(usual & torch.isfinite(got)) & ~small).sum())


def measure(name: str, exact, every: int) -> Row:
    row = Row()
    pairs = torch.Generator(device="cuda").manual_seed(7)
    for chunk in range(0, 256, every):
        codes = torch.arange(chunk * CHUNK, (chunk + 1) * CHUNK, dtype=torch.int64, device="cuda")
        x = codes.to(torch.int32).view(torch.float32)
        y = torch.randint(-(2**31), 2**31, (CHUNK,), device="cuda", generator=pairs).to(torch.int32)
        y = y.view(torch.float32)
        got = torch.empty_like(x)
        one[(CHUNK // 1024,)](x, y, got, name, 1024)
        row.add(x, y, got, exact(x.double(), y.double()))
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="one chunk of 2^24 patterns in so many")
    parser.add_argument("--out", type=Path, help="a file for the rows as JSON")
    arguments = parser.parse_args()
    print(f"{torch.cuda.get_device_name()}, triton {triton.__version__}")
    print(f"{'function':16} {'ULP':>14} {'subnormal':>14} {'flushed':>14} {'special':>9}  worst at")
    rows = {}
    for name, exact in ROWS.items():
        row = measure(name, exact, arguments.every)
        rows[name] = vars(row)
        print(
            f"{name:16} {row.largest:14.3f} {row.subnormal:14,} {row.flushed:14,} {row.special:9,}  {row.at}",
            flush=True,
        )
    if arguments.out:
        facts = {"device": torch.cuda.get_device_name(), "triton": triton.__version__, "rows": rows}
        arguments.out.write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
