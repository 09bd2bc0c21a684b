"""Comparisons on copies: tensors that lie close to one another, and kernels that read beyond their view.

What: pieces of one buffer, tensors that follow one another on the heap, reads from one tensor's pointer into
another's pages. Why: which pointer led to a page is not known, and a copy in which one of them missed it
accused the compiler, or left the comparison open.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl

PAGE = 1024  # elements


@trisect.jit
def shifted(x_ptr, out_ptr, AT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + AT + i) + 1)


@trisect.jit
def placed(at_ptr, out_ptr, ADD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr + tl.load(at_ptr + i), ADD, sem="relaxed")


def aligned(elements):
    data = np.zeros(elements + PAGE, np.int32)
    return data[-data.ctypes.data // 4 % PAGE :][:elements]


@pytest.mark.parametrize("at", [40, 3 * PAGE, 7 * PAGE - 16, 8 * PAGE, 8 * PAGE + 100, 12 * PAGE])
def test_reads_beyond_the_view(at):
    data = aligned(16 * PAGE)
    data[:] = np.arange(len(data))
    x, out = data[:32], data[8 * PAGE :][:64]
    expected = data[at : at + 64] + 1
    for _ in range(4):
        out[:] = np.arange(8 * PAGE, 8 * PAGE + 64)
        made = shifted[(1,)](x, out, AT=at, BLOCK=64)
        assert (out == expected).all()
        trisect._C.runtime.wait_for_compiles()
    assert made.function.tier == "cpu", made.function.events


@pytest.mark.parametrize("gap", [0, 4, 8, PAGE, 3 * PAGE])
@pytest.mark.parametrize("begin", [0, 37, 148, 1000])
def test_a_program_after_hot_launches(begin, gap):
    """Hot launches carry no views."""
    size = 2 * PAGE
    data = aligned(8 * PAGE)
    at, out = data[begin:][:size], data[(begin + 3) // 4 * 4 + size + gap :][:size]
    at[:] = np.arange(size)
    for _ in range(6):
        made = placed[(size // 32,)](at, out, ADD=begin * 8192 + gap + 1, BLOCK=32)
        trisect._C.runtime.wait_for_compiles()
    ran = len(made.function.events)
    at[:] = at[::-1].copy()
    placed[(size // 32,)](at, out, ADD=begin * 8192 + gap + 1, BLOCK=32)
    assert made.function.tier == "cpu" and (out == 7 * (begin * 8192 + gap + 1)).all()
    assert [event.kind for event in made.function.events[ran:]] == ["checked"], made.function.events
