"""What a name in a kernel means: values of later passes, of lambdas when they are called, and of globals."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.compiler.errors import CompilationError

SHADE = tl.constexpr(1)
TINT = tl.constexpr(1)

BOTH = pytest.mark.parametrize("tier", ["interp", "cpu"])


def launched(kernel, size, *args, **options):
    out = np.zeros(size, np.int32)
    kernel[(1,)](out, *args, **options)
    return out.tolist()


# The target of an unrolled loop keeps its last value, in the next pass of a loop around it too.


@triton.jit
def read_in_the_next_pass(o, n):
    j = 5
    total = 0
    for _ in range(n):
        total += j
        for j in tl.static_range(3):  # noqa: B007, B020
            total += 100
    tl.store(o, total)
    tl.store(o + 1, j)


@triton.jit
def read_in_the_next_pass_of_while(o, n):
    total = 0
    for j in tl.static_range(2):  # noqa: B007
        total += 100
    i = 0
    while i < n:
        total += j
        for j in (7, 8, 9):  # noqa: B007
            total += 100
        i += 1
    tl.store(o, total)
    tl.store(o + 1, j)


@BOTH
@pytest.mark.parametrize("n", [0, 3])
def test_the_target_of_an_unrolled_loop_stays(n, tier):
    first = 5 + 2 * (n - 1) + 300 * n if n else 0
    assert launched(read_in_the_next_pass, 2, n, tier=tier) == [first, 2 if n else 5]
    second = 1 + 9 * (n - 1) + 300 * n if n else 0
    assert launched(read_in_the_next_pass_of_while, 2, n, tier=tier) == [200 + second, 9 if n else 1]


@triton.jit
def unrolled_first(o, n, B: tl.constexpr):
    for j in tl.static_range(3):
        tl.store(o + j, 0)
    for i in range(n):
        for j in tl.static_range(3):
            tl.store(o + j, i)
    tl.store(o + tl.arange(0, j + 2), 7)


def test_a_target_that_is_set_before_it_is_read_stays_a_constant():
    assert launched(unrolled_first, 8, 3, B=4) == [7, 7, 7, 7, 0, 0, 0, 0]


# A lambda sees the variables when it is called; its defaults, when it is made.


@triton.jit
def late(o, n):
    s = 1
    f = lambda x: x + s  # noqa: E731
    s = 2
    tl.store(o, f(10))
    total = 0
    for _ in range(n):
        total += f(0)
        s += 1
    tl.store(o + 1, total)
    g = lambda x, s=s: x + s  # noqa: E731
    s = 100
    tl.store(o + 2, g(0))
    tl.store(o + 3, f(0))


@triton.jit
def in_others(o, s):
    f = lambda x: x + s  # noqa: E731
    g = lambda s: f(s) * 2  # noqa: E731
    h = [f(s) for s in (10, 20)]
    s += 1
    tl.store(o, g(3))
    tl.store(o + 1, h[0] + h[1])
    each = [lambda x, k=k: x * k + s for k in (1, 2)]
    tl.store(o + 2, each[0](10) + each[1](10))


@BOTH
def test_lambdas_see_what_variables_are_when_they_are_called(tier):
    assert launched(late, 4, 3, tier=tier) == [12, 2 + 3 + 4, 5, 100]
    assert launched(in_others, 3, 5, tier=tier) == [(3 + 6) * 2, 15 + 25, 10 + 6 + 20 + 6]


# `:=`


@triton.jit
def running(o, n):
    s = 0
    sums = [(s := s + x) for x in (1, 2, 3)]
    tl.store(o, sums[0] * 100 + sums[1] * 10 + sums[2])
    tl.store(o + 1, s)
    for _ in range(n):
        sums = [(s := s + x) for x in (1, 2, 3)]
    tl.store(o + 2, s)


@triton.jit
def in_a_ternary(o, n):
    y = (z := n + 1) if n > 0 else 0  # noqa: F841
    tl.store(o, y)


@BOTH
def test_assignments_inside_comprehensions(tier):
    assert launched(running, 3, 2, tier=tier) == [136, 6, 18]


def test_an_assignment_in_a_ternary_of_run_time_is_refused():
    with pytest.raises(CompilationError, match="`z :=` stands in a ternary"):
        launched(in_a_ternary, 1, 5)


# A global takes the place of a local name only where nothing that runs can have assigned it.


@triton.jit
def in_one_branch(o, n):
    if n > 2:
        SHADE = 5
    tl.store(o, SHADE)


@triton.jit
def in_a_loop(o, n):
    for i in range(n):
        SHADE = i
    tl.store(o, SHADE)


@triton.jit
def in_a_while(o, n):
    i = 0
    while i < n:
        SHADE = i
        i += 1
    tl.store(o, SHADE)


@pytest.mark.parametrize("kernel", [in_one_branch, in_a_loop, in_a_while])
def test_a_global_is_not_taken_for_what_a_branch_or_loop_assigned(kernel):
    with pytest.raises(CompilationError, match="SHADE is not defined"):
        launched(kernel, 1, 5)


@triton.jit
def shade(x):
    return x + 1


@triton.jit
def function_after_a_number(o, n):
    for i in range(n):
        max = i
        shade = max
        tl.store(o, shade)
    tl.store(o, max(shade(n), 3))


@BOTH
def test_a_function_is_taken_after_a_loop_that_used_its_name(tier):
    assert launched(function_after_a_number, 1, 5, tier=tier) == [6]


@triton.jit
def left_out(o, F: tl.constexpr):
    if F:
        SHADE = 5
    tl.store(o, SHADE)


@triton.jit
def in_a_comprehension(o):
    twice = [TINT * 2 for TINT in (1, 2)]
    add = lambda SHADE: SHADE + 1  # noqa: E731
    tl.store(o, TINT * 100 + twice[0] + twice[1] + SHADE * 1000 + add(0))


def test_a_global_under_the_name_of_a_local_may_change(monkeypatch):
    for value in (1, 2, 2, 1):
        monkeypatch.setitem(globals(), "SHADE", tl.constexpr(value))
        monkeypatch.setitem(globals(), "TINT", tl.constexpr(value + 1))
        for _ in range(2):
            assert launched(left_out, 1, False) == [value]
            assert launched(left_out, 1, True) == [5]
            assert launched(in_a_comprehension, 1) == [value * 1100 + 100 + 7]


# Elements of a list change under every name that leads to it, or not at all.


@triton.jit
def changed(o, n):
    a = [1, 2]
    b = tuple(a)
    for i in range(n):
        a[0] += i
        a[1], a[0] = a[0], a[1]
    nested = [(1, 2), (3, 4)]
    nested[1][0] = n
    tl.store(o, a[0])
    tl.store(o + 1, a[1])
    tl.store(o + 2, b[0] * 10 + b[1])
    tl.store(o + 3, nested[0][0] * 10 + nested[1][0])


@triton.jit
def changed_under_two_names(o):
    a = [1, 2]
    b = a
    b[0] = 5
    tl.store(o, a[0])


@triton.jit
def changed_inside_another(o):
    a = [1, 2]
    both = (a, 3)
    a[0] = 5
    tl.store(o, both[0][0])


@triton.jit
def changed_in_a_loop(o):
    a = [1, 2]
    b = a
    for i in range(3):
        b[0] += i
    tl.store(o, a[0])


@BOTH
def test_elements_of_a_list_change(tier):
    assert launched(changed, 4, 3, tier=tier) == [3, 3, 12, 13]


@pytest.mark.parametrize("kernel", [changed_under_two_names, changed_inside_another, changed_in_a_loop])
def test_an_element_that_another_name_leads_to_is_not_changed(kernel):
    with pytest.raises(CompilationError, match="would keep the old one"):
        launched(kernel, 1)
