"""Words and numbers of the dialects' enumerations.

What: one table an enumeration, by the word of the custom form. Made from core/ir/Attrs.td and MLIR's arith
dialect by .dev/lint/enums.py: `./dev bless` rewrites it, `./dev lint` holds it.
"""

PROGRAM_AXIS = {"x": 0, "y": 1, "z": 2}
CACHE_MODIFIER = {"none": 1, "ca": 2, "cg": 3, "wb": 4, "cs": 5, "wt": 6, "cv": 7}
EVICTION_POLICY = {"evict_normal": 1, "evict_first": 2, "evict_last": 3}
PADDING_OPTION = {"zero": 1, "nan": 2}
RMW_KIND = {
    "and": 1,
    "or": 2,
    "xor": 3,
    "add": 4,
    "fadd": 5,
    "max": 6,
    "min": 7,
    "umax": 8,
    "umin": 9,
    "exch": 10,
}
MEM_SEMANTIC = {"relaxed": 1, "acquire": 2, "release": 3, "acq_rel": 4}
MEM_SCOPE = {"gpu": 1, "cta": 2, "sys": 3}
DESCRIPTOR_REDUCE_KIND = {"add": 1, "min": 2, "max": 3, "inc": 4, "dec": 5, "and": 6, "or": 7, "xor": 8}
PROPAGATE_NAN = {"none": 0, "all": 65535}
ROUNDING_MODE = {"rtz": 0, "rtne": 1}
INPUT_PRECISION = {"tf32": 0, "tf32x3": 1, "ieee": 2, "bf16x3": 3, "bf16x6": 4, "blocks": 5}
SCALED_FORMAT = {"e4m3": 0, "e5m2": 1, "e2m3": 2, "e3m2": 3, "e2m1": 4, "bf16": 5, "fp16": 6}
CMPF = {
    "false": 0,
    "oeq": 1,
    "ogt": 2,
    "oge": 3,
    "olt": 4,
    "ole": 5,
    "one": 6,
    "ord": 7,
    "ueq": 8,
    "ugt": 9,
    "uge": 10,
    "ult": 11,
    "ule": 12,
    "une": 13,
    "uno": 14,
    "true": 15,
}
CMPI = {"eq": 0, "ne": 1, "slt": 2, "sle": 3, "sgt": 4, "sge": 5, "ult": 6, "ule": 7, "ugt": 8, "uge": 9}
