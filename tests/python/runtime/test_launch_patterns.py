"""A launch like the one before is told by its arguments alone: what is alike, and what is not."""

import numpy as np
import pytest
from trisect._C import launch as native

import trisect as triton
import trisect.language as tl

torch = pytest.importorskip("torch")

SLOTS = ["*fp32", "i32", "fp32", "u1", "constexpr"]


class Launches:
    """The warm launches of a function that one call taught, and the arguments with which its kernel came."""

    def __init__(self):
        @triton.jit
        def kernel(x, n, scale, flag, nothing, BLOCK: tl.constexpr, NAME: tl.constexpr = "plain"):
            pass

        self.seen = []
        self.memory = torch.zeros(4096)
        self.table = kernel._dispatcher
        executable = native.CallbackExecutable(lambda grid, bits, stream: self.seen.append((grid, bits)))
        arguments, options = self.call()
        self.table.remember(arguments, options, SLOTS, executable, "the kernel")
        for _ in range(2):  # the first asks whether tensors are wanted
            assert self.launch() == "the kernel"

    def call(self, x=None, n=32, scale=0.5, flag=True, nothing=None, **options):
        x = self.memory if x is None else x
        return (x, n, scale, flag, nothing), {"BLOCK": 1024, "num_warps": 4} | options

    def launch(self, *, grid=(3,), **changed):
        self.seen.clear()
        arguments, options = self.call(**changed)
        return self.table.launch(grid, arguments, options)


@pytest.fixture
def launches():
    return Launches()


def bits_of(number):
    return int(np.float32(number).view(np.uint32))


def test_values_that_make_no_other_kernel(launches):
    other = launches.memory[16:]
    assert launches.launch(x=other, n=-64, scale=-1.25, flag=False, grid=(7, 2)) == "the kernel"
    assert launches.seen == [((7, 2, 1), [other.data_ptr(), 2**32 - 64, bits_of(-1.25), 0])]
    equal = int("1024")
    assert launches.launch(BLOCK=equal, x=torch.nn.Parameter(torch.zeros(64))) == "the kernel"
    assert launches.launch(grid=lambda meta: (meta["n"],)) == "the kernel"
    assert launches.seen[0][0] == (32, 1, 1)
    assert launches.launch(grid=[5]) == "the kernel"


OTHERS = {
    "an address that is not aligned": {"x": torch.zeros(64)[1:]},
    "another type": {"x": torch.zeros(64, dtype=torch.int32)},
    "another place": {"x": torch.zeros(64, device="meta")},
    "the negative of what lies there": {"x": torch.zeros(64, dtype=torch.complex64).conj().imag},
    "no tensor": {"x": 4096},
    "an array of another type": {"x": np.zeros(64, np.int8)},
    "an int that is not aligned": {"n": 33},
    "one": {"n": 1},
    "a long int": {"n": 1 << 40},
    "a bool for an int": {"n": True},
    "a float for an int": {"n": 32.0},
    "an int for a float": {"scale": 2},
    "an int for a bool": {"flag": 1},
    "a float for a bool": {"flag": 1.0},
    "something for nothing": {"nothing": 5},
    "another constant": {"BLOCK": 512},
    "a float constant": {"BLOCK": 1024.0},
    "a default that is given": {"NAME": "other"},
    "another option": {"num_warps": 8},
    "one more option": {"num_stages": 2},
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_is_another_kernel(launches, what):
    for _ in range(2):  # the second time a tensor of this kind was met
        assert launches.launch(**OTHERS[what]) is None
        assert launches.seen == []
    assert launches.launch() == "the kernel"


def test_arguments_by_name_are_the_same_launch(launches):
    arguments, options = launches.call()
    names = ("x", "n", "scale", "flag", "nothing")
    swapped = dict(reversed(options.items())) | dict(zip(names, arguments, strict=True))
    launches.seen.clear()
    by_name = dict(zip(names[2:], arguments[2:], strict=True)) | options
    assert launches.table.launch((3,), arguments[:2], by_name) == "the kernel"
    assert launches.table.launch((3,), (), swapped) == "the kernel"
    expected = ((3, 1, 1), [launches.memory.data_ptr(), 32, bits_of(0.5), 1])
    assert launches.seen == [expected, expected]


@pytest.mark.parametrize("grid", [(), (1, 1, 1, 1), (-1,), ("1",), (1.5,)])
def test_grids_that_are_none(launches, grid):
    assert launches.launch(grid=grid) is None
    assert launches.seen == []


@pytest.mark.parametrize("grid", [(0,), (2, 0, 1)])
def test_no_programs(launches, grid):
    assert launches.launch(grid=grid) == "the kernel"
    assert launches.seen == []


def test_short_integers_of_parameters_that_are_not_told_apart():
    @triton.jit(do_not_specialize=["n"], do_not_specialize_on_alignment=["m", "x"])
    def kernel(x, n, m):
        pass

    seen, memory = [], torch.zeros(64)
    executable = native.CallbackExecutable(lambda grid, bits, stream: seen.append(bits[1:]))
    kernel._dispatcher.remember((memory, 16, 16), {}, ["*fp32", "i32", "i32"], executable, "the kernel")
    for n, m, found in ((16, 16, True), (1, 3, True), (7, 1, False), (7, 7, True)):
        known = kernel._dispatcher.launch((1,), (memory[1:], n, m), {})
        assert known == ("the kernel" if found else None)
    assert seen == [[16, 16], [1, 3], [7, 7]]


def test_what_the_kernel_does_not_take_leaves_the_others_where_they_are():
    @triton.jit
    def kernel(x, one, n, y, flag, scale, m):
        pass

    seen, memory = [], torch.zeros(64)
    slots = ["*fp32", "constexpr", "i32", "*fp32", "u1", "fp32", "i64"]
    executable = native.CallbackExecutable(lambda grid, bits, stream: seen.append(bits))
    arguments = (memory, 1, 32, memory[16:], False, 0.5, 48)
    kernel._dispatcher.remember(arguments, {}, slots, executable, "the kernel")
    for _ in range(2):
        assert kernel._dispatcher.launch((1,), arguments, {}) == "the kernel"
    assert kernel._dispatcher.launch((1,), (memory, 2, *arguments[2:]), {}) is None
    first = memory.data_ptr()
    assert seen == [[first, 32, first + 64, 0, bits_of(0.5), 48]] * 2
