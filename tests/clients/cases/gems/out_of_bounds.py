"""FlagGems: operators that leave their tensors, in a suite of their own because they may end the process."""

import torch

from . import flag_gems as gems
from . import table, values

TABLE = table()
TABLE.add(
    "argmin dim ragged", lambda x: gems.argmin(x, 1), lambda x: x.argmin(1), values,
    [(5, 33), (3, 7, 129), (2, 2050)],
)  # fmt: skip


def layer_norm_backward(function):
    def run(g, x, w, b):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, correction=0, keepdim=True)
        return function(g, x, w.shape, mean, (variance + 1e-5).rsqrt(), w, b, [True, True, True])

    return run


TABLE.add(
    "layer_norm_backward 3-d",
    layer_norm_backward(gems.layer_norm_backward),
    layer_norm_backward(torch.ops.aten.native_layer_norm_backward),
    lambda make, *s: (*values(make, *s), *values(make, *s), *values(make, s[-1]), *values(make, s[-1])),
    [(3, 7, 129)], (torch.float32,),
)  # fmt: skip
