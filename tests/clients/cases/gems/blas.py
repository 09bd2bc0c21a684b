"""FlagGems: matrix and vector products, convolution, attention; tuned at the first call of each shape."""

import torch
import torch.nn.functional as F

from . import flag_gems as gems
from . import table

TABLE = table()


def add(name, run, reference, inputs, shapes, **more):
    TABLE.add(name, run, reference, inputs, shapes, **more)


def normal(make, *shapes):
    return tuple(make.normal(*shape, grad=False) for shape in shapes)


PRODUCT = [(17, 33, 65), (64, 48, 100)]
add("mm", gems.mm, torch.mm, lambda k, m, n, d: normal(k, (m, d), (d, n)), PRODUCT)
add(
    "mm transposed",
    lambda a, b: gems.mm(a, b.T),
    lambda a, b: a @ b.T,
    lambda k, m, n, d: normal(k, (m, d), (n, d)),
    PRODUCT,
)
add("addmm", gems.addmm, torch.addmm, lambda k, m, n, d: normal(k, (n,), (m, d), (d, n)), PRODUCT)
add("bmm", gems.bmm, torch.bmm, lambda k, m, n, d: normal(k, (3, m, d), (3, d, n)), PRODUCT)
add(
    "baddbmm",
    gems.baddbmm,
    torch.baddbmm,
    lambda k, m, n, d: normal(k, (3, m, n), (3, m, d), (3, d, n)),
    PRODUCT,
)
add("mv", gems.mv, torch.mv, lambda k, m, d: normal(k, (m, d), (d,)), [(33, 65), (70, 1000)])
add("addmv", gems.addmv, torch.addmv, lambda k, m, d: normal(k, (m,), (m, d), (d,)), [(33, 65), (70, 1000)])
for name in ("dot", "vdot"):
    add(name, getattr(gems, name), torch.dot, lambda k, n: normal(k, (n,), (n,)), [(65,), (5000,)])
add("outer", gems.outer, torch.outer, lambda k, m, n: (k.normal(m), k.normal(n)), [(33, 65), (5, 129)])
add("addr", gems.addr, torch.addr, lambda k, m, n: normal(k, (m, n), (m,), (n,)), [(33, 65), (5, 129)])
add("kron", gems.kron, torch.kron, lambda k, m, n: normal(k, (m, n), (3, 5)), [(7, 9), (4, 33)])

LINES = [(2, 4, 6, 19, 3), (1, 3, 5, 40, 5)]
add(
    "conv1d",
    lambda x, w, b: gems.conv1d(x, w, b, padding=1),
    lambda x, w, b: F.conv1d(x, w, b, padding=1),
    lambda k, n, c, o, t, s: normal(k, (n, c, t), (o, c, s), (o,)),
    LINES,
    length=27,
)
IMAGES = [(2, 4, 6, 11, 3), (1, 3, 5, 14, 5)]
add(
    "conv2d",
    lambda x, w, b: gems.conv2d(x, w, b, stride=2, padding=1),
    lambda x, w, b: F.conv2d(x, w, b, 2, 1),
    lambda k, n, c, o, t, s: (k.normal(n, c, t, t), k.normal(o, c, s, s), k.normal(o)),
    IMAGES,
    length=500,
)
add(
    "conv3d",
    lambda x, w, b: gems.conv3d(x, w, b),
    F.conv3d,
    lambda k, n, c, o, t, s: normal(k, (n, c, t, t, t), (o, c, s, s, s), (o,)),
    [(1, 2, 3, 6, 3)],
    length=60,
)
add(
    "_conv_depthwise2d",
    lambda x, w: gems._conv_depthwise2d(x, w, w.shape[2:], None, 1, 1, 1),
    lambda x, w: F.conv2d(x, w, padding=1, groups=len(w)),
    lambda k, n, c, t, s: normal(k, (n, c, t, t), (c, 1, s, s)),
    [(2, 4, 11, 3)],
    length=9,
)

HEADS = [(1, 2, 33, 32), (2, 1, 100, 64)]
for causal in (False, True):
    add(
        f"scaled_dot_product_attention {causal}",
        lambda q, k, v, c=causal: gems.scaled_dot_product_attention(q, k, v, is_causal=c),
        lambda q, k, v, c=causal: F.scaled_dot_product_attention(q, k, v, is_causal=c),
        lambda make, *s: normal(make, s, s, s), HEADS, length=lambda b, h, t, d: t,
        roundings=4, dtypes=(torch.float16, torch.bfloat16),
    )  # fmt: skip
