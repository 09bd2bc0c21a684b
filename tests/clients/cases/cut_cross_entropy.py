"""Cut cross-entropy: the loss of a linear classifier without its logits, forward and backward.

Settings: none; block sizes come from its heuristics, as by default. `filter_eps=None` keeps small gradients,
which it leaves out otherwise.
"""

import torch
import torch.nn.functional as F
from cut_cross_entropy import linear_cross_entropy

from case import Table

TABLE = Table("cut-cross-entropy")
HALVES = (torch.float16, torch.bfloat16)


def inputs(make, tokens, hidden, classes):
    targets = make.integers(tokens, high=classes)
    targets[1] = -100
    return make.normal(tokens, hidden, scale=0.5), make.normal(classes, hidden, scale=0.5), targets


def reference(e, c, targets, reduction="mean", softcap=None, shift=False):
    if shift:
        e, targets = e[:-1], targets[1:]
    logits = e @ c.T
    logits = softcap * torch.tanh(logits / softcap) if softcap else logits
    return F.cross_entropy(logits, targets, reduction=reduction)


SHAPES = [(9, 32, 33), (70, 64, 257), (33, 48, 1000)]
for options in (
    {"reduction": "mean"}, {"reduction": "sum"}, {"reduction": "none"}, {"softcap": 15.0}, {"shift": True}
):  # fmt: skip
    name = " ".join(f"{key}={value}" for key, value in options.items())
    TABLE.add(
        f"linear_cross_entropy {name}",
        lambda e, c, t, o=options: linear_cross_entropy(e, c, t, filter_eps=None, **o),
        lambda e, c, t, o=options: reference(e, c, t, **o),
        inputs, SHAPES, HALVES, roundings=6,
    )  # fmt: skip
TABLE.add(
    "linear_cross_entropy forward", linear_cross_entropy, reference,
    lambda *a: tuple(t.detach() for t in inputs(*a)), SHAPES, (torch.float32, *HALVES), roundings=6,
)  # fmt: skip
