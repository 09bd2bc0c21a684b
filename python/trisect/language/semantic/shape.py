"""Making blocks and moving their elements.

What: program identity, ranges, constants, splat and broadcast, reshapes, joins and gathers. Ranks are
aligned by inserting leading unit dimensions; a dimension of one is repeated where the other operand is
wider.
"""

from ..constants import is_power_of_two, unwrap, unwrap_shape, validate_block_shape
from ..tensor import tensor
from ..tuples import slice as tl_slice
from ..types import block_type, dtype, int32
from ..typing_rules import is_python_scalar


class Shapes:
    """Creation and data movement part of the semantic object."""

    def program_id(self, axis):
        return self._grid_op("tt.get_program_id", "program_id", axis)

    def num_programs(self, axis):
        return self._grid_op("tt.get_num_programs", "num_programs", axis)

    def _grid_op(self, op, name, axis):
        axis = unwrap(axis)
        if axis not in (0, 1, 2):
            raise ValueError(f"{name} axis must be 0, 1, or 2 but got {axis}")
        return self.emit(op, [], int32, {"axis": int(axis)})

    def arange(self, start, end):
        start, end = unwrap(start), unwrap(end)
        if not isinstance(start, int) or not isinstance(end, int):
            raise ValueError(
                "arange's arguments must be of type tl.constexpr; declare the size as a tl.constexpr "
                "parameter"
            )
        if not (-(2**31) <= start < 2**31 and -(2**31) <= end < 2**31):
            raise ValueError("arange must fit in int32")
        if end <= start:
            raise ValueError("arange's end argument must be greater than the start argument")
        if not is_power_of_two(end - start):
            raise ValueError(
                f"arange's range must be a power of 2, got {end - start}; round it up with "
                "triton.next_power_of_2 and mask what is beyond"
            )
        return self.emit("tt.make_range", [], block_type(int32, (end - start,)), {"start": start, "end": end})

    def full(self, shape, value, ty):
        shape, value, ty = unwrap_shape(shape), unwrap(value), unwrap(ty)
        if isinstance(value, tensor):
            if value.type.is_block():
                if value.type.numel != 1:
                    raise ValueError("only accepts size-1 tensor as the value to fill with")
                value = self.item(value)
            if ty is not None:
                value = self.cast(value, ty)
            return self.splat(value, shape)
        if ty is None:
            raise ValueError("dtype must be specified when value is not a tensor")
        if not isinstance(ty, dtype):
            raise TypeError(f"dtype must be a type such as tl.float32, got {ty!r}")
        if value is None or not is_python_scalar(value):
            raise TypeError(f"the value to fill with must be a number, got {value!r}")
        return self.constant(self._filling(value, ty.scalar), self.block(ty.scalar, shape))

    @staticmethod
    def _filling(value, scalar):
        if scalar.is_floating():
            return float(value)
        if scalar.is_bool():
            return bool(value)
        if scalar.is_int() and isinstance(value, float):
            raise TypeError(
                f"the value to fill with, {value}, is a float, and {scalar} an integer type; write an "
                f"integer, or fill a block of floats and convert it with .to({scalar})"
            )
        least, most = (0, 2**64) if scalar.is_int_unsigned() else (-(2**63), 2**63)
        if scalar.is_int() and not least <= value < most:
            raise ValueError(f"the value to fill with, {value}, is out of range for type {scalar}")
        return value

    def splat(self, value, shape):
        if not shape:
            return value
        if value.type.is_block():
            raise ValueError("splat takes a scalar, got a block; use broadcast_to")
        return self.emit("tt.splat", [value.handle], block_type(value.type, shape))

    def item(self, value):
        """The only element of a block, as a scalar."""
        value = self.to_tensor(value)
        if not value.type.is_block():
            return value
        if value.type.numel != 1:
            raise ValueError(f"item() needs a block of one element, got shape {list(value.type.shape)}")
        return self.emit("tt.unsplat", [value.handle], value.type.scalar)

    # Broadcasting.

    def broadcast(self, lhs, rhs):
        """Both tensors, each with its own element type, in their common shape."""
        left, right = lhs.type, rhs.type
        if not left.is_block():
            return (self.splat(lhs, right.shape), rhs) if right.is_block() else (lhs, rhs)
        if not right.is_block():
            return lhs, self.splat(rhs, left.shape)
        if left.shape == right.shape:
            return lhs, rhs
        while len(lhs.type.shape) < len(rhs.type.shape):
            lhs = self.expand_dims(lhs, 0)
        while len(rhs.type.shape) < len(lhs.type.shape):
            rhs = self.expand_dims(rhs, 0)
        shape = []
        for i, (a, b) in enumerate(zip(lhs.type.shape, rhs.type.shape, strict=True)):
            if a != b and a != 1 and b != 1:
                raise ValueError(
                    "Cannot make_shape_compatible: incompatible dimensions "
                    f"at index {i}: {a} and {b}; "
                    f"the shapes are {list(left.shape)} and {list(right.shape)}: give "
                    "both the same size, or one of them size 1 there with [:, None] or [None, :]"
                )
            shape.append(max(a, b))
        return self._repeat(lhs, tuple(shape)), self._repeat(rhs, tuple(shape))

    def _repeat(self, value, shape):
        if value.type.shape == shape:
            return value
        return self.emit("tt.broadcast", [value.handle], block_type(value.type.scalar, shape))

    def broadcast_to(self, value, shape):
        shape = tuple(unwrap_shape(shape))
        value = self.to_tensor(value)
        if not value.type.is_block():
            return self.splat(value, shape)
        source = value.type.shape
        if source == shape:
            return value
        if len(source) != len(shape):
            raise ValueError(
                f"Cannot broadcast, rank mismatch: {list(source)}, {list(shape)}; add the missing "
                "dimensions with [:, None] or [None, :]"
            )
        for i, (have, want) in enumerate(zip(source, shape, strict=True)):
            if have != want and have != 1:
                raise ValueError(
                    f"Cannot broadcast, the expanded size of the tensor ({want}) must match the existing "
                    f"size ({have}) at non-singleton dimension ({i}): {list(source)}, {list(shape)}; only a "
                    "dimension of size 1 can grow"
                )
        return self._repeat(value, shape)

    # Shapes.

    def expand_dims(self, value, axis):
        if not value.type.is_block():
            if axis not in (0, -1):
                raise ValueError(f"invalid axis {axis}. Expected -1 <= axis < 1")
            return self.splat(value, (1,))
        shape = list(value.type.shape)
        axis = axis + len(shape) + 1 if axis < 0 else axis
        if not 0 <= axis <= len(shape):
            raise ValueError(f"invalid axis {axis}: it must lie in [0, {len(shape)}]")
        shape.insert(axis, 1)
        return self.emit(
            "tt.expand_dims", [value.handle], block_type(value.type.scalar, shape), {"axis": axis}
        )

    def subscript(self, value, slices):
        """`x[:, None]`: None inserts a dimension, a full slice keeps one, if there is one."""
        slices = unwrap(slices)
        if slices is None or isinstance(slices, (slice, tl_slice)):
            slices = [slices]
        if not hasattr(slices, "__iter__") or isinstance(slices, tensor):
            raise ValueError(
                f"unsupported tensor index: {slices}; a block takes only `:` and `None`, "
                "elements are picked with tl.gather"
            )
        for axis, entry in enumerate(slices):
            entry = unwrap(entry)
            if entry is None:
                # Of a scalar `:` keeps nothing, so the dimension is its first.
                value = self.expand_dims(value, axis if value.type.is_block() else 0)
            elif not (isinstance(entry, tl_slice) and entry.is_full() or entry == slice(None)):
                raise ValueError(
                    f"unsupported tensor index: {entry}; a block takes only `:` and `None`, "
                    "elements are picked with tl.gather"
                )
        return value

    def reshape(self, value, shape, can_reorder=False):
        shape = tuple(unwrap_shape(shape))
        numel = validate_block_shape(shape)
        if not value.type.is_block():
            if numel != 1:
                raise ValueError(
                    "reshape() cannot change total number of elements in tensor: a scalar is one; use "
                    "tl.broadcast_to or tl.full"
                )
            return self.splat(value, shape)
        if numel != value.type.numel:
            raise ValueError(
                "reshape() cannot change total number of elements in tensor: "
                f"{list(value.type.shape)} has {value.type.numel}, {list(shape)} has {numel}; "
                "choose sizes with the same product"
            )
        if shape == value.type.shape and not unwrap(can_reorder):
            return value
        attrs = {"allow_reorder": None} if unwrap(can_reorder) else None
        return self.emit("tt.reshape", [value.handle], block_type(value.type.scalar, shape), attrs)

    def permute(self, value, dims):
        dims = [unwrap(dim) for dim in dims]
        rank = len(value.type.shape)
        if sorted(dim + rank if dim < 0 else dim for dim in dims) != list(range(rank)):
            raise ValueError(f"permute dims must be a permutation of 0, 1, ..., n-1, but were {tuple(dims)}")
        dims = [dim + rank if dim < 0 else dim for dim in dims]
        shape = [value.type.shape[dim] for dim in dims]
        return self.emit("tt.trans", [value.handle], block_type(value.type.scalar, shape), {"order": dims})

    def transpose(self, value, dims=()):
        if not dims:
            rank = len(value.type.shape)
            if rank < 2:
                raise ValueError(
                    "tl.trans invoked with a 0- or 1-dimensional tensor; it needs two dimensions or more"
                )
            dims = [*range(rank - 2), rank - 1, rank - 2]
        return self.permute(value, dims)

    def _of_one_type(self, function, a, b):
        """Both as elements of the first's type: integers of one width may differ in their sign alone."""
        of_a, of_b = a.type.scalar, b.type.scalar
        if of_a is of_b:
            return a, b
        if of_a.is_int() and of_b.is_int() and of_a.int_bitwidth == of_b.int_bitwidth:
            return a, self.cast(b, of_a)
        raise TypeError(
            f"{function} needs operands of the same type, got {of_a} and {of_b}; convert one with .to(...)"
        )

    def join(self, a, b):
        a, b = self._of_one_type("join", self.to_tensor(a), self.to_tensor(b))
        a, b = self.broadcast(a, b)
        scalars = not a.type.is_block()
        if scalars:
            a, b = self.expand_dims(a, 0), self.expand_dims(b, 0)
        ty = block_type(a.type.scalar, (*a.type.shape, 2))
        joined = self.emit("tt.join", [a.handle, b.handle], ty)
        return self.reshape(joined, (2,)) if scalars else joined

    def split(self, value):
        shape = value.type.shape
        if not shape or shape[-1] != 2:
            raise ValueError(
                f"The last dimension of the tensor to split must be 2, got shape {list(shape)}; "
                "reshape it first"
            )
        single = len(shape) == 1
        if single:
            value = self.expand_dims(value, 0)
            shape = value.type.shape
        ty = block_type(value.type.scalar, shape[:-1])
        ir_type = self.ir_type(ty)
        op = self.builder.op("tt.split", [value.handle], [ir_type, ir_type])
        halves = [tensor(handle, ty) for handle in op.results]
        return tuple(self.item(half) if single else half for half in halves)

    def cat(self, lhs, rhs, can_reorder=False, dim=0):
        lhs, rhs = self._of_one_type("cat", self.to_tensor(lhs), self.to_tensor(rhs))
        dim = unwrap(dim)
        if unwrap(can_reorder):
            if len(lhs.type.shape) != 1 or len(rhs.type.shape) != 1:
                raise ValueError("cat with can_reorder takes 1-dimensional blocks")
            ty = block_type(lhs.type.scalar, (lhs.type.shape[0] + rhs.type.shape[0],))
            return self.emit("tt.cat", [lhs.handle, rhs.handle], ty)
        if lhs.type is not rhs.type or not lhs.type.is_block():
            raise ValueError(
                f"cat needs blocks of equal shape, got {list(lhs.type.shape)} and {list(rhs.type.shape)}"
            )
        rank = len(lhs.type.shape)
        dim = dim + rank if dim < 0 else dim
        if not 0 <= dim < rank:
            raise ValueError(f"cat along dimension {dim} of a block with {rank} dimensions")
        joined = self.permute(self.join(lhs, rhs), [*range(dim), rank, *range(dim, rank)])
        shape = list(lhs.type.shape)
        shape[dim] *= 2
        return self.reshape(joined, shape)

    def gather(self, source, index, axis):
        if not index.type.scalar.is_int():
            raise ValueError(
                f"index must be an integer tensor, got {index.type.scalar}; convert it with .to(tl.int32)"
            )
        rank = len(source.type.shape)
        if len(index.type.shape) != rank:
            raise ValueError(
                f"source and index tensors must have the same rank, got {rank} and {len(index.type.shape)}"
            )
        axis = self._axis(axis, rank, "gather")
        for dim in range(rank):
            if dim != axis and index.type.shape[dim] != source.type.shape[dim]:
                raise ValueError(f"index dim {dim} must match the corresponding source dim")
        ty = index.type.with_element_ty(source.type.scalar)
        return self.emit("tt.gather", [source.handle, index.handle], ty, {"axis": axis})

    def histogram(self, value, bins, mask=None):
        bins = unwrap(bins)
        if len(value.type.shape) != 1:
            raise ValueError("histogram only supports 1D input")
        if not value.type.scalar.is_int():
            raise ValueError("histogram only supports integer input; convert it with .to(tl.int32)")
        operands = [value.handle]
        if unwrap(mask) is not None:
            mask = self.truth(mask)
            operands.append(self.broadcast_to(mask, value.type.shape).handle)
        return self.emit("tt.histogram", operands, block_type(int32, (bins,)))

    @staticmethod
    def _axis(axis, rank, what):
        axis = unwrap(axis)
        if isinstance(axis, bool) or not isinstance(axis, int):
            raise TypeError(f"the axis of {what} must be a compile-time integer, got {axis!r}")
        if not -rank <= axis < rank:
            raise ValueError(f"invalid axis {axis}. Expected {-rank} <= axis < {rank}")
        return axis + rank if axis < 0 else axis
