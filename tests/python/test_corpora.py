"""Corpora in parts for machines with a GPU."""

import sys
import tarfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / ".dev" / "testing"))
import corpora  # noqa: E402


def test_modules_of_one_kernel_are_spread_over_the_parts(tmp_path):
    names = [f"{version}/{kernel}.pre.{n}.ttir" for version in "abc" for n, kernel in enumerate("yxx")]
    with tarfile.open(tmp_path / "some.tar.xz", "w:xz") as archive:
        for name in names:
            (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "source" / name).touch()
        archive.add(tmp_path / "source", ".")
    parts = corpora.parts(tmp_path / "some.tar.xz", tmp_path / "parts", 3)
    assert [name for name, _ in parts] == ["some-0", "some-1", "some-2"]
    found = [[str(file.relative_to(folder)) for file in folder.rglob("*.ttir")] for _, folder in parts]
    assert sorted(sum(found, [])) == sorted(names)
    assert [sum("/y" in name for name in part) for part in found] == [1, 1, 1]
