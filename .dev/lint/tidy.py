"""Runs clang-tidy over all sources of the release build, each once per content.

What: every tracked .cpp file that the build compiles, or with --changed those that differ from HEAD, with the
flags it is compiled with (the precompiled header included). A clean result is remembered by a hash of the
file, of our headers that it includes, of its flags and of .clang-tidy, in a folder that all checkouts of a
user share (TRISECT_TIDY_CACHE, else ~/.cache/trisect-tidy).
Why: a check that takes minutes is not run; unchanged files cost nothing.
Limits: a file that is compiled several times (kernels, once an ISA) is checked with its first set of flags;
the fuzz targets and the micro benchmarks are no part of the release build.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
CACHE = Path(os.environ.get("TRISECT_TIDY_CACHE") or Path.home() / ".cache" / "trisect-tidy")
#: A compilation database with one entry a file: clang-tidy checks a file once for each entry.
DATABASE = ROOT / "build" / "tidy"
TIDY = "clang-tidy-19"
LLVM = "/usr/lib/llvm-19"


def plugin() -> Path:
    """The plugin that keeps clang-tidy out of system headers, compiled anew when its source changes."""
    source = ROOT / ".dev" / "lint" / "OwnDeclarations.cpp"
    library = DATABASE / "OwnDeclarations.so"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        flags = f"-std=c++17 -O1 -fno-rtti -fPIC -shared -isystem {LLVM}/include -fuse-ld=lld".split()
        subprocess.run([f"{LLVM}/bin/clang++", *flags, str(source), "-o", str(library)], check=True)
    return library


def candidates(changed: bool) -> set[str]:
    command = ["git", "diff", "--name-only", "HEAD"] if changed else ["git", "ls-files"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(listing.stdout.splitlines())


def dependencies() -> dict[str, list[Path]]:
    """Object file to the files of this repository (generated ones too) that ninja recorded for it."""
    listing = subprocess.run(
        ["ninja", "-C", str(BUILD), "-t", "deps"], capture_output=True, text=True, check=True
    )
    found: dict[str, list[Path]] = {}
    target = ""
    for line in listing.stdout.splitlines():
        if line and not line.startswith(" "):
            target = line.split(":")[0]
            found[target] = []
        elif line.strip():
            path = (BUILD / line.strip()).resolve()
            if path.is_relative_to(ROOT) and path.suffix != ".pch":
                found[target].append(path)
    return found


def commands(names: set[str]) -> dict[str, dict[str, str]]:
    """Source file to its first entry in the compilation database."""
    chosen: dict[str, dict[str, str]] = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
        if name in names:
            chosen.setdefault(name, entry)
    return chosen


def content_key(entry: dict[str, str], headers: list[Path]) -> str:
    key = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    key.update(entry["command"].replace(str(ROOT), "").encode())
    for path in sorted({Path(entry["file"]), *headers}):
        key.update(str(path.relative_to(ROOT)).encode())
        key.update(path.read_bytes() if path.exists() else b"")
    return key.hexdigest()


def check(name: str, stamp: Path, library: Path) -> list[str]:
    """Complaints about one file and its headers, each with its excerpt."""
    command = [TIDY, "--quiet", f"--load={library}", "-p", str(DATABASE), str(ROOT / name)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode == 0:
        stamp.touch()
        return []
    text = result.stdout.replace(f"{ROOT}/", "") or result.stderr
    return re.split(r"\n(?=\S+:\d+:\d+: (?:error|warning):)", text.rstrip())


def main() -> int:
    changed = "--changed" in sys.argv[1:]
    chosen = commands(candidates(changed))
    for folder in (CACHE, DATABASE):
        folder.mkdir(parents=True, exist_ok=True)
    (DATABASE / "compile_commands.json").write_text(json.dumps(list(chosen.values())))
    headers = dependencies()
    work = []
    for name, entry in sorted(chosen.items()):
        stamp = CACHE / content_key(entry, headers.get(entry.get("output", ""), []))
        if not stamp.exists():
            work.append((name, stamp))
    started = time.monotonic()
    library = plugin()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        complaints = {text for found in pool.map(lambda item: check(*item, library), work) for text in found}
    for text in sorted(complaints):
        print(text)
    seconds = time.monotonic() - started
    print(f"clang-tidy: {len(chosen)} files, {len(work)} of them anew in {seconds:.0f} s")
    return 1 if complaints or not (chosen or changed) else 0


if __name__ == "__main__":
    sys.exit(main())
