"""Memory that must not be written, or does not hold the elements, is refused however it comes.

In a host descriptor, under another dtype, through an array interface or DLPack, warm or not.
"""

import numpy as np
import pytest
import torch
from other_arrays import WithDlpack, WithInterface

import trisect as triton
import trisect.language as tl
from trisect.tools.tensor_descriptor import TensorDescriptor

TIERS = [{"tier": "interp"}, {"tier": "cpu"}, {}, {}, {}]


@triton.jit
def increments(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)


@triton.jit
def increments_tile(tile):
    tile.store([0, 0], tile.load([0, 0]) + 1)


def array(locked=False):
    made = np.zeros((4, 4), np.float32)
    made.flags.writeable = not locked
    return made


class WithAddress(WithInterface):
    def __init__(self, array):
        super().__init__(array)
        self.dtype = array.dtype

    def data_ptr(self):
        return self.array.ctypes.data

    def stride(self):
        return tuple(step // self.array.itemsize for step in self.array.strides)


class WithOlderDlpack(WithDlpack):
    """Its form of DLPack cannot say whether the memory may be written."""

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


def launch(argument, **options):
    if isinstance(argument, TensorDescriptor):
        increments_tile[(1,)](argument, **options)
    else:
        increments[(1,)](argument, 16, BLOCK=16, **options)


def described(array):
    return TensorDescriptor.from_tensor(array, [4, 4])


def reinterpreted(array):
    return triton.reinterpret(array.view(np.int32), tl.float32)


WAYS = [described, reinterpreted, WithInterface, WithAddress, WithDlpack]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_memory_that_must_not_be_written(way):
    locked = array(locked=True)
    for options in TIERS:
        allowed = array()
        launch(way(allowed), **options)
        assert (allowed == 1).all()
        with pytest.raises(ValueError, match="read-only memory"):
            launch(way(locked), **options)
    assert (locked == 0).all()


def test_an_export_that_cannot_say_may_be_written():
    memory = array()
    for _ in TIERS:
        launch(WithOlderDlpack(memory))
    assert (memory == len(TIERS)).all()


def negated():
    return torch._neg_view(torch.zeros(4, 4))


@pytest.mark.parametrize(
    "make",
    [lambda: described(negated()), lambda: triton.reinterpret(negated(), tl.int32)],
    ids=["described", "reinterpreted"],
)
def test_elements_that_are_the_negatives_of_memory(make):
    for options in TIERS:
        launch(described(torch.zeros(4, 4)), **options)
        with pytest.raises(ValueError, match="resolve_neg"):
            launch(make(), **options)


@pytest.mark.parametrize("way", [described, reinterpreted], ids=lambda way: way.__name__)
@pytest.mark.parametrize(
    "other,message",
    [
        (lambda: np.ma.masked_array(array(), np.eye(4)), "no kernel sees the mask"),
        (lambda: np.zeros((4, 4), ">f4"), "no kernel can take elements of type '>"),
    ],
)
def test_elements_that_kernels_cannot_read(way, other, message):
    if way is reinterpreted:
        way = lambda array: triton.reinterpret(array, tl.float32)  # noqa: E731
    with pytest.raises(TypeError, match=message):
        launch(way(other()))


def test_another_dtype_of_memory_elsewhere():
    """A launch that the host's memory has made known does not take it for the host's."""
    for _ in TIERS:
        launch(reinterpreted(array()))
        with pytest.raises(ValueError, match="on device 'meta'"):
            launch(triton.reinterpret(torch.zeros(4, 4, dtype=torch.int32, device="meta"), tl.float32))


def test_an_array_under_another_dtype_has_strides():
    seen = triton.reinterpret(np.zeros((4, 6), np.int16)[::2, ::3], tl.float16)
    assert seen.stride() == (12, 3) and seen.stride(1) == 3 and seen.element_size() == 2


class WithFailingInterface(WithAddress):
    """As a CUDA tensor of torch that requires a gradient, or has elements that NumPy lacks."""

    __array_interface__ = None

    @property
    def __cuda_array_interface__(self):
        raise KeyError(torch.float8_e4m3fn)


@pytest.mark.parametrize("options", TIERS)
def test_an_interface_that_nobody_needs_is_not_asked(options):
    held = array()
    increments[(1,)](WithFailingInterface(held), 16, BLOCK=16, **options)
    increments_tile[(1,)](TensorDescriptor(WithFailingInterface(held), [4, 4], [4, 1], [4, 4]), **options)
    assert np.all(held == 2)
