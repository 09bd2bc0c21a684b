"""The source of a jit function: text, position, key."""

import pickle
import textwrap
import types

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.runtime.jit import ConstexprFunction, JITCallable

SCALE: tl.constexpr = tl.constexpr(2)


@triton.jit
def helper(x):
    return x * SCALE


@triton.jit
def kernel(x):
    tl.store(x, helper(tl.load(x)))


@triton.jit(
    noinline=True,
)
def decorated(
    x,
):
    tl.store(x, 1)


def load(tmp_path, name, text):
    """A module made of text, compiled here: the import system takes a .pyc of the same second and size."""
    path = tmp_path / f"{name}.py"
    path.write_text(textwrap.dedent(text))
    module = types.ModuleType(name)
    module.__file__ = str(path)
    exec(compile(path.read_text(), path, "exec"), module.__dict__)
    return module


def test_attributes():
    assert kernel.__name__ == "kernel" and kernel.__module__ == __name__ and kernel.fn.__name__ == "kernel"
    assert kernel.src.startswith("def kernel(x):\n") and kernel.arg_names == ["x"]
    assert decorated.src.startswith("def decorated(\n") and decorated.noinline
    assert decorated.def_file_line_number == decorated.starting_line_number + 3
    assert decorated.def_file_col_number == 1 and decorated.file_name == __file__

    @triton.jit
    def inner(x):
        tl.store(x, 1)

    assert inner.def_file_col_number == 5 and inner.src.startswith("def inner(x):\n    tl.store")
    assert isinstance(kernel, triton.JITFunction) and isinstance(kernel, JITCallable)
    assert not kernel.is_gluon() and repr(kernel) == f"JITFunction({__name__}:kernel)"


def test_the_key_covers_callees_and_globals(tmp_path):
    text = """
        import trisect as triton, trisect.language as tl
        FACTOR = tl.constexpr({factor})
        def plain(n):
            return n + {added}
        @triton.jit
        def inner(x):
            return x * FACTOR
        @triton.jit
        def middle(x):
            return inner(x){change}
        @triton.jit
        def outer(x):
            tl.store(x, middle(tl.load(x)) + plain(1))
        """
    keys = set()
    variants = [dict(factor=2, change="", added=1), dict(factor=3, change="", added=1),
                dict(factor=2, change=" + 1", added=1), dict(factor=2, change="", added=2)]  # fmt: skip
    for variant in variants:
        keys.add(load(tmp_path, "covered", text.format(**variant)).outer.cache_key)
    assert len(keys) == len(variants)
    assert load(tmp_path, "covered", text.format(**variants[0])).outer.cache_key in keys


def test_an_edited_source_is_another_kernel(launches):
    @triton.jit
    def edited(x):
        tl.store(x, 1)

    x = np.zeros(1, np.int32)
    first = edited[(1,)](x)
    original = edited.src
    edited.src = original.replace("1)", "77)")
    second = edited[(1,)](x)
    assert "77" in second.asm["ttir"] and second.hash != first.hash
    edited._unsafe_update_src(original)
    assert edited[(1,)](x).hash == first.hash


def test_an_edited_callee_reaches_its_callers(launches):
    @triton.jit
    def callee(x):
        return x + 1

    @triton.jit
    def caller(x):
        tl.store(x, callee(tl.load(x)))

    x = np.zeros(1, np.int32)
    before = caller.cache_key
    first = caller[(1,)](x)
    callee.src = callee.src.replace("+ 1", "+ 55")
    assert caller.cache_key != before
    assert "55" in caller[(1,)](x).asm["ttir"] and "55" not in first.asm["ttir"]


def test_a_changed_global_is_another_kernel(launches, tmp_path):
    module = load(
        tmp_path,
        "changing",
        """
        import trisect as triton, trisect.language as tl
        VALUE = tl.constexpr(11)
        @triton.jit
        def reads(x):
            tl.store(x, VALUE)
        """,
    )
    x = np.zeros(1, np.int32)
    first = module.reads[(1,)](x)
    assert module.reads[(1,)](x) is first
    module.VALUE = tl.constexpr(22)
    second = module.reads[(1,)](x)
    assert "22" in second.asm["ttir"] and second is not first
    assert module.reads.run(x, grid=(1,), warmup=False) is second


def test_recursion_in_sources_ends():
    @triton.jit
    def endless(x):
        return endless(x)

    assert len(endless.cache_key) == 64


def test_functions_without_a_source_are_refused():
    scope = {}
    exec("".join(["def unseen", "(x): pass"]), scope)  # nobody holds the text
    with pytest.raises(ValueError, match="should be defined in a Python file"):
        triton.jit(scope["unseen"])
    for other in (3, len, dict, lambda x: x):
        with pytest.raises(TypeError, match="made with `def`"):
            triton.jit(other)


def test_keyword_dictionaries_are_refused():
    with pytest.raises(TypeError, match=r"cannot take \*\*rest"):

        @triton.jit
        def takes(x, **rest):
            tl.store(x, 1)


def test_closures_are_seen():
    number = tl.constexpr(3)

    @triton.jit
    def closed(x):
        tl.store(x, number)

    assert closed.get_capture_scope()["number"] is number


def test_constexpr_functions_on_host_and_as_method():
    @triton.constexpr_function
    def double(n):
        return 2 * n

    assert isinstance(double, ConstexprFunction) and double(4) == 8 and double(n=tl.constexpr(4)) == 8

    class Holder:
        def __init__(self, number):
            self.number = number

        @triton.constexpr_function
        def plus(self, n):
            return self.number + n

    assert Holder(3).plus(4) == 7 and len(Holder(3).plus.cache_key) == 64
    assert [triton.cdiv(7, 2), triton.cdiv(8, 2), triton.next_power_of_2(5), triton.next_power_of_2(8)] == [
        4,
        4,
        8,
        8,
    ]
    assert [triton.next_power_of_2(n) for n in (0, 1, 2, 3)] == [0, 1, 2, 4]


def test_a_function_can_be_sent_to_another_process():
    """In the way compile workers do it: what holds Python code is set to None first."""
    assert len(kernel.cache_key) == 64
    state = kernel.__getstate__()
    state.update({"fn": None, "__globals__": None, "used_global_vals": None, "_hash_lock": None})
    copy = triton.JITFunction.__new__(triton.JITFunction)
    copy.__setstate__(pickle.loads(pickle.dumps(state)))
    assert copy.src == kernel.src and copy.arg_names == ["x"] and copy.cache_key == kernel.cache_key
    copy.repr = len
    assert copy.repr("abc") == 3


def test_the_name_may_come_from_a_callback(launches):
    def name(specialization):
        return f"copy_{specialization.constants['BLOCK']}"

    @triton.jit(repr=name)
    def named(x, BLOCK: tl.constexpr):
        tl.store(x, BLOCK)

    x = np.zeros(1, np.int32)
    assert named[(1,)](x, 32).metadata.name == "copy_32" and named[(1,)](x, 64).name == "copy_64"
