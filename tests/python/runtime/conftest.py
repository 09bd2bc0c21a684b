"""Launching without a tier: what would be run is recorded."""

from collections import namedtuple

import pytest

from trisect.compiler import executable

Launch = namedtuple("Launch", ["grid", "args", "stream"])


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Each test has a cache folder of its own."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def launches(monkeypatch):
    """The launches of kernels, in order, instead of their effects."""
    from trisect._C import launch

    recorded = []

    def make(*kernel):
        return launch.CallbackExecutable(lambda *facts: recorded.append(Launch(*facts)))

    monkeypatch.setattr(executable, "make_executable", make)
    return recorded
