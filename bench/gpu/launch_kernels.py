# ruff: noqa: F821
"""The kernel whose launches are timed; see load() in cases.py for where `triton` and `tl` come from."""


@triton.jit
def twenty(
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, BLOCK: tl.constexpr,  # noqa: E741
):  # fmt: skip
    at = tl.arange(0, BLOCK)
    tl.store(a + at, k + at)
