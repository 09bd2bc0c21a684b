"""GemLite: linear layers with quantised weights, at batch sizes that choose its vector and matrix kernels.

Settings: host_device.py answers what it asks torch.cuda at import; weights are quantised on device "cpu".
The reference is the product with the weights as they were quantised.
"""

import torch

import host_device
from case import Table

host_device.describe()

from gemlite import GemLiteLinear, helper  # noqa: E402
from gemlite.core import TORCH_TO_DTYPE  # noqa: E402

TABLE = Table("gemlite")
HALVES = (torch.float16, torch.bfloat16)
#: rows of the input, inputs and outputs of the layer: vector, split and whole products
SHAPES = [(1, 128, 64), (3, 128, 96), (17, 256, 128), (70, 128, 96)]
GROUP = 64


def grouped(bits):
    """An asymmetric layer of groups of GROUP weights."""

    def run(x, w, scales, zeros):
        kind = TORCH_TO_DTYPE[x.dtype]
        n, k = w.shape
        layer = GemLiteLinear(bits, GROUP, k, n, input_dtype=kind, output_dtype=kind)
        layer.pack(w, scales.clone(), zeros.clone(), None)
        return layer(x)

    def reference(x, w, scales, zeros):
        weights = (w.double().reshape(-1, GROUP) - zeros) * scales
        return x @ weights.reshape(w.shape).T

    def inputs(make, m, k, n):
        groups = n * k // GROUP
        return (
            make.normal(m, k, grad=False), make.integers(n, k, high=2**bits).to(torch.uint8),
            make.uniform(groups, 1, low=0.01, high=0.05, grad=False),
            make.integers(groups, 1, high=2**bits).to(make.dtype),
        )  # fmt: skip

    return run, reference, inputs


for bits in (1, 2, 4, 8):
    run, reference, inputs = grouped(bits)
    TABLE.add(
        f"linear {bits} bits grouped", run, reference, inputs, SHAPES, HALVES, roundings=8,
        length=lambda m, k, n: k,
    )  # fmt: skip


def by_channel(x, w):
    return helper.A16W8_INT8(device="cpu", dtype=x.dtype).from_weights(w.clone())(x)


def channel_reference(x, w):
    scales = (w.float().abs().amax(1, keepdim=True) / 127).clamp(min=1e-6)
    return x @ ((w.float() / scales).clamp(-128, 127).round().double() * scales.double()).T


TABLE.add(
    "A16W8_INT8", by_channel, channel_reference,
    lambda make, m, k, n: (make.normal(m, k, grad=False), make.normal(n, k, grad=False, scale=0.1)),
    SHAPES, HALVES, roundings=8, length=lambda m, k, n: k,
)  # fmt: skip


def activations_too(x, w):
    return helper.A8W8_int8_dynamic(device="cpu", dtype=x.dtype).from_weights(w.clone())(x)


def quantised_rows(x):
    scales = (x.abs().amax(1, keepdim=True) / 127).clamp(min=1e-6)
    return (x / scales).round(), scales


def activations_reference(x, w):
    values, scales = quantised_rows(x)
    weights, own = quantised_rows(w.float().double())
    return (values @ weights.T) * scales * own.T


TABLE.add(
    "A8W8_int8_dynamic", activations_too, activations_reference,
    lambda make, m, k, n: (make.normal(m, k, grad=False), make.normal(n, k, grad=False, scale=0.1)),
    SHAPES, HALVES, roundings=8, length=lambda m, k, n: k,
)  # fmt: skip
