"""Iterators and conditions of loops: values the code generator understands in `for` and `while`."""

from ..base import base_value
from ..constants import unwrap


class static_range(base_value):
    """Loop iterator unrolled entirely at compile time."""

    def __init__(self, arg1, arg2=None, step=None, _semantic=None):
        self.step = 1 if step is None else unwrap(step)
        self.start, self.end = (0, unwrap(arg1)) if arg2 is None else (unwrap(arg1), unwrap(arg2))
        for bound in (self.start, self.end, self.step):
            if not isinstance(bound, int):
                raise TypeError(
                    "static_range takes compile-time integers; make the bound a tl.constexpr or use tl.range"
                )

    def flatten_ir(self, handles):
        raise TypeError("tl.static_range can only be looped over")

    def __iter__(self):
        raise RuntimeError("tl.static_range can only be used in @triton.jit'd functions")

    __next__ = __iter__


class range(base_value):
    """Loop iterator carrying pipelining, unrolling and specialisation hints."""

    def __init__(
        self,
        arg1,
        arg2=None,
        step=None,
        num_stages=None,
        loop_unroll_factor=None,
        disallow_acc_multi_buffer=False,
        flatten=False,
        warp_specialize=False,
        disable_licm=False,
        _semantic=None,
    ):
        self.step = 1 if step is None else step
        self.start, self.end = (0, arg1) if arg2 is None else (arg1, arg2)
        self.num_stages = num_stages
        self.loop_unroll_factor = loop_unroll_factor
        self.disallow_acc_multi_buffer = disallow_acc_multi_buffer
        self.flatten = flatten
        self.warp_specialize = warp_specialize
        self.disable_licm = disable_licm

    def flatten_ir(self, handles):
        raise TypeError("tl.range can only be looped over")

    def __iter__(self):
        raise RuntimeError("tl.range can only be used in @triton.jit'd functions")

    __next__ = __iter__


class condition(base_value):
    """Wraps a while-loop condition to attach loop options."""

    def __init__(self, arg1, disable_licm=False, _semantic=None):
        self.condition = arg1
        self.disable_licm = disable_licm

    def flatten_ir(self, handles):
        raise TypeError("tl.condition can only be the condition of a while loop")


class const:
    """Annotation marking a pointer parameter as read-only."""
