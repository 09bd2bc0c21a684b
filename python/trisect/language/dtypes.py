"""Scalar types.

What: `dtype`, with the predicates that kernels and hosts ask, and the named scalar types. Types are
interned: equal types are the same object, so comparing and hashing them is free and an IR type can be
looked up by object.
Limits: sizes and names only; how types combine is in typing_rules.
"""

from enum import Enum

from .base import base_type
from .constants import unwrap
from .constexpr import constexpr

_FLOATS = {
    # name: (storage bits, mantissa bits, exponent bias, IR name)
    "fp8e4b15": (8, 3, 15, "i8"),
    "fp8e4nv": (8, 3, 7, "f8E4M3FN"),
    "fp8e4b8": (8, 3, 8, "f8E4M3FNUZ"),
    "fp8e5": (8, 2, 15, "f8E5M2"),
    "fp8e5b16": (8, 2, 16, "f8E5M2FNUZ"),
    "fp16": (16, 10, 15, "f16"),
    "bf16": (16, 7, 127, "bf16"),
    "fp32": (32, 23, 127, "f32"),
    "fp64": (64, 52, 1023, "f64"),
}
_CODEGEN_NAMES = {
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "fp64": "float64",
    "fp8e4nv": "float8e4nv",
    "fp8e4b15": "float8e4b15",
    "fp8e4b8": "float8e4b8",
    "fp8e5": "float8e5",
    "fp8e5b16": "float8e5b16",
}


class dtype(base_type):
    """Scalar type, named as in signatures: `i32`, `u8`, `fp32`, `bf16`, `fp8e5`, `void` and so on."""

    SINT_TYPES = ["int8", "int16", "int32", "int64"]
    UINT_TYPES = ["int1", "uint8", "uint16", "uint32", "uint64"]
    FP_TYPES = list(_FLOATS)
    STANDARD_FP_TYPES = ["fp16", "bf16", "fp32", "fp64"]
    OTHER_TYPES = ["void"]

    class SIGNEDNESS(Enum):
        SIGNED = 0
        UNSIGNED = 1

    class KIND(Enum):
        BOOLEAN = 0
        INTEGRAL = 1
        FLOATING = 2

    _interned: dict = {}
    #: The class of run-time values; tensor.py sets it.
    _value_class = None

    def __new__(cls, name):
        name = unwrap(name)
        if cls is not dtype:
            return super().__new__(cls)
        known = dtype._interned.get(name)
        if known is None:
            known = super().__new__(cls)
            known._describe(name)
            dtype._interned[name] = known
        return known

    def _describe(self, name):
        self.name = name
        self._floating = self._int = self._signed = False
        if name in dtype.SINT_TYPES or name in dtype.UINT_TYPES:
            self._int, self._signed = True, name in dtype.SINT_TYPES
            self.int_signedness = dtype.SIGNEDNESS.SIGNED if self._signed else dtype.SIGNEDNESS.UNSIGNED
            self.int_bitwidth = self.primitive_bitwidth = int(name.split("int")[-1])
            self.itemsize = max(1, self.primitive_bitwidth // 8)
            self._mangled = ("i" if self._signed else "u") + str(self.int_bitwidth)
        elif name in _FLOATS:
            self._floating = True
            self.primitive_bitwidth, self.fp_mantissa_width, self.exponent_bias, _ = _FLOATS[name]
            self.itemsize = self.primitive_bitwidth // 8
            self._mangled = name
        elif name == "void":
            self.primitive_bitwidth = self.itemsize = 0
            self._mangled = "V"
        else:
            good = dtype.SINT_TYPES + dtype.UINT_TYPES + dtype.FP_TYPES + dtype.OTHER_TYPES
            raise TypeError(f"there is no scalar type {name!r}; the names are {', '.join(good)}")

    def is_fp8(self):
        return self._floating and self.primitive_bitwidth == 8

    def is_fp8e4nv(self):
        return self.name == "fp8e4nv"

    def is_fp8e4b8(self):
        return self.name == "fp8e4b8"

    def is_fp8e4b15(self):
        return self.name == "fp8e4b15"

    def is_fp8e5(self):
        return self.name == "fp8e5"

    def is_fp8e5b16(self):
        return self.name == "fp8e5b16"

    def is_fp16(self):
        return self.name == "fp16"

    def is_bf16(self):
        return self.name == "bf16"

    def is_fp32(self):
        return self.name == "fp32"

    def is_fp64(self):
        return self.name == "fp64"

    def is_int1(self):
        return self.name == "int1"

    def is_int8(self):
        return self.name == "int8"

    def is_int16(self):
        return self.name == "int16"

    def is_int32(self):
        return self.name == "int32"

    def is_int64(self):
        return self.name == "int64"

    def is_uint8(self):
        return self.name == "uint8"

    def is_uint16(self):
        return self.name == "uint16"

    def is_uint32(self):
        return self.name == "uint32"

    def is_uint64(self):
        return self.name == "uint64"

    def is_floating(self):
        return self._floating

    def is_standard_floating(self):
        return self.name in dtype.STANDARD_FP_TYPES

    def is_int_signed(self):
        return self._signed

    def is_int_unsigned(self):
        return self._int and not self._signed

    def is_int(self):
        return self._int

    def is_bool(self):
        return self.name == "int1"

    def kind(self):
        if self.is_bool():
            return dtype.KIND.BOOLEAN
        if self._int:
            return dtype.KIND.INTEGRAL
        if self._floating:
            return dtype.KIND.FLOATING
        raise TypeError(f"{self} is neither boolean, integer nor float")

    def get_int_max_value(self):
        return 2 ** (self.int_bitwidth - 1) - 1 if self._signed else 2**self.int_bitwidth - 1

    def get_int_min_value(self):
        return -(2 ** (self.int_bitwidth - 1)) if self._signed else 0

    @staticmethod
    def is_dtype(type_str):
        return type_str in dtype.SINT_TYPES + dtype.UINT_TYPES + dtype.FP_TYPES + dtype.OTHER_TYPES

    @staticmethod
    def is_void():
        raise RuntimeError("ask `ty.name == 'void'` of a type; is_void() has no answer without one")

    @staticmethod
    def is_block():
        return False

    @staticmethod
    def is_ptr():
        return False

    @staticmethod
    def is_const():
        return False

    @property
    def scalar(self):
        return self

    @property
    def shape(self):
        return ()

    def with_element_ty(self, element_ty):
        return element_ty

    def __eq__(self, other):
        return self is unwrap(other)

    def __hash__(self):
        return id(self)

    def __reduce__(self):
        return dtype, (self.name,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def make_ir(self, context):
        """The IR type in `context`."""
        if self._int:
            return context.int_type(self.int_bitwidth)
        if self.name == "fp8e4b15":
            return context.int_type(8)
        if self._floating:
            return context.float_type(_FLOATS[self.name][3])
        raise TypeError("a value cannot have type void")

    def to_ir(self, builder):
        return self.make_ir(builder.context)

    def flatten_types(self, types):
        types.append(self)

    def rebuild(self, handles):
        return dtype._value_class(next(handles), self)

    def codegen_name(self):
        return _CODEGEN_NAMES.get(self.name, self.name)

    @property
    def cache_key_part(self):
        return self.name

    def mangle(self):
        return self._mangled

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"triton.language.{self.codegen_name()}"

    def __call__(self, value, _semantic=None, **unused):
        """`tl.float32(x)`: x converted to this type."""
        value = unwrap(value)
        if _semantic is None:
            return constexpr(float(value) if self._floating else int(value))
        return _semantic.cast(_semantic.to_tensor(value), self)


void = dtype("void")
int1 = dtype("int1")
int8 = dtype("int8")
int16 = dtype("int16")
int32 = dtype("int32")
int64 = dtype("int64")
uint8 = dtype("uint8")
uint16 = dtype("uint16")
uint32 = dtype("uint32")
uint64 = dtype("uint64")
float8e5 = dtype("fp8e5")
float8e5b16 = dtype("fp8e5b16")
float8e4nv = dtype("fp8e4nv")
float8e4b8 = dtype("fp8e4b8")
float8e4b15 = dtype("fp8e4b15")
float16 = dtype("fp16")
bfloat16 = dtype("bf16")
float32 = dtype("fp32")
float64 = dtype("fp64")

_INTS = {
    (1, False): int1,
    (8, True): int8,
    (16, True): int16,
    (32, True): int32,
    (64, True): int64,
    (8, False): uint8,
    (16, False): uint16,
    (32, False): uint32,
    (64, False): uint64,
}


def get_int_dtype(bitwidth: int, signed: bool) -> dtype:
    """Integer type with the given width and signedness."""
    bitwidth, signed = unwrap(bitwidth), bool(unwrap(signed))
    if bitwidth == 1:
        signed = False
    found = _INTS.get((bitwidth, signed))
    if found is None:
        raise ValueError(
            f"Unsupported bitwidth {bitwidth} and signedness {signed}; widths are 1, 8, 16, 32 and 64"
        )
    return found
