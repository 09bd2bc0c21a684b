"""Operations with a region: reductions, scans, scalar functions applied to each element.

What: the region's block is filled by a callback that combines language values; the callback usually calls a
jit function through the code generator.
"""

from ..constants import unwrap
from ..tensor import tensor
from ..types import block_type


class Reductions:
    """Region part of the semantic object."""

    def _check_inputs(self, inputs, what):
        inputs = [self.to_tensor(value) for value in inputs]
        if not inputs:
            raise ValueError(f"{what} needs at least one tensor")
        if not inputs[0].type.is_block():
            raise ValueError(f"invalid axis: a {what} folds a block, and this is a scalar {inputs[0].type}")
        shape = inputs[0].type.shape
        if any(value.type.shape != shape for value in inputs):
            raise ValueError(
                f"all {what} inputs must have the same shape, got "
                f"{[list(value.type.shape) for value in inputs]}"
            )
        return inputs

    def reduction(self, inputs, axis, combine):
        """Folds along `axis` (None: over all elements) with `combine(values left and right) -> values`."""
        inputs = self._check_inputs(inputs, "reduction")
        if unwrap(axis) is None:
            inputs = [
                self.reshape(value, (value.type.numel,), can_reorder=True)
                if len(value.type.shape) > 1
                else value
                for value in inputs
            ]
            axis = 0
        shape = list(inputs[0].type.shape)
        axis = self._axis(axis, len(shape), "reduction")
        del shape[axis]
        result_types = [self.block(value.type.scalar, shape) for value in inputs]
        return self._combining("tt.reduce", inputs, result_types, {"axis": axis}, combine)

    def associative_scan(self, inputs, axis, combine, reverse):
        inputs = self._check_inputs(inputs, "scan")
        axis = self._axis(axis, len(inputs[0].type.shape), "scan")
        attrs = {"axis": axis, "reverse": bool(unwrap(reverse))}
        return self._combining("tt.scan", inputs, [value.type for value in inputs], attrs, combine)

    def _combining(self, name, inputs, result_types, attrs, combine):
        builder = self.builder
        op = builder.op(
            name,
            [value.handle for value in inputs],
            [self.ir_type(ty) for ty in result_types],
            attrs,
            regions=1,
        )
        scalars = [value.type.scalar for value in inputs] * 2
        block = op.region(0).add_block([self.ir_type(ty) for ty in scalars])
        saved = builder.insertion_point
        builder.set_insertion_point_to_end(block)
        try:
            results = combine([tensor(arg, ty) for arg, ty in zip(block.args, scalars, strict=True)])
            self._check_combined(results, scalars[: len(inputs)])
            builder.op(name + ".return", [value.handle for value in results], [])
        finally:
            builder.insertion_point = saved
        return tuple(tensor(handle, ty) for handle, ty in zip(op.results, result_types, strict=True))

    @staticmethod
    def _check_combined(results, expected):
        got = [value.type for value in results]
        if got != list(expected):
            raise TypeError(
                "the combine function must return as many values as it combines, of the same types: "
                f"expected {', '.join(map(str, expected))}, got {', '.join(map(str, got))}"
            )

    def map_elementwise(self, inputs, pack, function):
        """`function(scalars) -> scalars` applied to each group of `pack` elements."""
        pack = unwrap(pack)
        inputs = self.common_shape([self.to_tensor(value) for value in inputs])
        if not inputs or not inputs[0].type.is_block():
            raise ValueError("map_elementwise needs at least one block argument")
        if pack < 1 or inputs[0].type.numel % pack:
            raise ValueError(f"pack must divide the number of elements {inputs[0].type.numel}, got {pack}")
        shape = inputs[0].type.shape
        scalars = [value.type.scalar for value in inputs for _ in range(pack)]
        builder = self.builder
        block = builder.create_block([self.ir_type(ty) for ty in scalars])
        saved = builder.insertion_point
        builder.set_insertion_point_to_end(block)
        try:
            results = function([tensor(arg, ty) for arg, ty in zip(block.args, scalars, strict=True)])
            if len(results) % pack:
                raise ValueError(
                    f"the function must return a multiple of pack={pack} values, got {len(results)}"
                )
            builder.op("tt.map_elementwise.return", [value.handle for value in results], [])
        finally:
            builder.insertion_point = saved
        types = [block_type(value.type, shape) for value in results[::pack]]
        op = builder.op(
            "tt.map_elementwise",
            [value.handle for value in inputs],
            [self.ir_type(ty) for ty in types],
            {"pack": pack},
            regions=1,
        )
        op.region(0).append(block)
        return tuple(tensor(handle, ty) for handle, ty in zip(op.results, types, strict=True))
