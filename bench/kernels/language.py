"""More than two hundred small kernels that between them use the whole language, as source text.

Each row of `kernels()` is a `Case`: name, arguments (pointers to typed arrays, the last one written), body.
`write_module` puts them into a Python file that either `triton` can import. Bodies see `i` (the lanes of this
program), `m` (which lanes are inside), one block per input (`a`, `b`, `c`) and end in a store to `out`.
"""

import textwrap
from dataclasses import dataclass

HEADER = '''"""Generated from bench/kernels/language.py."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add_fn(x, y):
    return x + y


@triton.jit
def affine_fn(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def best_fn(v1, i1, v2, i2):
    left = (v1 > v2) | ((v1 == v2) & (i1 < i2))
    return tl.where(left, v1, v2), tl.where(left, i1, i2)


@triton.jit
def twice(x, FLAG: tl.constexpr):
    if FLAG:
        return x + x
    return x


@triton.jit
def pair(x, y):
    return x + y, x - y
'''

# The language's short name of a type -> (NumPy name, signature name).
TYPES = {
    "i1": ("bool", "i1"), "i8": ("int8", "i8"), "i16": ("int16", "i16"), "i32": ("int32", "i32"),
    "i64": ("int64", "i64"), "u8": ("uint8", "u8"), "u16": ("uint16", "u16"), "u32": ("uint32", "u32"),
    "u64": ("uint64", "u64"), "f16": ("float16", "fp16"), "bf16": ("bfloat16", "bf16"),
    "f32": ("float32", "fp32"), "f64": ("float64", "fp64"),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    name: str
    inputs: tuple
    output: str
    body: str
    block: int = 64

    @property
    def signature(self):
        names = [f"{'abc'[k]}_ptr" for k in range(len(self.inputs))]
        pointers = {n: "*" + TYPES[t][1] for n, t in zip(names, self.inputs, strict=True)}
        return pointers | {"out_ptr": "*" + TYPES[self.output][1], "n": "i32", "BLOCK": "constexpr"}

    def source(self):
        parameters = ", ".join(k for k in self.signature if k != "BLOCK")
        lines = [f"@triton.jit\ndef {self.name}({parameters}, BLOCK: tl.constexpr):"]
        lines += ["i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "m = i < n"]
        lines += [
            f"{'abc'[k]} = tl.load({'abc'[k]}_ptr + i, mask=m, other=1)" for k in range(len(self.inputs))
        ]
        lines += self.body.split("\n")
        return "\n    ".join(lines) + "\n"


def expression(name, inputs, output, text):
    return Case(name, tuple(inputs.split()), output, f"tl.store(out_ptr + i, {text}, mask=m)")


OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "and": "&", "or": "|",
    "xor": "^", "shl": "<<", "shr": ">>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
    "ne": "!=",
}  # fmt: skip
INTEGER_ONLY = {"floordiv", "and", "or", "xor", "shl", "shr"}
COMPARISONS = {"lt", "le", "gt", "ge", "eq", "ne"}
PAIRS = "i32,i32 u32,i32 i8,i16 i64,i32 u8,u32 f32,f32 f16,f32 bf16,bf16 i32,f32 f64,f32 i16,f16".split()


def operators():
    for op, symbol in OPERATORS.items():
        for pair in PAIRS:
            a, b = pair.split(",")
            if op in INTEGER_ONLY and ("f" in a or "f" in b):
                continue
            if op in ("div", "floordiv", "mod") and pair == "u32,i32":
                continue  # refused by the language: the signs differ
            if op in COMPARISONS and pair not in ("i32,i32", "u32,i32", "f32,f32", "i32,f32", "bf16,bf16"):
                continue
            output = "i32" if op in COMPARISONS else "f64" if "f" in pair or op == "div" else "i64"
            yield expression(f"{op}_{a}_{b}", f"{a} {b}", output, f"a {symbol} b")
    for op in ("add", "mul", "div", "mod", "lt"):
        for a, number in (("i32", "3"), ("f32", "2"), ("f16", "0.3"), ("u8", "200"), ("i8", "1.5")):
            if op == "mod" and "." in number:
                continue
            yield expression(
                f"{op}_{a}_scalar_{number.replace('.', 'p')}", a, "f64", f"a {OPERATORS[op]} {number}"
            )
    for name, text in (("neg", "-a"), ("invert", "~a"), ("not", "not (a > 2)"), ("rsub", "5 - a")):
        yield expression(f"{name}_i32", "i32", "i32", text)
    yield expression("neg_f32", "f32", "f32", "-a")


def functions():
    for f in "exp exp2 log log2 sin cos sqrt rsqrt abs floor ceil erf sqrt_rn sigmoid".split():
        yield expression(f"{f}_f32", "f32", "f32", f"tl.{f}(a)")
    for f in "maximum minimum fdiv div_rn".split():
        yield expression(f"{f}_f32", "f32 f32", "f32", f"tl.{f}(a, b)")
    yield expression("abs_i32", "i32", "i32", "tl.abs(a)")
    yield expression("maximum_i32", "i32 i32", "i32", "tl.maximum(a, b)")
    yield expression("minimum_u32", "u32 u32", "u32", "tl.minimum(a, b)")
    yield expression("maximum_bf16", "bf16 bf16", "f32", "tl.maximum(a, b)")
    yield expression("maximum_nan", "f32 f32", "f32", "tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)")
    yield expression("fma_f32", "f32 f32 f32", "f32", "tl.fma(a, b, c)")
    yield expression("clamp_f32", "f32 f32", "f32", "tl.clamp(a, 1.5, b + 4.0)")
    yield expression("umulhi_u32", "u32 u32", "u32", "tl.umulhi(a, b)")
    yield expression("where_f32", "f32 f32", "f32", "tl.where(a > b, a, b)")
    yield expression("where_mixed", "i32 f32", "f32", "tl.where(a > 3, a, b)")
    yield expression("cdiv_i32", "i32 i32", "i32", "tl.cdiv(a, b)")
    for f in ("tanh", "asin", "pow", "atan2"):
        arguments = "(a / 8, b / 8)" if f in ("pow", "atan2") else "(a / 8)"
        inputs = "f32 f32" if f in ("pow", "atan2") else "f32"
        yield expression(f"libdevice_{f}", inputs, "f32", f"libdevice.{f}{arguments}")


def casts():
    kinds = "i1 i8 i32 i64 u8 u32 f16 bf16 f32 f64".split()
    long = {"i1": "int1", "i8": "int8", "i32": "int32", "i64": "int64", "u8": "uint8", "u32": "uint32"}
    long |= {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
    for a in ("i8", "i32", "u8", "f16", "bf16", "f32", "f64"):
        for b in kinds:
            if a != b:
                yield expression(f"cast_{a}_{b}", a, "f64" if "f" in b else "i64", f"a.to(tl.{long[b]})")
    yield expression("bitcast_f32_i32", "f32", "i32", "a.to(tl.int32, bitcast=True)")
    yield expression("bitcast_i16_f16", "f16", "i16", "a.to(tl.int16, bitcast=True)")
    yield expression("round_rtz", "f32", "f32", 'a.to(tl.float16, fp_downcast_rounding="rtz").to(tl.float32)')


# Whole bodies: a heading `name: input -> output`, then the statements.
BODIES = """
reduce_fn: f32 -> f32
    r = tl.reduce(a, 0, add_fn)
    tl.store(out_ptr, r)

reduce_pair: f32 -> i32
    v, k = tl.reduce((a, i), 0, best_fn)
    tl.store(out_ptr, k)

reduce_keep: f32 -> f32
    x = tl.reshape(a, (8, 8))
    y = x - tl.max(x, 1, keep_dims=True)
    tl.store(out_ptr + i, tl.reshape(y, (64,)))

cumsum_f32: f32 -> f32
    tl.store(out_ptr + i, tl.cumsum(a, 0))

cumsum_i32_reverse: i32 -> i32
    tl.store(out_ptr + i, tl.cumsum(a, 0, reverse=True))

cumprod_f32: f32 -> f32
    tl.store(out_ptr + i, tl.cumprod(a * 0.2, 0))

scan_axis1: f32 -> f32
    x = tl.reshape(a, (8, 8))
    y = tl.cumsum(x, 1)
    tl.store(out_ptr + i, tl.reshape(y, (64,)))

scan_fn: f32 -> f32
    f, s = tl.associative_scan((a * 0.1, a), 0, affine_fn)
    tl.store(out_ptr + i, s)

trans: f32 -> f32
    x = tl.reshape(a, (8, 8))
    tl.store(out_ptr + i, tl.reshape(tl.trans(x), (64,)))

permute: f32 -> f32
    x = tl.reshape(a, (4, 2, 8))
    tl.store(out_ptr + i, tl.reshape(tl.permute(x, (2, 0, 1)), (64,)))

expand: f32 -> f32
    k = tl.arange(0, 8)
    v = tl.load(a_ptr + k)
    x = v[:, None] * v[None, :]
    tl.store(out_ptr + k[:, None] * 8 + k[None, :], x)

broadcast: f32 -> f32
    k = tl.arange(0, 8)
    v = tl.load(a_ptr + k)
    x = tl.broadcast_to(v[None, :], (8, 8))
    tl.store(out_ptr + i, tl.reshape(x, (64,)))

join_split: f32 -> f32
    j = tl.join(a, a * 2)
    l, h = tl.split(j)
    tl.store(out_ptr + i, l - h)

interleave: f32 -> f32
    h = tl.arange(0, 32)
    x = tl.load(a_ptr + h)
    tl.store(out_ptr + i, tl.interleave(x, -x))

cat: i32 -> i32
    h = tl.arange(0, 32)
    x = tl.load(a_ptr + h)
    tl.store(out_ptr, tl.sum(tl.cat(x, x, can_reorder=True), 0))

flip: f32 -> f32
    tl.store(out_ptr + i, tl.flip(a, 0))

sort: f32 -> f32
    tl.store(out_ptr + i, tl.sort(a))

sort_descending: i32 -> i32
    tl.store(out_ptr + i, tl.sort(a, descending=True))

topk: f32 -> f32
    tl.store(out_ptr + tl.arange(0, 8), tl.topk(a, 8))

gather: f32 -> f32
    k = (tl.arange(0, BLOCK) * 7) % BLOCK
    tl.store(out_ptr + i, tl.gather(a, k, 0))

histogram: i32 -> i32
    h = tl.histogram(a, 16)
    tl.store(out_ptr + tl.arange(0, 16), h)

softmax: f32 -> f32
    x = tl.reshape(a, (8, 8))
    tl.store(out_ptr + i, tl.reshape(tl.softmax(x, 1, keep_dims=True), (64,)))

for_loop: f32 -> f32
    s = tl.zeros((BLOCK,), tl.float32)
    for k in range(5):
        s += a * k
    tl.store(out_ptr + i, s)

for_dynamic: f32 -> f32
    s = a
    for k in range(0, n, 16):
        s += k
    tl.store(out_ptr + i, s)

for_down: i32 -> i32
    s = a
    for k in range(7, 0, -2):
        s = s * 3 + k
    tl.store(out_ptr + i, s)

static_range: f32 -> f32
    s = a
    for k in tl.static_range(4):
        s = s * 2 + k
    tl.store(out_ptr + i, s)

while_loop: i32 -> i32
    k = n
    s = 0
    while k > 1:
        k = k // 2
        s += 1
    tl.store(out_ptr + i, a + s, mask=m)

if_else: f32 -> f32
    if n > 10:
        s = a * 2
    else:
        s = a - 1
    tl.store(out_ptr + i, s, mask=m)

if_nested: i32 -> i32
    s = a
    if n > 10:
        if n > 1000:
            s = a * 2
        else:
            s = a - 3
    tl.store(out_ptr + i, s, mask=m)

early_return: f32 -> f32
    if n < 5:
        return
    tl.store(out_ptr + i, a, mask=m)

ternary: f32 -> f32
    s = 2.0 if n > 10 else 3.0
    tl.store(out_ptr + i, a * s, mask=m)

helper: f32 -> f32
    tl.store(out_ptr + i, twice(a, True) + twice(a, False), mask=m)

helper_pair: f32 -> f32
    p, q = pair(a, 2.0)
    tl.store(out_ptr + i, p * q, mask=m)

tuple: f32 -> f32
    t = (a, a * 2)
    tl.store(out_ptr + i, t[0] + t[1], mask=m)

logic: i32 -> i32
    s = (a > 1) and (a < 5) or (a == 7)
    tl.store(out_ptr + i, s, mask=m)

augmented: i32 -> i32
    s = a
    s += 3
    s *= 2
    s -= a
    s ^= 5
    tl.store(out_ptr + i, s, mask=m)

constexpr_math: i32 -> i32
    K: tl.constexpr = BLOCK // 2 + 3
    tl.store(out_ptr + i, a + K, mask=m)

num_programs: i32 -> i32
    tl.store(out_ptr + i, a + tl.num_programs(0), mask=m)

atomic_add: f32 -> f32
    tl.atomic_add(out_ptr + i % 4, a, mask=m)

atomic_max: i32 -> i32
    tl.atomic_max(out_ptr + i % 4, a, mask=m)

atomic_xchg: i32 -> i32
    old = tl.atomic_xchg(out_ptr + i, a, mask=m)
    tl.store(out_ptr + i, old + a, mask=m)

atomic_cas: i32 -> i32
    old = tl.atomic_cas(out_ptr + i, tl.zeros((BLOCK,), tl.int32), a)
    tl.store(out_ptr + i, old - a)

rand: f32 -> f32
    tl.store(out_ptr + i, tl.rand(42, i))

randn: f32 -> f32
    tl.store(out_ptr + i, tl.randn(7, i))

randint: i32 -> i32
    tl.store(out_ptr + i, tl.randint(7, i))

dot_f32: f32 -> f32
    x = tl.reshape(tl.load(a_ptr + tl.arange(0, 256) % 64), (16, 16))
    d = tl.dot(x, x, input_precision="ieee")
    tl.store(out_ptr + tl.arange(0, 16), tl.max(d, 1))

dot_f16: f16 -> f32
    x = tl.reshape(tl.load(a_ptr + tl.arange(0, 256) % 64), (16, 16))
    d = tl.dot(x, x)
    tl.store(out_ptr + tl.arange(0, 16), tl.sum(d, 1))

dot_i8: i8 -> i32
    x = tl.reshape(tl.load(a_ptr + tl.arange(0, 1024) % 64), (32, 32))
    d = tl.dot(x, x, out_dtype=tl.int32)
    tl.store(out_ptr + tl.arange(0, 32), tl.sum(d, 1))

block_pointer: f32 -> f32
    p = tl.make_block_ptr(a_ptr, (8, 7), (8, 1), (2, 0), (4, 8), (1, 0))
    x = tl.load(p, boundary_check=(0, 1), padding_option="zero")
    y = tl.load(tl.advance(p, (2, 1)), boundary_check=(0, 1), padding_option="zero")
    tl.store(out_ptr + tl.arange(0, 32), tl.reshape(x + y, (32,)))

multiple_of: f32 -> f32
    k = tl.max_contiguous(tl.multiple_of(i, 8), 8)
    tl.store(out_ptr + k, tl.load(a_ptr + k))

swizzle: i32 -> i32
    p, q = tl.swizzle2d(i // 8, i % 8, 8, 8, 2)
    tl.store(out_ptr + i, p * 8 + q)

ravel: f32 -> f32
    x = tl.reshape(a, (8, 8))
    tl.store(out_ptr + i, tl.ravel(x))

view_methods: f32 -> f32
    x = a.reshape((8, 8)).trans()
    tl.store(out_ptr + i, x.reshape((64,)).abs().sqrt())

zeros_like: f32 -> f32
    x = tl.zeros_like(a) + tl.full((BLOCK,), 2.5, tl.float32)
    tl.store(out_ptr + i, x)
"""


def blocks():
    """Bodies of several lines: reductions, shapes, scans, control flow, atomics, products."""
    lane = "tl.where(tl.arange(0, BLOCK) == 0, {}, 0)"
    reductions = (
        "sum,f32 sum,i32 sum,i8 sum,bf16 max,f32 max,i32 max,u8 min,f16 min,u32 xor_sum,i32 argmax,f32"
    )
    for row in f"{reductions} argmin,i32".split():
        f, a = row.split(",")
        output = "f64" if "f" in a and not f.startswith("arg") else "i64"
        text = lane.format(f"tl.{f}(a, axis=0)")
        yield Case(f"{f}_{a}_all", (a,), output, f"tl.store(out_ptr + i, {text}, mask=m)")
    square = "x = tl.reshape(a, (8, 8))\n"
    for f in ("sum", "max", "min", "argmax", "argmin"):
        for axis in (0, 1):
            output = "i32" if f.startswith("arg") else "f32"
            body = f"{square}r = tl.{f}(x, axis={axis})\ntl.store(out_ptr + tl.arange(0, 8), r)"
            yield Case(f"{f}_axis{axis}", ("f32",), output, body)
    for text in BODIES.strip().split("\n\n"):
        heading, *body = text.split("\n")
        name, types = heading.split(": ")
        a, output = types.split(" -> ")
        yield Case(name, (a,), output, textwrap.dedent("\n".join(body)))


def kernels():
    return [*operators(), *functions(), *casts(), *blocks()]


def write_module(path):
    text = "\n\n".join([HEADER, *(case.source() for case in kernels())])
    path.write_text(text, encoding="utf-8")
