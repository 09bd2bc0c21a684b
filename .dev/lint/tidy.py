"""Runs clang-tidy over sources of the release build, each once per content.

What: the .cpp files that differ from HEAD, or with --all every tracked one that the build compiles, with the
flags it is compiled with (the precompiled header included). A clean result is remembered under build/tidy
by a hash of the file, of our headers that it includes, of its flags and of .clang-tidy.
Why: a check that takes minutes is not run; unchanged files cost nothing.
Limits: a file that is compiled several times (kernels, once an ISA) is checked with its first set of flags.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
CACHE = ROOT / "build" / "tidy"
TIDY = "clang-tidy-19"


def candidates(everything: bool) -> set[str]:
    command = ["git", "ls-files"] if everything else ["git", "diff", "--name-only", "HEAD"]
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


def check(name: str, stamp: Path) -> list[str]:
    """Complaints about one file and its headers, each with its excerpt."""
    result = subprocess.run(
        [TIDY, "--quiet", "-p", str(BUILD), str(ROOT / name)], cwd=ROOT, capture_output=True, text=True
    )
    if result.returncode == 0:
        stamp.touch()
        return []
    text = result.stdout.replace(f"{ROOT}/", "") or result.stderr
    return re.split(r"\n(?=\S+:\d+:\d+: (?:error|warning):)", text.rstrip())


def main() -> int:
    CACHE.mkdir(parents=True, exist_ok=True)
    everything = "--all" in sys.argv[1:]
    chosen = commands(candidates(everything))
    headers = dependencies()
    work = []
    for name, entry in sorted(chosen.items()):
        stamp = CACHE / content_key(entry, headers.get(entry.get("output", ""), []))
        if not stamp.exists():
            work.append((name, stamp))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        complaints = {text for found in pool.map(lambda item: check(*item), work) for text in found}
    for text in sorted(complaints):
        print(text)
    if not complaints:
        scope = "all" if everything else "changed"
        print(f"clang-tidy: {len(chosen)} {scope} files, {len(work)} of them anew")
    return 1 if complaints or (everything and not chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
