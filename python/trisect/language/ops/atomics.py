"""Atomic functions; each returns the previous values unless it says otherwise."""

from ..builtin import builtin, tensor_member


def _read_modify_write(name, operation, sentence):
    def function(pointer, val, mask=None, sem=None, scope=None, _semantic=None):
        return _semantic.atomic(operation, pointer, val, mask, sem, scope)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = sentence
    return tensor_member(builtin(function))


atomic_xchg = _read_modify_write(
    "atomic_xchg", "exch", "Atomic exchange per lane; returns the previous values."
)
atomic_add = _read_modify_write(
    "atomic_add", "add", "Atomically adds val to memory per lane; returns the previous values."
)
atomic_max = _read_modify_write("atomic_max", "max", "Atomic maximum per lane; returns the previous values.")
atomic_min = _read_modify_write("atomic_min", "min", "Atomic minimum per lane; returns the previous values.")
atomic_and = _read_modify_write(
    "atomic_and", "and", "Atomic bitwise and per lane; returns the previous values."
)
atomic_or = _read_modify_write("atomic_or", "or", "Atomic bitwise or per lane; returns the previous values.")
atomic_xor = _read_modify_write(
    "atomic_xor", "xor", "Atomic bitwise exclusive or per lane; returns the previous values."
)


@tensor_member
@builtin
def atomic_cas(pointer, cmp, val, sem=None, scope=None, _semantic=None):
    """Atomic compare-and-swap per lane; returns the previous values."""
    return _semantic.atomic_cas(pointer, cmp, val, sem, scope)


@tensor_member
@builtin
def atomic_load(pointer, mask=None, sem=None, scope=None, _semantic=None):
    """Atomic read per lane; masked-off lanes are unspecified."""
    return _semantic.atomic_load(pointer, mask, sem, scope)


@tensor_member
@builtin
def atomic_store(pointer, val, mask=None, sem=None, scope=None, _semantic=None):
    """Atomic write per lane; returns nothing."""
    return _semantic.atomic_store(pointer, val, mask, sem, scope)


@tensor_member
@builtin
def atomic_poll(pointer, expected_value, sem=None, scope=None, timeout_ns=None, _semantic=None):
    """Waits until each element equals expected_value or the time is over; returns where it was seen."""
    return _semantic.atomic_poll(pointer, expected_value, sem, scope, timeout_ns)
