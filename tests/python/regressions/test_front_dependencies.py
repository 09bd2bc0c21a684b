"""What compile-time code reads of objects, classes, modules and defaults is part of a kernel's key.

Without it a kernel of an earlier process, or of an earlier launch, runs with values that are gone.
"""

import copy
import pickle
import runpy
import textwrap

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

PROLOGUE = """
import dataclasses, enum, functools, types
import numpy as np
import trisect as triton
import trisect.language as tl

def base(a, b):
    return a + b

def adder(n):
    def add(x):
        return x + n
    return add

class Settings:
    def __init__(self, width):
        self.width = width
    def plus(self, x):
        return x + self.width
    def __call__(self, x):
        return x + self.width

class Slots:
    __slots__ = ("width",)
    def __init__(self, width):
        self.width = width

class Terse(Settings):
    def __repr__(self):
        return "Terse"
"""

#: name → what stands before, the expression that compile-time code evaluates, what changes it to 7.
READS = {
    "attribute": ("thing = Settings(V)", "thing.width", "thing.width = 7"),
    "by getattr": ("thing = Settings(V)", "getattr(thing, 'width')", "thing.width = 7"),
    "slot": ("thing = Slots(V)", "thing.width", "thing.width = 7"),
    "attribute of an object with a repr": ("thing = Terse(V)", "thing.width", "thing.width = 7"),
    "method": ("thing = Settings(V)", "thing.plus(0)", "thing.width = 7"),
    "call of an object": ("thing = Settings(V)", "thing(0)", "thing.width = 7"),
    "bound method": ("thing = Settings(V); plus = thing.plus", "plus(0)", "thing.width = 7"),
    "object in a dictionary": ("things = {'a': Settings(V)}", "things['a'].width", "things['a'].width = 7"),
    "object in an object": ("a = Settings(Settings(V))", "a.width.width", "a.width.width = 7"),
    "shadowed by the object": ("Settings.depth = V; a = Settings(1)", "a.depth", "a.depth = 7"),
    "namespace": ("a = types.SimpleNamespace(f=adder(V))", "a.f(0)", "a.f = adder(7)"),
    "module": ("m = types.ModuleType('m'); m.f = adder(V)", "m.f(0)", "m.f = adder(7)"),
    "partial": ("part = functools.partial(base, V)", "part(0)", "part = functools.partial(base, 7)"),
    "partial of an object": (
        "thing = Settings(V); part = functools.partial(lambda a: a.width, thing)",
        "part()",
        "thing.width = 7",
    ),
    "member of a class": ("Settings.depth = V", "Settings.depth", "Settings.depth = 7"),
    "class method": (
        "class A:\n    W = V\n    @classmethod\n    def f(cls):\n        return cls.W",
        "A.f()",
        "A.W = 7",
    ),
    "static method": (
        "step = V\nclass A:\n    @staticmethod\n    def f():\n        return step",
        "A.f()",
        "step = 7",
    ),
    "property": (
        "class A:\n    W = V\n    @property\n    def f(self):\n        return self.W",
        "A().f",
        "A.W = 7",
    ),
    "member of an enumeration": ("E = enum.Enum('E', {'A': V})", "E.A.value", "E = enum.Enum('E', {'A': 7})"),
    "dataclass": (
        "@dataclasses.dataclass\nclass D:\n    width: int\nthing = D(V)",
        "thing.width",
        "thing.width = 7",
    ),
    "default": ("def f(k=V): return k", "f()", "f.__defaults__ = (7,)"),
    "default with a name": ("def f(*, k=V): return k", "f()", "f.__kwdefaults__['k'] = 7"),
    "object as default": ("thing = Settings(V)\ndef f(k=thing): return k.width", "f()", "thing.width = 7"),
    "closure in a dictionary": ("things = {'f': adder(V)}", "things['f'](0)", "things['f'] = adder(7)"),
    "function as default": ("def f(k=adder(V)): return k(0)", "f()", "f.__defaults__ = (adder(7),)"),
    "attribute of a function": ("base.width = V", "base.width", "base.width = 7"),
    "wrapped by a cache": ("step = V\n@functools.cache\ndef f(step=1): return g()\ndef g(): return step",
                           "f()", "f.cache_clear(); step = 7"),
    "element of an array": ("a = np.zeros(5000, int); a[2500] = V", "int(a[2500])", "a[2500] = 7"),
    "default of a constexpr function": (
        "@triton.constexpr_function\ndef f(k=V): return k",
        "f()",
        "f.fn.__defaults__ = (7,)",
    ),
}  # fmt: skip

#: The same in the text of a kernel itself.
KERNEL_READS = {
    "attribute of a constant": ("thing = tl.constexpr(Settings(V))", "thing.width", "thing.value.width = 7"),
    "default of a helper": (
        "@triton.jit\ndef f(x, k: tl.constexpr = V): return x + k",
        "f(0)",
        "f.fn.__defaults__ = (7,)",
    ),
    "default with a name of a helper": (
        "@triton.jit\ndef f(x, *, k=V): return x + k",
        "f(0)",
        "f.fn.__kwdefaults__ = {'k': 7}",
    ),
    "its value is set": (
        "@triton.jit\ndef f(x, *, k=V): return x + k",
        "f(0)",
        "f.fn.__kwdefaults__['k'] = 7",
    ),
}


def sources():
    rows = []
    for name, (before, expression, change) in READS.items():
        before += f"\n@triton.constexpr_function\ndef read(): return {expression}"
        rows.append(pytest.param(before, "read()", change, id=name))
    for name, row in KERNEL_READS.items():
        rows.append(pytest.param(*row, id=name))
    return rows


def load(path, value, before, expression, change):
    kernel = f"\n@triton.jit\ndef kernel(o): tl.store(o, {expression})\n"
    changes = f"\ndef change():\n    exec({change!r}, globals())\n"
    path.write_text(PROLOGUE + textwrap.dedent(before) + kernel + changes)
    return runpy.run_path(str(path), {"V": value}, "program")


def launched(kernel):
    o = np.zeros(4, np.int32)
    kernel[(1,)](o)
    return int(o[0])


@pytest.mark.parametrize("before,expression,change", sources())
def test_what_is_read_is_part_of_the_key(tmp_path, before, expression, change):
    program = tmp_path / "program.py"
    made = [load(program, value, before, expression, change)["kernel"] for value in (3, 3, 7)]
    first, again, other = [kernel.cache_key for kernel in made]
    assert first == again and first != other


@pytest.mark.parametrize("before,expression,change", sources())
def test_what_is_read_changes(tmp_path, before, expression, change):
    names = load(tmp_path / "program.py", 3, before, expression, change)
    assert [launched(names["kernel"]) for _ in range(4)] == [3] * 4
    names["change"]()
    assert [launched(names["kernel"]) for _ in range(4)] == [7] * 4


def test_what_is_not_read_is_left_out(tmp_path):
    """An object that counts calls, say, keeps its kernel."""
    names = load(tmp_path / "program.py", 3, *READS["method"][:1], "thing.width", "thing.calls = 1")
    key = names["kernel"].cache_key
    names["change"]()
    assert not names["kernel"].globals_changed() and names["kernel"].cache_key == key


def local_kernel(n):
    value = tl.constexpr(n)

    @triton.jit
    def kernel(o):
        tl.store(o, value)

    return kernel


class Owner:
    n = 2

    @triton.constexpr_function
    def plus(self, x):
        return x + self.n


def test_deep_copies():
    """Objects that hold kernels are copied: a function is its own copy, a method is that of the copy."""
    kernel = local_kernel(5)
    assert copy.deepcopy({"kernel": kernel})["kernel"] is kernel and launched(copy.copy(kernel)) == 5
    method = Owner().plus
    copied = copy.deepcopy(method)
    method.instance.n = 9
    assert (method(1), copied(1)) == (10, 3)


def test_a_kernel_out_of_a_function_comes_in_a_pickle_as_text_alone():
    there = pickle.loads(pickle.dumps(local_kernel(5)))
    with pytest.raises(RuntimeError, match="made inside a function"):
        launched(there)


def test_what_somebody_put_into_the_language(tmp_path):
    def key(value):
        before = "@triton.jit\ndef mine(a, b): return a + V\ntl.put_there = mine\nV = tl.constexpr(V)"
        try:
            return load(tmp_path / "program.py", value, before, "tl.put_there(0, 1)", "")["kernel"].cache_key
        finally:
            del tl.put_there

    assert key(3) == key(3) != key(7)
