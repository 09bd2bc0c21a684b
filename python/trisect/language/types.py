"""Types made of scalar types: pointers, blocks; and all types but those of tuples under one roof.

What: each is interned like `dtype` itself.
`type_from_signature` reads the spelling of signatures.
"""

from .constants import unwrap, validate_block_shape
from .dtypes import (
    bfloat16,
    dtype,
    float8e4b8,
    float8e4b15,
    float8e4nv,
    float8e5,
    float8e5b16,
    float16,
    float32,
    float64,
    get_int_dtype,
    int1,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
)


class pointer_type(dtype):
    """Pointer to elements of a type (for block pointers: to a block)."""

    _pointers: dict = {}

    def __new__(cls, element_ty, address_space=1, const=False):
        element_ty, address_space, const = unwrap(element_ty), unwrap(address_space), bool(unwrap(const))
        if address_space in ("global", "constant"):
            address_space = 1
        if not isinstance(element_ty, dtype):
            raise TypeError(f"element_ty must be a dtype, not {type(element_ty).__name__}")
        key = (element_ty, address_space, const)
        known = cls._pointers.get(key)
        if known is None:
            known = super().__new__(cls, None)
            known.element_ty, known.address_space, known.const = key
            known.name = f"pointer<{element_ty}>" if not const else f"const_pointer<{element_ty}>"
            known._floating = known._int = known._signed = False
            known.primitive_bitwidth, known.itemsize = 64, 8
            known._mangled = "P" + element_ty.mangle()
            cls._pointers[key] = known
        return known

    def __reduce__(self):
        return pointer_type, (self.element_ty, self.address_space, self.const)

    def is_ptr(self):
        return True

    def is_const(self):
        return self.const

    def kind(self):
        raise TypeError(f"{self} is neither boolean, integer nor float")

    def make_ir(self, context):
        return context.ptr_type(self.element_ty.make_ir(context), self.address_space)

    def codegen_name(self):
        return f"pointer_type({self.element_ty!r})"

    @property
    def cache_key_part(self):
        return f"{self.name}@{self.address_space}"

    def __str__(self):
        return self.name


class block_type(dtype):
    """Element type plus a static shape."""

    _blocks: dict = {}

    def __new__(cls, element_ty, shape):
        element_ty = unwrap(element_ty)
        shape = tuple(unwrap(size) for size in shape)
        key = (element_ty, shape)
        known = cls._blocks.get(key)
        if known is None:
            if not shape:
                raise TypeError("0d block_type is forbidden; a scalar has the element type itself")
            numel = validate_block_shape(shape)
            known = super().__new__(cls, None)
            known.element_ty, known._shape, known.numel = element_ty, shape, numel
            known.name = f"<{list(shape)}, {element_ty}>"
            known._floating = known._int = known._signed = False
            known.primitive_bitwidth = element_ty.primitive_bitwidth
            known.itemsize = element_ty.itemsize
            known._mangled = f"{element_ty.mangle()}S{'_'.join(map(str, shape))}S"
            cls._blocks[key] = known
        return known

    def __reduce__(self):
        return block_type, (self.element_ty, self._shape)

    @property
    def shape(self):
        return self._shape

    def is_block(self):
        return True

    def get_block_shapes(self):
        return self._shape

    def with_element_ty(self, scalar_ty):
        return block_type(scalar_ty, self._shape)

    @property
    def scalar(self):
        return self.element_ty

    @property
    def nbytes(self):
        return self.numel * (self.element_ty.primitive_bitwidth // 8)

    def make_ir(self, context):
        return context.tensor_type(list(self._shape), self.element_ty.make_ir(context))

    def codegen_name(self):
        return f"block_type({self.element_ty!r}, {list(self._shape)})"

    def __str__(self):
        return self.name


class slice_type(dtype):
    """Type of a compile-time slice."""

    def __new__(cls):
        known = super().__new__(cls, None)
        known.name = "slice_type"
        known._floating = known._int = known._signed = False
        return known

    def __reduce__(self):
        return slice_type, ()

    def __eq__(self, other):
        return isinstance(other, slice_type)

    def __hash__(self):
        return hash(slice_type)

    def __str__(self):
        return self.name


pi32_t = pointer_type(int32)

_SIGNATURE_NAMES = {
    "i1": int1,
    "u1": int1,
    "B": int1,
    "i8": int8,
    "i16": int16,
    "i32": int32,
    "i64": int64,
    "u8": uint8,
    "u16": uint16,
    "u32": uint32,
    "u64": uint64,
    "fp8e5": float8e5,
    "fp8e5b16": float8e5b16,
    "fp8e4nv": float8e4nv,
    "fp8e4b8": float8e4b8,
    "fp8e4b15": float8e4b15,
    "fp16": float16,
    "f16": float16,
    "bf16": bfloat16,
    "fp32": float32,
    "f32": float32,
    "fp64": float64,
    "f64": float64,
    "void": void,
}


def type_from_signature(text: str) -> dtype:
    """Type of a signature entry such as `*fp32`, `*ki8` (const pointer) or `i64`."""
    if text.startswith("*"):
        const = text.startswith("*k")
        return pointer_type(type_from_signature(text[2 if const else 1 :]), const=const)
    found = _SIGNATURE_NAMES.get(text)
    if found is None:
        raise ValueError(
            f"unknown type {text!r} in a signature; scalar types are {', '.join(_SIGNATURE_NAMES)}"
        )
    return found


__all__ = [
    "bfloat16",
    "block_type",
    "dtype",
    "float16",
    "float32",
    "float64",
    "float8e4b15",
    "float8e4b8",
    "float8e4nv",
    "float8e5",
    "float8e5b16",
    "get_int_dtype",
    "int1",
    "int16",
    "int32",
    "int64",
    "int8",
    "pi32_t",
    "pointer_type",
    "slice_type",
    "type_from_signature",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "void",
]
