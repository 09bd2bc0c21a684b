"""What a GPU makes of every form of inline assembly, beside what is stored of it and what tier 0 makes of it.

What: runs the texts of tests/python/numerics/assembly_forms.py on the GPU and in tier 0, and prints each
spelling whose bits differ. `--out` keeps the GPU's digests (tests/python/numerics/assembly-sm_90.json).
Limits: needs a GPU of compute capability 9.0 or later and torch; approximations are left out.
"""

import argparse
import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "numerics"))
import assembly_forms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="a file for the digests")
    arguments = parser.parse_args()
    major = torch.cuda.get_device_capability()[0]
    differ = count = 0
    for widths, names, texts in assembly_forms.groups(lambda name: "e2m1x2" in name and major < 10):
        here = assembly_forms.run(widths, texts, tier="interp")
        there = assembly_forms.run(widths, texts, lambda array: torch.from_numpy(array).cuda())
        for name, ours, theirs in zip(names, here, there, strict=True):
            if not assembly_forms.is_exact(name):
                continue
            count += 1
            wrong = ours != theirs
            if wrong.any():
                differ += 1
                at = int(wrong.argmax())
                print(f"{name}: lane {at}, tier 0 {int(ours[at]):#x}, GPU {int(theirs[at]):#x}")
    print(f"{torch.cuda.get_device_name()}: {count} spellings, {differ} differ")
    if arguments.out:
        found = assembly_forms.digests(
            lambda name: "e2m1x2" in name, lambda array: torch.from_numpy(array).cuda()
        )
        items = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items()]
        rows = ",\n".join("  " + ", ".join(items[n : n + 3]) for n in range(0, len(items), 3))
        device = json.dumps(torch.cuda.get_device_name())
        arguments.out.write_text(f'{{\n "device": {device},\n "digests": {{\n{rows}\n }}\n}}\n')


if __name__ == "__main__":
    main()
