"""Which library symbol each libdevice function is, by argument types.

What: `TABLE` maps a function's name to {argument types: (symbol, result type)}. The symbols are the ones
every tier knows; their meaning is that of CUDA's device library. Results that it has unsigned are signed, as
in upstream's table.
"""

from ..types import float32, float64, int32, int64, uint32, uint64

TABLE = {}


def _entry(name, args, symbol, result):
    TABLE.setdefault(name, {})[args] = (symbol, result)


def _both(name, count, single, double):
    _entry(name, (float32,) * count, single, float32)
    _entry(name, (float64,) * count, double, float64)


# f32 under `__nv_<name>f`, f64 under `__nv_<name>`.
for _name in (
    "floor rsqrt ceil trunc exp2 sqrt rint nearbyint sin cos sinpi cospi tan log2 exp exp10 cosh sinh tanh "
    "atan asin acos log log10 log1p acosh asinh atanh expm1 cbrt rcbrt j0 j1 y0 y1 cyl_bessel_i0 "
    "cyl_bessel_i1 erf erfinv erfc erfcx erfcinv normcdfinv normcdf lgamma tgamma round logb"
).split():
    _both(_name, 1, f"__nv_{_name}f", f"__nv_{_name}")
for _name in ("copysign", "nextafter", "atan2", "hypot", "rhypot", "fmod", "remainder", "pow", "fdim"):
    _both(_name, 2, f"__nv_{_name}f", f"__nv_{_name}")
for _name, _count in (("norm3d", 3), ("rnorm3d", 3), ("norm4d", 4), ("rnorm4d", 4), ("fma", 3)):
    _both(_name, _count, f"__nv_{_name}f", f"__nv_{_name}")

# One rounding of the exact result, in a stated direction.
for _mode in ("rn", "rz", "rd", "ru"):
    _both(f"fma_{_mode}", 3, f"__nv_fmaf_{_mode}", f"__nv_fma_{_mode}")
    for _name, _count in (("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("rcp", 1), ("sqrt", 1)):
        _both(f"{_name}_{_mode}", _count, f"__nv_f{_name}_{_mode}", f"__nv_d{_name}_{_mode}")
    for _from, _to, _source, _result in (
        ("double", "float", float64, float32),
        ("double", "int", float64, int32),
        ("double", "uint", float64, int32),
        ("double", "ll", float64, int64),
        ("double", "ull", float64, int64),
        ("float", "int", float32, int32),
        ("float", "uint", float32, int32),
        ("float", "ll", float32, int64),
        ("float", "ull", float32, int64),
        ("int", "float", int32, float32),
        ("uint", "float", uint32, float32),
        ("ll", "float", int64, float32),
        ("ull", "float", uint64, float32),
        ("ll", "double", int64, float64),
        ("ull", "double", uint64, float64),
    ):
        _entry(f"{_from}2{_to}_{_mode}", (_source,), f"__nv_{_from}2{_to}_{_mode}", _result)
_entry("int2double_rn", (int32,), "__nv_int2double_rn", float64)
_entry("uint2double_rn", (uint32,), "__nv_uint2double_rn", float64)
_entry("rsqrt_rn", (float32,), "__nv_frsqrt_rn", float32)

# Fast, less exact f32 forms.
for _name in ("sin", "cos", "log2", "log", "exp", "tanh", "tan", "exp10", "log10"):
    _entry(f"fast_{_name}f", (float32,), f"__nv_fast_{_name}f", float32)
_entry("fast_powf", (float32, float32), "__nv_fast_powf", float32)
_entry("fast_dividef", (float32, float32), "__nv_fast_fdividef", float32)
_entry("saturatef", (float32,), "__nv_saturatef", float32)
_entry("rcp64h", (float64,), "__nv_rcp64h", float64)

# Integer operands or results.
for _ty, _result, _suffix in ((int32, int32, ""), (int64, int32, "ll")):
    for _name in ("clz", "popc", "ffs"):
        _entry(_name, (_ty,), f"__nv_{_name}{_suffix}", _result)
for _ty, _suffix in ((int32, ""), (int64, "ll")):
    _entry("brev", (_ty,), f"__nv_brev{_suffix}", _ty)
_entry("abs", (int32,), "__nv_abs", int32)
_entry("abs", (int64,), "__nv_llabs", int64)
_both("abs", 1, "__nv_fabsf", "__nv_fabs")
_entry("byte_perm", (int32, int32, int32), "__nv_byte_perm", int32)
for _ty, _symbol in ((int32, "mulhi"), (uint32, "umulhi"), (int64, "mul64hi"), (uint64, "umul64hi")):
    _entry("mulhi", (_ty, _ty), f"__nv_{_symbol}", _ty)
for _name in ("mul24", "hadd"):
    _entry(_name, (int32, int32), f"__nv_{_name}", int32)
    _entry(_name, (uint32, uint32), f"__nv_u{_name}", uint32)
_entry("rhadd", (int32, int32), "__nv_rhadd", int32)
_entry("rhadd", (uint32, uint32), "__nv_urhadd", uint32)
_entry("sad", (int32, int32, uint32), "__nv_sad", int32)
_entry("sad", (uint32, uint32, uint32), "__nv_usad", uint32)
_entry("pow", (float32, int32), "__nv_powif", float32)
_entry("pow", (float64, int32), "__nv_powi", float64)
for _name in ("ldexp", "scalbn"):
    _entry(_name, (float32, int32), f"__nv_{_name}f", float32)
    _entry(_name, (float64, int32), f"__nv_{_name}", float64)
for _name in ("jn", "yn"):
    _entry(_name, (int32, float32), f"__nv_{_name}f", float32)
    _entry(_name, (int32, float64), f"__nv_{_name}", float64)
for _name, _result in (("llrint", int64), ("llround", int64), ("ilogb", int32)):
    _entry(_name, (float32,), f"__nv_{_name}f", _result)
    _entry(_name, (float64,), f"__nv_{_name}", _result)
for _name in ("isnan", "isinf", "signbit"):
    _entry(_name, (float32,), f"__nv_{_name}f", int32)
    _entry(_name, (float64,), f"__nv_{_name}d", int32)
_entry("finitef", (float32,), "__nv_finitef", int32)
_entry("isfinited", (float64,), "__nv_isfinited", int32)

# Bits.
_entry("hiloint2double", (int32, int32), "__nv_hiloint2double", float64)
_entry("double2loint", (float64,), "__nv_double2loint", int32)
_entry("double2hiint", (float64,), "__nv_double2hiint", int32)
for _name, _source, _result in (
    ("int_as_float", int32, float32),
    ("float_as_int", float32, int32),
    ("uint_as_float", uint32, float32),
    ("float_as_uint", float32, int32),
    ("longlong_as_double", int64, float64),
    ("double_as_longlong", float64, int64),
):
    _entry(_name, (_source,), f"__nv_{_name}", _result)
