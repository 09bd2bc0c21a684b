"""Writes the run-test files of this folder: each elementwise op at its edges, on blocks, scalars and splats.

Run it as `python tests/ops/points/generate.py [FOLDER]`; a test keeps the stored files equal to what it
writes.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import assembly  # noqa: E402
import casts  # noqa: E402
import floats  # noqa: E402
import integers  # noqa: E402
import scaled  # noqa: E402
from template import write  # noqa: E402


def generate(folder: Path) -> list[Path]:
    """All files; returns their paths."""
    files = floats.FILES | integers.FILES | casts.FILES | assembly.FILES
    written = [
        write(folder, op.replace(".", "_"), f"{op} at its edges", make(name))
        for op, (make, name) in files.items()
    ]
    return [*written, scaled.write(folder)]


if __name__ == "__main__":
    print(f"{len(generate(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE))} files")
