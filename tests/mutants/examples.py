"""Launches of the examples as run-test files, for trisect-mutants.

What: `examples.py OUT [EXAMPLE...]` runs programs (python/examples/*.py) and writes, for the first launch of
each compiled kernel, its TTIR, grid and arguments as they were before; tensors lie in files beside.
Why: mistakes are planted into kernels as they are written and launched, not only into tests of single
operations.
Limits: what a run-test file cannot say is left out, and counted with its reason: arguments that share memory,
tuples, addresses that lie in memory, more than 4 MiB of tensors.
"""

import re
import runpy
import sys
from pathlib import Path

import numpy
import torch

import trisect.as_triton  # noqa: F401  the examples import triton
from trisect.runtime.jit import JITFunction

MOST_BYTES = 4 << 20
#: Element types by TTIR's names: those of NumPy in whose width the bytes are kept.
WIDTHS = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}
PARAMETER = re.compile(r"%([\w.]+): (!tt\.ptr<[^>]*>|!tt\.tensordesc<[^>]*>>|\w+)")


class LeftOut(Exception):
    """A launch that no run-test file can hold."""


def memory(tensor) -> numpy.ndarray:
    """The elements from the first on to the last that the tensor reaches."""
    if any(stride < 0 for stride in tensor.stride()):
        raise LeftOut("a tensor goes backwards")
    count = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    flat = tensor.detach().as_strided((count if tensor.numel() else 0,), (1,))
    width = tensor.element_size()
    return flat.contiguous().view(torch.uint8).numpy().copy().view(WIDTHS[width])


def word(value, kind: str, path: Path, kept: dict) -> str:
    """An argument as a run-test file says it; tensors go to files."""
    if isinstance(value, torch.Tensor):
        element = re.search(r"ptr<(\w+)", kind)
        if not element:
            raise LeftOut("addresses of addresses")
        numpy.save(path, kept[id(value)])
        return f"{element[1]}[{kept[id(value)].size}]:@{path}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    raise LeftOut(f"an argument of {type(value).__name__}")


class Capture:
    """Files of the launches that went by."""

    def __init__(self, out: Path):
        self.out, self.seen, self.left_out, self.count = out, set(), {}, 0
        self.example = ""

    def before(self, values: dict) -> dict:
        tensors = [value for value in values.values() if isinstance(value, torch.Tensor)]
        if len({tensor.untyped_storage().data_ptr() for tensor in tensors if tensor.numel()}) < len(
            [tensor for tensor in tensors if tensor.numel()]
        ):
            raise LeftOut("arguments share memory")
        if sum(tensor.untyped_storage().nbytes() for tensor in tensors) > MOST_BYTES:
            raise LeftOut("more than 4 MiB of tensors")
        return {id(tensor): memory(tensor) for tensor in tensors}

    def write(self, name: str, text: str, grid, values: dict, kept: dict) -> None:
        self.count += 1
        stem = f"{self.example}-{name}-{self.count}"
        head = re.search(r"tt\.func public @[^(]*\((.*?)\)(?: attributes| \{|$)", text, re.M)
        words = []
        for n, (parameter, kind) in enumerate(PARAMETER.findall(head[1])):
            if parameter not in values:
                raise LeftOut(f"parameter {parameter} is part of an argument")
            words.append(word(values[parameter], kind, self.out / f"{stem}-{n}.npy", kept))
        size = ",".join(str(extent) for extent in grid)
        header = f"// tiers: interp, cpu\n// run: grid={size} args: {'; '.join(words)}\n"
        expects = "".join(f"// expect {n}: any\n" for n, each in enumerate(words) if ":@" in each)
        (self.out / f"{stem}.ttir").write_text(header + expects + text)


def install(capture: Capture) -> None:
    """Every launch goes by `capture`."""
    run = JITFunction.run

    def captured(self, *args, grid, warmup, **kwargs):
        names = [parameter.name for parameter in self.params]
        values = dict(zip(names, args, strict=False)) | {k: v for k, v in kwargs.items() if k in names}
        for parameter in self.params:
            values.setdefault(parameter.name, parameter.default)
        try:
            kept = {} if warmup else capture.before(values)
            reason = None
        except LeftOut as error:
            reason = str(error)
        kernel = run(self, *args, grid=grid, warmup=warmup, **kwargs)
        if warmup:
            return kernel
        text = kernel.asm["ttir"]
        key = (capture.example, text)
        if key not in capture.seen:
            size = grid(values | kwargs) if callable(grid) else grid
            try:
                if reason:
                    raise LeftOut(reason)
                capture.write(self.__name__, text, tuple(size), values, kept)
                capture.seen.add(key)
            except LeftOut as error:
                capture.left_out[f"{capture.example}, {self.__name__}"] = str(error)
        return kernel

    JITFunction.run = captured
    JITFunction.__getitem__ = lambda self, grid: (
        lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)
    )


def main() -> int:
    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    root = Path(__file__).resolve().parents[2]
    files = [Path(name) for name in sys.argv[2:]] or sorted((root / "python" / "examples").glob("*.py"))
    capture = Capture(out)
    install(capture)
    for file in files:
        capture.example = file.stem
        sys.argv = [str(file)]
        try:
            runpy.run_path(str(file), run_name="__main__")
        except SystemExit as end:
            if end.code:
                raise
    for launch, reason in sorted(capture.left_out.items()):
        print(f"left out: {launch}: {reason}")
    print(f"{capture.count} launches of {len(files)} examples in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
