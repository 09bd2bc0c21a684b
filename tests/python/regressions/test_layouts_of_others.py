"""Shapes and strides of objects that are no tensors of torch or NumPy, and of such that say them wrong.

A view of them reaches the comparison with tier 0, whichever way it was read: one with fewer strides than
sizes ended the process there.
"""

import numpy as np
import pytest
from other_arrays import WithDlpack, WithInterface

import trisect as triton
import trisect.language as tl
from trisect.runtime._tensors import layout
from trisect.sanitizer import marks


@triton.jit
def adds(x, y, out, n, step, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at * step, tl.load(x + at * step, keep) + tl.load(y + at * step, keep), keep)


class WithAddress:
    """Says no strides at all."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def data_ptr(self):
        return self.array.ctypes.data


class WithStrides(WithAddress):
    def __init__(self, array, strides):
        super().__init__(array)
        self.strides_told = strides

    def stride(self):
        return self.strides_told


@pytest.fixture(params=["cpu always", "cpu promote", "auto promote", "interp promote"])
def compared(request, monkeypatch):
    tier, check = request.param.split()
    monkeypatch.setenv("TRISECT_TIER", tier)
    monkeypatch.setenv("TRISECT_CHECK", check)


@pytest.mark.parametrize("way", [WithDlpack, WithInterface, WithAddress], ids=lambda way: way.__name__)
@pytest.mark.parametrize("step", [1, 2])
def test_each_way_of_saying_it(way, step, compared):
    x, y, out = (np.zeros((8, 32 * step), np.float32) for _ in range(3))
    x[:], y[:] = np.arange(x.size).reshape(x.shape), 3
    n = x.size // step
    for _ in range(4):
        adds[(4,)](way(x[:, ::step]), way(y[:, ::step]), way(out[:, ::step]), n, step, BLOCK=64)
    assert (out[:, ::step] == x[:, ::step] + 3).all()
    assert step == 1 or (out[:, 1::step] == 0).all()


@pytest.mark.parametrize("way", [WithDlpack, WithInterface, WithAddress], ids=lambda way: way.__name__)
def test_in_place_through_a_second_object(way, compared):
    memory, threes = np.arange(256, dtype=np.float32), np.full(256, 3, np.float32)
    for _ in range(4):
        adds[(4,)](way(memory), way(threes), way(memory), 256, 1, BLOCK=64)
    assert (memory == np.arange(256) + 12).all()


@pytest.mark.parametrize("strides", [(), (1,), (32, 1, 1), [32]])
def test_as_many_strides_as_sizes(strides, compared):
    x = WithStrides(np.zeros((8, 32), np.float32), strides)
    for _ in range(3):
        with pytest.raises(ValueError, match=rf"'x'.*2 sizes.*{len(strides)} stride"):
            adds[(4,)](x, x.array, np.zeros((8, 32), np.float32), 256, 1, BLOCK=64)


class OnDevice:
    """Says its layout as arrays on a GPU do, and NumPy cannot read it."""

    def __init__(self, strides):
        self.shape = (8, 32)
        self.__cuda_array_interface__ = {"shape": self.shape, "typestr": "<f4", "strides": strides}

    def __array__(self, *wishes, **more):
        raise TypeError("its memory is on a device")


@pytest.mark.parametrize("told, strides", [(None, (32, 1)), ((256, 8), (64, 2)), ((-128, 4), (-32, 1))])
def test_strides_of_what_lies_on_a_device(told, strides):
    assert layout(OnDevice(told)) == ((8, 32), strides)


def test_an_interface_that_fails_where_there_is_an_address():
    class OfTorch(WithAddress):
        @property
        def __cuda_array_interface__(self):
            raise KeyError("float8")

    assert layout(OfTorch(np.zeros(4))) is None


@pytest.mark.parametrize("way", [WithDlpack, WithInterface], ids=lambda way: way.__name__)
def test_memory_of_others_is_marked(way):
    memory = np.zeros((4, 8), np.int16)
    marks.mark_uninitialized(way(memory[:, ::2]))
    assert memory[:, ::2].all()
    with pytest.raises(TypeError, match="shape and strides"):
        marks.mark_uninitialized(WithAddress(memory))
