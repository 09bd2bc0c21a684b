"""Kernels that machines write: a thousand arms, terms, links or early returns, one inside the other."""

import numpy as np
import pytest

import trisect as triton

MANY = 1000
SOME = 300
TIERS = ["interp", "cpu"]
HEAD = "import trisect as triton\nimport trisect.language as tl\n\n"


def kernel_of(body, parameters="o, n", before=""):
    text = f"{HEAD}{before}@triton.jit\ndef k({parameters}):\n{body}"
    scope = {}
    exec(text, scope)
    return scope["k"]


def stored(kernel, n, tier, **constants):
    o = np.zeros(1, np.int32)
    kernel[(1,)](o, n, tier=tier, **constants)
    return int(o[0])


def elif_chain(tests, otherwise="    else:\n        x = -1\n", arm="x = {}"):
    """A test an arm; each arm gives three times its position and one more."""
    arms = [f"if {test}:\n        {arm.format(3 * i + 1)}\n" for i, test in enumerate(tests)]
    return "    " + "    el".join(arms) + otherwise


@pytest.mark.parametrize("tier", TIERS)
def test_a_chain_of_arms(tier):
    body = elif_chain(f"n == {i}" for i in range(MANY))
    kernel = kernel_of(body + "    tl.store(o, x)\n")
    for n in (0, 7, 63, 64, 65, MANY // 2, MANY - 1):
        assert stored(kernel, n, tier) == 3 * n + 1
    assert stored(kernel, MANY, tier) == -1


def test_the_first_arm_that_holds_is_taken():
    body = "    x = 5\n" + elif_chain((f"n < {i}" for i in range(SOME)), otherwise="")
    kernel = kernel_of(body + "    tl.store(o, x)\n")
    assert [stored(kernel, n, "interp") for n in (-3, 0, 200, 298, 299)] == [1, 4, 604, 898, 5]


def test_a_test_after_the_arm_that_holds_is_not_made():
    """Each test reads what lies one further; what is beyond the end must not be read."""
    body = elif_chain(f"tl.load(x + {i}) == 1" for i in range(SOME)).replace("x = ", "y = ")
    kernel = kernel_of(body + "    tl.store(o, y)\n", "o, x")
    for n in (3, 100, 250):
        x = np.zeros(n + 1, np.int32)
        x[n] = 1
        with triton.sanitize():
            assert stored(kernel, x, "interp") == 3 * n + 1


@pytest.mark.parametrize("position", [10, 200, 298])
def test_tests_known_at_compile_time_leave_no_branch(position):
    tests = [f"n == {i}" if i % 3 == 0 else f"C == {i}" for i in range(SOME)]
    kernel = kernel_of(elif_chain(tests) + "    tl.store(o, x)\n", "o, n, C: 'tl.constexpr'")
    assert stored(kernel, 3, "interp", C=position) == 10
    assert stored(kernel, 4, "interp", C=position) == 3 * position + 1
    assert stored(kernel, 297, "interp", C=position) == 3 * min(position, 297) + 1
    assert stored(kernel, 297, "interp", C=-1) == 892
    assert stored(kernel, 299, "interp", C=-1) == -1


def test_arms_that_return_and_one_that_goes_on():
    tests = [f"n == {i}" for i in range(SOME)]
    body = elif_chain(tests, "", "tl.store(o, {}); return")
    kernel = kernel_of(body + "    tl.store(o, n * 2)\n")
    assert [stored(kernel, n, "interp") for n in (0, 200, 299, 300)] == [1, 601, 898, 600]


def test_arms_of_which_some_return():
    arms = [f"if n == {i}:\n        x = {i}\n" + "        return x * 5\n" * (i % 2) for i in range(SOME)]
    helper = "@triton.jit\ndef helper(n):\n    x = n + 1\n    " + "    el".join(arms) + "    return x\n\n"
    kernel = kernel_of("    tl.store(o, helper(n))\n", before=helper)
    assert [stored(kernel, n, "interp") for n in (0, 1, 200, 201, 300)] == [0, 5, 200, 1005, 301]


def test_arms_that_do_not_go_together_are_refused_as_in_short_chains():
    said = []
    for count in (3, SOME):
        arms = elif_chain([f"n == {i}" for i in range(count)], "    else:\n        x = 2.5\n")
        kernel = kernel_of(arms + "    tl.store(o, x)\n")
        with pytest.raises(triton.CompilationError, match="Mismatched type for x between") as caught:
            stored(kernel, 5, "interp")
        said.append(caught.value.error_message)
    assert said[0] == said[1]


@pytest.mark.parametrize("tier", TIERS)
def test_ternaries(tier):
    body = "    x = " + " ".join(f"{3 * i + 1} if n == {i} else" for i in range(MANY))
    kernel = kernel_of(f"{body} n + 5\n    tl.store(o, x)\n")
    for n in (0, 7, 64, MANY - 1):
        assert stored(kernel, n, tier) == 3 * n + 1
    assert stored(kernel, MANY, tier) == MANY + 5


@pytest.mark.parametrize("tier", TIERS)
def test_early_returns(tier):
    body = "".join(
        f"    if n == {i}:\n        tl.store(o, {i} + x)\n        return\n    x += 2\n" for i in range(SOME)
    )
    kernel = kernel_of(f"    x = n * 0\n{body}    tl.store(o, x + 1)\n")
    for n in (0, 7, 63, 64, 65, 200, SOME - 1):
        assert stored(kernel, n, tier) == 3 * n
    assert stored(kernel, SOME, tier) == 2 * SOME + 1


def test_early_returns_of_values_that_differ():
    arms = "".join(
        f"    if n == {i}:\n        return {i}\n    elif n == -{i}:\n        x += {i}\n"
        for i in range(1, SOME)
    )
    helper = f"@triton.jit\ndef helper(n):\n    x = n - n\n{arms}    return x - 1\n\n"
    kernel = kernel_of("    tl.store(o, helper(n))\n", before=helper)
    found = [stored(kernel, n, "interp") for n in (1, 200, 299, -200, -299, 5000)]
    assert found == [1, 200, 299, 199, 298, -1]


def test_an_unrolled_loop_with_an_early_return():
    body = f"    x = n * 0\n    for i in tl.static_range({SOME}):\n        x += 1\n        if n == i:\n"
    kernel = kernel_of(f"{body}            tl.store(o, i * 3 + x)\n            return\n    tl.store(o, x)\n")
    assert [stored(kernel, n, "interp") for n in (0, 64, 299, 300)] == [1, 257, 1197, 300]


def test_an_unrolled_loop_whose_return_is_never_taken():
    body = f"    x = n\n    for i in tl.static_range({SOME}):\n        if i == {SOME - 1}:\n"
    kernel = kernel_of(
        f"{body}            tl.store(o, x + i)\n            return\n        x += 1\n    tl.store(o, -1)\n"
    )
    assert stored(kernel, 5, "interp") == 5 + 2 * (SOME - 1)


CHAINS = {
    "sum": ("n + " * MANY + "n", lambda n: n * (MANY + 1)),
    "signs": ("-" * MANY + "n", lambda n: n),
    "inversions": ("~" * (MANY - 1) + "n", lambda n: ~n),
    "methods": ("n" + ".to(tl.int64).to(tl.int32)" * (MANY // 2), lambda n: n),
    "subscripts": ("(n, 1)" + "[0:2]" * MANY + "[0]", lambda n: n),
}


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", CHAINS)
def test_long_expressions(name, tier):
    text, expected = CHAINS[name]
    kernel = kernel_of(f"    x = {text}\n    tl.store(o, x)\n")
    assert stored(kernel, 7, tier) == expected(7)


def test_a_defect_inside_a_long_expression_has_its_place():
    kernel = kernel_of("    x = (missing +\n        " + "n + " * MANY + "n)\n    tl.store(o, x)\n")
    with pytest.raises(triton.CompilationError, match=r"(?s)at 2:9:.*missing is not defined"):
        stored(kernel, 7, "interp")


def test_a_chain_in_a_debugger_stops_at_each_test(monkeypatch):
    """The marks of statements stand before the tests of a chain, however long it is."""
    marks = []
    for count in (3, MANY):
        body = elif_chain([f"n == {i}" for i in range(count)])
        kernel = kernel_of(body + "    tl.store(o, x)\n")
        with triton.knobs.compilation.scope():
            triton.knobs.compilation.instrumentation_mode = "debugger"
            text = kernel.warmup(np.zeros(1, np.int32), 3, grid=(1,)).asm["source"]
        marks.append(text.count("tt.statement"))
    assert marks[1] - marks[0] == 2 * (MANY - 3)


@pytest.mark.parametrize(
    "text", ["3 ** N", "N ** N", "-3 ** N", "(1 << N) * 0", "tl.constexpr(3) ** N", "2 ** tl.constexpr(N)"]
)
def test_a_constant_that_would_take_all_memory_is_refused(text):
    """In less time and memory than it would take to compute it."""
    kernel = kernel_of(f"    tl.store(o, {text} > 0)\n", "o, N: tl.constexpr")
    with pytest.raises(triton.CompilationError, match="a constant of more than 65536 bits"):
        kernel.warmup(np.zeros(1, np.int32), N=1 << 40, grid=(1,))


@pytest.mark.parametrize(
    "text, value",
    [
        ("2 ** 16", 65536),
        ("(-1) ** N", 1),
        ("1 ** N", 1),
        ("0 << N", 0),
        ("(3 << 40) >> 40", 3),
        ("2 ** -1 * 4", 2),
    ],
)
def test_constants_of_any_size_that_stay_small_are_taken(text, value):
    kernel = kernel_of(f"    tl.store(o, {text})\n", "o, N: tl.constexpr")
    out = np.zeros(1, np.int32)
    kernel[(1,)](out, N=1 << 40)
    assert out[0] == value
