"""Launches of a kind that was seen before: what they must notice, and what they may be interrupted by."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect import knobs
from trisect.runtime.jit import JITFunction


@triton.jit
def store(out, value):
    tl.store(out + tl.program_id(0), value)


@pytest.fixture
def out():
    """Memory for launches, of which some came before."""
    array = np.zeros(64, np.float32)
    for _ in range(3):
        store[(1,)](array, 2.0)
    return array


@pytest.mark.parametrize("end", ["enter", "exit"])
def test_a_hook_that_takes_the_place_of_a_chain(out, end):
    seen = []
    with knobs.runtime.scope():
        setattr(knobs.runtime, f"launch_{end}_hook", lambda facts: seen.append(facts.get()["name"]))
        store[(1,)](out, 2.0)
        setattr(knobs.runtime, f"launch_{end}_hook", None)
        store[(1,)](out, 2.0)
        delattr(knobs.runtime, f"launch_{end}_hook")
        store[(1,)](out, 2.0)
    assert seen == ["store"]


@pytest.mark.parametrize("end", ["enter", "exit"])
def test_a_chain_whose_list_is_another(out, end):
    chain = getattr(knobs.runtime, f"launch_{end}_hook")
    before, seen = chain.calls, []
    store[(1,)](out, 2.0)
    try:
        chain.calls = [lambda facts: seen.append(facts.get()["name"])]
        store[(1,)](out, 2.0)
        chain.calls.clear()
        store[(1,)](out, 2.0)
    finally:
        chain.calls = before
    store[(1,)](out, 2.0)
    assert seen == ["store"]


def test_what_held_in_a_scope_ends_with_it(out):
    seen = []
    with knobs.runtime.scope():
        knobs.runtime.launch_enter_hook = lambda facts: seen.append(facts.get()["name"])
        store[(1,)](out, 2.0)
    store[(1,)](out, 2.0)
    assert seen == ["store"]

    @triton.jit
    def checked(x):
        tl.device_assert(tl.load(x) == 0, "not zero")

    with knobs.runtime.scope():
        knobs.runtime.debug = True
        for value in (0, 0, 1):
            out[0] = value
            if not value:
                checked[(1,)](out)
        with pytest.raises(triton.KernelFault, match="not zero"):
            checked[(1,)](out)
    checked[(1,)](out)  # as it is now, nothing is asserted


def test_whoever_wraps_launches_sees_them_all(out, monkeypatch):
    """A profiler that puts its own `run` into the class, or into one function."""
    seen = []
    run = JITFunction.run

    def wrapped(self, *args, **kwargs):
        seen.append(kwargs["grid"])
        return run(self, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(JITFunction, "run", wrapped)
        for size in (1, 2):
            store[(size,)](out, 2.0)
    store[(3,)](out, 2.0)
    with monkeypatch.context() as patch:
        patch.setattr(store, "run", wrapped.__get__(store), raising=False)
        store[(4,)](out, 2.0)
    store[(5,)](out, 2.0)
    assert seen == [(1,), (2,), (4,)]


def test_whoever_wraps_subscripts_sees_them_all(tmp_path):
    """From before the first launch of a process on."""
    script = tmp_path / "wrapped.py"
    script.write_text(
        "import numpy as np, trisect as triton, trisect.language as tl\n"
        "from trisect.runtime.jit import JITFunction\n"
        "inner, seen = JITFunction.__getitem__, []\n"
        "JITFunction.__getitem__ = lambda self, grid: (seen.append(grid), inner(self, grid))[1]\n"
        "@triton.jit\n"
        "def store(out, value):\n"
        "    tl.store(out, value)\n"
        "out = np.zeros(1, np.float32)\n"
        "for size in (1, 2, 3):\n"
        "    store[size](out, float(size))\n"
        "    assert out[0] == size\n"
        "assert seen == [1, 2, 3], seen\n"
    )
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr


def test_a_subclass_with_a_run_of_its_own(out):
    seen = []

    class Told(JITFunction):
        def run(self, *args, **kwargs):
            seen.append(kwargs["grid"])
            return super().run(*args, **kwargs)

    class Plain(JITFunction):
        pass

    told, plain = Told(store.fn), Plain(store.fn)
    for size in (1, 2):
        told[(size,)](out, 2.0)
        plain[(size,)](out, 3.0)
    assert seen == [(1,), (2,)] and out[:3].tolist() == [3, 3, 0]


def test_a_grid_is_kept_with_its_kernel(out):
    one, two = store[(1,)], store[lambda meta: (int(meta["value"]),)]
    for _ in range(3):
        out[:] = 0
        two(out, 2.0)
        assert out[:3].tolist() == [2, 2, 0]
        one(out, 5.0)
        assert out[:3].tolist() == [5, 2, 0]
        store[(3,)](out, 7.0)
        assert out[:4].tolist() == [7, 7, 7, 0]


def test_tables_that_are_forgotten_while_a_launch_is_under_way(out):
    """A grid function may do anything: also what ends a generation, and launch by itself."""

    def grid(meta):
        knobs.runtime.debug = knobs.runtime.debug
        store[(2,)](out, 9.0)
        knobs.runtime.debug = knobs.runtime.debug
        return (1,)

    for _ in range(3):
        out[:] = 0
        store[grid](out, 2.0)
        assert out[:3].tolist() == [2, 9, 0]


def test_an_interrupt_of_a_grid_function_is_one(out):
    def grid(meta):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store[grid](out, 2.0)
    store[(1,)](out, 4.0)
    assert out[0] == 4


@pytest.mark.parametrize("count", [1, 60, 100, 250, 300])
def test_many_parameters(tmp_path, count, out):
    """More than are held without memory of the heap, and more than a warm launch takes."""
    names = [f"a{n}" for n in range(count)]
    file = tmp_path / f"many{count}.py"
    file.write_text(
        "import trisect as triton, trisect.language as tl\n@triton.jit\n"
        f"def many(out, {', '.join(names)}, pair, B: tl.constexpr):\n"
        f"    tl.store(out, {' + '.join(names)} + pair[0] + pair[1] + B)\n"
    )
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for start in (2, 3, 2, 3):
        values = list(range(start, start + count))
        module.many[(1,)](out, *values, (5, 7), B=16)
        assert out[0] == sum(values) + 28
        module.many[(1,)](B=16, pair=(5, 7), out=out, **dict(zip(names, values, strict=True)))
        assert out[0] == sum(values) + 28
