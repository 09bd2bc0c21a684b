"""Asserts, prints, assumptions, hints, barriers, target assembly and library symbols."""

from ..constants import unwrap
from ..tensor import tensor
from ..typing_rules import is_python_scalar


class Debugging:
    """Debugging and escape hatch part of the semantic object."""

    def assert_op(self, condition, message):
        self.builder.op("tt.assert", [condition.handle], [], {"message": message})

    def device_assert(self, condition, message, mask=None):
        if not self.debug:
            return
        condition = self.truth(condition)
        if unwrap(mask) is not None:
            condition = self.or_(condition, self.logical_not(mask))
        self.assert_op(condition, str(unwrap(message)))

    def device_print(self, prefix, args, hex):
        prefix = str(unwrap(prefix))
        if args:
            prefix = prefix if prefix.endswith(" ") else prefix + " "
            prefix = prefix if prefix.endswith(": ") else prefix[:-1] + ": "
        if len(prefix) > 2 and not prefix.startswith(" "):
            prefix = " " + prefix
        self._print(args, {"prefix": prefix, "hex": bool(unwrap(hex))})

    def formatted_print(self, pieces, hex=False):
        """A text with places for values (compiler/codegen/printing.py)."""
        facts = {"prefix": " " + pieces.plain, "hex": bool(unwrap(hex)), "trisect.format": pieces.format}
        self._print(pieces.values, facts)

    def _print(self, args, facts):
        values = [self.to_tensor(arg) for arg in args]
        signed = [int(value.type.scalar.is_int_signed()) for value in values]
        self.builder.op("tt.print", [value.handle for value in values], [], facts | {"isSigned": signed})

    def assume(self, condition):
        condition = unwrap(condition)
        known = is_python_scalar(condition)
        given = type(condition).__name__ if known else str(self.to_tensor(condition).type.scalar)
        if given not in ("bool", "int1"):
            raise TypeError(f"tl.assume takes a condition, got {given}; compare the value with something")
        if known:
            if not condition:
                raise ValueError("tl.assume was given a condition that is false at compile time")
            return
        condition = self.truth(condition)
        if condition.type.is_block():
            raise ValueError("tl.assume takes a scalar condition")
        self.builder.op("llvm.intr.assume", [condition.handle], [])

    def debug_barrier(self):
        self.builder.op("gpu.barrier", [], [])

    def hint(self, name, function, value, amounts):
        """Attaches `tt.divisibility`, `tt.contiguity` or `tt.constancy` to what made `value`."""
        amounts = unwrap(amounts)
        amounts = [amounts] if isinstance(amounts, int) else [unwrap(amount) for amount in amounts]
        for position, amount in enumerate(amounts):
            if isinstance(amount, bool) or not isinstance(amount, int):
                raise TypeError(
                    f"values element {position} must have type `constexpr[int]`, got {type(amount)}"
                )
            if not 0 < amount < 2**31:
                raise ValueError(
                    f"values element {position} of {function} must be a positive int32, got {amount}"
                )
        if isinstance(unwrap(value), int):
            return value
        if max(1, len(value.type.shape)) != len(amounts):
            raise ValueError(
                f"Shape of input to {function} does not match the length of values; "
                "give one for each dimension"
            )
        text = f"dense<[{', '.join(map(str, amounts))}]> : tensor<{len(amounts)}xi32>"
        value.handle.set_attr(name, self.attribute(text))
        return value

    def inline_asm(self, asm, constraints, args, types, pure, pack):
        """Target assembly on packs of elements; the arguments are brought to one shape."""
        args = self.common_shape([self.to_tensor(arg) for arg in args])
        shape = args[0].type.shape if args else ()
        results = [self.block(ty, shape) for ty in types]
        op = self.builder.op(
            "tt.elementwise_inline_asm",
            [arg.handle for arg in args],
            [self.ir_type(ty) for ty in results],
            {"asm_string": asm, "constraints": constraints, "pure": bool(pure), "packed_element": int(pack)},
        )
        return tuple(tensor(handle, ty) for handle, ty in zip(op.results, results, strict=True))

    def extern_elementwise(self, library, path, args, symbol, scalar, pure):
        """Call of a library symbol on each element."""
        args = self.common_shape(args)
        shape = args[0].type.shape if args else ()
        return self.emit(
            "tt.extern_elementwise",
            [arg.handle for arg in args],
            self.block(scalar, shape),
            {"libname": library, "libpath": path, "symbol": symbol, "pure": bool(pure)},
        )
