"""Abstract values and types that exist while a kernel is compiled.

What: `base_value` is anything a kernel expression can evaluate to, `base_type` its type. A value flattens
to a list of IR values and is rebuilt from one, which is how tuples, descriptors and aggregates cross calls,
loops and branches.
Why: control flow and calls must not know which kinds of values exist.
Limits: no IR here; the concrete kinds live in types, constexpr, tensor, tuples, descriptor and aggregate.
"""


class base_value:
    """Something a kernel expression evaluates to; `type` is its `base_type`."""

    type: "base_type"

    def flatten_ir(self, handles: list) -> None:
        """Appends the IR values this value consists of."""
        raise NotImplementedError


class base_type:
    """Type of a `base_value`."""

    def __eq__(self, other) -> bool:
        raise NotImplementedError("types must implement __eq__")

    def __ne__(self, other) -> bool:
        return not self == other

    def flatten_types(self, types: list) -> None:
        """Appends the language types of the IR values that a value of this type consists of."""
        raise NotImplementedError

    def rebuild(self, handles) -> base_value:
        """Takes IR values from the iterator `handles` and makes a value of this type."""
        raise NotImplementedError

    def mangle(self) -> str:
        """Text that stands for the type in the symbol of a specialised helper function."""
        raise NotImplementedError
