"""Small helpers shared by runtime and compiler: nested argument paths, spellings of types."""

from __future__ import annotations

TRITON_MAX_TENSOR_NUMEL = 1048576

type_canonicalisation_dict = {
    "bool": "u1", "int1": "u1", "uint1": "u1", "i1": "u1",
    "float8e4nv": "fp8e4nv", "float8e5": "fp8e5", "float8e4b15": "fp8e4b15", "float8_e4m3fn": "fp8e4nv",
    "float8e4b8": "fp8e4b8", "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2": "fp8e5", "float8e5b16": "fp8e5b16",
    "float8_e5m2fnuz": "fp8e5b16",
    "half": "fp16", "float16": "fp16", "bfloat16": "bf16", "float": "fp32", "float32": "fp32",
    "double": "fp64", "float64": "fp64",
    "int8": "i8", "int16": "i16", "int": "i32", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "void": "void",
}  # fmt: skip
type_canonicalisation_dict.update(
    {spelling: spelling for spelling in set(type_canonicalisation_dict.values())}
)

BITWIDTH_DICT = {
    "u1": 1,
    **{f"{sign}{bits}": bits for sign in "iu" for bits in (8, 16, 32, 64)},
    **{name: 8 for name in ("fp8e4nv", "fp8e5", "fp8e4b15", "fp8e4b8", "fp8e5b16")},
    "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64, "void": 0,
}  # fmt: skip


def canonicalize_dtype(dtype) -> str:
    """The spelling in signatures of a dtype of torch, NumPy or the language."""
    return type_canonicalisation_dict[str(dtype).split(".")[-1]]


def get_primitive_bitwidth(dtype: str) -> int:
    return BITWIDTH_DICT[dtype]


def get_iterable_path(iterable, path):
    """The element at a path of indices: `path=(1, 0)` is `iterable[1][0]`."""
    for index in path:
        iterable = iterable[index]
    return iterable


def set_iterable_path(iterable, path, value):
    """Sets the element at a path; the innermost container must be mutable."""
    get_iterable_path(iterable, path[:-1])[path[-1]] = value


def find_paths_if(iterable, pred) -> list[tuple[int, ...]]:
    """Paths of all leaves (not tuples or lists) for which `pred(path, leaf)` is true, in order."""
    found: dict[tuple[int, ...], None] = {}

    def visit(path, current):
        if isinstance(current, (tuple, list)):
            for index, item in enumerate(current):
                visit((*path, index), item)
        elif pred(path, current):
            found[path] = None

    for index, item in enumerate(iterable):
        visit((index,), item)
    return list(found)


def apply_with_path(value, fn, path=()):
    """Calls `fn(path, leaf)` on every leaf."""
    if isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            apply_with_path(item, fn, (*path, index))
    else:
        fn(path, value)


def tuple_create(like, contents):
    """A tuple of the same class as `like`, named tuples included."""
    return type(like)(*contents) if hasattr(like, "_fields") else tuple(contents)


def flatten_leaves(value):
    """All leaves of nested tuples, in order."""
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from flatten_leaves(item)
    else:
        yield value


def is_power_of_two(x) -> bool:
    return x > 0 and x & (x - 1) == 0


def text_of_path(path: str) -> str:
    """A path as text that can be written anywhere: of bytes that are UTF-8 what they say, of others their
    numbers. Python keeps what its locale cannot read as surrogates, which nothing else takes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def validate_block_shape(shape) -> int:
    """Element count of a block of that shape; raises if a block cannot have it."""
    numel = 1
    for position, size in enumerate(shape):
        if isinstance(size, bool) or not isinstance(size, int):
            got = f"`constexpr[{type(size).__name__}]`" if not hasattr(size, "handle") else "a run-time value"
            raise TypeError(
                f"Shape element {position} must have type `constexpr[int]`, got {got}; "
                "pass block sizes as tl.constexpr arguments"
            )
        if not is_power_of_two(size):
            raise ValueError(
                f"Shape element {position} must be a power of 2, got {size}; round it up with "
                "triton.next_power_of_2 and mask what is beyond"
            )
        numel *= size
    if numel > TRITON_MAX_TENSOR_NUMEL:
        raise ValueError(
            f"numel ({numel}) exceeds triton maximum tensor numel ({TRITON_MAX_TENSOR_NUMEL}); "
            "loop over smaller blocks"
        )
    return numel
