"""FlagGems: operators that move, choose, pad, fill and sample, and the backward operators that it has."""

import torch
import torch.nn.functional as F

from case import FLOATS
from host_device import claimed

from . import flag_gems as gems
from . import pair, table, values

TABLE = table()
SHAPES = [(5, 33), (3, 7, 129)]
aten = torch.ops.aten


def add(name, run, reference, inputs=values, shapes=SHAPES, dtypes=FLOATS, **more):
    TABLE.add(name, run, reference, inputs, shapes, dtypes, **{"length": 1} | more)


def both(name, use, inputs=values, **more):
    """`use` takes the module whose operators it calls: theirs, or torch."""
    add(name, lambda *a: use(gems, *a), lambda *a: use(torch, *a), inputs, **more)


# Moving.
both("cat", lambda m, x, y: m.cat([x, y, x], -1), pair)
both("stack", lambda m, x, y: m.stack([x, y], 1), pair)
both("hstack", lambda m, x, y: m.hstack([x, y]), pair)
both("vstack", lambda m, x, y: m.vstack([x, y]), pair)
both("flip", lambda m, x: m.flip(x, [0, 1]))
both("roll", lambda m, x: m.roll(x, [2, -3], [0, 1]))
both("tile", lambda m, x: m.tile(x, [2, 3]))
add("repeat", lambda x: gems.repeat(x, [2, 1, 3]), lambda x: x.repeat(2, 1, 3))
add(
    "repeat_interleave int",
    lambda x: gems.repeat_interleave_self_int(x, 3, 1),
    lambda x: x.repeat_interleave(3, 1),
)
add(
    "repeat_interleave tensor",
    lambda x, n: gems.repeat_interleave_self_tensor(x, n, 1),
    lambda x, n: x.repeat_interleave(n, 1),
    lambda make, *s: (*values(make, *s), make.integers(s[1], high=4)),
)
both("diag", lambda m, x: m.diag(x, 1), shapes=[(5, 33), (9,)])
both("diag_embed", lambda m, x: m.diag_embed(x, 1))
both("trace", lambda m, x: m.trace(x), shapes=[(5, 33), (40, 40)], length=40)
for diagonal in (-1, 0, 2):
    both(f"tril {diagonal}", lambda m, x, d=diagonal: m.tril(x, d))
    both(f"triu {diagonal}", lambda m, x, d=diagonal: m.triu(x, d))
add("t_copy", claimed(gems.t_copy), lambda x: x.t(), shapes=[(5, 33)])
add("copy_", lambda x: gems.copy_(torch.empty_like(x), x), lambda x: x)
add(
    "constant_pad_nd",
    lambda x: gems.constant_pad_nd(x, [1, 2, 0, 3], 1.5),
    lambda x: F.pad(x, [1, 2, 0, 3], value=1.5),
)
IMAGES = [(2, 3, 9, 13), (1, 4, 16, 7)]
add(
    "pad reflect",
    lambda x: gems.pad(x, [1, 2, 2, 1], "reflect"),
    lambda x: F.pad(x, [1, 2, 2, 1], "reflect"),
    shapes=IMAGES,
)
add(
    "pixel_unshuffle",
    lambda x: gems.pixel_unshuffle(x, 2),
    lambda x: F.pixel_unshuffle(x, 2),
    shapes=[(2, 3, 8, 12)],
)

# Choosing.


def with_index(make, *shape):
    return make.normal(*shape, grad=False), make.integers(*shape[:-1], 11, high=shape[-1])


both("gather", lambda m, x, i: m.gather(x, -1, i), with_index)
both(
    "index_select",
    lambda m, x, i: m.index_select(x, 1, i),
    lambda make, *s: (*values(make, *s), make.integers(6, high=s[1])),
)
add(
    "index",
    lambda x, i, j: gems.index(x, [i, j]),
    lambda x, i, j: x[i, j],
    lambda make, *s: (*values(make, *s), make.integers(17, high=s[0]), make.integers(17, high=s[1])),
)
add(
    "index_put accumulate",
    lambda x, i, j, v: gems.index_put(x, [i, j], v, True),
    lambda x, i, j, v: x.index_put([i, j], v, True),
    lambda make, *s: (
        *values(make, *s),
        make.integers(17, high=s[0]),
        make.integers(17, high=s[1]),
        make.normal(17, *s[2:], grad=False),
    ),
    roundings=8,
    dtypes=(torch.float32, torch.float16),
)
add(
    "index_add",
    lambda x, i, v: gems.index_add(x, 1, i, v),
    lambda x, i, v: x.index_add(1, i, v),
    lambda make, *s: (
        *values(make, *s),
        make.permutation(s[1])[:5],
        make.normal(s[0], 5, *s[2:], grad=False),
    ),
    roundings=4,
)


def scattered(make, *shape):
    x = make.normal(*shape, grad=False)
    index = torch.rand(shape, generator=make.generator).argsort(-1)
    return x, index, make.normal(*shape, grad=False)


both("scatter", lambda m, x, i, v: m.scatter(x, -1, i, v), scattered)
add(
    "scatter_add_",
    lambda x, i, v: gems.scatter_add_(x.clone(), -1, i, v),
    lambda x, i, v: x.scatter_add(-1, i, v),
    scattered,
    roundings=4,
    dtypes=(torch.float32, torch.float16),
)


def masked(make, *shape):
    return make.normal(*shape, grad=False), make.booleans(*shape)


both("masked_select", lambda m, x, k: m.masked_select(x, k), masked)
add(
    "masked_scatter",
    gems.masked_scatter,
    torch.masked_scatter,
    lambda make, *s: (*masked(make, *s), *values(make, *s)),
)
both("select_scatter", lambda m, x, y: m.select_scatter(x, y[:, 2], 1, 2), pair)
both("slice_scatter", lambda m, x, y: m.slice_scatter(x, y[:, 1:6:2], 1, 1, 6, 2), pair)
add(
    "embedding",
    gems.embedding,
    lambda w, i: F.embedding(i, w),
    lambda make, n, d: (make.normal(n, d, grad=False), make.integers(4, 9, high=n)),
    [(5, 33), (50, 128)],
)

# Making.
for name, arguments in (
    ("arange", (37,)),
    ("arange_start", (3, 40, 5)),
    ("linspace", (0.5, 9.0, 33)),
    ("eye", (17,)),
    ("eye_m", (9, 17)),
    ("full", ((5, 33), 2.5)),
    ("ones", ((5, 33),)),
    ("zeros", ((5, 33),)),
):
    reference = getattr(torch, name.removesuffix("_start").removesuffix("_m"))
    add(
        name,
        lambda f=name, a=arguments: getattr(gems, f)(*a, dtype=torch.float32, device="cpu"),
        lambda f=reference, a=arguments: f(*a, dtype=torch.float64),
        lambda make, *s: (),
        [(1,)],
        (torch.float32,),
    )
for name in ("full_like", "ones_like", "zeros_like"):
    filled = (2.5,) if name == "full_like" else ()
    both(name, lambda m, x, f=name, a=filled: getattr(m, f)(x, *a))
add("fill_scalar", lambda x: gems.fill_scalar(x, 2.5), lambda x: torch.full_like(x, 2.5))
add(
    "masked_fill_",
    lambda x, k: gems.masked_fill_(x.clone(), k, -1.0),
    lambda x, k: x.masked_fill(k, -1.0),
    masked,
)


def moments(sample):
    """Mean, deviation and share below the mean of a sample, rounded so far that every good one agrees."""
    x = sample.double()
    return (torch.stack((x.mean(), x.std(), (x < x.mean()).double().mean())) * 10).round()


LARGE = [(300, 1001)]
for name, sample, like in (
    ("rand", lambda: gems.rand((300, 1001), device="cpu"), lambda g: torch.rand(300, 1001, generator=g)),
    ("randn", lambda: gems.randn((300, 1001), device="cpu"), lambda g: torch.randn(300, 1001, generator=g)),
    (
        "uniform_",
        lambda: gems.uniform_(torch.empty(300, 1001), -1.0, 2.0),
        lambda g: torch.rand(300, 1001, generator=g) * 3 - 1,
    ),
    (
        "exponential_",
        lambda: gems.exponential_(torch.empty(300, 1001)),
        lambda g: -(1 - torch.rand(300, 1001, generator=g, dtype=torch.float64)).log(),
    ),
):
    add(
        f"moments of {name}",
        lambda f=sample: moments(f()),
        lambda f=like: moments(f(torch.Generator().manual_seed(7))),
        lambda make, *s: (),
        LARGE,
        (torch.float32,),
    )
add(
    "randperm",
    lambda: gems.randperm(1000, device="cpu").sort().values,
    lambda: torch.arange(1000),
    lambda make, *s: (),
    [(1000,)],
    (torch.int64,),
)

# Backward operators.
for name, reference in (
    ("sigmoid_backward", aten.sigmoid_backward),
    ("tanh_backward", aten.tanh_backward),
    ("silu_backward", aten.silu_backward),
    ("gelu_backward", aten.gelu_backward),
):
    add(name, getattr(gems, name), reference, pair, roundings=6)
add(
    "threshold_backward",
    lambda g, x: gems.threshold_backward(g, x, 0.3),
    lambda g, x: aten.threshold_backward(g, x, 0.3),
    pair,
)
add(
    "elu_backward",
    lambda g, x: gems.elu_backward(g, 1.5, 1.0, 1.0, False, x),
    lambda g, x: aten.elu_backward(g, 1.5, 1.0, 1.0, False, x),
    pair,
    roundings=4,
)
add(
    "glu_backward",
    lambda g, x: gems.glu_backward(g[:2], x[:4], 0),
    lambda g, x: aten.glu_backward(g[:2], x[:4], 0),
    pair,
    shapes=[(4, 33), (6, 7, 129)],
    roundings=6,
)
add(
    "embedding_backward",
    lambda g, i: gems.embedding_backward(g, i, 20),
    lambda g, i: aten.embedding_dense_backward(g, i, 20, -1, False),
    lambda make, n, d: (make.normal(n, d, grad=False), make.integers(n, high=20)),
    [(50, 33), (70, 128)],
    length=10,
    roundings=8,
    dtypes=(torch.float32,),
)
add(
    "diagonal_backward",
    lambda g: gems.diagonal_backward(g, [9, 12], 1, 0, 1),
    lambda g: aten.diagonal_backward(g, [9, 12], 1, 0, 1),
    shapes=[(9,)],
)

# Pooling, resizing, losses.
POOL = ([3, 3], [2, 2], [1, 1])
add(
    "avg_pool2d",
    lambda x: gems.avg_pool2d(x, *POOL),
    lambda x: F.avg_pool2d(x, *POOL),
    shapes=IMAGES,
    length=9,
)
add(
    "max_pool2d_with_indices",
    lambda x: gems.max_pool2d_with_indices(x, *POOL),
    lambda x: F.max_pool2d_with_indices(x, *POOL),
    shapes=IMAGES,
)
add(
    "avg_pool2d_backward",
    lambda x: gems.avg_pool2d_backward(F.avg_pool2d(x, *POOL), x, *POOL, False, True, None),
    lambda x: aten.avg_pool2d_backward(F.avg_pool2d(x, *POOL), x, *POOL, False, True, None),
    shapes=IMAGES,
    length=9,
    roundings=4,
)
add(
    "upsample_nearest2d",
    lambda x: gems.upsample_nearest2d(x, [17, 21]),
    lambda x: F.interpolate(x, [17, 21]),
    shapes=IMAGES,
)


def labels(make, n, c):
    chosen = make.integers(n, high=c)
    chosen[1] = -100
    return make.normal(n, c, grad=False).log_softmax(-1), chosen, make.uniform(c, low=0.5, grad=False)


LOGITS = [(7, 33), (40, 129)]
add(
    "nll_loss_forward",
    lambda x, t, w: gems.nll_loss_forward(x, t, w),
    lambda x, t, w: aten.nll_loss_forward(x, t, w, 1, -100),
    labels,
    LOGITS,
    length=40,
    roundings=4,
)
for smoothing in (0.0, 0.1):
    add(
        f"cross_entropy_loss smoothing={smoothing}",
        lambda x, t, s=smoothing: gems.cross_entropy_loss(x, t, label_smoothing=s),
        lambda x, t, s=smoothing: F.cross_entropy(x, t, label_smoothing=s),
        lambda make, n, c: (make.normal(n, c), labels(make, n, c)[1]),
        LOGITS,
        length=40,
        roundings=6,
    )
