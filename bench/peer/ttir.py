"""Our front end against upstream's: time from AST to TTIR, and both texts run in tier 0 on equal inputs.

Prints how many kernels give bit-equal outputs, before and after the TTIR passes, and the time from AST to
optimised TTIR, in turn (./dev peer ttir).
"""

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "kernels")]
import language  # noqa: E402

from compare import compare, ours, upstream  # noqa: E402

PROGRAMS = 2
os.environ["TRISECT_THREADS"] = "1"  # in ascending order: some kernels let both programs write the same place


def array(kind, size, seed, zero=False):
    """Reproducible values that every operator can take: small, positive, not zero; raw bits for bfloat16."""
    name = language.TYPES[kind][0]
    values = np.zeros(size) if zero else np.random.default_rng(seed).integers(1, 8, size)
    if kind.startswith("f") or kind == "bf16":
        values = values + (0 if zero else np.random.default_rng(seed + 9).random(size))
    if name == "bfloat16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(name)


def run(text, case):
    """The bytes of every buffer after the kernel ran in tier 0."""
    from trisect._C import runtime

    size = case.block * PROGRAMS
    buffers = [array(kind, size * 4, k) for k, kind in enumerate(case.inputs)]
    buffers.append(array(case.output, size * 4, 7, zero=True))
    kernel = runtime.Kernel(text, case.name, {"tier": "interp"})
    kernel.launch((PROGRAMS, 1, 1), tuple(b.ctypes.data for b in buffers) + (size - 5,))
    return [b.tobytes() for b in buffers]


def verdict(case, folder, peer_folder, stage):
    outputs = []
    for place in (folder, peer_folder):
        try:
            outputs.append(run((place / f"{case.name}.{stage}.ttir").read_text(), case))
        except Exception as error:
            return f"{place.name}: {type(error).__name__}: {str(error).strip().splitlines()[0]}"
    return None if outputs[0] == outputs[1] else "different bits"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE")
    chosen = parser.parse_args().cases
    cases = [case for case in language.kernels() if not chosen or case.name in chosen]
    with tempfile.TemporaryDirectory() as scratch:
        folders = {name: Path(scratch) / name for name in ("trisect", "upstream")}
        for folder in folders.values():
            folder.mkdir()
        sides = [
            ours("trisect", {"TTIR_OUT": str(folders["trisect"])}),
            upstream("upstream", {"TTIR_OUT": str(folders["upstream"])}),
        ]
        record = compare("ttir", "kernels/front", [case.name for case in cases], sides, budget=0.05)
        for stage in ("pre", "post"):
            verdicts = {case.name: verdict(case, *folders.values(), stage) for case in cases}
            wrong = {name: why for name, why in verdicts.items() if why is not None}
            print(f"{stage}: {len(cases) - len(wrong)}/{len(cases)} kernels bit-equal")
            for name, why in wrong.items():
                print(f"  {name}: {why}")
    medians = [
        [row[side]["median"] for row in record["rows"].values() if all("median" in r for r in row.values())]
        for side in ("trisect", "upstream")
    ]
    ratios = [a / b for a, b in zip(*medians, strict=True)]
    own, peer = (statistics.median(column) * 1e3 for column in medians)
    print(f"AST to optimised TTIR, median of {len(ratios)}: {own:.2f} ms, upstream {peer:.2f} ms")
    print(f"ratio, median: {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
