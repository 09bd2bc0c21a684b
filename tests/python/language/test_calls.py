"""Calls of jit functions, methods, builtins through aliases, lambdas, tuples, aggregates; recursion."""

from collections import namedtuple

import pytest
from frontend import compile_kernel, kernel_text, ops, text_of

import trisect.language as tl
from trisect.compiler.errors import CompilationError
from trisect.language.core import aggregate, builtin
from trisect.runtime.jit import constexpr_function, jit

gather = tl.gather
Point = namedtuple("Point", ["x", "y"])


@jit
def scaled(x, factor, offset=1, *rest):
    for r in rest:
        x += r
    return x * factor + offset


@jit
def call_forms(o, n):
    tl.store(o, scaled(n, 2))
    tl.store(o, scaled(n, 2))
    tl.store(o, scaled(n, factor=n))
    tl.store(o, scaled(n, 2, 3, n, 5))


def test_specialisations_are_shared():
    module = compile_kernel(call_forms, o="*i32", n="i32")
    assert ops(module, "tt.call") == 4 and ops(module, "tt.func") == 4


@jit
def bad_call(o, n):
    scaled(n)


@jit
def bad_keyword(o, n):
    scaled(n, 2, wrong=3)


@pytest.mark.parametrize(
    "kernel,word",
    [
        (bad_call, "missing a required argument: 'factor'"),
        (bad_keyword, "unexpected keyword argument 'wrong'"),
    ],
)
def test_wrong_arguments(kernel, word):
    with pytest.raises(CompilationError, match=word):
        compile_kernel(kernel, o="*i32", n="i32")


@jit
def endless(n):
    return endless(n)


@jit
def calls_endless(o, n):
    tl.store(o, endless(n))


def test_recursion_is_refused():
    with pytest.raises(CompilationError, match="recursion is not supported"):
        compile_kernel(calls_endless, o="*i32", n="i32")


@jit(noinline=True)
def kept(x):
    return x + 1


@jit
def calls_kept(o, n):
    tl.store(o, kept(n))


def test_noinline_is_marked():
    assert "attributes {noinline = true}" in text_of(compile_kernel(calls_kept, o="*i32", n="i32"))


@jit
def returns_several(n):
    return n, 2, (n + 1, None)


@jit
def takes_several(o, n):
    a, b, (c, d) = returns_several(n)
    if d is None:
        tl.store(o, a + b + c)


def test_tuples_are_returned():
    module = compile_kernel(takes_several, o="*i32", n="i32")
    assert "-> (i32, i32, i32)" in text_of(module) and ops(module, "tt.store") == 1


@jit
def norm(p):
    return p.x * p.x + p.y * p.y


@jit
def named(o, p, n):
    q = Point(n, 2)
    tl.store(o, norm(p) + norm(q) + p[0])


def test_named_tuples():
    module = compile_kernel(named, o="*i32", p=Point("i32", "i32"), n="i32")
    assert (
        "(!tt.ptr<i32>, i32, i32, i32)" in text_of(module).replace("%arg", "").replace("0: ", "")
        or kernel_text(module).count("i32,") >= 2
    )


@jit
def aliases(o, x):
    i = tl.arange(0, 8)
    v = gather(tl.load(x + i), i, 0)
    tl.store(o + i, v.to(tl.float32).exp().sum(axis=0, keep_dims=True))


def test_builtins_through_aliases_and_methods():
    assert ops(compile_kernel(aliases, o="*fp32", x="*fp16"), "tt.gather") == 1


@builtin
def doubled(x, factor=2, _semantic=None):
    return _semantic.mul(x, factor)


@constexpr_function
def halved(n):
    return n // 2


@jit
def foreign(o, n, N: tl.constexpr):
    tl.store(o + tl.arange(0, halved(N)), doubled(n))


def test_builtins_and_constexpr_functions_from_elsewhere():
    text = kernel_text(compile_kernel(foreign, o="*i32", n="i32", N=16))
    assert "tensor<8xi32>" in text


@jit
def lambdas(o, n):
    twice = lambda v, by=2: v * by  # noqa: E731
    more = lambda v: v + n  # noqa: E731
    tl.store(o, twice(n) + twice(n, 3) + more(1))


def test_lambdas():
    module = compile_kernel(lambdas, o="*i32", n="i32")
    assert ops(module, "tt.func") == 1 and ops(module, "arith.muli") == 2


@jit
def function_inside(o, n):
    def twice(v):
        return v * 2

    tl.store(o, twice(n))


def test_a_function_inside_a_kernel_is_refused():
    with pytest.raises(CompilationError, match="nested function definition is not supported") as caught:
        compile_kernel(function_inside, o="*i32", n="i32")
    assert caught.value.node.lineno == 2 and isinstance(caught.value.__cause__, TypeError)


def plain(x):
    return x + 1


@jit
def calls_plain(o, n):
    tl.store(o, plain(n))


def test_plain_python_functions_are_named():
    with pytest.raises(
        CompilationError, match="cannot call the Python function `plain` with a run-time value"
    ):
        compile_kernel(calls_plain, o="*i32", n="i32")


@aggregate
class Pair:
    a: tl.tensor
    b: tl.tensor
    scale: tl.constexpr = 3

    @jit
    def total(self):
        return (self.a + self.b) * self.scale

    @jit
    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b, self.scale)


@jit
def aggregates(o, n):
    p = Pair(n, n + 1)
    for i in range(n):
        p = tl.aggregate_replace(p, a=p.a + i)
    q = p + Pair(b=n, a=n)
    tl.store(o, q.total())


def test_aggregates():
    module = compile_kernel(aggregates, o="*i32", n="i32")
    assert "scf.for" in text_of(module) and ops(module, "tt.call") == 2


@jit
def changes_aggregate(o, n):
    p = Pair(n, n)
    p.a = n


def test_aggregates_are_immutable():
    with pytest.raises(CompilationError, match="aggregate_replace"):
        compile_kernel(changes_aggregate, o="*i32", n="i32")


@jit
def closure_factory_user(o):
    tl.store(o, 1)


def test_closures_over_constexpr():
    width = tl.constexpr(32)

    @jit
    def kernel(o):
        tl.store(o + tl.arange(0, width), 1)

    assert "tensor<32x" in text_of(compile_kernel(kernel, o="*i32"))


@jit
def combine(a, b):
    return a + b


@jit
def combine_two(a0, a1, b0, b1):
    return a0 * b0, a1 * b0 + b1


@jit
def reductions(o, x):
    i = tl.arange(0, 16)
    v = tl.load(x + i)
    tl.store(o, tl.reduce(v, 0, combine))
    first, second = tl.associative_scan((v, v), 0, combine_two)
    tl.store(o + i, first + second)
    tl.store(o + i, tl.map_elementwise(combine, v, v))


def test_regions_call_their_functions():
    module = compile_kernel(reductions, o="*fp32", x="*fp32")
    for name in ("tt.reduce", "tt.scan", "tt.map_elementwise"):
        assert ops(module, name) == 1
    assert ops(module, "tt.call") == 3
