"""FlagGems: reductions, scans, sorting, softmax and norms, with the backward operators that they have."""

import torch
import torch.nn.functional as F

from host_device import claimed

from . import flag_gems as gems
from . import table, values, within

TABLE = table()
SHAPES = [(5, 33), (3, 7, 129), (2, 2050)]
aten = torch.ops.aten


def add(name, run, reference, inputs=values, shapes=SHAPES, **more):
    TABLE.add(name, run, reference, inputs, shapes, **more)


def everything(*shape):
    return torch.Size(shape).numel()


# Reductions of everything and along a dimension.
for name in "sum mean prod amax argmax argmin max min".split():
    inputs = within(0.8, 1.2) if name == "prod" else values
    add(f"{name} all", getattr(gems, name), getattr(torch, name), inputs, length=everything, roundings=4)
add("amax dim", lambda x: gems.amax(x, [1]), lambda x: x.amax(1))
add("argmax dim", lambda x: gems.argmax(x, 1), lambda x: x.argmax(1))
# Reads and writes whole tiles without a mask: see out_of_bounds.py.
add("argmin dim", lambda x: gems.argmin(x, 1), lambda x: x.argmin(1), shapes=[(8, 64), (32, 128)])
for name in "sum mean prod max min".split():
    f, reference = getattr(gems, f"{name}_dim"), getattr(torch, name)
    if name in ("sum", "mean"):
        add(f"{name}_dim", lambda x, f=f: f(x, [-1]), lambda x, f=reference: f(x, -1))
        add(f"{name}_dim outer", lambda x, f=f: f(x, [0], True), lambda x, f=reference: f(x, 0, True))
    elif name == "prod":
        add("prod_dim", lambda x, f=f: f(x, -1), lambda x: x.prod(-1), within(0.8, 1.2), roundings=4)
    else:
        add(f"{name}_dim", lambda x, f=f: tuple(f(x, -1)), lambda x, f=reference: tuple(f(x, -1)))
add("aminmax", lambda x: tuple(gems.aminmax(x, dim=1)), lambda x: tuple(torch.aminmax(x, dim=1)))
for name in ("var", "std"):
    add(
        name,
        lambda x, f=name: getattr(gems, f)(x, [1], correction=1),
        lambda x, f=name: getattr(torch, f)(x, 1),
        roundings=4,
    )
add("var_mean", lambda x: gems.var_mean(x, [1], correction=1), lambda x: torch.var_mean(x, 1), roundings=4)
for order in (1, 2, float("inf")):
    add(
        f"vector_norm {order}",
        lambda x, o=order: gems.vector_norm(x, o, [1]),
        lambda x, o=order: torch.linalg.vector_norm(x, o, 1),
        roundings=4,
    )


def sparse(make, *shape):
    return (make.normal(*shape, grad=False) * make.booleans(*shape),)


for name in ("all", "any"):
    add(name, getattr(gems, name), getattr(torch, name), sparse)
    add(
        f"{name}_dim",
        lambda x, f=name: getattr(gems, f"{f}_dim")(x, 1),
        lambda x, f=name: getattr(torch, f)(x, 1),
        sparse,
    )
add("count_nonzero", gems.count_nonzero, torch.count_nonzero, sparse)
add("equal", lambda x: gems.equal(x, x.clone()), lambda x: torch.equal(x, x.clone()))
add("allclose", lambda x: gems.allclose(x, x + 1), lambda x: torch.allclose(x, x + 1))

# Scans and order.
add("cumsum", lambda x: gems.cumsum(x, -1), lambda x: x.cumsum(-1))
for name in ("cummax", "cummin"):
    add(
        name,
        lambda x, f=name: tuple(getattr(gems, f)(x, -1)),
        lambda x, f=name: tuple(getattr(torch, f)(x, -1)),
        shapes=[(5, 33), (3, 7, 129)],
    )


def distinct(make, *shape):
    return (make.permutation(everything(*shape)).reshape(shape).to(make.dtype),)


ORDER = {"shapes": [(5, 33), (2, 7, 100)], "dtypes": (torch.float32, torch.int64)}
for down in (False, True):
    add(
        f"sort {down}",
        lambda x, d=down: tuple(gems.sort(x, -1, d)),
        lambda x, d=down: tuple(x.sort(-1, d)),
        distinct,
        **ORDER,
    )
add(
    "sort_stable",
    lambda x: tuple(gems.sort_stable(x // 3, stable=True)),
    lambda x: tuple(torch.sort(x // 3, stable=True)),
    distinct,
    **ORDER,
)
add("topk", lambda x: tuple(gems.topk(x, 5)), lambda x: tuple(x.topk(5)), distinct, **ORDER)
add(
    "quantile",
    lambda x: gems.quantile(x, torch.tensor([0.25, 0.6], dtype=x.dtype), 1),
    lambda x: x.quantile(torch.tensor([0.25, 0.6], dtype=x.dtype), 1),
    shapes=[(5, 33), (3, 7)],
    dtypes=(torch.float32,),
)
add(
    "unique",
    lambda x: gems._unique2(x % 7, True, True, True),
    lambda x: torch.unique(x % 7, True, True, True),
    distinct,
    shapes=[(5, 33)],
    dtypes=(torch.int64,),
)
add(
    "unique_consecutive",
    lambda x: gems.unique_consecutive(x, True, True),
    lambda x: torch.unique_consecutive(x, True, True),
    lambda make, n: (make.integers(n, high=3),),
    shapes=[(97,)],
    dtypes=(torch.int64,),
)
add(
    "bincount",
    gems.bincount,
    torch.bincount,
    lambda make, n: (make.integers(n, high=13),),
    shapes=[(97,), (1030,)],
    dtypes=(torch.int64,),
)
add("nonzero", gems.nonzero, torch.nonzero, sparse, shapes=[(5, 33), (3, 7, 129)])
add(
    "isin",
    gems.isin,
    torch.isin,
    lambda make, *s: (make.integers(*s, high=50), make.integers(9, high=50)),
    dtypes=(torch.int64,),
)

# Softmax and norms.
add("softmax", lambda x: gems.softmax(x, -1), lambda x: x.softmax(-1), roundings=4)
add("softmax inner", lambda x: gems.softmax(x, 0), lambda x: x.softmax(0), roundings=4)
add("log_softmax", lambda x: gems.log_softmax(x, -1), lambda x: x.log_softmax(-1), roundings=4)
add("_safe_softmax", claimed(lambda x: gems._safe_softmax(x, -1)), lambda x: x.softmax(-1), roundings=4)


def with_output(activation):
    def inputs(make, *shape):
        output = activation(make.normal(*shape, grad=False, dtype=torch.float64), -1)
        return make.normal(*shape, grad=False), output.to(make.dtype)

    return inputs


add(
    "softmax_backward",
    lambda g, y: gems.softmax_backward(g, y, -1, g.dtype),
    lambda g, y: aten._softmax_backward_data(g, y, -1, g.dtype),
    with_output(torch.softmax),
    roundings=8,
)
add(
    "log_softmax_backward",
    lambda g, y: gems.log_softmax_backward(g, y, -1, g.dtype),
    lambda g, y: aten._log_softmax_backward_data(g, y, -1, g.dtype),
    with_output(torch.log_softmax),
    roundings=8,
)


def affine(make, *shape):
    return (
        make.normal(*shape, grad=False),
        make.normal(shape[-1], grad=False),
        make.normal(shape[-1], grad=False),
    )


add(
    "layer_norm",
    lambda x, w, b: gems.layer_norm(x, w.shape, w, b)[0],
    lambda x, w, b: F.layer_norm(x, w.shape, w, b),
    affine,
    roundings=4,
)
add(
    "rms_norm",
    lambda x, w, b: gems.rms_norm(x, w.shape, w, 1e-5),
    lambda x, w, b: F.rms_norm(x, w.shape, w, 1e-5),
    affine,
    roundings=4,
)


def layer_norm_backward(function):
    def run(g, x, w, b):
        wide = x.double()  # of two dimensions: it takes all but the first as normalised
        mean, variance = wide.mean(-1, keepdim=True), wide.var(-1, correction=0, keepdim=True)
        kind = torch.float64 if x.dtype == torch.float64 else torch.float32
        return function(
            g, x, w.shape, mean.to(kind), (variance + 1e-5).rsqrt().to(kind), w, b, [True, True, True]
        )

    return run


add(
    "layer_norm_backward",
    layer_norm_backward(gems.layer_norm_backward),
    layer_norm_backward(aten.native_layer_norm_backward),
    lambda make, *s: (make.normal(*s, grad=False), *affine(make, *s)),
    [(5, 33), (21, 129)],
    roundings=8,
)
add(
    "fused_add_rms_norm",
    lambda x, r, w, b: gems.fused_add_rms_norm(x, r, w.shape, w, 1e-5)[0],
    lambda x, r, w, b: F.rms_norm(x + r, w.shape, w, 1e-5),
    lambda make, *s: (make.normal(*s, grad=False), *affine(make, *s)),
    roundings=8,
)
add(
    "skip_layer_norm",
    lambda x, r, w, b: gems.skip_layer_norm(x, r, w.shape, w, b, 1e-5),
    lambda x, r, w, b: F.layer_norm(x + r, w.shape, w, b, 1e-5),
    lambda make, *s: (make.normal(*s, grad=False), *affine(make, *s)),
    roundings=8,
)
CHANNELS = [(2, 6, 5, 7), (3, 12, 9, 3)]


def per_channel(make, *shape):
    return (
        make.normal(*shape, grad=False),
        make.normal(shape[1], grad=False),
        make.normal(shape[1], grad=False),
    )


add(
    "group_norm",
    lambda x, w, b: gems.group_norm(x, w, b, x.shape[0], x.shape[1], x[0, 0].numel(), 3)[0],
    lambda x, w, b: F.group_norm(x, 3, w, b),
    per_channel,
    CHANNELS,
    length=100,
    roundings=4,
)


def batch_norm(function):
    def run(x, w, b):
        mean, var = torch.zeros_like(w), torch.ones_like(w)
        y = function(x, w, b, mean, var)
        return y, mean, var

    return run


add(
    "batch_norm",
    batch_norm(lambda *a: gems.batch_norm(*a, training=True)[0]),
    batch_norm(lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b, True)),
    per_channel,
    CHANNELS,
    length=200,
    roundings=4,
)
add(
    "instance_norm",
    lambda x, w, b: gems.instance_norm(x, w, b),
    lambda x, w, b: F.instance_norm(x, None, None, w, b),
    lambda make, *s: (make.normal(*s), make.normal(s[1]), make.normal(s[1])),
    CHANNELS,
    length=100,
    roundings=6,
)
add(
    "weight_norm_interface",
    lambda v, g: gems.weight_norm_interface(v, g, 0)[0],
    lambda v, g: aten._weight_norm_interface(v, g, 0)[0],
    lambda make, *s: (make.normal(*s, grad=False), make.normal(s[0], *[1] * (len(s) - 1), grad=False)),
    roundings=4,
)
