"""Compiled forms where the user's own cache manager, or a remote store, keeps what kernels are made of."""

import pytest
from own_process import run
from test_forms import ADD

MANAGERS = '''
import os, tempfile
from trisect.runtime.cache import CacheManager, RemoteCacheBackend

def place(key, name):
    return os.path.join(os.environ["STORE"], f"{key}--{name}")

class Backend(RemoteCacheBackend):
    def get(self, filenames):
        found = {}
        for name in filenames:
            if os.path.exists(place(self.key, name)):
                found[name] = open(place(self.key, name), "rb").read()
        return found
    def put(self, filename, data):
        open(place(self.key, filename), "wb").write(data)

class Own(CacheManager):
    """All files of all kernels in one folder."""
    def has_file(self, filename):
        return os.path.exists(place(self.key, filename))
    def get_file(self, filename):
        if "get" in os.environ.get("BROKEN", "") and filename.endswith("forms"):
            raise ConnectionError("no way there")
        return place(self.key, filename) if self.has_file(filename) else None
    def put(self, data, filename, binary=True):
        if "put" in os.environ.get("BROKEN", "") and filename.endswith("forms"):
            raise ConnectionError("no way there")
        data = data if isinstance(data, bytes) else str(data).encode()
        open(place(self.key, filename), "wb").write(data)
        return place(self.key, filename)
    def get_group(self, filename):
        return None
    def put_group(self, filename, group):
        pass
'''


@pytest.fixture(params=["own", "remote"])
def manager(request, tmp_path):
    """What to set so that a manager of the user's own is in use; its store."""
    (tmp_path / "own_managers.py").write_text(MANAGERS)
    (tmp_path / "store").mkdir()
    environment = {"STORE": str(tmp_path / "store")}
    if request.param == "own":
        return environment | {"TRITON_CACHE_MANAGER": "own_managers:Own"}
    return environment | {
        "TRITON_CACHE_MANAGER": "trisect.runtime.cache:RemoteCacheManager",
        "TRITON_REMOTE_CACHE_BACKEND": "own_managers:Backend",
    }


def archives(tmp_path):
    return sorted((tmp_path / "store").glob("*compiled.forms"))


def test_a_later_process_starts_where_the_first_was(tmp_path, manager):
    first = run(tmp_path, ADD, **manager)
    assert first.facts == {"kinds": ["compiled", "promoted"], "tier": "cpu", "good": True}, first.text
    (archive,) = archives(tmp_path)
    for path in (tmp_path / "cache").rglob("*"):  # what is fetched from a remote store lies there
        if path.is_file():
            path.unlink()
    later = run(tmp_path, ADD.replace("launches=4", "launches=1"), **manager)
    assert later.facts == {"kinds": ["loaded"], "tier": "cpu", "good": True}, later.text
    assert "Warning" not in first.text + later.text
    archive.write_bytes(archive.read_bytes()[:-40])
    damaged = run(tmp_path, ADD, **manager)
    assert damaged.facts == {"kinds": ["compiled", "promoted"], "tier": "cpu", "good": True}, damaged.text


def test_what_another_process_gave_meanwhile_stays(tmp_path, manager):
    """Two kernels of one key cannot be; two options of one kernel have forms of their own."""
    run(tmp_path, ADD, TRISECT_CPU_ISA="v2", **manager)
    run(tmp_path, ADD, **manager)
    for isa in ({"TRISECT_CPU_ISA": "v2"}, {}):
        later = run(tmp_path, ADD.replace("launches=4", "launches=1"), **isa, **manager)
        assert later.facts["kinds"] == ["loaded"], later.text


@pytest.mark.parametrize("broken", ["get", "put"])
@pytest.mark.parametrize("manager", ["own"], indirect=True)
def test_a_manager_that_raises_costs_a_warning(tmp_path, manager, broken):
    ended = run(tmp_path, ADD, BROKEN=broken, **manager)
    assert ended.status == 0 and ended.facts["good"] and ended.facts["tier"] == "cpu", ended.text
    assert "compiled forms are not kept: Own raised ConnectionError('no way there')" in ended.text
