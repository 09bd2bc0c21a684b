"""Inline assembly makes the same bits in tiers 0 and 1, at every level of x86-64, and those of a GPU."""

import json
from pathlib import Path

import assembly_forms
import numpy as np
import pytest

from kernels import ARCHS

#: What an H100 made of the same texts and patterns; pairs of e2m1 need a later GPU.
STORED = json.loads(Path(__file__).with_name("assembly-sm_90.json").read_text())


@pytest.mark.parametrize("arch", ARCHS)
def test_tiers_agree(arch):
    count = 0
    for widths, names, texts in assembly_forms.groups():
        want = assembly_forms.run(widths, texts, tier="interp")
        got = assembly_forms.run(widths, texts, tier="cpu", arch=arch)
        for name, wanted, made in zip(names, want, got, strict=True):
            at = np.flatnonzero(wanted != made)
            assert not at.size, f"{name}, lane {at[0]}: {wanted[at[0]]:#x}, compiled {made[at[0]]:#x}"
        count += len(names)
    assert count > 900


def test_as_on_a_gpu():
    here = assembly_forms.digests(tier="interp")
    assert len(STORED["digests"]) > 850
    assert not [name for name, stored in STORED["digests"].items() if here[name] != stored]
    assert {name for name in here if name not in STORED["digests"]} <= {
        name for name in here if "e2m1x2" in name
    }
