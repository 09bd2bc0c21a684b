"""Launches that are made while a launch of the same thread is under way.

What: handlers of signals, and whoever takes what kernels print, launch kernels of their own. Why: each
had the memory of the launch around it for its blocks, so that the process ended by a segmentation fault
or the outer kernel was told to be wrong; what watched the outer launch took notes of the inner one, too.
"""

import pytest
from own_process import HEADER, run

KERNELS = (
    HEADER
    + """
@triton.jit
def outer(x, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at)
    s = tl.zeros((B,), tl.float32)
    for i in range(n):
        v = tl.sort(v + i * 0.001)
        s += v / tl.sum(v, 0)
    tl.store(y + at, s)

@triton.jit
def inner(x, y, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    for i in range(3):
        v = tl.flip(tl.sort(v), 0) * 0.5 - tl.sum(v, 0)
    tl.store(y + at, v)

@triton.jit
def prints(x, y, n, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    for i in range(n):
        v = tl.sort(v * (1 - 2 * (i % 2)))
        print("step", i)
        v = v / tl.max(tl.abs(v), 0)
    tl.store(y + at, v)

B = 512
random = np.random.default_rng(0)
xi, yi = random.random(4 * B, np.float32), np.zeros(4 * B, np.float32)
"""
)


@pytest.mark.parametrize("nested", ["another", "the same"])
@pytest.mark.parametrize(
    ("tier", "check", "programs"),
    [("cpu", "promote", 8), ("cpu", "always", 1), ("auto", "promote", 1), ("auto", "always", 8)],
)
def test_handlers_launch(tmp_path, tier, check, programs, nested):
    """Of another kernel, new or known, and of the one that is under way, compared or not."""
    ended = run(
        tmp_path,
        f"""
        programs, nested = {programs}, {nested!r}
        x, y = random.random(B * programs, np.float32), np.zeros(B * programs, np.float32)
        expected = np.zeros_like(y)
        outer[(programs,)](x, expected, 4000, B=B, tier="interp")
        known, out = np.zeros_like(yi), np.zeros_like(x)
        inner[(1,)](xi, known, B=4 * B, tier="interp")
        short = np.zeros_like(x)
        outer[(programs,)](x, short, 5, B=B, tier="interp")
        hits = wrong = inside = 0
        def handler(*rest):
            global hits, wrong
            hits += bool(inside)
            if nested == "another":
                yi.fill(0)
                inner[(1,)](xi, yi, B=4 * B)
                wrong += not np.array_equal(yi, known)
            else:
                out.fill(0)
                outer[(programs,)](x, out, 5, B=B)
                wrong += not np.array_equal(out, short)
        for _ in range(6):
            outer[(programs,)](x, y, 5, B=B)
        signal.signal(signal.SIGALRM, handler)
        outer_wrong = 0
        for n in range(6):
            y.fill(0)
            signal.setitimer(signal.ITIMER_REAL, 0.002 + 0.001 * n)
            inside = 1
            kernel = outer[(programs,)](x, y, 4000, B=B)
            inside = 0
            signal.setitimer(signal.ITIMER_REAL, 0)
            outer_wrong += not np.array_equal(y, expected)
        report(hits=hits, wrong=wrong, outer_wrong=outer_wrong,
               withdrawn=[str(event) for event in kernel.function.events if "withdrew" in str(event)])
        """,
        header=KERNELS,
        TRISECT_TIER=tier,
        TRISECT_CHECK=check,
    )
    assert ended.status == 0, ended.text
    assert ended.facts["hits"] >= 3, ended.text
    assert ended.facts | {"hits": 0} == {"hits": 0, "wrong": 0, "outer_wrong": 0, "withdrawn": []}


@pytest.mark.parametrize("tier", ["interp", "cpu", "auto"])
def test_outputs_launch(tmp_path, tier):
    """What sys.stdout.write launches may be larger than the kernel that prints."""
    ended = run(
        tmp_path,
        """
        class Out:
            writes, launches = 0, False
            def write(self, text):
                self.writes += 1
                if self.launches:
                    inner[(1,)](xi, yi, B=4 * B)
                return len(text)
            def flush(self):
                pass
        x, y, expected, known = xi[:B], np.zeros(B, np.float32), np.zeros(B, np.float32), np.zeros_like(yi)
        stdout, sys.stdout = sys.stdout, Out()
        prints[(1,)](x, expected, 5, B=B, tier="interp")
        inner[(1,)](xi, known, B=4 * B, tier="interp")
        prints[(1,)](x, y, 5, B=B)
        sys.stdout.launches = True
        wrong = 0
        for _ in range(8):
            y.fill(0)
            prints[(1,)](x, y, 5, B=B)
            wrong += not np.array_equal(y, expected)
        writes, sys.stdout = sys.stdout.writes, stdout
        report(writes=writes, wrong=wrong, inner=bool(np.array_equal(yi, known)))
        """,
        header=KERNELS,
        TRISECT_TIER=tier,
    )
    assert ended.status == 0, ended.text
    assert ended.facts["writes"] >= 50 and ended.facts["inner"] and not ended.facts["wrong"], ended.text
