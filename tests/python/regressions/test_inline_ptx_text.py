"""Inline PTX whose numbers make no sense is refused with the words that do not; it was read as another."""

import numpy as np
import pytest

import trisect
import trisect as triton
import trisect.language as tl


@triton.jit
def run(x_ptr, o_ptr, ASM: tl.constexpr, CONSTRAINTS: tl.constexpr):
    at = tl.arange(0, 4)
    found = tl.inline_asm_elementwise(ASM, CONSTRAINTS, [tl.load(x_ptr + at)], tl.int32, is_pure=True, pack=1)
    tl.store(o_ptr + at, found)


def result(asm, constraints="=r,r", tier="interp"):
    x, o = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    run[(1,)](x, o, asm, constraints, tier=tier)
    return o.tolist()


@pytest.mark.parametrize(
    ("asm", "words"),
    [
        ("{ .reg .b32 r<999999999>; add.s32 $0, $1, 1; }", "'r<999999999>'"),
        ("{ .reg .b32 r<99999999999999999999>; add.s32 $0, $1, 1; }", "'r<99999999999999999999>'"),
        ("{ .reg .b32 r<-1>; add.s32 $0, $1, 1; }", "'r<-1>'"),
        ("{ .reg .b32 r<2; add.s32 $0, $1, 1; }", "'r<2'"),
        ("{ .reg .b32 r<>; add.s32 $0, $1, 1; }", "'r<>'"),
        ("{ .reg .b32 r<2x>; add.s32 $0, $1, 1; }", "'r<2x>'"),
        ("add.s32 $0, $1x, 1;", "'$1x'"),
        ("add.s32 $0, $, 1;", "'$'"),
        ("add.s32 $0, $-1, 1;", "'$-1'"),
        ("add.s32 $0, $4294967297, 1;", "'$4294967297'"),
        ("add.s32 $0, $1, --1;", "'--1'"),
        ("add.s32 $0, $1, 99999999999999999999;", "'99999999999999999999'"),
    ],
)
@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_numbers_that_make_no_sense(asm, words, tier):
    with pytest.raises(trisect.Unsupported) as error:
        result(asm, tier=tier)
    assert words in str(error.value)


@pytest.mark.parametrize("constraints", ["=r,0x", "=r,1", "=r,99999999999"])
def test_constraints_that_tie_to_nothing(constraints):
    with pytest.raises(trisect.Unsupported, match=constraints.split(",")[1]):
        result("add.s32 $0, $1, 1;", constraints)


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_numbers_that_do(tier):
    text = "{ .reg .b32 r<3>; mov.b32 r2, 0x10; add.s32 r0, $1, r2; add.s32 $0, r0, -1; }"
    assert result(text, tier=tier) == [15, 16, 17, 18]
    assert result("add.s32 $0, $1, 1;", "=r,0", tier) == [1, 2, 3, 4]
