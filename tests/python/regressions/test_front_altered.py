"""What a program puts into the language's modules and tensors holds at the next launch, warm or not."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl


@triton.jit
def plus_ten(x):
    return x + 10


@triton.jit
def product(a, b):
    return a * b


def launched(kernel, start=0.0, **options):
    x, o = np.full(4, start, np.float32), np.zeros(1, np.float32)
    kernel[(1,)](o, x, **options)
    return float(o[0])


def always(kernel, **options):
    """The result of a kernel, cold and warm."""
    found = {launched(kernel, **options) for _ in range(4)}
    assert len(found) == 1, found
    return found.pop()


def there_and_back(monkeypatch, kernel, place, name, value, before, between):
    """A kernel gives its results before, while and after `value` stands in a place of the language."""
    assert always(kernel) == before
    monkeypatch.setattr(place, name, value)
    assert always(kernel) == between
    monkeypatch.undo()
    assert always(kernel) == before


@triton.jit
def calls_a_function(o, x):
    tl.store(o, tl.math.exp(tl.load(x)) + tl.cdiv(5, 2))


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_function_of_the_language(monkeypatch, tier):
    assert always(calls_a_function, tier=tier) == 4
    monkeypatch.setattr(tl.math, "exp", plus_ten)
    assert always(calls_a_function, tier=tier) == 13
    monkeypatch.setattr(tl, "cdiv", product)
    assert always(calls_a_function, tier=tier) == 20
    monkeypatch.undo()
    assert always(calls_a_function, tier=tier) == 4


def test_a_function_of_the_language_by_another_of_its_own(monkeypatch):
    always(calls_a_function)
    monkeypatch.setattr(tl.math, "exp", tl.math.sqrt)
    assert always(calls_a_function) == 3


@triton.jit
def calls_what_calls(o, x):
    tl.store(o, tl.sum(tl.load(x + tl.arange(0, 4)) + 2))


def test_what_a_function_of_the_language_calls(monkeypatch):
    there_and_back(monkeypatch, calls_what_calls, tl.standard, "_sum_combine", product, 8, 16)


@triton.jit
def times(x):
    return x * FACTOR_OF_MINE


FACTOR_OF_MINE = tl.constexpr(3)


def test_what_was_put_there_names_globals_of_its_own(monkeypatch):
    monkeypatch.setattr(tl.math, "exp", times)
    assert launched(calls_a_function, 1.0) == launched(calls_a_function, 1.0) == 6
    monkeypatch.setitem(globals(), "FACTOR_OF_MINE", tl.constexpr(7))
    assert launched(calls_a_function, 1.0) == launched(calls_a_function, 1.0) == 10


@triton.jit
def calls_a_method(o, x):
    tl.store(o, tl.load(x).exp() + 1)


def test_a_method_of_tensors(monkeypatch):
    there_and_back(monkeypatch, calls_a_method, tl.tensor, "exp", plus_ten, 2, 11)


@triton.jit
def calls_what_is_new(o, x):
    tl.store(o, tl.put_there(tl.load(x)))


def test_what_is_new_there_and_gone_again(monkeypatch):
    with pytest.raises(triton.CompilationError, match="put_there"):
        launched(calls_what_is_new)
    monkeypatch.setattr(tl, "put_there", plus_ten, raising=False)
    assert always(calls_what_is_new) == 10
    monkeypatch.undo()
    with pytest.raises(triton.CompilationError, match="put_there"):
        launched(calls_what_is_new)


def test_keys_of_kernels_are_what_they_were_once_it_is_undone(monkeypatch):
    before = calls_a_function.cache_key
    monkeypatch.setattr(tl.standard, "_sum_combine", product)
    between = calls_a_function.cache_key
    monkeypatch.undo()
    assert between != before == calls_a_function.cache_key
