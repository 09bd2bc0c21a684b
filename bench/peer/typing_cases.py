"""Types, numbers, operations of the comparison of types, and the rows that differ for a reason."""
# ruff: noqa: E501

TYPES = [
    "i1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "fp64", "fp8e5", "fp8e4nv",
]  # fmt: skip
NUMBERS = [True, 3, -3, 300, 1 << 40, 1.5]

#: What operations take as functions.
HELPERS = """

@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def first(a, b):
    return a


@triton.jit
def doubled(a):
    return a + a


@triton.jit
def both(a, b, c, d):
    return a + c, b * d


@triton.jit
def looped_between(a, b):
    total = 0
    for i in range(a, b):
        total += i
    return total


@triton.jit
def carried(a, b):
    for i in range(3):
        a += b
    return a


@triton.jit
def assigned(a, b):
    if tl.program_id(0):
        a = b
    return a


@triton.jit
def in_place(a, b):
    a += b
    a -= b
    a *= b
    return a


@triton.jit
def square(a):
    return tl.broadcast_to(tl.reshape(a, [16, 1]), [16, 16])


@triton.jit
def looped(n):
    total = 0
    for i in range(n):
        total += 1
    return total


@triton.jit
def stepped(n):
    total = 0
    for i in range(0, 16, n):
        total += 1
    return total
"""

#: Of x.
UNARY = {
    "+x": "+x", "item": "x.item()", "expand_dims": "tl.expand_dims(x, 0)",
    "permute": "tl.permute(x[:, None], (1, 0))", "view": "tl.view(x, [4, 4])",
    "split": "tl.split(tl.reshape(x, [8, 2]))[0]", "zeros": "tl.zeros([4], x.dtype)",
    "reduce": "tl.reduce(x, 0, plus)", "reduce to first": "tl.reduce(x, 0, first)",
    "scan": "tl.associative_scan(x, 0, plus)", "scan to first": "tl.associative_scan(x, 0, first)",
    "map": "tl.map_elementwise(doubled, x)", "max_contiguous": "tl.max_contiguous(x, 1)",
    "max_constancy": "tl.max_constancy(x, 1)", "assume =": "tl.assume(x)", "device_assert =": "tl.device_assert(x, 'no')",
    "device_print =": "tl.device_print('x', x)", "arange": "tl.arange(0, x)", "program_id": "tl.program_id(x)",
    "num_programs": "tl.num_programs(x)", "while": "doubled(x)", "index": "(x, x)[0]", "static_assert =": "tl.static_assert(x)",
    "philox": "tl.philox(x, 0, 0, 0, 0)[0]", "philox of": "tl.philox(7, x, x, x, x)[0]",
    "uint_to_uniform_float": "tl.uint_to_uniform_float(x)", "rand of": "tl.rand(x, tl.arange(0, 16))",
    "pair_uniform_to_normal": "tl.pair_uniform_to_normal(x, x)[0]", "bitonic_merge": "tl.bitonic_merge(x)",
    "sum of bools": "tl.sum(x > 1)", "sum to": "tl.sum(x, dtype=tl.float32)", "sum keep": "tl.sum(x, keep_dims=True)",
    "sum of rows": "tl.sum(x[:, None], 1)", "max with index": "tl.max(x, 0, return_indices=True)[0]",
    "index of max": "tl.max(x, 0, return_indices=True)[1]", "min with index": "tl.min(x, 0, return_indices=True)[0]",
    "asm": "tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [x], tl.int32, True, 1)",
    "asm of two": "tl.inline_asm_elementwise('', '=r,=r,r', [x], (tl.int32, tl.float32), True, 1)[1]",
    "block pointer": "tl.load(tl.advance(tl.make_block_ptr(q, (x,), (1,), (0,), (16,), (0,)), (x,)))",
    "block pointer stride": "tl.load(tl.make_block_ptr(q, (64,), (x,), (0,), (16,), (0,)))",
    "descriptor": "tl.make_tensor_descriptor(q, [x, x], [x, 1], [16, 16]).load([0, 0])",
    "descriptor at": "tl.make_tensor_descriptor(q, [64, 64], [64, 1], [16, 16]).load([x, x])",
    "range loop": "looped(x)", "step": "stepped(x)", "ternary": "2.5 if x else 1",
    "dot_scaled": "tl.dot_scaled(square(x), tl.full([16, 1], 127, tl.uint8), 'e5m2', square(x), tl.full([16, 1], 127, tl.uint8), 'e5m2')",
    "-": "-x", "~": "~x", "not": "not x", "abs": "tl.abs(x)",
    "exp": "tl.exp(x)", "exp2": "tl.exp2(x)", "log": "tl.log(x)", "log2": "tl.log2(x)", "cos": "tl.cos(x)",
    "sin": "tl.sin(x)", "sqrt": "tl.sqrt(x)", "sqrt_rn": "tl.sqrt_rn(x)", "rsqrt": "tl.rsqrt(x)", "erf": "tl.erf(x)",
    "floor": "tl.floor(x)", "ceil": "tl.ceil(x)", "sigmoid": "tl.sigmoid(x)", "softmax": "tl.softmax(x)",
    "sum": "tl.sum(x)", "max": "tl.max(x)", "min": "tl.min(x)", "argmax": "tl.argmax(x, 0)",
    "argmin": "tl.argmin(x, 0)", "xor_sum": "tl.xor_sum(x)", "reduce_or": "tl.reduce_or(x, 0)",
    "cumsum": "tl.cumsum(x)", "cumprod": "tl.cumprod(x)", "sort": "tl.sort(x)", "topk": "tl.topk(x, 4)",
    "flip": "tl.flip(x)", "zeros_like": "tl.zeros_like(x)", "expand": "x[:, None]", "trans": "tl.trans(x[:, None])",
    "reshape": "tl.reshape(x, [4, 4])", "ravel": "tl.ravel(x)", "full": "tl.full([4], x, tl.float32)",
    "full of itself": "tl.full([4], x, x.dtype)", "broadcast_to": "tl.broadcast_to(x, [16])",
    "histogram": "tl.histogram(x, 16)", "if": "1 if x else 2", "range": "tl.cast(x, tl.int64)",
    "debug": "tl.multiple_of(x, 1)",
} | {
    f"to {name}": f"x.to(tl.{name})"
    for name in (
        "int1", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
        "float32", "float64", "float8e5", "float8e4nv",
    )
} | {f"cast {name}": f"tl.cast(x, tl.{name})" for name in ("int1", "int8", "uint32", "float16", "float64")} | {
    f"bitcast {name}": f"x.to(tl.{name}, bitcast=True)" for name in ("int8", "int16", "uint32", "float64")
}  # fmt: skip

#: Of x and y.
BINARY = {
    **{op: f"x {op} y" for op in ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>")},
    **{op: f"x {op} y" for op in ("<", "<=", ">", ">=", "==", "!=")},
    "and": "x and y", "or": "x or y",
    "add": "tl.add(x, y)", "sub": "tl.sub(x, y)", "mul": "tl.mul(x, y)",
    "maximum": "tl.maximum(x, y)", "minimum": "tl.minimum(x, y)", "max": "max(x, y)", "min": "min(x, y)",
    "clamp": "tl.clamp(x, y, y)", "clamp low": "tl.clamp(x, y, 7)", "clamp of": "tl.clamp(x, 0, y)",
    "where": "tl.where(True, x, y)", "where block": "tl.where(tl.arange(0, 16) > 3, x, y)",
    "where x": "tl.where(x, y, y)",
    "fdiv": "tl.fdiv(x, y)", "div_rn": "tl.div_rn(x, y)", "umulhi": "tl.umulhi(x, y)", "fma": "tl.fma(x, y, y)",
    "fma of": "tl.fma(x, x, y)", "cdiv": "tl.cdiv(x, y)", "if": "x if tl.program_id(0) else y",
    "join": "tl.join(x, y)", "cat": "tl.cat(x, y, can_reorder=True)", "interleave": "tl.interleave(x, y)",
    "gather": "tl.gather(x, y, 0)", "broadcast": "tl.broadcast(x, y)[0]",
    "dot": "tl.dot(tl.broadcast_to(tl.reshape(x, [16, 1]), [16, 16]), tl.broadcast_to(tl.reshape(y, [16, 1]), [16, 16]))",
    "swizzle": "tl.swizzle2d(x, y, 4, 4, 2)[0]", "rand": "tl.rand(x, y)", "randint": "tl.randint(x, y)",
    "randn": "tl.randn(x, y)",
    "rand4x": "tl.rand4x(x, y)[0]", "randint4x": "tl.randint4x(x, y)[0]", "randn4x": "tl.randn4x(x, y)[0]",
    "reduce two": "tl.reduce((x, y), 0, both)[1]", "scan two": "tl.associative_scan((x, y), 0, both)[1]",
    "map two": "tl.map_elementwise(plus, x, y)", "call": "plus(x, y)", "min max": "min(max(x, y), y)",
    "range of": "looped_between(x, y)", "carried": "carried(x, y)", "assigned": "assigned(x, y)",
    "in place +": "in_place(x, y)", "clamp both": "tl.clamp(1.5, x, y)", "dot acc": "tl.dot(square(x), square(x), square(y))",
    "where number": "tl.where(x > 0, y, 0)", "compare chain": "x < y < x", "broadcast second": "tl.broadcast(x, y)[1]",
    "asm two": "tl.inline_asm_elementwise('', '=r,r,r', [x, y], tl.int32, True, 1)",
    "histogram mask": "tl.histogram(x, 16, mask=y > 0)", "full dtype": "tl.full([4], x, y.dtype)", "like": "x.to(y.dtype)",
    "not equal": "not (x == y)", "pow": "x ** y", "@": "x @ y",
}  # fmt: skip

#: Of a pointer x and a value y.
POINTED = {
    "store =": "tl.store(x, y)", "load other": "tl.load(x, mask=True, other=y)",
    "atomic_add": "tl.atomic_add(x, y)", "atomic_max": "tl.atomic_max(x, y)", "atomic_min": "tl.atomic_min(x, y)",
    "atomic_and": "tl.atomic_and(x, y)", "atomic_or": "tl.atomic_or(x, y)", "atomic_xor": "tl.atomic_xor(x, y)",
    "atomic_xchg": "tl.atomic_xchg(x, y)", "atomic_cas": "tl.atomic_cas(x, y, y)", "p + y": "x + y", "y + p": "y + x",
    "p - y": "x - y", "p == y": "x == y", "p to y": "x.to(y.dtype)", "where p": "tl.where(y, x, x)", "load mask": "tl.load(x, mask=y)",
    "load at": "tl.load(x + y)", "store at =": "tl.store(x + y, 1)", "store mask =": "tl.store(x, 1, mask=y)",
    "atomic_add mask": "tl.atomic_add(x, 1, mask=y)", "p * y": "x * y", "p & y": "x & y", "p < y": "x < y",
}  # fmt: skip

#: Names of the language that no row calls, and why.
NOT_TYPED = {
    "atomic_load atomic_poll atomic_store dispatch squeeze to_tensor unsqueeze": "later than the release that is compared with",
    "aggregate aggregate_replace builtin extern extern_elementwise is_builtin must_use_result tensor_member":
        "make functions and classes",
    "binary_op_type_legalization builtin_max builtin_min check_bit_width expect_zero get_int_dtype is_negative_zero "
    "str_to_ty unwrap_shape validate_block_shape philox_impl": "parts of other functions",
    "item load_tensor_descriptor store_tensor_descriptor": "in rows as methods",
    "debug_barrier static_print": "take no operand of a type",
    "CONSTEXPR_0 float8e4b15 float8e4b8 float8e5b16 pi32_t void": "values and types",
}  # fmt: skip

#: (pattern of `operation | form | operands`, why the row stays as it is)
_FP8 = "upstream makes no constants and no arithmetic of fp8; beyond its front end all of it fails"
KEPT = [
    (r".*fp8.*", _FP8),
    (
        r"(==|!=|<|<=|>|>=|not equal) [|] .*(300|1099511627776|-3).*",
        "a number that the type does not hold is refused, not wrapped",
    ),
    (r"max_con(tiguous|stancy) [|] (scalar|number) .*", "a hint on a scalar says nothing, and is taken"),
    (
        r"(block pointer|block pointer stride|descriptor at) [|] .*",
        "shapes, strides and offsets of other widths are converted; upstream makes a module that it cannot verify",
    ),
    (
        r"descriptor [|] .*",
        "shapes and strides that are no integers, or break the alignment that descriptors need, are refused at once",
    ),
    (r"libdevice fast_tanhf [|] .*", "later than the release that is compared with"),
    (
        r"ravel [|] scalar [|] .*",
        "a scalar lies flat as a block of one element; upstream reads an attribute that it lacks",
    ),
    (r"if [|] number-number [|] .*", "a number that both branches give stays that number"),
    (r"umulhi [|] .*True.*", "truth values have no upper half"),
    (
        r"dot( acc)? [|] .*[*][iu]8.*",
        "how small a product of bytes may be is the target's: a CPU takes any size",
    ),
    (r"dot acc [|] .*[*]fp64.*", "products of f64 add up in f64; upstream wants f32, and loses it"),
    (r"compare chain [|] .*", "two comparisons joined by `and`, as Python has it"),
    (
        r"(broadcast|broadcast second|broadcast_to|join|interleave|debug) [|] .*number.*",
        "a number is a scalar, as beside any operator; upstream reads an attribute that it lacks",
    ),
    (
        r"map two [|] .*number.*",
        "a number is a scalar, as beside any operator; upstream reads an attribute that it lacks",
    ),
    (
        r"atomic_add mask [|] .*number.*",
        "a number as a mask is true or false; upstream reads an attribute that it lacks",
    ),
    (
        r"atomic_cas [|] .*(number|scalar-block|block-scalar).*",
        "operands take the type and the shape of the memory; upstream makes a module that it cannot verify",
    ),
    (
        r"atomic_(add|and|or|xor|max|min|xchg) [|] scalar-block [|] .*",
        "one pointer stands for all; upstream makes a module that it cannot verify",
    ),
    (
        r"atomic_(and|or|xor) [|] .*[*](fp|bf)\d+, .*",
        "no target has these on floats: upstream's compiler fails beyond its front end",
    ),
    (
        r"carried [|] number-(scalar|number) .*",
        "a constant that a loop changes is a scalar from the first round on; upstream makes one of it too late",
    ),
    (r"flip [|] block .*", "the last dimension is the default of the signature"),
    (r"arange [|] number [|] True", "a truth value is no bound of a range"),
    (r"(ternary|if) [|] number [|] 1.5", "a float is true or false, as in Python"),
]
