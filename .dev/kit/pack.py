"""Packs what a machine with a GPU, but without LLVM, needs to run Trisect: one xz archive.

What: the Python package with libtrisect.so (LLVM linked in), the runner of run-test files, the sources of the
pybind11 layer with every header that they reach, and a build script that needs g++ and pybind11 alone.
Why: such machines have Python, a driver and no development packages; the layer is compiled there, for them.
Limits: libtrisect.so needs a glibc and a libstdc++ at least as new as those of the machine that built it.
"""

import io
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
MOST_MIB = 40


def with_headers(sources: list[Path]) -> list[Path]:
    """The sources and all files of this repository that they include, directly or through others."""
    found: list[Path] = []
    pending = list(sources)
    while pending:
        path = pending.pop()
        if path in found:
            continue
        found.append(path)
        pending += [ROOT / name for name in INCLUDE.findall(path.read_text()) if (ROOT / name).is_file()]
    return sorted(found)


def main(library: Path, tool: Path, archive: Path) -> int:
    listing = subprocess.run(
        ["git", "ls-files", "python/trisect"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    package = [ROOT / name for name in listing.split()]
    bindings = with_headers(sorted((ROOT / "python" / "bindings").glob("*.cpp")))
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=7"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    archive.parent.mkdir(exist_ok=True)
    # Whoever packs or unpacks meanwhile finds the last one, whole.
    part = archive.with_suffix(f".{os.getpid()}")
    try:
        with tarfile.open(part, "w:xz", preset=6) as tar:
            tar.add(library, "trisect-kit/python/trisect/lib/libtrisect.so")
            tar.add(tool, f"trisect-kit/bin/{tool.name}")
            tar.add(ROOT / ".dev" / "kit" / "build.sh", "trisect-kit/build.sh")
            stamp = tarfile.TarInfo("trisect-kit/commit")
            stamp.size = len(commit)
            tar.addfile(stamp, io.BytesIO(commit.encode()))
            for path in [*package, *bindings, ROOT / "LICENSE"]:
                tar.add(path, f"trisect-kit/{path.relative_to(ROOT)}")
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)
    size = archive.stat().st_size / 2**20
    unpacked = library.stat().st_size / 2**20
    print(f"{archive.relative_to(ROOT)}: {size:.1f} MiB (libtrisect.so {unpacked:.1f} MiB)")
    if size > MOST_MIB:
        print(f"gpu-kit: larger than {MOST_MIB} MiB", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
