"""Launches like the one before: where their tensors lie is read anew each time."""

import pytest
import torch

import trisect
import trisect.language as tl

N = 1024
#: Launches until a form was compared, and a launch is known by its likeness to the last.
WARM = 40


@trisect.jit
def plus_one(out, x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@pytest.fixture(params=["auto", "cpu"])
def warm(request, monkeypatch):
    """Launches with two tensors apart, until the next is known to be like them."""
    monkeypatch.setenv("TRISECT_TIER", request.param)

    def launch(out, x):
        for _ in range(WARM):
            plus_one[(1,)](out, x, N, BLOCK=N)

    launch(torch.zeros(N), torch.zeros(N))
    return launch


def launched(out, x):
    want = x.clone() + 1
    plus_one[(1,)](out, x, N, BLOCK=N)
    return want


@pytest.mark.parametrize("shift", [16, 64, -16])
def test_tensors_that_overlap(warm, shift):
    base = torch.arange(4.0 * N)
    x = base[N : 2 * N]
    out = base[N + shift : 2 * N + shift]
    want = launched(out, x)
    assert torch.equal(out, want)


def test_the_same_tensor_moved_onto_another(warm):
    base = torch.arange(4.0 * N)
    x, out = base[:N], base[2 * N : 3 * N]
    warm(out, x)
    out.set_(base.untyped_storage(), 16, (N,), (1,))
    want = launched(out, x)
    assert torch.equal(out, want)


def test_strides_that_reach_another(warm):
    """Of the same size, and at the same places as at the launch before."""
    base = torch.arange(4.0 * N)
    x, out = base.as_strided((N // 2,), (1,)), base.as_strided((N // 2,), (1,), N - 64)
    warm(torch.zeros(N), torch.zeros(2 * N)[::2])
    for _ in range(WARM):
        plus_one[(1,)](out, x, N // 2, BLOCK=N)
    x.set_(base.untyped_storage(), 0, (N // 2,), (2,))
    base.copy_(torch.arange(4.0 * N))
    want = base[:N] + 1
    plus_one[(1,)](out, x, N, BLOCK=N)
    assert torch.equal(base[N - 64 : 2 * N - 64], want)


@pytest.mark.parametrize("rank", range(8))
def test_tensors_of_any_rank(warm, rank):
    base = torch.arange(4.0 * N)
    x = base[:N].view(*[1] * rank, N)
    out = base[16 : N + 16].view(*[1] * rank, N)
    want = launched(out, x)
    assert torch.equal(out, want)


def test_a_launch_while_one_is_under_way(warm):
    """A hook of a grid, which runs between the reading of arguments and the launch."""
    other, seen = torch.zeros(N), []

    def grid(_):
        plus_one[(1,)](other, other, N, BLOCK=N)
        seen.append(other[0].item())
        return (1,)

    out, x = torch.zeros(N), torch.ones(N)
    for _ in range(3):
        plus_one[grid](out, x, N, BLOCK=N)
    assert torch.equal(out, x + 1) and seen == [1, 2, 3]


@pytest.mark.parametrize("says", [(1,), [1], 1])
def test_a_function_as_grid_is_asked_once(warm, says):
    asked = []

    def grid(meta):
        asked.append((sorted(meta), meta["n"], meta["BLOCK"]))
        return says

    out, x = torch.zeros(N), torch.ones(N)
    for count in range(1, 4):
        plus_one[grid](out, x, N, BLOCK=N)
        assert asked == [(["BLOCK", "n", "out", "x"], N, N)] * count
    assert torch.equal(out, x + 1)


def test_what_a_grid_says_is_no_grid(warm):
    """As at the first launch, so at a later one."""
    out, x = torch.zeros(N), torch.ones(N)
    for says in (lambda meta: (1,), "1", (1.5,), (1, 1, 1, 1)):
        with pytest.raises((TypeError, ValueError), match="grid"):
            plus_one[lambda meta, says=says: says](out, x, N, BLOCK=N)

    def fails(meta):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        plus_one[fails](out, x, N, BLOCK=N)
    assert not out.any()
