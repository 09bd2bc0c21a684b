"""Types and keys of arguments."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.runtime.jit import mangle_type, native_specialize_impl
from trisect.runtime.parameters import KernelParam, specialize


def kinds(value, is_const=False, specialize_value=True, align=True):
    return native_specialize_impl(None, value, is_const, specialize_value, align)


@pytest.mark.parametrize(
    "value, expected",
    [
        (None, ("constexpr", None)),
        (True, ("u1", None)),
        (1, ("constexpr", 1)),
        (0, ("i32", "D")),
        (16, ("i32", "D")),
        (-32, ("i32", "D")),
        (17, ("i32", "")),
        (2**31 - 1, ("i32", "")),
        (2**31, ("i64", "D")),
        (-(2**31), ("i32", "D")),
        (-(2**31) - 1, ("i64", "")),
        (2**63 - 1, ("i64", "")),
        (2**63, ("u64", "D")),
        (2**64 - 1, ("u64", "")),
        (0.5, ("fp32", None)),
        (float("nan"), ("fp32", None)),
        (np.int32(7), ("i32", "")),
        (np.int64(1), ("constexpr", 1)),
        (np.float64(2), ("fp32", None)),
        (np.bool_(True), ("u1", None)),
        (tl.float32, ("constexpr", tl.float32)),
        (tl.constexpr(3), ("constexpr", 3)),
        ((1, 2.0, None), (("constexpr", "fp32", "constexpr"), (1, None, None))),
        (((16,), 3), ((("i32",), "i32"), (("D",), ""))),
        ((), ((), ())),
    ],
)
def test_scalars_and_tuples(value, expected):
    assert kinds(value) == expected


@pytest.mark.parametrize(
    "dtype, spelling",
    [
        ("bool", "u1"), ("int8", "i8"), ("int16", "i16"), ("int32", "i32"), ("int64", "i64"), ("uint8", "u8"),
        ("uint16", "u16"), ("uint32", "u32"), ("uint64", "u64"), ("float16", "fp16"), ("float32", "fp32"),
        ("float64", "fp64"),
    ],
)  # fmt: skip
def test_numpy_arrays(dtype, spelling):
    array = np.zeros(64, dtype)
    assert kinds(array) == (f"*{spelling}", "D" if array.ctypes.data % 16 == 0 else "")
    shifted = array.view(np.uint8)[array.itemsize :].view(dtype)
    assert kinds(shifted)[1] == ("D" if shifted.ctypes.data % 16 == 0 else "")
    assert kinds(array, is_const=True)[0] == f"*k{spelling}"


@pytest.mark.parametrize(
    "dtype, spelling",
    [
        ("bfloat16", "bf16"),
        ("float8_e4m3fn", "fp8e4nv"),
        ("float8_e5m2", "fp8e5"),
        ("float8_e4m3fnuz", "fp8e4b8"),
    ],
)
def test_arrays_of_ml_dtypes(dtype, spelling):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    assert kinds(np.zeros(16, getattr(ml_dtypes, dtype)))[0] == f"*{spelling}"


class PlainTensor:
    """A torch tensor that shows its attributes alone."""

    def __init__(self, tensor):
        self.tensor, self.dtype, self.is_cpu = tensor, tensor.dtype, tensor.is_cpu

    def data_ptr(self):
        return self.tensor.data_ptr()


@pytest.mark.parametrize(
    "name, spelling",
    [
        ("bool", "u1"), ("uint8", "u8"), ("int8", "i8"), ("uint16", "u16"), ("int16", "i16"),
        ("int32", "i32"), ("uint32", "u32"), ("int64", "i64"), ("uint64", "u64"),
        ("float16", "fp16"), ("bfloat16", "bf16"),
        ("float32", "fp32"), ("float64", "fp64"), ("float8_e4m3fn", "fp8e4nv"), ("float8_e5m2", "fp8e5"),
        ("float8_e4m3fnuz", "fp8e4b8"), ("float8_e5m2fnuz", "fp8e5b16"), ("float8_e8m0fnu", "u8"),
    ],
)  # fmt: skip
def test_torch_tensors(name, spelling):
    torch = pytest.importorskip("torch")
    tensor = torch.empty(64, dtype=getattr(torch, name))
    assert kinds(tensor) == (f"*{spelling}", "D")
    for part in (tensor[1:], tensor[::2][4:], tensor.reshape(8, 8).t(), tensor[:0]):
        assert kinds(part) == kinds(PlainTensor(part))
        assert kinds(part)[1] == ("D" if part.data_ptr() % 16 == 0 else "")


def test_torch_tensors_out_of_the_ordinary():
    torch = pytest.importorskip("torch")

    class Elsewhere(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
            raise AssertionError("not to be asked")

        def data_ptr(self):
            return 8

    assert kinds(torch.nn.Parameter(torch.zeros(4))) == ("*fp32", "D")
    assert kinds(torch.zeros(4).as_subclass(Elsewhere)) == ("*fp32", "")
    with pytest.raises(TypeError, match="no kernel can take elements of type 'torch.complex64'"):
        kinds(torch.zeros(4, dtype=torch.complex64))


def test_rules_switch_specialisation_off():
    assert kinds(1, specialize_value=False) == ("i32", None)
    assert kinds(16, specialize_value=False) == ("i32", None)
    assert kinds(16, align=False) == ("i32", "")
    assert kinds(1, align=False) == ("constexpr", 1)


class Strided:
    """A tensor by duck typing, as libraries make them."""

    dtype = np.dtype("float32")

    def __init__(self, address):
        self.address = address

    def data_ptr(self):
        return self.address


def test_an_interface_may_be_an_objects_own():
    class Bare:
        pass

    array, both = np.zeros(4, np.int16), []
    for name, value in (("__array_interface__", array.__array_interface__), ("data_ptr", lambda: 32)):
        thing = Bare()
        thing.dtype = np.dtype("int16")
        setattr(thing, name, value)
        both.append(kinds(thing))
    assert both == [("*i16", "D" if array.ctypes.data % 16 == 0 else ""), ("*i16", "D")]


class Interface:
    """Only an array interface."""

    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


class Exchange:
    """Only DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_objects_that_only_look_like_tensors():
    array = np.zeros(64, np.int16)
    assert kinds(Strided(4096)) == ("*fp32", "D") and kinds(Strided(4100)) == ("*fp32", "")
    assert kinds(Interface(array))[0] == kinds(Exchange(array))[0] == "*i16"


def test_objects_that_only_look_like_tensors_are_launched(launches):
    @triton.jit
    def touch(x, y, z):
        tl.store(x, tl.load(y) + tl.load(z))

    array = np.zeros(64, np.int16)
    for _ in ("cold", "warm"):
        touch[(1,)](Strided(4096), Interface(array), Exchange(array))
    assert launches[0].args == launches[1].args == [4096, array.ctypes.data, array.ctypes.data]


def test_tensors_elsewhere_are_refused_by_name(launches):
    @triton.jit
    def touch(x, y):
        tl.store(x, tl.load(y))

    class Cuda(Strided):
        device = "cuda:1"
        is_cpu = False

    array = np.zeros(4, np.float32)
    touch[(1,)](array, Strided(4096))
    with pytest.raises(ValueError, match="kernel 'touch': argument 'y' is on device 'cuda:1'"):
        touch[(1,)](array, Cuda(4096))


def test_parameters():
    def function(
        a,
        b: tl.constexpr,
        c: "tl.constexpr",
        d: tl.const,
        e: tl.pointer_type(tl.float32),
        f: tl.int64,
        g: int,
        h: bool,
        i=3,
    ):
        pass

    kernel = triton.jit(function)
    assert [param.is_constexpr for param in kernel.params] == [False, True, True] + [False] * 6
    assert [param.is_const for param in kernel.params] == [False] * 3 + [True] + [False] * 5
    assert [param.annotation_type for param in kernel.params][4:8] == ["*fp32", "i64", "", "u1"]
    assert kernel.constexprs == [1, 2] and kernel.arg_names == list("abcdefghi")
    assert kernel.params[8].has_default and kernel.params[8].default == 3 and not kernel.params[0].has_default
    assert isinstance(kernel.params[0], KernelParam)


def test_flags_of_parameters():
    def function(a, b, c, d):
        pass

    kernel = triton.jit(do_not_specialize=["a", 1], do_not_specialize_on_alignment=["c"])(function)
    assert [
        specialize(value, param) for value, param in zip((1, 16, 16, 16), kernel.params, strict=True)
    ] == [
        ("i32", None),
        ("i32", None),
        ("i32", ""),
        ("i32", "D"),
    ]


def test_mangle_type():
    array = np.zeros(16, np.float32)
    assert mangle_type(5) == "i32" and mangle_type(array) == "*fp32" and mangle_type(array, True) == "*fp32D"


def test_kernels_get_the_facts_about_their_arguments(launches):
    @triton.jit
    def told(x, n, m):
        tl.store(x, n + m)

    array = np.zeros(64, np.float32)
    aligned = told[(1,)](array, 32, 3)
    shifted = told[(1,)](array[1:], 32, 3)
    assert aligned.src.attrs == {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]]}
    assert shifted.src.attrs == {(1,): [["tt.divisibility", 16]]}
    assert aligned.asm["source"].count("tt.divisibility = 16") == 2
