"""The debugger on CUDA tensors: tier 0 runs the launch on copies of what it touches, writes at its end."""

import pytest
import torch

import trisect as triton
import trisect.language as tl
from trisect import pdb


@triton.jit
def triple(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    x = x * 3
    tl.store(x_ptr + offsets, x, mask=offsets < n)


def test_a_launch_stops_shows_values_and_goes_back(capsys):
    x = torch.arange(6, dtype=torch.float32, device="cuda")
    commands = ["next", "next", "next", "p x", "back", "p x", "continue"]
    with pdb.debugging("triple program 1", commands=commands):
        triple[(2,)](x, 6, BLOCK=4)
    shown = capsys.readouterr().out
    assert "[12. 15.  0.  0.]" in shown and "[4.0 5.0 -- --]" in shown, shown
    assert x.tolist() == [0, 3, 6, 9, 12, 15]


def test_a_wild_access_is_shown_and_the_device_lives_on(capsys):
    x = torch.arange(6, dtype=torch.float32, device="cuda")
    with pytest.raises(triton.KernelFault, match="outside all tensors"):
        with pdb.debugging("triple program 1", commands=["continue"] * 3):
            triple[(2,)](x, 1 << 20, BLOCK=4)
    assert (x + 1).tolist()[5] == 6
    capsys.readouterr()
