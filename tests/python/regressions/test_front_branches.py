"""Compile-time values that a run-time branch or loop changes are refused, as by upstream; none is lost."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

HEAD = """
import trisect as triton
import trisect.language as tl

@triton.jit
def k(y, n, N: tl.constexpr):
"""

#: Body of a kernel: (what the error says, its line in the body).
REFUSED = {
    "if n > 0:\n    N = 2\ntl.store(y, N)": ("initial value for `N`", 1),
    "if n > 0:\n    N *= 2\ntl.store(y, N)": ("initial value for `N`", 1),
    "if n > 0:\n    N = N\ntl.store(y, N)": ("initial value for `N`", 1),
    "if n > 0:\n    tl.store(y, 1)\nelse:\n    N = 7\ntl.store(y, N)": ("but the else block redefines it", 1),
    "if n > 0:\n    N = 3\nelse:\n    N = 7\ntl.store(y, N)": ("but the then block redefines it", 1),
    "if n > 9:\n    pass\nelif n > 0:\n    N = 7\ntl.store(y, N)": ("initial value for `N`", 3),
    "i = 5\nif n > 0:\n    for i in tl.static_range(3):\n        tl.store(y, i)\ntl.store(y, i)": (
        "initial value for `i`",
        2,
    ),
    "kind = tl.float32\nfor i in range(n):\n    tl.store(y, i.to(kind))\n    kind = tl.int8": (
        "Loop-carried variable kind is the compile-time value",
        2,
    ),
    "kind = 'a'\nfor i in range(n):\n    kind = 'b'\nif kind == 'a':\n    tl.store(y, 1)": (
        "variable kind",
        2,
    ),
    "kind = 'a'\nwhile n > 0:\n    n -= 1\n    kind = 'b'\ntl.store(y, n)": ("variable kind", 2),
    "sum = None\nfor i in range(n):\n    if sum is None:\n        sum = i\n    else:\n        sum += i\n"
    "tl.store(y, n)": ("Loop-carried variable sum", 2),
    "of = tl.exp\nfor i in range(n):\n    tl.store(y, of(i * 1.0))\n    of = tl.log": ("variable of is", 2),
}

#: Body of a kernel: what it stores for n = 3 and N = 8.
TAKEN = {
    "if n < 0:\n    return\nN = N * 2\ntl.store(y, N)": 16,
    "if n > 0:\n    pass\nelse:\n    return\nN = 2\ntl.store(y, N)": 2,
    "if N > 4:\n    N = 3\ntl.store(y, N)": 3,
    "M = N\nif n > 0:\n    M = 2\ntl.store(y, M)": 2,
    "for i in tl.static_range(2):\n    pass\nif n > 0:\n    for i in tl.static_range(5):\n        pass\n"
    "tl.store(y, i)": 4,
    "kind = tl.float32\nfor i in range(n):\n    kind = tl.float32\ntl.store(y, tl.cast(2.5, kind))": 2,
    "if n > 0:\n    kind = tl.int32\nelse:\n    kind = tl.int32\ntl.store(y, tl.cast(2.5, kind))": 2,
    "t = (1, N)\nif n > 0:\n    t = (2, N)\ntl.store(y, t[0] + t[1])": 10,
    "for i in range(n):\n    kind = tl.int32\n    tl.store(y, tl.cast(i, kind))": 2,
}


def kernel(body):
    scope = {}
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    exec(text, scope)
    return scope["k"]


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body):
    words, line = REFUSED[body]
    with pytest.raises(triton.CompilationError) as caught:
        kernel(body)[(1,)](np.zeros(16, np.int32), 3, N=8)
    assert words in str(caught.value)
    assert caught.value.line == HEAD.count("\n") + line, str(caught.value)


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize("body", TAKEN)
def test_taken(body, tier):
    stored = np.zeros(16, np.int32)
    kernel(body)[(1,)](stored, 3, N=8, tier=tier)
    assert stored[0] == TAKEN[body]


def test_helpers_follow_the_same_rule():
    @triton.jit
    def changed(flag, K: tl.constexpr):
        if flag:
            K = 1
        return K

    @triton.jit
    def caller(y, n):
        tl.store(y, changed(n > 0, 4))

    with pytest.raises(triton.CompilationError, match="initial value for `K`"):
        caller[(1,)](np.zeros(1, np.int32), 3)
