"""Random integer kernels near the ends of their types are right in both tiers."""

import pytest
import wrapping

PARTS, EACH = 8, 40


@pytest.mark.parametrize("part", range(PARTS))
def test_random_kernels(part, monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "off")
    for seed in range(part * EACH, (part + 1) * EACH):
        case = wrapping.Case(seed)
        for tier in ("interp", "cpu"):
            difference = wrapping.run(case, tier)
            assert not difference, f"seed {seed}: {difference}\narguments {case.arguments}\n{case.text}"
