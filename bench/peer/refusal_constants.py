"""Kernels of the comparison of refusals: constants at and beyond the ends of what holds them."""
# ruff: noqa: E501

_BLOCK = "p = tl.make_block_ptr(x, ({shape},), ({stride},), ({at},), (16,), (0,))\n"
_DESCRIPTOR = "d = tl.make_tensor_descriptor(x, [{shape}, 16], [{stride}, 1], [1, 16])\ntl.store(x, tl.sum(d.load([{at}, 0])))"
_SIMPLE = {"shape": 64, "stride": 1, "at": 0}
_ROWS = {"shape": 4, "stride": 16, "at": 0}

CASES = {
    **{
        f"{where}_{name}": text.format(value)
        for where, text in {
            "store": "tl.store(y, {})", "store_narrow": "tl.store(i, {})", "store_float": "tl.store(x, {})",
            "other": "tl.store(y, tl.load(y, mask=n > 0, other={}))", "atomic": "tl.store(y, tl.atomic_add(y, {}))",
            "full": "tl.store(y, tl.full([], {}, tl.int64).to(tl.int32))",
            "full_unsigned": "tl.store(y, tl.full([], {}, tl.uint8).to(tl.int32))",
            "full_bool": "tl.store(y, tl.full([], {}, tl.int1).to(tl.int32))",
            "full_float": "tl.store(x, tl.full([], {}, tl.float32))",
            "cast": "tl.store(y, tl.cast({}, tl.int8))", "add": "tl.store(y, n + {})",
            "carried": "z = {}\nfor k in range(n):\n    z += 1\ntl.store(y, z.to(tl.int32))",
            "choice": "z = {} if n > 0 else 1\ntl.store(y, z.to(tl.int32))",
            "block_shape": _BLOCK.format(**_SIMPLE | {"shape": "{}"}) + "tl.store(x, tl.sum(tl.load(p)))",
            "block_offset": _BLOCK.format(**_SIMPLE | {"at": "{}"}) + "tl.store(x, tl.sum(tl.load(p)))",
            "advance": _BLOCK.format(**_SIMPLE) + "p = tl.advance(p, ({},))\ntl.store(x, tl.sum(tl.load(p)))",
            "descriptor_shape": _DESCRIPTOR.format(**_ROWS | {"shape": "{}"}),
            "descriptor_at": _DESCRIPTOR.format(**_ROWS | {"at": "{}"}),
            "multiple": "n = tl.multiple_of(n, {})\ntl.store(y, n)",
        }.items()
        for name, value in {"minus": -1, "300": 300, "32": 1 << 31, "63": 1 << 63, "64": 1 << 64, "below": -(1 << 63) - 1}.items()
    },
    "multiple_none": "n = tl.multiple_of(n, 0)\ntl.store(y, n)",
}  # fmt: skip

_CUT = "what 32 bits do not hold is cut off by upstream without a word"
_NO_MULTIPLE = "what is promised is positive"

#: Why a row stays as it is.
KEPT = {"descriptor_shape_32": _CUT, "multiple_minus": _NO_MULTIPLE, "multiple_none": _NO_MULTIPLE}
