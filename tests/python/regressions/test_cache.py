"""A cache that is broken costs a warning or a compile, never the kernel, and never runs a stranger's code."""

import builtins
import json
import os
import shutil
import warnings

import pytest
from own_process import run

SCRIPT = """
import warnings
with warnings.catch_warnings(record=True) as all:
    warnings.simplefilter("always")
    good = right("interp") and right("interp", BLOCK=128) and right("interp", BLOCK=512)
told = [str(each.message) for each in all if "cache" in str(each.message)]
report(good=good, told=told)
"""


def broken(tmp_path, kind):
    folder = tmp_path / "broken"
    if kind == "no folder can be made":
        return "/proc/self/nothing/here"
    if kind == "a file":
        folder.write_text("")
    elif kind == "below a file":
        folder.write_text("")
        folder = folder / "cache"
    elif kind == "a name too long":
        folder = folder / ("x" * 300)
    elif kind == "open to everybody":
        folder.mkdir()
        folder.chmod(0o777)
    elif kind == "of a stranger":
        folder.mkdir()
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(folder, 12345, 12345)
    return str(folder)


@pytest.mark.parametrize(
    "kind",
    ["no folder can be made", "a file", "below a file", "a name too long", "open to everybody",
     "of a stranger"],
)  # fmt: skip
def test_one_warning_and_the_kernels_run(tmp_path, kind):
    ended = run(tmp_path, SCRIPT, TRITON_CACHE_DIR=broken(tmp_path, kind))
    assert ended.status == 0 and ended.facts["good"], ended.text
    (told,) = ended.facts["told"]
    assert "is not used" in told


def test_no_disk_can_be_written(tmp_path):
    """As in a container that is read-only."""
    ended = run(
        tmp_path,
        "import tempfile\ntempfile._candidate_tempdir_list = lambda: ['/proc']\n" + SCRIPT,
        TRITON_CACHE_DIR="/proc/self/nothing/here",
    )
    assert ended.status == 0 and ended.facts["good"], ended.text
    (told,) = ended.facts["told"]
    assert "is not used" in told


def test_a_full_disk(tmp_path):
    ended = run(
        tmp_path,
        """
        import builtins, errno
        real = builtins.open
        def full(file, mode="r", *rest, **more):
            if "w" in mode and str(file).startswith(os.environ["TRITON_CACHE_DIR"]):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(file, mode, *rest, **more)
        builtins.open = full
        """
        + SCRIPT.replace("\n", "\n        "),
    )
    assert ended.status == 0 and ended.facts["good"], ended.text
    (told,) = ended.facts["told"]
    assert "No space left" in told


@pytest.mark.parametrize("step", ["open", "replace"])
def test_a_folder_that_another_process_removes_while_a_file_is_written(tmp_path, monkeypatch, step):
    from trisect.runtime.cache import FileCacheManager

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    manager = FileCacheManager("key")
    owner, removed = {"open": builtins, "replace": os}[step], []
    real = getattr(owner, step)

    def late(*arguments, **more):
        if not removed:
            removed.append(True)
            shutil.rmtree(manager.cache_dir)
        return real(*arguments, **more)

    monkeypatch.setattr(owner, step, late)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = manager.put(b"content", "kernel.ttir")
    assert path == str(tmp_path / "cache" / "key" / "kernel.ttir") and removed
    assert os.listdir(manager.cache_dir) == ["kernel.ttir"]


def test_a_group_whose_member_was_removed_meanwhile_does_not_count(tmp_path, monkeypatch):
    from trisect.runtime.cache import FileCacheManager

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    manager = FileCacheManager("key")
    path = manager.put(b"content", "kernel.ttir")
    os.remove(path)
    manager.put_group("kernel.json", {"kernel.ttir": path})
    assert manager.get_group("kernel.json") is None


def test_a_folder_that_vanishes(tmp_path):
    ended = run(
        tmp_path,
        """
        import shutil
        good = right("interp")
        shutil.rmtree(os.environ["TRITON_CACHE_DIR"])
        report(good=good and right("interp", BLOCK=128), there=os.path.exists(os.environ["TRITON_CACHE_DIR"]))
        """,
    )
    assert ended.facts == {"good": True, "there": True}, ended.text


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def without_checksums(path):
    facts = json.loads(path.read_text())
    del facts["sha256"]
    path.write_text(json.dumps(facts))


def elsewhere(path):
    facts = json.loads(path.read_text())
    facts["child_paths"] = {f"../{name}": name for name in facts["child_paths"]}
    facts["sha256"] = {f"../{name}": sum for name, sum in facts["sha256"].items()}
    path.write_text(json.dumps(facts))


def foreign(path):
    path.write_text('["not", "ours"]')


def empty(path):
    path.write_text("")


def binary(path):
    path.write_bytes(bytes(range(256)))


COMPILES = """
    compiled = []
    triton.knobs.compilation.listener = lambda **facts: compiled.append(not facts["cache_hit"])
    report(good=right("interp"), compiled=sum(compiled))
"""


@pytest.mark.parametrize("damage", [cut, without_checksums, elsewhere, foreign, empty, binary])
def test_a_damaged_group_is_compiled_anew(tmp_path, damage):
    assert run(tmp_path, COMPILES).facts == {"good": True, "compiled": 1}
    assert run(tmp_path, COMPILES).facts == {"good": True, "compiled": 0}
    (group,) = (tmp_path / "cache").glob("*/__grp__*")
    damage(group)
    ended = run(tmp_path, COMPILES)
    assert ended.facts == {"good": True, "compiled": 1}, ended.text


@pytest.mark.parametrize("damage", [cut, empty, binary])
def test_a_damaged_member_is_compiled_anew(tmp_path, damage):
    assert run(tmp_path, COMPILES).facts == {"good": True, "compiled": 1}
    for member in (tmp_path / "cache").glob("*/add*"):
        damage(member)
    ended = run(tmp_path, COMPILES)
    assert ended.facts == {"good": True, "compiled": 1}, ended.text


TUNED = """
    @triton.autotune(
        configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=["n"], cache_results=True
    )
    @triton.jit
    def tuned(x, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + at, 1.0, mask=at < n)
    hits = []
    triton.knobs.autotuning.listener = lambda **facts: hits.append(facts["cache_hit"])
    x = np.zeros(1000, np.float32)
    tuned[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, 1000)
    report(good=bool((x == 1).all()), hits=hits)
"""


def other_configs(path):
    facts = json.loads(path.read_text())
    for config, _ in facts["configs_timings"]:
        config["kwargs"]["BLOCK"] *= 8
    path.write_text(json.dumps(facts))


def no_number(path):
    facts = json.loads(path.read_text())
    facts["configs_timings"] = [[config, "fast"] for config, _ in facts["configs_timings"]]
    path.write_text(json.dumps(facts))


@pytest.mark.parametrize("damage", [cut, foreign, empty, binary, other_configs, no_number])
def test_damaged_timings_are_measured_anew(tmp_path, damage):
    assert run(tmp_path, TUNED).facts == {"good": True, "hits": [False]}
    assert run(tmp_path, TUNED).facts == {"good": True, "hits": [True]}
    (timings,) = (tmp_path / "cache").glob("*/*.autotune.json")
    damage(timings)
    ended = run(tmp_path, TUNED)
    assert ended.facts == {"good": True, "hits": [False]}, ended.text


def test_a_library_that_was_cut_short_is_built_anew(tmp_path):
    build = """
        from trisect.runtime.build import compile_module_from_src
        source = '''
        #include <Python.h>
        static struct PyModuleDef made = {PyModuleDef_HEAD_INIT, "small", NULL, -1, NULL};
        PyMODINIT_FUNC PyInit_small(void) { return PyModule_Create(&made); }
        '''
        report(name=compile_module_from_src(source, "small").__name__)
    """
    assert run(tmp_path, build).facts == {"name": "small"}
    (library,) = (tmp_path / "cache").glob("*/small*.so")
    cut(library)
    ended = run(tmp_path, build)
    assert ended.facts == {"name": "small"}, ended.text


def test_a_remote_store_needs_checksums_too(tmp_path, monkeypatch):
    from trisect import knobs
    from trisect.runtime.cache import RemoteCacheBackend, RemoteCacheManager

    stored = {}

    class Memory(RemoteCacheBackend):
        def get(self, filenames):
            return {name: stored[name] for name in filenames if name in stored}

        def put(self, filename, data):
            stored[filename] = data

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(type(knobs.cache), "remote_manager_class", Memory)
    manager = RemoteCacheManager("key")
    path = manager.put(b"content", "kernel.ttir")
    manager.put_group("kernel.json", {"kernel.ttir": path})
    assert list(manager.get_group("kernel.json")) == ["kernel.ttir"]
    stored["kernel.ttir"] = b"other"
    assert manager.get_group("kernel.json") is None
    stored["kernel.ttir"] = b"content"
    stored["__grp__kernel.json"] = json.dumps({"child_paths": {"kernel.ttir": "kernel.ttir"}}).encode()
    assert manager.get_group("kernel.json") is None


def test_a_kernel_just_made_needs_no_file_of_its_own(tmp_path):
    """Another process may clear the folder between the last file and the launch."""
    use = """
        import shutil
        from trisect.runtime.cache import FileCacheManager
        put_group = FileCacheManager.put_group
        def put_then_lose(self, filename, group):
            path = put_group(self, filename, group)
            shutil.rmtree(self.cache_dir)
            return path
        FileCacheManager.put_group = put_then_lose
        import glob
        report(good=right("interp"), left=glob.glob(os.environ["TRITON_CACHE_DIR"] + "/*/*.ttir"))
    """
    assert run(tmp_path, use).facts == {"good": True, "left": []}


def test_a_member_replaced_before_its_group_is_made_anew(tmp_path, monkeypatch):
    """The checksum is that of what was written, not of what lies there by the time the group is."""
    from trisect.runtime.cache import FileCacheManager

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    manager = FileCacheManager("key")
    path = manager.put(b"content", "kernel.ttir")
    (tmp_path / "key" / "kernel.ttir").write_bytes(b"contemt")
    manager.put_group("kernel.json", {"kernel.ttir": path})
    assert manager.get_group("kernel.json") is None
    assert [each.name for each in (tmp_path / "key").iterdir() if each.name.endswith(".tmp")] == []


def test_a_syntax_tree_that_is_given_out_is_the_callers_own():
    import trisect as triton

    kernel = triton.jit(one_more)
    kernel.parse().body[0].body.clear()
    key = kernel.cache_key
    assert len(kernel.parse().body[0].body) == 1 and key == triton.jit(one_more).cache_key


def one_more(x):
    return x + 1
