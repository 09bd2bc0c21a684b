"""Corpora of TTIR in parts, and the records of the parts as one.

What: `parts` lays the modules of an archive into folders, so that as many processes check them; `summed` adds
up the records that `trisect-check --corpus --json` left. Limits: a part's record names its corpus and number.
"""

import json
import shutil
import tarfile
import tempfile
from collections import Counter
from pathlib import Path


def parts(archive: Path, into: Path, count: int) -> list[tuple[str, Path]]:
    """Names and folders of the parts."""
    corpus = archive.name.removesuffix(".tar.xz")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        # Modules of a kernel take alike: some an assembler for a minute, which no part is to have twice.
        files = sorted(Path(folder).rglob("*.ttir"), key=lambda file: (file.name.split(".")[0], file))
        for place, file in enumerate(files):
            copy = into / corpus / str(place % count) / file.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    return [(f"{corpus}-{n}", into / corpus / str(n)) for n in range(count)]


def summed(folder: Path) -> dict[str, dict]:
    """By corpus: counts added up, the worst share, and the modules behind each reason."""
    corpora: dict[str, dict] = {}
    for file in sorted(folder.glob("corpus-*-*.json")):
        part = json.loads(file.read_text())
        name = file.stem.removeprefix("corpus-").rpartition("-")[0]
        whole = corpora.setdefault(
            name, {"parts": 0, "verdicts": Counter(), "reasons": {}, "worst_share_of_bound": 0}
        )
        whole["parts"] += 1
        whole["verdicts"].update(part.pop("verdicts"))
        whole["worst_share_of_bound"] = max(whole["worst_share_of_bound"], part.pop("worst_share_of_bound"))
        for kind, reasons in part.pop("reasons").items():
            for reason, modules in reasons.items():
                whole["reasons"].setdefault(kind, {}).setdefault(reason, []).extend(modules)
        for key, value in part.items():
            whole[key] = whole.get(key, 0) + value
    return corpora
