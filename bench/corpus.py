"""Corpora of TTIR on the compiled CPU tier, beside tier 0 (./dev bench corpus ARCHIVE...).

What: `trisect-check --corpus` over every module of each archive or folder; keeps how many forms were equal,
within their bounds, different or not decided, and why. Exit status 1 if one was different or the compiler
broke.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from compare import ROOT, keep

TOOL = ROOT / "build" / "release" / "bin" / "trisect-check"


def check(path: Path, folder: Path) -> tuple[int, dict]:
    """The tool's status and its record of a corpus, with the seconds it took."""
    modules = path
    if path.is_file():
        modules = folder / path.name
        with tarfile.open(path) as archive:
            archive.extractall(modules, filter="data")
    written = folder / "record.json"
    began = time.monotonic()
    status = subprocess.call([TOOL, "--corpus", modules, "--json", written])
    record = json.loads(written.read_text()) if status < 2 else {}
    return status, {**record, "seconds": round(time.monotonic() - began)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench corpus", description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="+", type=Path, help="an archive or a folder of .ttir files")
    worst, corpora = 0, {}
    for path in parser.parse_args().corpus:
        with tempfile.TemporaryDirectory() as folder:
            status, corpora[path.name] = check(path, Path(folder))
        worst = max(worst, status)
    if worst < 2:
        keep("corpus", {"command": "./dev bench corpus " + " ".join(corpora), "corpora": corpora})
    return worst


if __name__ == "__main__":
    sys.exit(main())
