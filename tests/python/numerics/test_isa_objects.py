"""Code compiled for one ISA level stays in that level's namespace.

Why: the linker keeps one of several definitions of an inline function. If one from an AVX-512 object were
kept for all, the whole program would need AVX-512.
"""

import subprocess

import pytest

import kernels

OBJECTS = kernels.BUILD / "interp" / "kernels" / "CMakeFiles"


@pytest.mark.parametrize("isa", kernels.ISAS)
def test_no_shared_definitions(isa: str) -> None:
    objects = sorted((OBJECTS / f"TrisectKernels_{isa}.dir").rglob("*.o"))
    assert objects
    for path in objects:
        listing = subprocess.run(
            ["nm", "-C", "--defined-only", str(path)], capture_output=True, text=True, check=True
        )
        for line in listing.stdout.splitlines():
            _, kind, name = line.split(maxsplit=2)
            if kind in "WVu":
                assert f"::{isa}::" in name, f"{path.name}: {name}"
