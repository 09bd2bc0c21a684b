"""What the names of `tl` mean, in NumPy: the oracle of tests/fuzz/sources.py.

What: `Block` is an array with Triton's arithmetic (integers wrap, quotients are truncated, the wider type
wins); `language` gives a stand-in for triton.language in which a kernel runs as plain Python, program by
program. Why: nothing of it is shared with the front end or a tier; control flow is CPython's own.
Limits: what sources.py writes, and no more.
"""

import types

import numpy as np

FLOATS = "f"


def common(a, b):
    """The type of an operation on two arrays."""
    if a == b:
        return a
    if (a.kind == FLOATS) != (b.kind == FLOATS):
        return a if a.kind == FLOATS else b
    if np.dtype(bool) in (a, b):
        return b if a.kind == "b" else a
    if a.kind != b.kind:  # of equal width the unsigned one wins, else the wider
        unsigned, signed = (a, b) if a.kind == "u" else (b, a)
        return unsigned if unsigned.itemsize >= signed.itemsize else signed
    return a if a.itemsize >= b.itemsize else b


def truncated(a, b):
    if a.dtype.kind == FLOATS:
        raise TypeError("no quotient of floats here")
    if a.dtype.kind == "u":
        return a // b
    q = a // b
    return q + ((a % b != 0) & ((a < 0) != (b < 0))).astype(a.dtype)


def remainder(a, b):
    return a - truncated(a, b) * b


class Block:
    def __init__(self, value):
        self.value = np.asarray(value)

    @property
    def dtype(self):
        return self.value.dtype

    def pair(self, other):
        """Both operands in their common type; a number of Python takes the block's."""
        if not isinstance(other, Block):
            kind = self.dtype
            if isinstance(other, float) and kind.kind != FLOATS:
                kind = np.dtype(np.float32)
            elif kind.kind == "b" and not isinstance(other, bool):
                kind = np.dtype(np.int32)
            other = Block(np.asarray(other, kind))
        kind = common(self.dtype, other.dtype)
        return self.value.astype(kind), other.value.astype(kind)

    def to(self, kind):
        return Block(self.value.astype(kind))

    def __getitem__(self, index):
        return Block(self.value[index])

    def __neg__(self):
        return Block(np.zeros_like(self.value) - self.value)

    def __invert__(self):
        return Block(~self.value)

    def __bool__(self):
        return bool(self.value)

    def __index__(self):
        return int(self.value)


def operator(name, function, swapped=True):
    def forward(self, other):
        if isinstance(other, Pointer):
            return NotImplemented
        return Block(function(*self.pair(other)))

    def backward(self, other):
        a, b = self.pair(other)
        return Block(function(b, a))

    setattr(Block, f"__{name}__", forward)
    if swapped:
        setattr(Block, f"__r{name}__", backward)


for _name, _function in {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "lshift": np.left_shift, "rshift": np.right_shift, "floordiv": truncated,
    "mod": remainder,
}.items():  # fmt: skip
    operator(_name, _function)
for _name, _function in {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
    "ne": np.not_equal,
}.items():  # fmt: skip
    operator(_name, _function, swapped=False)


class Pointer:
    def __init__(self, memory, offsets=0):
        self.memory, self.offsets = memory, np.asarray(offsets, np.int64)

    def __add__(self, other):
        return Pointer(self.memory, self.offsets + (other.value if isinstance(other, Block) else other))


def both(function):
    return lambda a, b: Block(function(*(a if isinstance(a, Block) else Block(a)).pair(b)))


def _where(condition, yes, no):
    yes, no = (yes.pair(no)) if isinstance(yes, Block) else no.pair(yes)[::-1]
    return Block(np.where(condition.value, yes, no))


def _load(pointer, mask=None, other=0):
    on = (
        np.ones(pointer.offsets.shape, bool)
        if mask is None
        else np.broadcast_to(mask.value, pointer.offsets.shape)
    )
    taken = pointer.memory[np.where(on, pointer.offsets, 0)]
    return Block(np.where(on, taken, np.asarray(other, pointer.memory.dtype)))


def _store(pointer, value, mask=None):
    on = (
        np.ones(pointer.offsets.shape, bool)
        if mask is None
        else np.broadcast_to(mask.value, pointer.offsets.shape)
    )
    values = np.broadcast_to(value.value, pointer.offsets.shape)
    pointer.memory[pointer.offsets[on]] = values[on].astype(pointer.memory.dtype)


def _atomic_add(pointer, value, mask=None):
    on = (
        np.ones(pointer.offsets.shape, bool)
        if mask is None
        else np.broadcast_to(mask.value, pointer.offsets.shape)
    )
    np.add.at(pointer.memory, pointer.offsets[on], np.broadcast_to(value.value, pointer.offsets.shape)[on])


def language(program, programs):
    """`tl` as one program sees it."""
    tl = types.SimpleNamespace(constexpr=object)
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32"):
        setattr(tl, kind, np.dtype(kind))
    tl.program_id = lambda axis: Block(np.int32(program))
    tl.num_programs = lambda axis: Block(np.int32(programs))
    tl.arange = lambda low, high: Block(np.arange(low, high, dtype=np.int32))
    tl.zeros = lambda shape, dtype: Block(np.zeros(shape, dtype))
    tl.full = lambda shape, value, dtype: Block(np.full(shape, value, dtype))
    tl.where, tl.load, tl.store, tl.atomic_add = _where, _load, _store, _atomic_add
    tl.minimum, tl.maximum = both(np.fmin), both(np.fmax)
    tl.abs = lambda x: Block(np.abs(x.value))
    tl.sum = lambda x, axis: Block(x.value.sum(axis=axis, dtype=x.dtype))
    tl.max = lambda x, axis: Block(x.value.max(axis=axis))
    tl.min = lambda x, axis: Block(x.value.min(axis=axis))
    tl.argmax = lambda x, axis: Block(x.value.argmax(axis=axis).astype(np.int32))
    tl.argmin = lambda x, axis: Block(x.value.argmin(axis=axis).astype(np.int32))
    tl.cumsum = lambda x, axis: Block(x.value.cumsum(axis=axis, dtype=x.dtype))
    tl.cumprod = lambda x, axis: Block(x.value.cumprod(axis=axis, dtype=x.dtype))
    tl.sort = lambda x: Block(np.sort(x.value, axis=-1))
    tl.flip = lambda x: Block(np.flip(x.value, axis=-1))
    tl.trans = lambda x: Block(x.value.T)
    tl.reshape = lambda x, shape: Block(x.value.reshape(shape))
    tl.gather = lambda x, index, axis: Block(np.take_along_axis(x.value, index.value.astype(np.int64), axis))
    tl.histogram = lambda x, bins: Block(np.bincount(x.value.ravel(), minlength=bins).astype(np.int32))
    tl.dot = lambda a, b, out_dtype: Block(a.value.astype(np.int32) @ b.value.astype(np.int32))
    tl.static_range = range
    return tl
