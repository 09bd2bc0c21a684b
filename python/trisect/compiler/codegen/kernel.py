"""The kernel's entry: from a signature to typed arguments.

What: builds the public function of a module from signature, constants and attributes of its arguments. A
tuple argument becomes its elements, a constant becomes no argument at all, a host descriptor becomes a
pointer with shape and strides, from which the descriptor is made on entry.
"""

from trisect.language.constants import unwrap
from trisect.language.kernel_types import descriptor_block
from trisect.language.tensor import tensor
from trisect.language.tuples import as_value
from trisect.language.tuples import tuple as tl_tuple
from trisect.language.types import int32, int64, pointer_type, type_from_signature


class Argument:
    """One IR argument: language type, name, attributes."""

    def __init__(self, ty, name, attributes=None):
        self.type, self.name, self.attributes = ty, name, attributes


class KernelSignature:
    """Arguments of a kernel, and how to make the kernel's values from them."""

    def __init__(self, fn, signature, constants, attributes):
        self.constants = {_path(fn, key): value for key, value in (constants or {}).items()}
        self.attributes = {_path(fn, key): value for key, value in (attributes or {}).items()}
        self.arguments = []
        self._makers = []
        for index, param in enumerate(fn.params):
            self._makers.append((param.name, self._maker((index,), param.name, signature.get(param.name))))

    def _maker(self, path, name, entry):
        """A function from the iterator over IR arguments to the value of one parameter."""
        if path in self.constants and not isinstance(entry, (tuple, list)) or entry in (None, "constexpr"):
            value = as_value(self.constants.get(path))
            return lambda handles, semantic: value
        if isinstance(entry, (tuple, list)):
            kind = type(entry) if hasattr(entry, "_fields") else None
            makers = [self._maker((*path, i), f"{name}.{i}", item) for i, item in enumerate(entry)]
            return lambda handles, semantic: tl_tuple(
                [make(handles, semantic) for make in makers], fields=kind and kind._fields, kind=kind
            )
        descriptor = descriptor_block(entry)
        if descriptor is not None:
            return self._descriptor(path, name, *descriptor)
        ty = type_from_signature(entry)
        attributes = {key: value for key, value in self.attributes.get(path, ())}
        self.arguments.append(Argument(ty, name, attributes or None))
        return lambda handles, semantic: tensor(next(handles), ty)

    def _descriptor(self, path, name, block, padding):
        element, rank = block.element_ty, len(block.shape)
        attributes = {key: value for key, value in self.attributes.get(path, ())}
        self.arguments.append(Argument(pointer_type(element), name, attributes or {"tt.divisibility": 16}))
        self.arguments.extend(Argument(int32, f"{name}.shape.{i}") for i in range(rank))
        self.arguments.extend(Argument(int64, f"{name}.stride.{i}") for i in range(rank))

        def make(handles, semantic):
            base = tensor(next(handles), pointer_type(element))
            shape = [tensor(next(handles), int32) for _ in range(rank)]
            strides = [tensor(next(handles), int64) for _ in range(rank)]
            return semantic.host_descriptor(base, shape, strides, block, padding)

        return make

    def values(self, handles, semantic):
        """Name to value for all parameters."""
        handles = iter(handles)
        return {name: make(handles, semantic) for name, make in self._makers}


def _path(fn, key):
    """Constants and attributes are keyed by argument path; names and single indices are accepted."""
    if isinstance(key, str):
        return (list(fn.arg_names).index(key),)
    return (unwrap(key),) if isinstance(key, int) else tuple(key)
