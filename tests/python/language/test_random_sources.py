"""Random kernels in Python source give NumPy's numbers in both tiers (tests/fuzz/sources.py); and the oracle
can tell: one that is wrong on purpose is caught.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "fuzz"))
import numpy_language
import sources


@pytest.mark.parametrize("part", range(4))
def test_tiers_agree_with_numpy(part, monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "off")  # a comparison must not stand in for a wrong result
    for seed in range(part * 6, part * 6 + 6):
        source = sources.Source(seed)
        problem = sources.difference(source, source.text())
        assert not problem, f"seed {seed}, n = {source.n}, k = {source.k}: {problem}\n{source.text()}"


def test_a_wrong_oracle_is_caught(monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "off")
    numpy_language.operator("sub", lambda a, b: a - b + np.ones_like(b))
    try:
        made = [sources.Source(seed) for seed in range(8)]
        assert any(sources.difference(source, source.text()) for source in made if " - " in source.text())
    finally:
        numpy_language.operator("sub", np.subtract)
